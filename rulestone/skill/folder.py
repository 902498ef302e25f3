"""Books as a skill: a folder of Markdown for language models that have no tools, with an index and one file for each section.

A file has whole sections, several of them if they are short and stand under one heading, and at most MAX_CHARS characters.
"""

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from corpus.address import EditionKey, citation_of
from corpus.editions.sections import section_headings, sections_of, text_language
from corpus.languages import choose
from corpus.model import HEADING_KINDS, Kind

if TYPE_CHECKING:
    from corpus.contract import Aside, RuleRecord
    from ontology.knowledge import Knowledge

MAX_CHARS = 6_000
"""Maximum number of characters of a file of sections."""
_DESCRIPTION = (
    "The rules of {title} ({editions}), by number. Use it to answer questions about these rules, with the numbers and words that "
    "prove the answer."
)
_TEMPLATE = Path(__file__).parent / "data" / "skill.md"
_SENTENCE_ENDS = ("\n", ". ", "。", "; ", "；", " ")
"""Places at which a rule that is longer than a file is cut, the best first."""
_MAX_NAME = 40
"""Maximum number of characters of a locator in the name of a file."""
_MAX_TITLE, _MAX_HEAD = 200, 2_000
"""Maximum number of characters of a title, and of the head of a file."""
_PATH_SEPARATOR = " › "


@dataclass(slots=True)
class _File:
    """A file of sections while it is filled."""

    above: tuple[str, ...]  # the titles above its sections
    head: str
    blocks: list[str] = field(default_factory=list)
    locators: list[str] = field(default_factory=list)
    titles: list[str] = field(default_factory=list)  # of its sections
    keywords: list[tuple[str, str]] = field(default_factory=list)  # label, locator of the rule that defines it

    has_rules: bool = False

    def accepts(self, above: tuple[str, ...]) -> bool:
        """Whether a section belongs here: beside those in the file or, if these are only headings, below them."""
        return above == self.above if self.has_rules else above[: len(self.above)] == self.above

    @property
    def size(self) -> int:
        """Number of characters, with the blank lines between blocks."""
        return len(self.head) + sum(len(block) + 2 for block in self.blocks) + 1

    @property
    def text(self) -> str:
        return "\n\n".join((self.head, *self.blocks)) + "\n"


def skill_name(game: str) -> str:
    """The name of the skill of a game, which is also that of its folder."""
    return f"{game}-rules"


def skill_files(knowledge: "Knowledge", keys: Sequence[EditionKey], lang: str) -> dict[str, str]:
    """Path in the folder → text: `SKILL.md`, `index.md` and `sections/*.md`; texts are in `lang` if the book has it."""
    editions = {summary["iri"]: summary for summary in knowledge.editions()}
    texts: dict[str, str] = {}
    index: list[str] = ["# Index"]
    keywords: dict[str, list[str]] = {}
    edition_lines: list[str] = []
    example = ""
    for key in keys:
        summary = editions[key.iri]
        records = list(knowledge.records_of(key))
        text_lang = text_language(records, lang)
        files = list(_filled_files(knowledge, key, records, text_lang))
        authority = next((record["texts"][text_lang]["authority"] for record in records if text_lang in record["texts"]), "gloss")
        edition_lines.append(f"- {summary['title']}, edition {key.edition} ({authority}, {text_lang})")
        example = example or citation_of(next((one["iri"] for one in records if one["kind"] == Kind.RULE), records[0]["iri"]))
        index += [f"## {summary['title']}, edition {key.edition}", ""]
        for file in files:
            path = f"sections/{len(texts) + 1:04}-{_file_name(file.locators[0])}.md"
            texts[path] = file.text
            index.append(_index_line(path, file))
            for label, locator in file.keywords:
                keywords.setdefault(label, []).append(f"{locator} ({path})")
    index += ["## Keywords", "", *(f"- {label}: {', '.join(keywords[label])}" for label in sorted(keywords, key=str.casefold))]
    game = keys[0].game
    title, all_editions = editions[keys[0].iri]["title"], ", ".join(f"{key.book} {key.edition}" for key in keys)
    skill = _TEMPLATE.read_text(encoding="utf-8").format(
        name=skill_name(game),
        title=title,
        description=json.dumps(_DESCRIPTION.format(title=title, editions=all_editions), ensure_ascii=False),  # a string of YAML too
        books="\n".join(edition_lines),
        example=example,
    )
    return {"SKILL.md": skill, "index.md": "\n".join(index) + "\n", **texts}


