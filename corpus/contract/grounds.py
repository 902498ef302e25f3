"""What rulings rest on, for a curator: proposals that are not sure, and files of judgements."""

from typing import Annotated

from typing_extensions import TypedDict

from corpus.contract.schema import Schema
from corpus.contract.words import Count, Iri, Share


class WeakGround(TypedDict):
    """A rule that is proposed for a ruling and not sure; null where none is. `words` are the rule's, `question` the ruling's."""

    ruling: Iri
    rule: Iri | None
    confidence: Share | None
    question: str
    words: str


class WeakGrounds(TypedDict):
    """The proposals that wait for a curator, ruling by ruling, the least sure first; `total` is how many rulings there are."""

    total: Count
    below: Share
    grounds: list[WeakGround]


class JudgementFile(TypedDict):
    """A curator's file, and how many judgements there are in it."""

    file: str
    status: Annotated[str, Schema(name="judgement_file_status", enum=("added", "known", "removed"))]
    judgements: Count


class JudgementsAdded(TypedDict):
    """What became of a curator's file."""

    added: JudgementFile
