"""Short forms of answers, for chatbots and language models: the fields needed to quote and cite a rule."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, cast

from corpus import contract
from corpus.address import citation_of
from corpus.editions.siblings import first_words
from corpus.languages import choose

if TYPE_CHECKING:
    from corpus.contract import (
        Aside,
        Ask,
        BriefAsk,
        BriefChild,
        BriefHit,
        BriefReadRule,
        BriefRule,
        BriefRules,
        BriefSearch,
        BriefSection,
        BriefSectionRef,
        BriefSectionText,
        Hit,
        ReadRule,
        Rule,
        Rules,
        Search,
        Section,
        SectionRef,
        SectionText,
        ShownChild,
    )

_MAX_SECTIONS = 3
"""Maximum number of sections that the short form of a search names."""


def brief_search(body: "Search", *, once: bool) -> "BriefSearch":
    """The short form of a search. With `once`, only the first hit with the same words has them, and long titles are shortened."""
    hits = _hits_once(body["hits"]) if once else [_brief_hit(hit) for hit in body["hits"]]
    sections = [_brief_section(section) for section in body["sections"][:_MAX_SECTIONS]]
    return cast("BriefSearch", {**_brief_fields(contract.BriefSearch, body), "hits": hits, "sections": sections})


def brief_answer(body: "Ask") -> "BriefAsk":
    """The short form of an answer."""
    claims = [_brief_fields(contract.BriefClaim, claim) for claim in body["claims"]]
    return cast("BriefAsk", {**_brief_fields(contract.BriefAsk, body), "claims": claims})


def brief_section(body: "SectionText") -> "BriefSectionText":
    """The short form of a section that is read. Its own title stays whole: in some books titles are rules."""
    *above, own = body["heading"] or [""]
    brief = _brief_fields(contract.BriefSectionText, body) | {
        "heading": [*_titles(above), *filter(None, [own])],
        "previous": _brief_neighbour(body["previous"]),
        "next": _brief_neighbour(body["next"]),
        "rules": [brief_rule(rule) for rule in body["rules"]],
    }
    return cast("BriefSectionText", brief)


def brief_rule(rule: "ReadRule") -> "BriefReadRule":
    """The short form of a rule in a section."""
    words_field = "text" if rule["text"] else "gloss"
    names = {"ref", "number", *(name for name in (words_field, "examples", "marked") if rule.get(name))}
    return cast("BriefReadRule", {name: value for name, value in rule.items() if name in names})


def brief_rules(body: "Rules") -> "BriefRules":
    """The short form of the rules that a reference names."""
    return {"ref": body["ref"], "rules": [_brief_rule(rule) for rule in body["rules"]]}


def _brief_rule(rule: "Rule") -> "BriefRule":
    lang = rule["lang"]
    gloss = {} if rule["texts"] else {"gloss": rule["digest"].get(lang)}
    brief = _brief_fields(contract.BriefRule, {**rule, **{name: words for name, words in gloss.items() if words}}) | {
        "heading": _titles(rule["heading"]),
        "examples": _asides(rule["examples"], lang),
        "notes": _asides(rule["notes"], lang),
        "children": [_brief_child(child, lang) for child in rule["children"]],
        "cites": [citation_of(target) for target in dict.fromkeys(cite["target"] for cite in rule["cites"]) if target],
    }
    return cast("BriefRule", brief)


def _asides(asides: "Sequence[Aside]", lang: str) -> list[str]:
    """Examples or notes in a language; in that of the first one if there are none."""
    langs = [aside["lang"] for aside in asides]
    text_lang = lang if lang in langs else "".join(langs[:1])
    return [aside["text"] for aside in asides if aside["lang"] == text_lang]


def _brief_child(child: "ShownChild", lang: str) -> "BriefChild":
    texts = {tag: text["text"] for tag, text in child["texts"].items()}
    name, words = ("text", texts) if texts else ("gloss", dict(child["digest"]))
    own_words = words.get(choose(lang, words) or lang)
    return cast("BriefChild", {"ref": child["ref"], "number": child["number"], **({name: own_words} if own_words else {})})


def _brief_neighbour(section: "SectionRef | None") -> "BriefSectionRef | None":
    return section and {"ref": section["ref"], "title": first_words("".join(section["heading"][-1:]))}


def _titles(heading: Sequence[str]) -> list[str]:
    """Titles, of long ones the first words."""
    return [first_words(title) for title in heading]


def _words(hit: "Hit") -> str:
    """The words of a hit; of one without words, which the client has seen, its reference."""
    return hit["text"] or hit["gloss"] or hit["ref"]


def _hits_once(hits: "Sequence[Hit]") -> "list[BriefHit]":
    """The short forms of hits. One whose words an earlier hit has names that one instead (`same_text`)."""
    first: dict[str, str] = {}  # words → the reference of the first hit that has them
    brief: list[BriefHit] = []
    for hit in hits:
        first_ref = first.setdefault(_words(hit), hit["ref"])
        short = {**_brief_hit(hit), "heading": _titles(hit["heading"])}
        if first_ref != hit["ref"]:
            short = {name: value for name, value in short.items() if name not in {"text", "gloss"}} | {"same_text": first_ref}
        brief.append(cast("BriefHit", short))
    return brief


def _brief_hit(hit: "Hit") -> "BriefHit":
    """The short form of a hit: its text, else its gloss; of one that the client has seen, neither."""
    omitted_fields = {"gloss" if hit["text"] else "text", *(() if hit["gloss"] else ("gloss",))}
    return cast(
        "BriefHit", {name: value for name, value in _brief_fields(contract.BriefHit, hit).items() if name not in omitted_fields}
    )


def _brief_section(section: "Section") -> "BriefSection":
    return {"ref": section["ref"], "heading": _titles(section["heading"]), "total": len(section["rules"])}


def _brief_fields(kind: type, body: Mapping[str, Any]) -> dict[str, Any]:
    """The fields of a body that a type of the contract defines, in the order of the type."""
    return {name: body[name] for name in kind.__annotations__ if name in body}
