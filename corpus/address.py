"""Addresses: the IRIs of everything that Rulestone names. No other module builds or parses them.

id/{game}/{book}/{edition}/{locator}   a rule; without the locator, an edition
id/concept/{game}/{slug}               a concept of a game; without the game, one of all games
id/scheme/{game}                       the concepts of a game
graph/…                                a named graph
source/{sha256}                        an added file
id/{game}/rulings/{source}/{id}        a ruling; with `@{date}` at its end, an older answer
thread/{game}/{book}/{edition}/{locator}   the same rule through its editions, named after its first edition
ns#…                                   the vocabulary
"""

import re
import unicodedata
from dataclasses import dataclass
from functools import cache
from typing import NamedTuple
from urllib.parse import unquote

BASE = "https://w3id.org/rulestone/"
"""Prefix of every address."""
RS = f"{BASE}ns#"
"""Namespace of Rulestone's vocabulary."""
SKOS = "http://www.w3.org/2004/02/skos/core#"
XL = "http://www.w3.org/2008/05/skos-xl#"
OA = "http://www.w3.org/ns/oa#"
DCTERMS = "http://purl.org/dc/terms/"
PROV = "http://www.w3.org/ns/prov#"
RDF_TYPE = "http://www.w3.org/1999/02/22-rdf-syntax-ns#type"
"""Other vocabularies: SKOS and its labels, Web Annotation, Dublin Core, PROV-O, RDF."""
ID, CONCEPT, SCHEME = f"{BASE}id/", f"{BASE}id/concept/", f"{BASE}id/scheme/"
PREFIXES = {
    "concept": CONCEPT,
    "rule": ID,
    "scheme": SCHEME,
    "rs": RS,
    "skos": SKOS,
    "semapv": "https://w3id.org/semapv/vocab/",
    "sssom": "https://w3id.org/sssom/",
}
"""Prefix → IRI, as mappings and queries write them."""
SHARED_SCHEMES = ("", "floor")
"""Schemes that belong to no game; every game shares their concepts."""
RULINGS = "rulings"
CARDS = "cards"
RESERVED = frozenset({CARDS, "concept", "latest", RULINGS, "scheme"})
"""Path segments of other addresses, which are reserved: no game, book or edition may have such a name."""
_APOSTROPHES = dict.fromkeys(map(ord, "'’"))
_SLUG = re.compile("[a-z0-9][a-z0-9-]{0,39}")
_ANY_HOST = re.compile(r"^https?://[^/]+/(?:rulestone/)?")


@dataclass(frozen=True, slots=True)
class EditionKey:
    """Game, book and edition."""

    game: str
    book: str
    edition: str

    @property
    def iri(self) -> str:
        """IRI of the edition."""
        return f"{ID}{self}"

    def __str__(self) -> str:
        return f"{self.game}/{self.book}/{self.edition}"


class RuleAddress(NamedTuple):
    """A rule's edition and its locator in it."""

    key: EditionKey
    locator: str


def rule_iri(key: EditionKey, locator: str) -> str:
    """IRI of a rule."""
    return f"{key.iri}/{locator}"


def thread_iri(iri: str) -> str:
    """IRI of the thread (the same rule through its editions) whose first rule has an IRI."""
    return f"{BASE}thread/{iri.removeprefix(ID)}"


def split_rule(iri: str) -> RuleAddress:
    """The edition and locator of a rule's IRI."""
    game, book, edition, locator = path_of(iri).split("/", 3)
    return RuleAddress(EditionKey(game, book, edition), locator)


def citation_of(iri: str) -> str:
    """The reference to a rule that names its edition: mtg/cr:2025-02-07:400.7."""
    key, locator = split_rule(iri)
    return f"{key.game}/{key.book}:{key.edition}:{locator}"


def ruling_iri(game: str, source: str, ruling: str, version: str = "") -> str:
    """IRI of a ruling; `version` is the date of an older answer, or a substitute."""
    return f"{ID}{game}/{RULINGS}/{source}/{ruling}{f'@{version}' if version else ''}"


