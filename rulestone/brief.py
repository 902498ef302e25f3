"""Short forms of answers, for chatbots and language models: the fields needed to quote and cite a rule."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, cast

from corpus import contract

if TYPE_CHECKING:
    from corpus.contract import Ask, BriefAsk, BriefHit, BriefSearch, Hit, Search


def brief_search(body: "Search") -> "BriefSearch":
    """The short form of a search."""
    return cast("BriefSearch", {**_brief_fields(contract.BriefSearch, body), "hits": [_brief_hit(hit) for hit in body["hits"]]})


def brief_answer(body: "Ask") -> "BriefAsk":
    """The short form of an answer."""
    claims = [_brief_fields(contract.BriefClaim, claim) for claim in body["claims"]]
    return cast("BriefAsk", {**_brief_fields(contract.BriefAsk, body), "claims": claims})


def _brief_hit(hit: "Hit") -> "BriefHit":
    left_out = "gloss" if hit["text"] else "text"
    return cast("BriefHit", {name: value for name, value in _brief_fields(contract.BriefHit, hit).items() if name != left_out})


def _brief_fields(kind: type, body: Mapping[str, Any]) -> dict[str, Any]:
    """The fields of a body that a type of the contract defines, in the order of the type."""
    return {name: body[name] for name in kind.__annotations__ if name in body}
