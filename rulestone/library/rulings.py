"""Rulings by rule, by card or by question, the rules that they rest on, and a curator's judgements of these."""

import os
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from corpus.address import RULINGS, is_ruling, path_of, ruling_iri
from corpus.errors import InputError, NotFoundError
from corpus.languages import choose
from corpus.limits import Page
from corpus.reference import parse_reference, reference_in
from corpus.store.home.manifest import titles_of
from corpus.store.rulings import card_key
from rulestone import limits
from rulestone.games import RULES, games_of, with_titles
from rulestone.library.base import LibraryBase, PathName
from rulestone.library.search import search_request
from rulestone.limits import parse_int
from rulestone.progress import Progress, silent

if TYPE_CHECKING:
    from corpus import contract
    from corpus.store.home.manifest import JudgementsEntry
    from ontology.knowledge import Knowledge
    from search.searcher import Request, Searcher

_CANDIDATES = 1000
"""Maximum number of rulings for a question before other conditions filter them."""
_EXCERPT_LENGTH = 120
"""Maximum number of characters of a rule or question in a table of proposals."""


@dataclass(frozen=True, slots=True)
class Filter:
    """The conditions that a ruling must meet."""

    card: str | None = None
    rule: str | None = None  # a reference
    rule_game: str | None = None  # with it, the reference is the rest of a path
    games: tuple[str, ...] = ()  # none: all
    source: str | None = None
    changed: bool | None = None
    query: str | None = None
    iri: str | None = None


class Rulings(LibraryBase):
    """Looks up rulings, and adds verdicts on the rules that they rest on."""

    def rulings(
        self,
        what: str | None = None,
        *,
        query: str | None = None,
        card: str | None = None,
        rule: str | None = None,
        game: str | None = None,
        games: str | Iterable[str] | None = None,
        source: str | None = None,
        changed: bool | None = None,
        as_of: str | None = None,
        lang: str | None = None,
        limit: int | None = None,
        offset: int | None = None,
    ) -> "contract.Rulings":
        """A page of the rulings that meet all conditions: the newest first, for a question the best first.

        `card` is a card's name or number, `rule` a reference to a rule that they rest on, in any edition (with `game` the rest of
        a path), `query` a question in any language; `what` is any of these, or a ruling's address. `changed` selects those whose
        rules have changed since, or with False the others. `as_of` (a date, month, year or edition) returns the answers valid
        then, and leaves out later rulings. Raises NotFoundError for an
        unknown rule.
        """
        page = Page(parse_int("offset", offset, limits.OFFSET), parse_int("limit", limit, limits.RULINGS))
        bundle = self._bundle()
        knowledge = bundle.at(as_of)
        wanted = Filter(card, rule, game, _games(knowledge, games), source, changed, query)
        wanted = _understood(knowledge, what, wanted) if what else wanted
        if wanted.query is None:
            return _list(knowledge, wanted, page)
        request = search_request(titles_of(bundle.knowledge.manifest), wanted.query, games, lang, kind="ruling")
        return _search(bundle.searching(as_of), request, wanted, page)

    def ruling(self, game: str, source: str, name: str, *, as_of: str | None = None) -> "contract.Ruling":
        """One ruling by its id, with the answer valid at `as_of`; `…@{date}` is an older one. Raises NotFoundError."""
        from corpus.editions.rulings import ruling_at

        bundle = self._bundle()
        return ruling_at(bundle.at(as_of), ruling_iri(game, source, name))

    def grounds(self, *, below: float | None = None, games: str | Iterable[str] | None = None) -> "contract.WeakGrounds":
        """The rulings without a certain link to a rule, each with the rules that are proposed for it, the least certain first.

        `below` is the confidence below which a proposal is uncertain, 0.5 by default.
        """
        from corpus.editions.rulings import SURE, proposals, weak

        threshold = SURE if below is None else below
        if not 0 <= threshold <= 1:
            raise InputError("below {given}: expected a probability from 0 to 1", given=threshold)
        bundle = self._bundle()
        wanted = _games(bundle.knowledge, games)
        rulings = [ruling for ruling in weak(bundle.knowledge, threshold) if not wanted or ruling["game"] in wanted]
        links = [(ruling, link) for ruling in rulings for link in tuple(proposals(ruling)) or (None,)]
        records = bundle.knowledge.by_iri({link["rule"] for _, link in links if link})
        rows = [_proposal(ruling, link, records.get(link["rule"]) if link else None) for ruling, link in links]
        return {"total": len(rulings), "below": threshold, "grounds": rows}

    def judge(self, path: PathName, *, progress: Progress = silent) -> "contract.JudgementsAdded":
        """Adds a curator's file: a table with the columns ruling, rule, verdict (yes or no) and who, separated by tabs.

        It overrides proposals and citations; every `build` keeps it until `remove`. Raises InputError for an unusable row; then
        nothing changes.
        """
        from rulestone.writing.rulings.judgements import add_judgements

        self.ensure()
        entry, new = add_judgements(self._home, Path(path))
        self._current.expire()
        self._ground(progress, later=True)
        return {"added": judgement_file(entry, "added" if new else "known", os.fspath(path))}