def is_ruling(iri: str) -> bool:
    """Whether an IRI is a ruling's."""
    return iri.startswith(ID) and path_of(iri).partition("/")[2].startswith(f"{RULINGS}/")


def iri_of(path: str) -> str:
    """IRI of a path: `mtg/cr/2024-06-07/400.7d` is a rule, `mtg/cr` a book, `concept/deck` a concept."""
    return f"{ID}{path}"


def path_of(iri: str) -> str:
    """The path of an IRI after `id/`: `mtg/cr/2024-06-07/400.7d`."""
    return iri.removeprefix(ID)


def path_of_foreign_url(url: str) -> list[str]:
    """The decoded path of a URL on any server, split at slashes: `["id", "mtg", "cr", …]`."""
    return unquote(_ANY_HOST.sub("", url)).split("/")


def is_iri(text: str) -> bool:
    """Whether a text is one of Rulestone's addresses and a valid IRI."""
    return text.startswith(BASE) and not _non_iri_characters().search(text)


@cache
def _non_iri_characters() -> re.Pattern[str]:
    """Matches the characters that RFC 3987, section 2.2, excludes, including private use. Compiled on first use."""
    planes = "".join(f"{chr(plane << 16)}-{chr((plane << 16) + 0xFFFD)}" for plane in range(1, 14))
    return re.compile(f"[^!#-;=?-\\[\\]_a-z~\xa0-\ud7ff\uf900-\ufdcf\ufdf0-\uffef{planes}]|%(?![0-9A-Fa-f]{{2}})")


def concept_iri(name: str) -> str:
    """IRI of a concept: `mtg/graveyard` belongs to a game, `graveyard` is a cross-game concept."""
    return f"{CONCEPT}{name}"


def concept_name(iri: str) -> str:
    """A concept's IRI without its prefix: `mtg/graveyard`."""
    return iri.removeprefix(CONCEPT)


def is_concept(iri: str) -> bool:
    """Whether an IRI is a concept's."""
    return iri.startswith(CONCEPT)


def scheme_of(concept: str) -> str:
    """The scheme of a concept: `mtg` for those of Magic, `` for cross-game ones."""
    return concept_name(concept).rpartition("/")[0]


def slug_of(concept: str) -> str:
    """The last part of a concept's IRI."""
    return concept.rpartition("/")[2]


def game_of(concept: str) -> str | None:
    """The game of a concept; None for a cross-game concept and for judges' slang."""
    scheme = scheme_of(concept)
    return None if scheme in SHARED_SCHEMES else scheme


def is_slug(name: str) -> bool:
    """Whether a name may be the slug of a game or book in an address."""
    return bool(_SLUG.fullmatch(name)) and name not in RESERVED


def slugify(words: str) -> str:
    """A slug of some words: their letters and digits as they are written, in any script, joined by hyphens.

    It is composed (NFC) and in lower case. Voicing marks and accents are kept: エネルギー and エネルキー are two words. Width and
    ligatures are no difference (NFKC).
    """
    normalised = unicodedata.normalize("NFKC", words).lower().translate(_APOSTROPHES)
    parts = "".join(character if character.isalnum() or unicodedata.combining(character) else " " for character in normalised)
    return unicodedata.normalize("NFC", "-".join(parts.split()))


def scheme_iri(game: str) -> str:
    """IRI of a game's concept scheme."""
    return f"{SCHEME}{game}"


def graph_iri(*parts: object) -> str:
    """The name of a graph: `("concepts", "mtg")`, or an edition's key and a language."""
    return f"{BASE}graph/{'/'.join(map(str, parts))}"


def source_iri(sha256: str, start: int | None = None, end: int | None = None) -> str:
    """IRI of an added file, or of a range of its code points (an RFC 5147 fragment)."""
    fragment = "" if start is None else f"#char={start},{end}"
    return f"{BASE}source/{sha256}{fragment}"


def local_name(iri: str) -> str:
    """The name of a term without its namespace: `prefLabel`."""
    return iri.rpartition("#")[2]


def skos_curie(iri: str) -> str:
    """A SKOS term as in JSON: `skos:closeMatch`."""
    return f"skos:{local_name(iri)}"