def _filled_files(knowledge: "Knowledge", key: EditionKey, records: "Sequence[RuleRecord]", lang: str) -> Iterator[_File]:
    """The files of an edition, in the book's order."""
    sections = sections_of(knowledge, key)
    by_iri = {record["iri"]: record for record in records}
    source = f"{key.game}/{key.book}:{key.edition}:NUMBER"
    file: _File | None = None
    for root, place in enumerate(sections.places):
        if sections.roots[root] != root:
            continue
        first = by_iri[place.iri]
        titles = section_headings(first, lang)
        above = tuple(titles[:-1] if first["kind"] in HEADING_KINDS else titles)
        members = [by_iri[member.iri] for member in sections.members(root)]
        blocks = [(record, block) for record in members for block in rule_blocks(record, lang)]
        length = sum(len(block) + 2 for _, block in blocks)
        if file and not (file.accepts(above) and file.size + length <= MAX_CHARS):
            yield file
            file = None
        for record, block in blocks:
            if file and file.size + len(block) + 2 > MAX_CHARS:
                yield file
                file = None
            if file is None:
                file = _File(above, _head(above, source))
            file.blocks.append(block)
            _note(file, record, knowledge, lang)
    if file:
        yield file


def _head(above: tuple[str, ...], source: str) -> str:
    """The first lines of a file: the titles above its sections, shortened, and how to cite it."""
    path = _PATH_SEPARATOR.join(title[:_MAX_TITLE] for title in above)
    return f"# {path[: _MAX_HEAD // 2]}\n\nCite as {source}" if path else f"Cite as {source}"


def _note(file: _File, record: "RuleRecord", knowledge: "Knowledge", lang: str) -> None:
    """Adds the entry of the index for a rule in a file."""
    if file.locators[-1:] != [record["locator"]]:
        file.locators.append(record["locator"])
        if record["kind"] in HEADING_KINDS:
            file.titles.append(" ".join(filter(None, (record["number"], _title(record, lang)))))
        else:
            file.has_rules = True
        labels = [record["headwords"][lang]] if lang in record["headwords"] else []
        names = (knowledge.names.body_with_name(concept, lang) for concept in record["defines"])
        labels += [name["label"] for name in names if name["lang"] == lang]
        file.keywords += [(label, record["locator"]) for label in dict.fromkeys(labels)]


def _title(record: "RuleRecord", lang: str) -> str:
    text_lang = _shown_language(record, lang)
    words = record["texts"][text_lang]["text"] if text_lang else record["digest"].get(lang, "")
    return " ".join(words.split())[:_MAX_TITLE]


def _shown_language(record: "RuleRecord", lang: str) -> str | None:
    """The language in which a rule is shown: `lang` or another one in which it has words; None without any."""
    return choose(lang, (tag for tag, text in record["texts"].items() if text["text"].strip()))


def _marked(text: str, text_lang: str, lang: str) -> str:
    """A text, with its language if that is not the folder's."""
    return text if text_lang == lang else f"({text_lang}) {text}"


def rule_blocks(record: "RuleRecord", lang: str) -> Iterator[str]:
    """A rule as Markdown: its number and words, then its examples and notes; in pieces if it is longer than a file."""
    number = record["number"] or f"[{record['locator']}]"
    text_lang, gloss = _shown_language(record, lang), _gloss(record["digest"], lang)
    words = _marked(record["texts"][text_lang]["text"], text_lang, lang) if text_lang else f"Gloss: {gloss}" if gloss else ""
    asides = [*_asides(record["examples"], lang), *_asides(record["notes"], lang)]
    if not words and not asides:
        return
    lines = [(f"## {number} {words}" if record["kind"] in HEADING_KINDS else f"**{number}** {words}").rstrip()]
    lines += ["> " + aside.replace("\n", "\n> ") for aside in asides]
    yield from _pieces("\n".join(lines), MAX_CHARS - _MAX_HEAD)


def _asides(asides: "Sequence[Aside]", lang: str) -> list[str]:
    """The examples or notes of a rule in one language: `lang` if it has them."""
    text_lang = choose(lang, (aside["lang"] for aside in asides))
    return [_marked(aside["text"], text_lang, lang) for aside in asides if aside["lang"] == text_lang]


def _gloss(digest: Mapping[str, str], lang: str) -> str:
    return digest.get(lang) or next(iter(digest.values()), "")


def _pieces(text: str, room: int) -> Iterator[str]:
    """A text in pieces of at most `room` characters, cut where a sentence ends if possible."""
    while len(text) > room:
        ends = (text.rfind(end, room // 2, room) + len(end) for end in _SENTENCE_ENDS if text.find(end, room // 2, room) >= 0)
        piece_end = next(ends, room)
        yield text[:piece_end].rstrip()
        text = text[piece_end:].lstrip()
    if text:
        yield text


def _file_name(locator: str) -> str:
    """A locator as part of a file name on any system."""
    return re.sub(r"[^\w.-]+", "-", locator)[:_MAX_NAME].strip("-.") or "section"


def _index_line(path: str, file: _File) -> str:
    """The line of a file: its rules, the titles above them and those of its sections."""
    first, last = file.locators[0], file.locators[-1]
    span = first if first == last else f"{first} – {last}"
    titles: Iterable[str] = (*file.above, *file.titles)
    return f"- [{span}]({path}) {_PATH_SEPARATOR.join(dict.fromkeys(title[:_MAX_TITLE] for title in titles))}".rstrip()
