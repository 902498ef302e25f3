"""Links rulings to rules: for a ruling that cites no rule, search proposes the rules on which it probably rests."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from corpus.languages import choose
from search.rank.answerability import weights_for
from search.rank.ranker import RankedRule, Ranking
from search.searcher import Request, Searcher
from search.settings import DATA, LINKS

WEIGHTS_FILE = DATA / "ruling_links.toml"
"""The weights of the confidence; `python -m bench.rulings --write` fits them."""


class ProposedLink(NamedTuple):
    """A rule by its IRI, and the probability that a ruling rests on it."""

    rule: str
    confidence: float


def propose_links(searcher: Searcher, game: str, text: str) -> list[ProposedLink]:
    """The rules of a game on which a ruling with this text probably rests, the most probable first; none for an unknown game."""
    if game not in searcher.index.games or not text:
        return []
    ranking = rank_rules(searcher, game, text)
    encoded = ranking.features.encoded
    sure = [(hit, link_confidence(ranking.hits, nth, encoded=encoded)) for nth, hit in enumerate(ranking.hits[: LINKS.most])]
    links = [
        ProposedLink(searcher.index.rules[hit.rule].iri, round(confidence, 3))
        for hit, confidence in sure
        if confidence >= LINKS.min_confidence
    ]
    return sorted(links, key=lambda link: (-link.confidence, link.rule))


def link_query(question: Mapping[str, str], answer: Mapping[str, str]) -> str:
    """The text of a ruling to search for: question and answer in one language, preferably English, truncated."""
    lang = choose("en", answer) or ""
    question_text = question.get(lang, "")[: LINKS.max_chars // 2]
    return f"{question_text} {answer.get(lang, '')[: LINKS.max_chars - len(question_text)]}".strip()


def rank_rules(searcher: Searcher, game: str, text: str) -> Ranking:
    """The first rules of a game for a text."""
    request = Request(text, (game,), limit=LINKS.candidates)
    query = searcher.understand(request)
    static, dense, _ = searcher.encode_query(query)
    return searcher.ranker.rank(query, static, LINKS.candidates, None, dense)


def link_confidence(hits: Sequence[RankedRule], nth: int, *, encoded: bool) -> float:
    """The probability that a ruling rests on the nth hit; `encoded`: whether there are sentence embeddings."""
    return weights_for(WEIGHTS_FILE, encoded=encoded).probability_of(link_features(hits, nth))


def link_features(hits: Sequence[RankedRule], nth: int) -> dict[str, float]:
    """The lead of a hit over hits that cannot be proposed, its distance to the best other one, and its best cosines."""
    scores = [hit.score for hit in hits]
    rest = scores[LINKS.most :] or scores[-1:]
    other = scores[1] if nth == 0 and len(scores) > 1 else scores[0] if nth else 0.0
    return {
        "above_rest": scores[nth] - sum(rest) / len(rest),
        "lead": scores[nth] - other,
        "static_cosine": _best_signal(hits[nth], "dense"),
        "dense_cosine": _best_signal(hits[nth], "sentence"),
    }


def _best_signal(hit: RankedRule, prefix: str) -> float:
    return max((value for name, value in hit.signals.items() if name.startswith(prefix)), default=0.0)
