"""The data of extraction: provisions as input, zones and claims with proofs as output."""

from dataclasses import dataclass, field

from corpus.address import EditionKey

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
class Support:
    """Words that prove a claim: a locator of the edition, and at most 7 words or 19 CJK characters of its text."""

    locator: str
    lang: str
    phrase: str


@dataclass(frozen=True, slots=True)
class Zone:
    """A zone in a text. `labels` are (language, label), the preferred one of each language first."""

    slug: str
    labels: tuple[tuple[str, str], ...]
    defined: tuple[str, ...]  # locators: the heading or list that names it
    kind: str = "zone"  # zone | sub-zone | composite
    above: str | None = None  # slug of the zone it is a kind of

    def label(self, lang: str) -> str:
        """The preferred label in a language, else the first of any."""
        return next((label for tag, label in self.labels if tag == lang), self.labels[0][1])


@dataclass(frozen=True, slots=True)
class Claim:
    """One property of a zone as stated in a text. capacity is a number in digits or `unlimited`."""

    zone: str  # slug
    property: str
    value: str
    supports: tuple[Support, ...]
    general: bool = False  # settled by a rule about all zones instead of one about this zone


@dataclass(frozen=True, slots=True)
class Proposals:
    """The zones and claims of one edition, for a judge to accept or correct."""

    key: EditionKey
    zones: tuple[Zone, ...] = ()
    claims: tuple[Claim, ...] = ()


@dataclass(frozen=True, slots=True)
class Statement:
    """A pattern found in a sentence: its value (as the patterns name it), and the zones."""

    property: str
    value: str
    zones: tuple[str, ...]  # slugs; for `all` and `others` the excluded ones
    subject: str  # named | here | all | others
    strength: int
    support: Support


@dataclass(slots=True)
class ZoneDraft:
    """A candidate zone: the start of its section, and its evidence."""

    label: str
    others: list[str] = field(default_factory=list)  # alternative labels
    sections: list[str] = field(default_factory=list)  # locators: headings whose children are its section
    named: list[str] = field(default_factory=list)  # locators of lists and statements that name it
    kind: str = "zone"
