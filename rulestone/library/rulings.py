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
from corpus.words.text import fold_text
from rulestone import limits
from rulestone.games import NO_RULES, parse_games, with_titles
from rulestone.library.base import LibraryBase, PathName
from rulestone.library.search import search_request
from rulestone.limits import parse_int
from rulestone.progress import Progress, no_progress
from rulestone.traditional import in_readers_script

if TYPE_CHECKING:
    from corpus import contract
    from corpus.store.home.manifest import JudgementsEntry
    from ontology.knowledge import Knowledge
    from search.searcher import Request, Searcher

_MAX_CANDIDATES = 1000
"""Maximum number of rulings for a question before other conditions filter them."""
_EXCERPT_LENGTH = 120
"""Maximum number of characters of a rule or question in a table of proposals."""


@dataclass(frozen=True, slots=True)
class RulingFilter:
    """The conditions that a ruling must meet."""

    card: str | None = None
    rule: str | None = None  # a reference
    rule_game: str | None = None  # with it, the reference is the rest of a path
    games: tuple[str, ...] = ()  # none: all
    source: str | None = None
    changed: bool | None = None
    query: str | None = None
    iri: str | None = None


class RulingsMixin(LibraryBase):
    """Looks up rulings, and adds verdicts on the rules that they rest on."""

    @in_readers_script
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

        `card` is a card's name or number, `rule` a reference to a rule that they rest on, in any edition (with `game` the rest of a
        path), `query` a question in any language; `what` is any of these, or a ruling's address. `changed` selects those whose
        rules have changed since, or with False the others. `as_of` (a date, month, year or edition) returns the answers valid then,
        and leaves out later rulings. Raises NotFoundError for an unknown rule.
        """
        page = Page(parse_int("offset", offset, limits.OFFSETS), parse_int("limit", limit, limits.RULING_LIMITS))
        bundle = self._bundle()
        knowledge = bundle.as_of_date(as_of)
        criteria = RulingFilter(card, rule, game, _games(knowledge, games), source, changed, query)
        criteria = _interpret_words(knowledge, what, criteria) if what else criteria
        if criteria.query is None:
            return _ruling_list(knowledge, criteria, page)
        request = search_request(titles_of(bundle.knowledge.manifest), criteria.query, games, lang, kind="ruling")
        return _search_rulings(bundle.searcher_as_of(as_of), request, criteria, page)

    def ruling(self, game: str, source: str, name: str, *, as_of: str | None = None) -> "contract.Ruling":
        """One ruling by its id, with the answer valid at `as_of`; `…@{date}` is an older one. Raises NotFoundError."""
        from corpus.editions.rulings import ruling_at

        bundle = self._bundle()
        return ruling_at(bundle.as_of_date(as_of), ruling_iri(game, source, name))

    def grounds(self, *, below: float | None = None, games: str | Iterable[str] | None = None) -> "contract.WeakGrounds":
        """The rulings without a certain link to a rule, each with the rules that are proposed for it, the least certain first.

        `below` is the confidence below which a proposal is uncertain, 0.5 by default.
        """
        from corpus.editions.rulings import SURE_CONFIDENCE, proposed_rules, weak_rulings

        threshold = SURE_CONFIDENCE if below is None else below
        if not 0 <= threshold <= 1:
            raise InputError("below {given}: expected a probability from 0 to 1", given=threshold)
        bundle = self._bundle()
        slugs = _games(bundle.knowledge, games)
        rulings = [ruling for ruling in weak_rulings(bundle.knowledge, threshold) if not slugs or ruling["game"] in slugs]
        links = [(ruling, link) for ruling in rulings for link in tuple(proposed_rules(ruling)) or (None,)]
        records = bundle.knowledge.by_iri({link["rule"] for _, link in links if link})
        rows = [_proposal_body(ruling, link, records.get(link["rule"]) if link else None) for ruling, link in links]
        return {"total": len(rulings), "below": threshold, "grounds": rows}

    def judge(self, path: PathName, *, progress: Progress = no_progress) -> "contract.JudgementsAdded":
        """Adds a curator's file: a table with the columns ruling, rule, verdict (yes or no) and who, separated by tabs.

        It overrides proposals and citations; every `build` keeps it until `remove`. Raises InputError for an unusable row; then
        nothing changes.
        """
        from rulestone.writing.restore import restore_copies
        from rulestone.writing.rulings.judgements import add_judgements

        restore_copies(self._home, [Path(path)])
        self.ensure_built()
        entry, new = add_judgements(self._home, Path(path))
        self._current.expire()
        self._propose_grounds(progress, later=False)
        return {"added": judgement_file(entry, "added" if new else "known", os.fspath(path))}


def _games(knowledge: "Knowledge", games: str | Iterable[str] | None) -> tuple[str, ...]:
    """The named games, which must have rules or rulings. Raises InputError for an unknown one."""
    games_with_rules = {key.game for key in knowledge.manifest.editions} | {entry.game for entry in knowledge.manifest.rulings}
    return parse_games(games, with_titles(games_with_rules, knowledge.manifest), NO_RULES) if games else ()


def _interpret_words(knowledge: "Knowledge", text: str, conditions: RulingFilter) -> RulingFilter:
    """The filter in which the words are the address of a ruling, a known rule, a card with rulings, or else a question."""
    from corpus.editions.rulings import rulings_of_card

    words = text.strip()
    if is_ruling(words):
        return replace(conditions, iri=words)
    if f"/{RULINGS}/" in words and "://" in words:
        game, _, rest = path_of(words).partition(f"/{RULINGS}/")
        source, _, name = rest.partition("/")
        return replace(conditions, iri=ruling_iri(game.rpartition("/")[2], source, name))
    if rulings_of_card(knowledge, words):
        return replace(conditions, card=words)
    return replace(conditions, rule=words) if _is_rule_reference(knowledge, words) else replace(conditions, query=words)


def _is_rule_reference(knowledge: "Knowledge", words: str) -> bool:
    try:
        return bool(knowledge.rules(parse_reference(words)))
    except (InputError, NotFoundError):
        return False


def _ruling_list(knowledge: "Knowledge", conditions: RulingFilter, page: Page) -> "contract.Rulings":
    """The rulings that meet the conditions, the newest first. Raises NotFoundError for an unknown rule or ruling."""
    from corpus.editions.rulings import add_changes, ruling_at

    if conditions.iri is not None:
        return {"total": 1, "rulings": [ruling_at(knowledge, conditions.iri)]}
    fitting = _matching_rulings(knowledge, _candidates(knowledge, conditions), conditions)
    return {"total": len(fitting), "rulings": add_changes(knowledge, fitting[page.offset : page.offset + page.limit])}


def _search_rulings(searcher: "Searcher", request: "Request", conditions: RulingFilter, page: Page) -> "contract.Rulings":
    """The rulings that answer a question, the best first, each with a score."""
    from rulestone.search_bodies import ruling_bodies
    from search.rulings.search import RankedRuling

    only_query = (conditions.card, conditions.rule, conditions.source, conditions.changed) == (None, None, None, None)
    results = searcher.search(replace(request, limit=page.offset + page.limit if only_query else _MAX_CANDIDATES, offset=0))
    ranked_rulings = [hit for hit in results.hits if isinstance(hit, RankedRuling)]
    bodies = ruling_bodies(searcher, ranked_rulings)
    for hit, body in zip(ranked_rulings, bodies, strict=True):
        body["score"] = round(hit.relevance, 4)
    matching_iris = (
        {ruling["iri"] for ruling in _candidates(searcher.knowledge, conditions)} if conditions.card or conditions.rule else None
    )
    rulings = [body for body in bodies if matching_iris is None or body["iri"] in matching_iris]
    fitting = _matching_rulings(searcher.knowledge, rulings, conditions)
    total = results.total if only_query else len(fitting)
    return {"total": total, "rulings": fitting[page.offset : page.offset + page.limit]}


def _candidates(knowledge: "Knowledge", conditions: RulingFilter) -> "list[contract.Ruling]":
    from corpus.editions.rulings import all_rulings, rulings_of_card, rulings_of_rule

    if conditions.rule is not None:
        reference = (
            reference_in(conditions.rule_game, conditions.rule) if conditions.rule_game else parse_reference(conditions.rule)
        )
        return rulings_of_rule(knowledge, [record["iri"] for record in knowledge.rules(reference)])
    if conditions.card is not None:
        return rulings_of_card(knowledge, conditions.card)
    return all_rulings(knowledge, conditions.games[0] if len(conditions.games) == 1 else None)


def _matching_rulings(
    knowledge: "Knowledge", candidates: "Sequence[contract.Ruling]", conditions: RulingFilter
) -> "list[contract.Ruling]":
    from corpus.editions.rulings import outdated_rulings

    fitting = [
        ruling
        for ruling in candidates
        if (not conditions.games or ruling["game"] in conditions.games)
        and conditions.source in (None, ruling["source"])
        and (conditions.card is None or fold_text(conditions.card) in map(fold_text, (*ruling["cards"], *ruling["card_ids"])))
    ]
    if conditions.changed is None:
        return fitting
    outdated_iris = outdated_rulings(knowledge)
    return [ruling for ruling in fitting if (ruling["iri"] in outdated_iris) is conditions.changed]


def _proposal_body(
    ruling: "contract.Ruling", link: "contract.RestsOn | None", record: "contract.RuleRecord | None"
) -> "contract.WeakGround":
    texts = {lang: text["text"] for lang, text in record["texts"].items()} if record else {}
    return {
        "ruling": ruling["iri"],
        "rule": link["rule"] if link else None,
        "confidence": link["confidence"] if link else None,
        "question": _excerpt(ruling["question"] or ruling["answer"]),
        "words": _excerpt(texts or (record["digest"] if record else {})),
    }


def _excerpt(texts: dict[str, str]) -> str:
    lang = choose("en", texts)
    return " ".join(texts[lang].split())[:_EXCERPT_LENGTH] if lang else ""


def judgement_file(entry: "JudgementsEntry", status: str, path: str | None = None) -> "contract.JudgementFile":
    """A curator's file and its status."""
    return {"file": path or entry.name, "status": status, "judgements": entry.rows}