def _games(knowledge: "Knowledge", games: str | Iterable[str] | None) -> tuple[str, ...]:
    """The named games, which must have rules or rulings. Raises InputError for an unknown one."""
    known = {key.game for key in knowledge.manifest.editions} | {entry.game for entry in knowledge.manifest.rulings}
    return games_of(games, with_titles(known, knowledge.manifest), RULES) if games else ()


def _understood(knowledge: "Knowledge", what: str, wanted: Filter) -> Filter:
    """The filter in which the words are the address of a ruling, a known rule, a card with rulings, or else a question."""
    from corpus.editions.rulings import of_card

    words = what.strip()
    if is_ruling(words):
        return replace(wanted, iri=words)
    if f"/{RULINGS}/" in words and "://" in words:
        game, _, rest = path_of(words).partition(f"/{RULINGS}/")
        source, _, name = rest.partition("/")
        return replace(wanted, iri=ruling_iri(game.rpartition("/")[2], source, name))
    if of_card(knowledge, words):
        return replace(wanted, card=words)
    return replace(wanted, rule=words) if _is_rule(knowledge, words) else replace(wanted, query=words)


def _is_rule(knowledge: "Knowledge", words: str) -> bool:
    try:
        return bool(knowledge.rules(parse_reference(words)))
    except (InputError, NotFoundError):
        return False


def _list(knowledge: "Knowledge", wanted: Filter, page: Page) -> "contract.Rulings":
    """The rulings that meet the conditions, the newest first. Raises NotFoundError for an unknown rule or ruling."""
    from corpus.editions.rulings import ruling_at, with_changes

    if wanted.iri is not None:
        return {"total": 1, "rulings": [ruling_at(knowledge, wanted.iri)]}
    fitting = _fitting(knowledge, _candidates(knowledge, wanted), wanted)
    return {"total": len(fitting), "rulings": with_changes(knowledge, fitting[page.offset : page.offset + page.limit])}


def _search(searcher: "Searcher", request: "Request", wanted: Filter, page: Page) -> "contract.Rulings":
    """The rulings that answer a question, the best first, each with a score."""
    only_query = (wanted.card, wanted.rule, wanted.source, wanted.changed) == (None, None, None, None)
    body = searcher.search(replace(request, limit=page.offset + page.limit if only_query else _CANDIDATES, offset=0))
    hits = [hit for hit in body["hits"] if "ruling" in hit]
    for hit in hits:
        hit["ruling"]["score"] = hit["score"]
    known = {ruling["iri"] for ruling in _candidates(searcher.knowledge, wanted)} if wanted.card or wanted.rule else None
    rulings = [hit["ruling"] for hit in hits if known is None or hit["ruling"]["iri"] in known]
    fitting = _fitting(searcher.knowledge, rulings, wanted)
    total = body["total"] if only_query else len(fitting)
    return {"total": total, "rulings": fitting[page.offset : page.offset + page.limit]}


def _candidates(knowledge: "Knowledge", wanted: Filter) -> "list[contract.Ruling]":
    from corpus.editions.rulings import every, of_card, of_rule

    if wanted.rule is not None:
        reference = reference_in(wanted.rule_game, wanted.rule) if wanted.rule_game else parse_reference(wanted.rule)
        return of_rule(knowledge, [record["iri"] for record in knowledge.rules(reference)])
    if wanted.card is not None:
        return of_card(knowledge, wanted.card)
    return every(knowledge, wanted.games[0] if len(wanted.games) == 1 else None)


def _fitting(knowledge: "Knowledge", candidates: "Sequence[contract.Ruling]", wanted: Filter) -> "list[contract.Ruling]":
    from corpus.editions.rulings import changed

    fitting = [
        ruling
        for ruling in candidates
        if (not wanted.games or ruling["game"] in wanted.games)
        and wanted.source in (None, ruling["source"])
        and (wanted.card is None or card_key(wanted.card) in map(card_key, (*ruling["cards"], *ruling["card_ids"])))
    ]
    if wanted.changed is None:
        return fitting
    outdated = changed(knowledge)
    return [ruling for ruling in fitting if (ruling["iri"] in outdated) is wanted.changed]


def _proposal(
    ruling: "contract.Ruling", link: "contract.RestsOn | None", record: "contract.RuleRecord | None"
) -> "contract.WeakGround":
    texts = {lang: text["text"] for lang, text in record["texts"].items()} if record else {}
    return {
        "ruling": ruling["iri"],
        "rule": link["rule"] if link else None,
        "confidence": link["confidence"] if link else None,
        "question": _glance(ruling["question"] or ruling["answer"]),
        "words": _glance(texts or (record["digest"] if record else {})),
    }


def _glance(texts: dict[str, str]) -> str:
    lang = choose("en", texts)
    return " ".join(texts[lang].split())[:_EXCERPT_LENGTH] if lang else ""


def judgement_file(entry: "JudgementsEntry", status: str, path: str | None = None) -> "contract.JudgementFile":
    """A curator's file and its status."""
    return {"file": path or entry.name, "status": status, "judgements": entry.rows}
