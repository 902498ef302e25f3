"""Answers in words of rules: the claims that answer a question, differences between games, and prose by a language model."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import chain, combinations
from typing import TYPE_CHECKING

from corpus.address import citation_of, concept_iri, concept_name, scheme_of, split_rule
from corpus.catalogue import RULES
from corpus.editions.moment import undated_editions
from corpus.languages import choose
from corpus.messages import Message, message, plural
from corpus.store.home.manifest import titles_of
from corpus.words.traditional import traditional
from rulestone.library.search import SearchMixin, options_of_row, search_request, with_compared_game
from rulestone.library.verify import VerifyMixin
from rulestone.traditional import in_readers_script

if TYPE_CHECKING:
    from corpus import contract
    from ontology.knowledge import Knowledge
    from ontology.sssom import MappingRow
    from search.answer.answerer import Answer
    from search.answer.selection import SelectedClaim
    from search.index.index import Index
    from search.searcher import Request, Searcher

_RULINGS, _DIFFERENCES = 3, 8
"""Maximum number of rulings and of differences in one answer."""
_PAUSES = " ,:\u3001\uff0c\uff1a"
"""What parts the words that name an edition from the question."""
_GLOSS_NOTE = message("our own words, unofficial: the book is not loaded")
_NOT_IN_THESE_GAMES = message("none of the games in the question has this")


class AskMixin(SearchMixin, VerifyMixin):
    """Answers questions."""

    @in_readers_script
    def ask(
        self,
        query: str,
        *,
        games: str | Iterable[str] | None = None,
        lang: str | None = None,
        as_of: str | None = None,
        phrase: bool = False,
    ) -> "contract.Ask":
        """The claims that answer a question in any language, each a span of a rule; or the reason why there are none.

        `claim["text"]` is `texts[lang]["text"][start:end]` of the rule as `rules` returns it (of its gloss, `digest[lang]`, if
        `source` is `digest`). The best claims come first, exceptions last; `differences` describes how the games differ. It
        abstains at a higher probability than `search`, because an answer asserts. `games`, `lang` and `as_of` are those of
        `search`; without `as_of`, a date by which the question names the rules counts (`in the rules of 2024`, 2024年時点で).

        With `phrase`, the model that RULESTONE_LLM names turns the claims into prose; `phrased` has the sentences that are proven.
        Raises InputError if no model is named; if the model fails, or its sentences are not proven, the claims are unaffected.
        """
        from search.answer.answerer import Answerer

        if phrase:
            from rulestone.phrasing.endpoint import configured_endpoint
            from rulestone.phrasing.phrase import phrase_answer

            model = configured_endpoint()
        bundle = self._bundle()
        words, as_of = (query, as_of) if as_of is not None else _without_date(query)
        searcher = bundle.searcher_as_of(as_of)
        request = with_compared_game(searcher, search_request(titles_of(bundle.knowledge.manifest), words, games, lang))
        reply = _without_uncovered_games(searcher.knowledge, Answerer(searcher).answer(request))
        body = _answer_body(searcher, request, reply, as_of)
        if words != query:
            body["query"] = query
        if as_of is not None:
            body["undated"] = undated_editions(searcher.knowledge, reply.query.games)
        if phrase:
            body["phrased"] = phrase_answer(body, model, lambda text: self.verify(text, lang=body["lang"]))
        return body

    @in_readers_script
    def search_and_ask(
        self, query: str, *, games: str | Iterable[str] | None = None, lang: str | None = None, limit: int | None = None
    ) -> "tuple[contract.Search, contract.Ask | None]":
        """The results of `search`, and of `ask` with claims only if it is sure, from one ranking and faster than `ask`.

        The second is None if search abstains, and for rule numbers, which the hits answer.
        """
        from rulestone.search_bodies import search_body
        from search.answer.answerer import Answerer

        bundle = self._bundle()
        searcher = bundle.searcher
        request = with_compared_game(
            searcher, search_request(titles_of(bundle.knowledge.manifest), query, games, lang, limit=limit)
        )
        retrieval = searcher.retrieve(request)
        hits = search_body(searcher, request, retrieval)
        if hits["abstained"] or retrieval.query.numbers:
            return hits, None
        return hits, _answer_body(searcher, request, Answerer(searcher).sure_answer(request, retrieval), None)

    def ask_lines(self, data: bytes, *, lang: str | None = None) -> "Iterator[contract.BatchAnswer | contract.BatchFault]":
        """The answers of `ask` to JSON Lines; see `search_lines`."""
        return self._answer_lines(data, lang, lambda row: {"answer": self.ask(**options_of_row(row))})


def _without_date(query: str) -> tuple[str, str | None]:
    """A question without the words that name the edition of a date, and that date."""
    from corpus.editions.citations.dating import edition_date_in

    date = edition_date_in(query)
    if date is None:
        return query, None
    before, behind = query[: date.start].rstrip(), query[date.end :].lstrip()
    if not before or before[-1] in _PAUSES:
        behind = behind.lstrip(_PAUSES)
    if not any(map(str.isalnum, behind)):
        before = before.rstrip(_PAUSES)
    words = f"{before}{' ' if before[-1:].isascii() and behind[:1].isalnum() else ''}{behind}".strip()
    return (words, date.when) if any(map(str.isalnum, words)) else (query, None)


def _answer_body(searcher: "Searcher", request: "Request", answer: "Answer", as_of: str | None) -> "contract.Ask":
    return {
        "query": request.query,
        "lang": answer.lang,
        "as_of": as_of,
        "state": answer.state.value,
        "abstained": answer.reason is not None,
        "reason": answer.reason.in_language(answer.lang) if answer.reason else None,
        "claims": [_claim_body(searcher.knowledge, claim, answer) for claim in answer.claims],
        "differences": _differences(searcher.knowledge, searcher.index, answer),
        "rulings": _rulings_on_claims(searcher, answer),
    }


def _claim_body(knowledge: "Knowledge", claim: "SelectedClaim", answer: "Answer") -> "contract.AnswerClaim":
    record, lang = claim.source.record, answer.lang
    gloss_lang = choose(lang, record["digest"])
    note = _claim_note(claim)
    body: contract.AnswerClaim = {
        "text": claim.text,
        "lang": claim.source.lang,
        "gloss": record["digest"][gloss_lang] if gloss_lang else None,
        "rule": record["iri"],
        "ref": citation_of(record["iri"]),
        "game": record["game"],
        "book": record["book"],
        "edition": record["edition"],
        "number": record["number"],
        "locator": record["locator"],
        "heading": record["headings"].get(lang) or record["heading"],
        "role": claim.role.value,
        "source": "rule" if claim.source.is_text else "digest",
        "current": record["current"],
        "superseded_by": record["superseded_by"],
        "authority": record["texts"][claim.source.lang]["authority"] if claim.source.is_text else None,
        "note": note.in_language(lang) if note else None,
        "part_of": claim.part_of,
        "left_out": claim.left_out,
        "quote": {"text": claim.text, "start": claim.start, "end": claim.end},
    }
    if (document := knowledge.document(record["game"], record["book"])) != RULES:
        body["document"] = document
    return body


def _claim_note(claim: "SelectedClaim") -> Message | None:
    """A warning about a claim: it is not current, or it consists of words of the digest."""
    later = claim.source.record["superseded_by"]
    if later:
        return message("not current: {book} {edition} is newer", book=f"{later['game']}/{later['book']}", edition=later["edition"])
    if not claim.source.record["current"]:
        return message("not current")
    if claim.left_out:
        return plural(
            "{count} item of this list is left out; the rule has it: {rule}",
            "{count} items of this list are left out; the rule has them: {rule}",
            claim.left_out,
            rule=citation_of(claim.source.record["iri"]),
        )
    return None if claim.source.is_text else _GLOSS_NOTE


def _rulings_on_claims(searcher: "Searcher", answer: "Answer") -> "list[contract.Ruling]":
    """The newest valid rulings that rest on the rules of the claims, in any edition."""
    from corpus.editions.rulings import add_changes, rulings_of_rule

    rules, knowledge = searcher.index.rules, searcher.knowledge
    groups = {int(rules.group[claim.source.rule]) for claim in answer.claims}
    places = (place for group in sorted(groups) for place in rules.members(group))
    rulings = [
        ruling for ruling in rulings_of_rule(knowledge, [rules[int(place)].iri for place in places]) if not ruling["withdrawn"]
    ]
    return add_changes(knowledge, rulings[:_RULINGS])


def _differences(knowledge: "Knowledge", index: "Index", answer: "Answer") -> "list[contract.Difference]":
    """The differences between the games of the question or the claims, in the language of the answer."""
    games = answer.query.games or tuple(dict.fromkeys(claim.source.record["game"] for claim in answer.claims))
    if len(games) < 2 or not (answer.claims or answer.reason == _NOT_IN_THESE_GAMES):
        return []
    differences: list[contract.Difference] = []
    by_topic = list(_topic_differences(knowledge, answer))
    # a topic says more than that a game has nothing
    topic_games = {game for difference in by_topic for game in difference["games"]}
    for difference in (
        *by_topic,
        *(lack for lack in _lacks(knowledge, answer) if topic_games.isdisjoint(lack["games"])),
        *_zone_differences(knowledge, answer, games),
        *_rule_differences(knowledge, index, answer),
    ):
        if difference["property"] or not any(set(difference["rules"]) == set(other["rules"]) for other in differences):
            text = _in_script(difference["text"], answer.lang)
            differences.append({**difference, "text": text})
    return differences[:_DIFFERENCES]


def _in_script(text: str, lang: str) -> str:
    """Our words in the characters of an answer; they are stored in simplified ones."""
    return traditional(text) if lang == "zh-Hant" else text


def _topic_cells(knowledge: "Knowledge", answer: "Answer") -> "list[list[contract.TopicCell]]":
    """The positions of the games that a question names on each topic in it."""
    from ontology.topic_table import topic_table

    games, concepts = answer.query.games, {concept_iri(concept) for concept in answer.query.concepts}
    if len(games) < 2 or not concepts:
        return []
    return [topic["cells"] for topic in topic_table(knowledge, answer.lang, games, concepts)["topics"]]


def _without_uncovered_games(knowledge: "Knowledge", answer: "Answer") -> "Answer":
    """An answer without claims of games that have no rule on any topic of the question, or nothing like its things.

    Words of the question in a rule of such a game have another sense; `differences` name the nearest rule. If no game of the
    question has the thing, the answer abstains; if a game that has it makes no claim, the claims stay.
    """
    from search.answer.answerer import Certainty

    cells = [*chain.from_iterable(_topic_cells(knowledge, answer))]
    without = {cell["game"] for cell in cells} - {cell["game"] for cell in cells if cell["found"]}
    without |= {_game_of_row(row) for row in _lacking_rows(knowledge, answer)}
    rest = tuple(claim for claim in answer.claims if claim.source.record["game"] not in without)
    if rest or not answer.claims:
        return replace(answer, claims=rest)
    if without.issuperset(answer.query.games):
        return replace(answer, claims=(), reason=_NOT_IN_THESE_GAMES, state=Certainty.UNSURE)
    return answer


def _lacking_rows(knowledge: "Knowledge", answer: "Answer") -> "list[MappingRow]":
    """For a question that names several games, the mapping rows of those games that have nothing like its cross-game concepts.

    A concept that a curator found in a game counts.
    """
    from ontology.mappings import judged_cases
    from ontology.shipped import hub_labels, shipped_spokes
    from ontology.sssom import NO_TERM_FOUND

    games = {f"scheme:{game}" for game in answer.query.games}
    concepts = {f"concept:{concept}" for concept in answer.query.concepts if concept_iri(concept) in hub_labels()}
    if len(games) < 2 or not concepts:
        return []
    case_pairs = {(f"scheme:{game}", f"concept:{concept_name(hub)}") for game, hub in judged_cases(knowledge.store)}
    every = (row for row in shipped_spokes() if row["subject_id"] == NO_TERM_FOUND and row["object_id"] in concepts)
    rows = [row for row in every if (row["subject_source"], row["object_id"]) not in case_pairs]
    lacking = Counter(row["subject_source"] for row in rows)
    return [row for row in rows if row["subject_source"] in games and lacking[row["subject_source"]] == len(concepts)]


def _lacks(knowledge: "Knowledge", answer: "Answer") -> "Iterator[contract.Difference]":
    """For each game that has nothing like the things in a question, a statement of that with the nearest rule, if it is loaded."""
    from ontology.sssom import COMMENT_COLUMNS, expand_curie

    lang = choose(answer.lang, COMMENT_COLUMNS) or "en"
    for row in _lacking_rows(knowledge, answer):
        lacking, rules = _game_of_row(row), list(knowledge.by_iri([expand_curie(row["subject_rule"])]))
        other = next(game for game in answer.query.games if game != lacking)
        yield {"games": [other, lacking], "rules": rules, "property": None, "text": row[COMMENT_COLUMNS[lang]]}


def _game_of_row(row: "MappingRow") -> str:
    return row["subject_source"].removeprefix("scheme:")


def _topic_differences(knowledge: "Knowledge", answer: "Answer") -> "Iterator[contract.Difference]":
    """For each pair of games in a question, their positions on a topic, or a statement that a game has no such rule."""
    from search.rank.abstention import GameNames

    colon = ": " if answer.lang == "en" else "："
    for cells in _topic_cells(knowledge, answer):
        for pair in combinations(cells, 2):
            positions_by_game = ((GameNames((cell["game"],)).in_language(answer.lang), cell["says"]) for cell in pair)
            positions = (colon.join(_in_script(part, answer.lang) for part in parts) for parts in positions_by_game)
            yield {
                "games": [cell["game"] for cell in pair],
                "rules": [cell["rule"]["rule"] for cell in pair],
                "property": None,
                "text": (" " if answer.lang == "en" else "").join(positions),
            }


def _zone_differences(knowledge: "Knowledge", answer: "Answer", games: Sequence[str]) -> "Iterator[contract.Difference]":
    """The differences between the games in the zones that a question names."""
    from ontology.comparison import claim_differences
    from ontology.concepts.claim_status import claims_at

    lang = choose(answer.lang, ("en", "ja", "zh-Hans")) or "en"
    hubs = [knowledge.names.cases.get(concept_iri(concept), ()) for concept in answer.query.concepts]
    claims = claims_at(knowledge, {concept for concepts in hubs for concept in concepts if scheme_of(concept) in games})
    separator = " " if lang == "en" else ""
    for concepts in hubs:
        with_claims = [concept for concept in concepts if concept in claims]
        for pair in combinations(sorted(with_claims, key=lambda concept: games.index(scheme_of(concept))), 2):
            sides = [scheme_of(concept) for concept in pair]
            if sides[0] != sides[1]:
                for name, rules, text in claim_differences([claims[concept] for concept in pair], sides, lang):
                    yield {"games": sides, "rules": rules, "property": name, "text": text.strip(separator)}


def _rule_differences(knowledge: "Knowledge", index: "Index", answer: "Answer") -> "Iterator[contract.Difference]":
    """The comments on two rules of an answer that are counterparts, in any edition."""
    places = list(dict.fromkeys(claim.source.rule for claim in answer.claims))
    for first, second in combinations(places, 2):
        groups = [int(index.rules.group[place]) for place in (first, second)]
        if any(near.group == groups[1] for near in index.counterparts.get(groups[0], ())):
            rules = [index.rules[place].iri for place in (first, second)]
            if text := _comment(knowledge, index, groups, answer.lang):
                yield {"games": [split_rule(rule).key.game for rule in rules], "rules": rules, "property": None, "text": text}


def _comment(knowledge: "Knowledge", index: "Index", groups: Sequence[int], lang: str) -> str:
    """The comment on a counterpart, in the language of the answer or a fallback."""
    from ontology.mappings import counterparts

    others = {index.rules[place].iri for place in _group_members(index, groups[1])}
    store = knowledge.today.store
    rows = (row for place in _group_members(index, groups[0]) for row in counterparts(store, index.rules[place].iri, lang))
    return next((row["comment"] for row in rows if row["iri"] in others), "")


def _group_members(index: "Index", group: int) -> list[int]:
    """The rules of a group, including unsearchable ones: counterparts refer to the editions of the digest."""
    return [int(place) for place in (index.rules.group == group).nonzero()[0]]
