"""The small values that bodies are made of: addresses, languages, authorities, kinds, offsets."""

from typing import Annotated

from typing_extensions import TypedDict

from corpus.contract.schema import Schema
from corpus.languages import LANGUAGES
from corpus.model import Authority, Kind

Iri = Annotated[str, Schema(name="iri", pattern="^https?://")]
Lang = Annotated[str, Schema(name="lang", enum=LANGUAGES, description="BCP 47 tag of a language.")]
Rank = Annotated[str, Schema(name="authority", enum=tuple(Authority), description="Who stands behind a text.")]
RuleKind = Annotated[str, Schema(name="rule_kind", enum=tuple(Kind), description="What an addressed part of a book is.")]
Slug = Annotated[str, Schema(pattern="^[a-z0-9-]+$")]
Words = Annotated[str, Schema(min_length=1)]
Count = Annotated[int, Schema(minimum=0)]
Some = Annotated[int, Schema(minimum=1)]
Share = Annotated[float, Schema(minimum=0, maximum=1)]
Glosses = Annotated[dict[str, Words], Schema(keys=Lang)]
"""Language → words of ours."""


class Span(TypedDict):
    """A half-open range of Unicode code points."""

    start: Count
    end: Count
