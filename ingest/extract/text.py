"""The data of extraction: zones and claims with proofs, the text of an edition as provisions, its sentences and tokens."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

from corpus.address import EditionKey
from corpus.model import Kind
from corpus.words.sentences import TITLE_STOP
from corpus.words.text import CJK, to_half_width

if TYPE_CHECKING:
    from spacy.tokens import Doc
    from spacy.vocab import Vocab


PROPERTIES = ("visibility", "sharing", "ordering", "capacity")
"""The proposed properties of a zone, in display order."""


@dataclass(frozen=True, slots=True)
class Provision:
    """One rule, bullet or heading of a book, as input of extraction; `parent` is a locator."""

    locator: str
    text: str
    parent: str | None
    heading: bool  # whether the text is a title


@dataclass(frozen=True, slots=True)
class ExtractedSupport:
    """Words that prove a claim: a locator of the edition, and at most 7 words or 19 CJK characters of its text."""

    locator: str
    lang: str
    phrase: str


@dataclass(frozen=True, slots=True)
class ExtractedZone:
    """A zone in a text. `labels` are (language, label), the preferred one of each language first."""

    slug: str
    labels: tuple[tuple[str, str], ...]
    defining_locators: tuple[str, ...]  # of the heading or list that names it
    kind: str = "zone"  # zone | sub-zone | composite
    above: str | None = None  # slug of the zone it is a kind of

    def label(self, lang: str) -> str:
        """The preferred label in a language, else the first of any."""
        return next((label for tag, label in self.labels if tag == lang), self.labels[0][1])


@dataclass(frozen=True, slots=True)
class ExtractedClaim:
    """One property of a zone as stated in a text. capacity is a number in digits or `unlimited`."""

    zone: str  # slug
    property: str
    value: str
    supports: tuple[ExtractedSupport, ...]
    general: bool = False  # settled by a rule about all zones instead of one about this zone


@dataclass(frozen=True, slots=True)
class Proposals:
    """The zones and claims of one edition, for a judge to accept or correct."""

    key: EditionKey
    zones: tuple[ExtractedZone, ...] = ()
    claims: tuple[ExtractedClaim, ...] = ()


@dataclass(frozen=True, slots=True)
class ExtractedStatement:
    """A pattern found in a sentence: its value (as the patterns name it), and the zones."""

    property: str
    value: str
    zones: tuple[str, ...]  # slugs; for `all` and `others` the excluded ones
    subject: str  # named | here | all | others
    strength: int
    support: ExtractedSupport


@dataclass(slots=True)
class ZoneDraft:
    """A candidate zone: the start of its section, and its evidence."""

    label: str
    others: list[str] = field(default_factory=list)  # alternative labels
    sections: list[str] = field(default_factory=list)  # locators: headings whose children are its section
    naming_locators: list[str] = field(default_factory=list)  # of lists and statements that name it
    kind: str = "zone"


_TOKEN = re.compile(r"[A-Za-z0-9]+(?:[-'’][A-Za-z0-9]+)*|\S")
_QUOTES = {"“": '"', "”": '"', "„": '"', "‘": "'", "’": "'"}
_OPEN, _CLOSE = "「『“（(《【", "」』”）)》】"
_FULL_STOP = re.compile(r"(?<=[a-z0-9)\"”’\]]{2})[.!?][)\"”’]*(?=\s+[A-Z<“\"(\[])|[.!?](?=\s*$)")


class CharacterTokenizer:
    """A spaCy tokenizer; `norm_` is lower case and narrow, with the variants of a character unified."""

    def __init__(self, vocab: "Vocab", variants: Mapping[str, str]) -> None:
        self.vocab = vocab
        self._variants = str.maketrans({**_QUOTES, **variants})

    def __call__(self, text: str) -> "Doc":
        """The text as a Doc, with its spaces collapsed."""
        from spacy.tokens import Doc

        text = " ".join(text.split())
        matches = list(_TOKEN.finditer(to_half_width(text)))
        words = [text[match.start() : match.end()] for match in matches]
        doc = Doc(self.vocab, words=words, spaces=[text[match.end() : match.end() + 1] == " " for match in matches])
        for token in doc:
            token.norm_ = self.normal_spelling(token.text)
        return doc

    def normal_spelling(self, word: str) -> str:
        """A word in the spelling of the patterns."""
        return to_half_width(word).lower().translate(self._variants)


def sentences(text: str, sentence_ends: str, *, cjk: bool) -> list[str]:
    """The sentences of a rule. In Japanese and Chinese, no sentence ends inside quotation marks or brackets."""
    text = " ".join(text.split())
    stops = list(_cjk_stops(text, sentence_ends)) if cjk else [match.end() for match in _FULL_STOP.finditer(text)]
    parts = [text[start:end].strip() for start, end in zip([0, *stops], [*stops, len(text)], strict=True)]
    return [part for part in parts if part]


def _cjk_stops(text: str, sentence_ends: str) -> list[int]:
    depth, stops = 0, []
    for at, character in enumerate(text):
        depth = max(0, depth + (character in _OPEN) - (character in _CLOSE))
        if character in sentence_ends and not depth:
            stops.append(at + 1)
    return stops


_UNBROKEN = re.compile("[ァ-ヺー]{2}|[A-Za-z0-9]{2}")
"""Two characters of one word."""
_HIRAGANA = re.compile("[ぁ-ゖ]")
_INFLECTION = re.compile("(?<=[\u3400-\u9fff])[ぁ-ゖ]{1,3}$")
"""The beginning of an inflection, which a quotation leaves out if it does not contain the rest."""


def quoted_phrase(doc: "Doc", start: int, end: int, *, cjk: bool) -> str:
    """The last words of a match, up to the limit of a quotation: 7 words, or 19 characters with CJK."""
    first, last = doc[start].idx, doc[end - 1].idx + len(doc[end - 1])
    words = doc.text[first:last].strip(" 、。,.，；;：:")
    if not cjk:
        return " ".join(words.split()[-7:]).strip(" ,.;:")
    starts = (token.idx for token in doc[start:end] if not _UNBROKEN.fullmatch(doc.text[max(token.idx - 1, first) : token.idx + 1]))
    whole = (doc.text[at:last].rstrip(" 、。,.，；;：:") for at in starts)
    words = next((some for some in whole if len("".join(some.split())) <= 19), words[-19:])
    if doc.text[last - 1] == words[-1:] and _INFLECTION.search(words) and _HIRAGANA.match(doc.text, last):
        words = _INFLECTION.sub("", words)
    return words.lstrip("、。,.，；;：: のはがをに的")


def has_cjk(text: str) -> bool:
    """Whether a text has kana or Han characters."""
    return re.search(f"[{CJK}]", text) is not None


_MAX_TITLE_LENGTH = {True: 16, False: 48}  # characters that an unmarked title may have: with CJK, without
_LIST_NUMBER = re.compile(r"^\s*(?:[0-9]+|[①-⑳])\s*[.．、)）:：]?\s*(?=\D)")


@dataclass(frozen=True, slots=True)
class BookText:
    """One language of an edition."""

    lang: str
    provisions: Sequence[Provision]
    place: dict[str, int] = field(default_factory=dict)  # locator → index
    children: dict[str, list[str]] = field(default_factory=dict)

    def provision_and_ancestors(self, locator: str | None) -> Iterator[Provision]:
        """The provision and its ancestors, the innermost first."""
        while locator is not None and locator in self.place:
            provision = self.provisions[self.place[locator]]
            yield provision
            locator = provision.parent


class TextNode(NamedTuple):
    """A node of a book, from a parsed edition or from a record of a bundle."""

    kind: Kind
    locator: str
    text: str
    parent: str | None


def book_text(lang: str, nodes: Iterable[TextNode]) -> BookText:
    """The nodes of one language as a text; tables and glossaries are left out."""
    rule_nodes = [node for node in nodes if node.kind not in (Kind.TABLE, Kind.GLOSSARY)]
    parents = {node.parent for node in rule_nodes}
    provisions = [
        Provision(node.locator, node.text, node.parent, node.kind.is_heading or (node.locator in parents and _is_title(node.text)))
        for node in rule_nodes
    ]
    text = BookText(lang, provisions, {provision.locator: place for place, provision in enumerate(provisions)})
    for provision in provisions:
        if provision.parent is not None:
            text.children.setdefault(provision.parent, []).append(provision.locator)
    return text


def _is_title(words: str) -> bool:
    return bool(words) and len(words) <= _MAX_TITLE_LENGTH[has_cjk(words)] and not TITLE_STOP.search(words)


def title_labels(words: str) -> tuple[str, ...]:
    """The label of a heading and its other forms in brackets, without its number."""
    words = _LIST_NUMBER.sub("", words.strip().strip("*_#").strip())
    inner = re.findall(r"[（(【\[]([^）)】\]]+)[）)】\]]", words)
    plain = re.sub(r"[（(【\[][^）)】\]]*[）)】\]]", " ", words)
    labels = [clean_label(plain), *(clean_label(form) for form in inner if has_cjk(form) or form.isupper())]
    return tuple(dict.fromkeys(label for label in labels if label))


def clean_label(label: str) -> str:
    """A label without quotation marks, articles and stray punctuation at its ends."""
    label = " ".join(label.split()).strip(" 、。，.,:：;；・•-–—*_\"'“”‘’「」『』")
    label = re.sub(r"^(?:the|a|an|your|each|and|or)\s+", "", label, flags=re.IGNORECASE)
    return re.sub(r"(?<=[^A-Za-z])とは$", "", label)
