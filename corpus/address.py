"""Addresses: the IRIs of everything that Rulestone names, made and taken apart here and nowhere else.

id/{game}/{book}/{edition}/{locator}   a rule; without the locator, an edition
id/concept/{game}/{slug}               a concept of a game; without the game, one of all games
id/scheme/{game}                       the concepts of a game
graph/…                                a named graph
source/{sha256}                        an added file
id/{game}/rulings/{source}/{id}        a ruling; with `@{date}` behind it, an older answer to the same
thread/{game}/{book}/{edition}/{locator}   the same rule through its editions, named after the first of them
ns#…                                   the vocabulary
"""

import re
import unicodedata
from dataclasses import dataclass
from functools import cache
from typing import NamedTuple
from urllib.parse import unquote

BASE = "https://w3id.org/rulestone/"
"""What every address begins with."""
NS = f"{BASE}ns#"
"""Rulestone's vocabulary."""
SKOS = "http://www.w3.org/2004/02/skos/core#"
XL = "http://www.w3.org/2008/05/skos-xl#"
OA = "http://www.w3.org/ns/oa#"
DCTERMS = "http://purl.org/dc/terms/"
PROV = "http://www.w3.org/ns/prov#"
RDF_TYPE = "http://www.w3.org/1999/02/22-rdf-syntax-ns#type"
"""Vocabularies of others: concepts and their labels, quotations, what replaces what and how it came about, classes."""
ID, CONCEPT, SCHEME = f"{BASE}id/", f"{BASE}id/concept/", f"{BASE}id/scheme/"
PREFIXES = {
    "concept": CONCEPT,
    "rule": ID,
    "scheme": SCHEME,
    "rs": NS,
    "skos": SKOS,
    "semapv": "https://w3id.org/semapv/vocab/",
    "sssom": "https://w3id.org/sssom/",
}
"""Prefix → IRI, as mappings and queries write them."""
COMMON = ("", "floor")
"""Schemes that belong to no game: their concepts are every game's."""

RULINGS = "rulings"
RESERVED = frozenset({"concept", "latest", RULINGS, "scheme"})
"""What stands in addresses for something else: no game, book or edition is called so."""
_SLUG = re.compile("[a-z0-9][a-z0-9-]{0,39}")
_ANY_HOST = re.compile(r"^https?://[^/]+/(?:rulestone/)?")


@dataclass(frozen=True, slots=True)
class EditionKey:
    """Game, book and edition: what the address of a rule begins with."""

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
    """A rule's edition, and where in it the rule stands."""

    key: EditionKey
    locator: str


def rule_iri(key: EditionKey, locator: str) -> str:
    """The address of a rule."""
    return f"{key.iri}/{locator}"


def thread_iri(iri: str) -> str:
    """The address of a thread, the same rule through its editions: it is named after the first rule in it."""
    return f"{BASE}thread/{iri.removeprefix(ID)}"


def split_rule(iri: str) -> RuleAddress:
    """The parts of a rule's address."""
    game, book, edition, locator = path_of(iri).split("/", 3)
    return RuleAddress(EditionKey(game, book, edition), locator)


def ruling_iri(game: str, source: str, ruling: str, version: str = "") -> str:
    """The address of a ruling; `version` is the date of an older answer, or what stands for one."""
    return f"{ID}{game}/{RULINGS}/{source}/{ruling}{f'@{version}' if version else ''}"


def is_ruling(iri: str) -> bool:
    """Whether an address is a ruling's."""
    return iri.startswith(ID) and path_of(iri).partition("/")[2].startswith(f"{RULINGS}/")


def iri_of(path: str) -> str:
    """The address with that path: `mtg/cr/2024-06-07/400.7d` is a rule, `mtg/cr` a book, `concept/deck` a concept."""
    return f"{ID}{path}"


def path_of(iri: str) -> str:
    """What follows `id/` in an address: `mtg/cr/2024-06-07/400.7d`."""
    return iri.removeprefix(ID)


def path_on_any_host(url: str) -> list[str]:
    """The decoded path of an address, of whichever server, split at its slashes: `["id", "mtg", "cr", …]`."""
    return unquote(_ANY_HOST.sub("", url)).split("/")


def is_iri(text: str) -> bool:
    """Whether a text is one of Rulestone's addresses, with no character in it that no IRI may hold."""
    return text.startswith(BASE) and not _not_in_iri().search(text)


@cache
def _not_in_iri() -> re.Pattern[str]:
    """What RFC 3987, section 2.2, has not, private use included. Compiled when an address is first looked at."""
    planes = "".join(f"{chr(plane << 16)}-{chr((plane << 16) + 0xFFFD)}" for plane in range(1, 14))
    return re.compile(f"[^!#-;=?-\\[\\]_a-z~\xa0-\ud7ff\uf900-\ufdcf\ufdf0-\uffef{planes}]|%(?![0-9A-Fa-f]{{2}})")


def concept_iri(name: str) -> str:
    """The address of a concept: `mtg/graveyard` is one of a game, `graveyard` one of all games."""
    return f"{CONCEPT}{name}"


def concept_name(iri: str) -> str:
    """A concept's address without what all of them begin with: `mtg/graveyard`."""
    return iri.removeprefix(CONCEPT)


def is_concept(iri: str) -> bool:
    """Whether an address is a concept's."""
    return iri.startswith(CONCEPT)


def scheme_of(concept: str) -> str:
    """`mtg` for the concepts of Magic, `` for those of all games."""
    return concept_name(concept).rpartition("/")[0]


def slug_of(concept: str) -> str:
    """The last part of a concept's address."""
    return concept.rpartition("/")[2]


def game_of(concept: str) -> str | None:
    """The game that a concept belongs to; None for a concept of all games and for judges' slang that no game has as a concept."""
    scheme = scheme_of(concept)
    return None if scheme in COMMON else scheme


def is_slug(name: str) -> bool:
    """Whether a name can stand for a game or a book in an address."""
    return bool(_SLUG.fullmatch(name)) and name not in RESERVED


def slug(words: str) -> str:
    """Words as a part of an address: letters and digits of any script, joined by hyphens."""
    plain = unicodedata.normalize("NFKD", words)
    plain = "".join(character for character in plain if not unicodedata.combining(character)).lower()
    return "-".join(re.findall(r"[^\W_]+", unicodedata.normalize("NFC", plain.replace("'", "").replace("’", ""))))


def scheme_iri(game: str) -> str:
    """The address of a game's concept scheme."""
    return f"{SCHEME}{game}"


def graph_iri(*parts: object) -> str:
    """The name of a graph: `("concepts", "mtg")`, or an edition's key and a language."""
    return f"{BASE}graph/{'/'.join(map(str, parts))}"


def source_iri(sha256: str, start: int | None = None, end: int | None = None) -> str:
    """The address of an added file, or of a range of its code points as an RFC 5147 fragment."""
    fragment = "" if start is None else f"#char={start},{end}"
    return f"{BASE}source/{sha256}{fragment}"


def local_name(iri: str) -> str:
    """The name of a term without its vocabulary: `prefLabel`."""
    return iri.rpartition("#")[2]


def skos_curie(iri: str) -> str:
    """A SKOS term as JSON has it: `skos:closeMatch`."""
    return f"skos:{local_name(iri)}"
