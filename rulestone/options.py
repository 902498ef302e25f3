"""The options that the command line, the HTTP API and the MCP tools share: what each one means, and the values it accepts."""

from dataclasses import dataclass, replace
from typing import Literal, get_args

from corpus.cursor import MAX_LENGTH
from rulestone import limits
from rulestone.limits import NAME, Range

LanguageTag = Literal["ja", "zh", "zh-Hans", "zh-Hant", "en"]
HitKind = Literal["rule", "ruling"]
EditionSet = Literal["current", "all"]


@dataclass(frozen=True, slots=True)
class Option:
    """An option as every interface describes it, for a person at a terminal, a developer and a language model."""

    about: str
    example: str | None = None
    max_length: int | None = None
    """Maximum number of characters. A text that also has an example must not be empty."""
    bounds: Range | None = None
    values: tuple[str, ...] = ()
    """All values that it accepts."""

    def within(self, bounds: Range) -> "Option":
        """The same option with other bounds."""
        return replace(self, bounds=bounds)

    def described(self, *notes: str) -> str:
        """The description, followed by the notes of one interface."""
        return " ".join(filter(None, (self.about, *notes)))


# Languages, games and editions

_TAGS = get_args(LanguageTag)
LANG = Option("Language of the answer.", values=_TAGS)
BOOK_LANG = Option("Only books in this language.", values=_TAGS)
GAME = Option("Slug of the game: mtg.")
GAMES = Option("Games by slug, separated by commas: mtg,dm. Default: all.")
QUESTION_GAMES = Option("Games by slug, separated by commas: mtg,dm. Default: those that the question names, else all.")
AS_OF = Option(
    "The rules as of a date (2024-06-07), month (2024-06), year (2024) or edition (mtg/cr/2024-06-07).", "2024-06-07", NAME
)
BOOK = Option("Book as game/book: mtg/cr; or a game with one book.", "mtg/cr", NAME)
EDITION_OF_BOOK = Option("Book or edition: mtg/cr, mtg/cr/2024-06-07; or a game with one book.", "mtg/cr", NAME)
FROM = Option("The earlier edition; a date, month or year means the edition current then.", "2024-06-07", NAME)
TO = Option("The later edition, or a date. Default: the newest.")
SECTION = Option("Only this section: 7, 701, glossary.")

# Rules

REFERENCE = Option(
    "Reference to a rule: 400.3b, dm:400.3b, mtg:2024-06-07:400.7, MTG CR 400.7d or an IRI.", "dm:400.3b", limits.REFERENCE
)
DEPTH = Option("Levels of headings.", bounds=limits.OUTLINE_DEPTHS)
TOKENS = Option("Approximate maximum size of the answer in tokens.", bounds=limits.SECTION_TOKENS)
CURSOR = Option("Continue from the cursor of the previous answer to the same request.", max_length=MAX_LENGTH)
SECTION_EXAMPLES = Option("Whole examples and notes; otherwise their first sentences.")

# Questions

QUERY = Option("A question in Japanese, Chinese or English, in the asker's own words.", "graveyard order", limits.MAX_QUERY_LENGTH)
HIT_KIND = Option(
    "Only this kind of hits. Default: both, with at most three rulings in the first ten hits.", values=get_args(HitKind)
)
HIT_EXAMPLES = Option("Whether the text of a hit includes its examples and notes.")
SEEN = Option(f"References of at most {limits.MAX_REFS} rules that you have read: hits on them have no words.", "dm:400.3b")
LIMIT = Option("Maximum number of results.")
OFFSET = Option("Number of results to skip.", bounds=limits.OFFSETS)

# Rulings, cards and citations

RULINGS_QUERY = Option("A question that the rulings answer, in any language.", "graveyard order", limits.MAX_QUERY_LENGTH)
RULINGS_CARD = Option("Name or number of a card that the rulings are about.", "Clone", NAME)
RULINGS_RULE = Option("Rule that the rulings rest on: 400.3b, mtg:2024-06-07:400.7 or an IRI.", "dm:400.3b", limits.REFERENCE)
RULINGS_SOURCE = Option("Slug of the source of the rulings.")
CHANGED = Option("Only rulings that rest on a rule that has changed since.")
CARD = Option("Name of a card in any language.", "Clone", NAME)
CITED_GAME = Option("Slug of the game for citations that name none.")
CITED_AS_OF = Option("Edition from which the text cites: 2022-06-10, 2022, a slug or latest. Default: a date in the text.")
ALLOWED = Option("References of the rules that the writer has read; `read` of a citation is false for any other rule.")

# Concepts and terms

CONCEPT = Option("Concept: mtg/graveyard, graveyard, a name in any language (also slang) or an IRI.", "mtg/graveyard", NAME)
LABEL = Option("Name of a concept in any language: 山札, graveyard, yard.", "graveyard", NAME)
TOPIC = Option("Only this topic, by its slug or a name: mulligan, 状況起因処理. Default: all.", "mulligan", NAME)
USES = Option("Maximum number of uses in each game and language.", bounds=limits.USE_LIMITS)

# Translations

SOURCE_LANG = Option("Source language.", "en", values=_TAGS)
TARGET_LANG = Option("Target language.", "zh", values=_TAGS)
TRANSLATION = Option("Edition of the translation, if it is another one.")
FINDING_KINDS = Option("Kinds of findings, separated by commas. Default: all.")
OLD_TEXT = Option(
    "A text as game/book/edition:language: fow/cr/undated:ja. Default: the newest edition and its only language.",
    "fow/cr/undated:ja",
    NAME,
)
NEW_TEXT = Option("The other text, in the same form.", "fow/cr:en", NAME)
BITEXT_BOOK = Option("Book as game/book: mtg/cr. Default: the only one in two languages.")
BITEXT_EDITION = Option("Edition. Default: the newest in both languages, for a work package the newest in the source language.")
TODO = Option("A work package in XLIFF: only the units to translate, with notes.")
TERMBASE_LANGS = Option("Languages in the order of the columns, separated by commas. Default: all.")
CONCEPT_GROUPS = Option("zones, keywords, actions, states, … or kinds of concepts, separated by commas. Default: all.")
WITH_TEXTS = Option("Quote examples of use from the loaded books.")
WORDS = Option("Words in any language, or with regex an RE2 expression.", "graveyard", NAME)
REGEX = Option("The query is a regular expression that ignores case.")
ONLY_BOOK = Option("Only this book: mtg/cr.")
ONLY_EDITION = Option("Only this edition, or all. Default: the current ones.")
PARTS = Option("Parts of a rule, separated by commas: text, heading, headword, example, note. Default: all.")
BESIDE = Option("Language to show beside each line.", values=_TAGS)
RENDERINGS = Option("Count the words of the other language that render the query.")
LINES = Option("Maximum number of lines; a table has all by default.", bounds=limits.LINE_LIMITS)

# Linked Data

EDITION_SET = Option("all: superseded editions and the steps between editions too.", values=get_args(EditionSet))
