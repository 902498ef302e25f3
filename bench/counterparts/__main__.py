"""Prints how many proposed counterparts of rules are right, with each annotated game left out, and fits their confidence.

For each annotated game, its glosses, labels, concepts and counterparts are left out: only the texts of its book are compared with
those of the other games. A rule is covered if it has curated counterparts in another game and one is proposed there. `judged.tsv`
has pairs that were drawn from the proposals of each game and judged by reading both rules: `yes`, the rules decide the same
question; `no`, they do not. With `--write`, the weights are fitted to the curated counterparts and to these verdicts. `--draw`
prints further pairs to judge, and `--prune` drops the verdicts on pairs that are no longer candidates.
"""

import random
import sys
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from bench.measure import prune_table, table_rows
from bench.search.homes import bundle_of
from bench.search.weights import write_weights
from corpus.address import SHARED_SCHEMES, concept_iri, path_of, scheme_of
from corpus.catalogue import RULES
from corpus.words.tokens import words
from ontology.knowledge import Knowledge
from ontology.shipped import shipped_mappings
from ontology.sssom import expand_curie
from search.counterparts import (
    FEATURES,
    MIN_CONFIDENCE,
    WEIGHTS_FILE,
    CandidatePair,
    ComparedRules,
    candidate_pairs,
    compared_rules,
    concept_rarity,
    concepts_by_rule,
)
from search.index.concept_tokens import CONCEPT, find_concepts
from search.index.index import FOLDER, Index
from search.rank.answerability import SENTENCES, LogisticWeights
from search.settings import Field

JUDGED_FILE = Path(__file__).with_name("judged.tsv")
CURATED_GAMES = ("dm", "fow", "mtg", "ygo")
"""The games with curated counterparts of most rules that have one; the others have those of topics."""
DRAWN = 40
"""Number of proposals of a game that are judged."""
_VERDICT_WEIGHT = 10.0
"""Weight of a verdict; a curated pair weighs 1. Verdicts are about any rule, curated pairs only about rules with a counterpart."""
_RELATED = "skos:relatedMatch"
Vector = NDArray[np.float64]


class Pair(NamedTuple):
    """A candidate of a left-out game, and whether it is curated; None where the rule has no curated counterpart in that game."""

    game: str
    other_game: str
    candidate: CandidatePair
    curated: bool | None

    @property
    def rules(self) -> frozenset[int]:
        """Both rules."""
        return frozenset((self.candidate.rule, self.candidate.other))


class Bench:
    """The candidates of every annotated game, compared as if nobody had annotated it."""

    def __init__(self, bundle: Path, fields: Sequence[Field]) -> None:
        """`fields` are those of the games that are not left out."""
        self.knowledge, self.index = Knowledge.open(bundle), Index(bundle / FOLDER)
        self._fields, self._compared = fields, dict[str, ComparedRules]()
        self.rarity = concept_rarity(self.index)

    @cached_property
    def curated(self) -> frozenset[frozenset[int]]:
        """The curated pairs of rules, each in all its editions."""
        groups = {self.index.rules[rule].iri: int(self.index.rules.group[rule]) for rule in range(len(self.index.rules))}
        rows = (row for row in shipped_mappings("counterparts") if row["predicate_id"] != _RELATED)
        pairs = (tuple(expand_curie(row[side]) for side in ("subject_id", "object_id")) for row in rows)
        return frozenset(frozenset(groups[iri] for iri in pair) for pair in pairs if groups.keys() >= set(pair))

    @cached_property
    def pairs(self) -> list[Pair]:
        """The candidates of every game."""
        games = [game for game in self.index.games if self.index.has_embeddings([game])]
        return [pair for game in games for pair in self._pairs_of(game, games)]

    def counterparts_of(self, rule: int, game: str) -> set[int]:
        """The groups of a game that are curated counterparts of a rule."""
        return self._partners.get((int(self.index.rules.group[rule]), game), set())

    @cached_property
    def _partners(self) -> Mapping[tuple[int, str], set[int]]:
        partners: dict[tuple[int, str], set[int]] = {}
        games = dict(zip(self.index.rules.group.tolist(), self.index.rules.game.tolist(), strict=True))
        for pair in self.curated:
            for one in pair:
                for other in pair - {one}:
                    partners.setdefault((one, self.index.games[games[other]]), set()).add(other)
        return partners

    def _pairs_of(self, game: str, games: Sequence[str]) -> Iterator[Pair]:
        books = {(key.game, key.book) for key in self.knowledge.manifest.editions}
        books = {book for book in books if self.knowledge.document(*book) == RULES}
        concepts = concepts_by_rule(self.index, self.rarity) | self._concepts_without(game)
        one = compared_rules(self.index, game, books, [Field.TEXT])
        for other_game in games:
            if other_game == game:
                continue
            if other_game not in self._compared:
                self._compared[other_game] = compared_rules(self.index, other_game, books, self._fields)
            other = self._compared[other_game]
            for candidate in candidate_pairs(one, other, concepts, self.rarity):
                known_groups = self.counterparts_of(candidate.rule, other_game)
                is_curated = int(self.index.rules.group[candidate.other]) in known_groups
                yield Pair(game, other_game, candidate, is_curated if known_groups else None)

    def _concepts_without(self, game: str) -> dict[int, set[str]]:
        """Rule of a game → the concept tokens of its texts by the labels of other games."""
        others = tuple(other for other in self.index.games if other != game)
        rules = np.flatnonzero(self.index.rules.game == self.index.games.index(game)).tolist()
        records = self.knowledge.by_iri([self.index.rules[rule].iri for rule in rules])
        concepts_of_rule: dict[int, set[str]] = {}
        for rule in rules:
            texts = records[self.index.rules[rule].iri]["texts"].values() if self.index.rules[rule].iri in records else ()
            named_concepts = (
                concept
                for text in texts
                for _, concepts in find_concepts(words(text["text"]), self.index.lexicon, others)
                for concept in concepts
            )
            concepts_of_rule[rule] = {
                CONCEPT + concept for concept in named_concepts if scheme_of(concept_iri(concept)) in SHARED_SCHEMES
            }
        return concepts_of_rule


def feature_matrix(pairs: Sequence[Pair]) -> Vector:
    """The features of some pairs, shape (pairs, features)."""
    return np.array([[pair.candidate.features[name] for name in FEATURES] for pair in pairs]).reshape(len(pairs), len(FEATURES))


def fit_weights(pairs: Sequence[Pair], verdicts: Mapping[frozenset[int], bool]) -> LogisticWeights:
    """The weights fitted to the pairs of rules with curated counterparts, and to those with a verdict."""
    from sklearn.linear_model import LogisticRegression

    right = [verdicts.get(pair.rules, pair.curated) for pair in pairs]
    judged_pairs = [pair for pair, is_right in zip(pairs, right, strict=True) if is_right is not None]
    importance = [_VERDICT_WEIGHT if pair.rules in verdicts else 1.0 for pair in judged_pairs]
    values = feature_matrix(judged_pairs)
    scale = values.std(axis=0)
    model = LogisticRegression(max_iter=5000).fit(values / scale, [bool(one) for one in right if one is not None], importance)
    weights = model.coef_[0] / scale
    return LogisticWeights(float(model.intercept_[0]), dict(zip(FEATURES, map(float, weights), strict=True)))


def saved_verdicts(index: Index) -> Mapping[frozenset[int], bool]:
    """Pair of rules → whether they decide the same question."""
    places = {path_of(index.rules[rule].iri): rule for rule in range(len(index.rules))}
    there = (row for row in table_rows(JUDGED_FILE) if {row["rule"], row["other"]} <= places.keys())
    return {frozenset((places[row["rule"]], places[row["other"]])): row["verdict"] == "yes" for row in there}


def proposed_without(game: str, pairs: Sequence[Pair], verdicts: Mapping[frozenset[int], bool]) -> list[Pair]:
    """The proposals for a game, by weights that were fitted without it."""
    others = [pair for pair in pairs if game not in (pair.game, pair.other_game)]
    weights = fit_weights(others, verdicts)
    own = (pair for pair in pairs if pair.game == game)
    return [pair for pair in own if weights.probability_of(pair.candidate.features) >= MIN_CONFIDENCE]


def figures(game: str, pairs: Sequence[Pair], verdicts: Mapping[frozenset[int], bool]) -> str:
    """The proposals for a left-out game: their number, the share that is right, and the share of rules that are covered."""
    proposals = proposed_without(game, pairs, verdicts)
    curated_flags = [pair.curated for pair in proposals if pair.curated is not None]
    verdicts_of_proposals = [verdicts[pair.rules] for pair in proposals if pair.rules in verdicts]
    annotated_rules, covered_rules = (
        {pair.candidate.rule for pair in some if pair.curated is not None}
        for some in ([pair for pair in pairs if pair.game == game], proposals)
    )
    of_curated, of_verdicts = (f"{sum(map(bool, some)):3} of {len(some):3}" for some in (curated_flags, verdicts_of_proposals))
    share = len(covered_rules) / max(len(annotated_rules), 1)
    coverage = f"rules covered {share:.2f} of {len(annotated_rules)}"
    return f"{game:10} {len(proposals):4} proposed  curated {of_curated}  judged right {of_verdicts}  {coverage}"


def sample_rows(pairs: Sequence[Pair], verdicts: Mapping[frozenset[int], bool], index: Index) -> Iterator[str]:
    """Proposals of each game with curated counterparts that are still to be judged, as rows of `judged.tsv`."""
    for game in CURATED_GAMES:
        proposals = proposed_without(game, pairs, verdicts)
        some = random.Random(game).sample(proposals, min(DRAWN, len(proposals)))
        for pair in some:
            if pair.rules not in verdicts:
                yield "\t".join((game, *(path_of(index.rules[rule].iri) for rule in pair.candidate[:2]), ""))


def main() -> None:
    """Prints the figures for a home with every book of the digest, or does what an option says."""
    bundle = bundle_of(Path(next((argument for argument in sys.argv[1:] if not argument.startswith("-")), ".")))
    candidates = set[frozenset[str]]()
    for name, fields in (("texts and glosses", [Field.TEXT, Field.GLOSS]), ("glosses alone", [Field.GLOSS])):
        bench = Bench(bundle, fields)
        verdicts = saved_verdicts(bench.index)
        if "--draw" in sys.argv:
            sys.stdout.writelines(f"{row}\n" for row in sample_rows(bench.pairs, verdicts, bench.index))
            return
        if "--write" in sys.argv and Field.TEXT in fields:
            weights = {SENTENCES: fit_weights(bench.pairs, verdicts)}
            write_weights(WEIGHTS_FILE, "the confidence of proposed counterparts of rules", "bench.counterparts HOME", weights)
        candidates |= {frozenset(path_of(bench.index.rules[rule].iri) for rule in pair.rules) for pair in bench.pairs}
        print(f"each game left out, the other games have {name}")
        for game in bench.index.games:
            print(figures(game, bench.pairs, verdicts), flush=True)
    if "--prune" in sys.argv:
        print(f"{prune_table(JUDGED_FILE, lambda row: frozenset((row['rule'], row['other'])) in candidates)} verdicts dropped")


if __name__ == "__main__":
    main()
