"""Checks citations: whether the rules that a text cites exist, are unchanged, and have the quoted words."""

import re
from typing import TYPE_CHECKING

from corpus.errors import EnvironmentFault, InputError
from rulestone import limits
from rulestone.games import NO_RULES, parse_game, with_titles
from rulestone.library.base import LibraryBase
from rulestone.references import addresses_of
from rulestone.traditional import in_readers_script

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from corpus import contract
    from corpus.address import EditionKey
    from corpus.editions.moment import Scope
    from corpus.editions.verify.verdict import LikeRules, Names, Similarity
    from ontology.knowledge import Knowledge
    from rulestone.library.current import OpenBundle

_DATE = re.compile(r"\d{4}(?:-(?:0[1-9]|1[0-2])(?:-(?:0[1-9]|[12]\d|3[01]))?)?")


class VerifyMixin(LibraryBase):
    """Checks citations and quotations."""

    @in_readers_script
    def verify(
        self,
        text: str,
        *,
        game: str | None = None,
        as_of: str | None = None,
        lang: str | None = None,
        limited: bool = False,
        strict: bool = False,
        allowed: "Sequence[str] | None" = None,
    ) -> "contract.Verify":
        """Every citation of a text, with its status: whether the rule exists, is unchanged, and has the quoted words.

        `game` is the default game of citations; `as_of` their default edition (`2022-06-10`, `2022`, a slug, `latest`). Notes are
        in `lang`. `limited` refuses more than 64 KiB or 200 citations, as the HTTP API does. With `strict` there is a `gate`: the
        verdict, and the text with unproven sentences marked and without them. `allowed` are references of the rules that the
        writer has read, at most 200; each citation then has `read`. Raises InputError.
        """
        from corpus.editions.verify.verify import too_many_error, verify

        answer, bundle = self._answer_language(lang), self._bundle()
        if limited and len(text.encode("utf-8", "replace")) > limits.TEXT:
            raise limits.text_too_long_error()
        games = with_titles({key.game for key in bundle.knowledge.manifest.editions}, bundle.knowledge.manifest)
        slug = parse_game(game, games, NO_RULES) if game else None
        scope, most = _parse_scope(bundle.knowledge, as_of, slug), limits.CITATIONS if limited else None
        allowed_iris = None if allowed is None else addresses_of("allowed", allowed, bundle.knowledge)
        alike, names = _like_rules(bundle), _names_concept(bundle.knowledge)
        body = verify(bundle.knowledge, text, slug, scope, answer, similarity_function(bundle), most, allowed_iris, alike, names)
        if most is not None and len(body["citations"]) > most:
            raise too_many_error(len(body["citations"]), most)
        if strict:
            from corpus.editions.verify.verify import gate

            body["gate"] = gate(text, body["citations"], answer)
        return body

    @staticmethod
    def apply_fixes(text: str, body: "contract.Verify") -> str:
        """A text with today's numbers, from the `fixes` of `verify`."""
        pieces, at = [], 0
        for fix in sorted(body["fixes"], key=lambda fix: fix["start"]):
            pieces += [text[at : fix["start"]], fix["replacement"]]
            at = fix["end"]
        return "".join((*pieces, text[at:]))


def _like_rules(bundle: "OpenBundle") -> "LikeRules":
    """Finds the rules of an edition that are like some words; the search index is opened on first use."""
    from corpus.editions.verify.verdict import Alike
    from search.alike import AlikeRules

    cache: list[AlikeRules] = []

    def alike(words: str, edition: "EditionKey", langs: "Collection[str]") -> Alike:
        try:
            cache[:] = cache or [AlikeRules(bundle.searcher)]
            return cache[0].alike(words, edition, langs)
        except EnvironmentFault:  # an index of another encoder, which allows no guess
            return Alike({}, {})

    return alike


def _names_concept(knowledge: "Knowledge") -> "Names":
    """Whether words name a concept of a game; the names are read on first use."""
    return lambda game, words: bool(knowledge.names.concepts_with_name(words, game))


def similarity_function(bundle: "OpenBundle") -> "Similarity":
    """Compares texts by the vectors of the search index; the encoder is opened on first use."""

    def similarity_of(words: str, texts: "Sequence[str]") -> "Sequence[float]":
        try:
            first, *others = bundle.searcher.encoder.encode([words, *texts])
        except EnvironmentFault:  # an index of another encoder, which allows no guess
            return [0.0] * len(texts)
        return [float(first @ other) for other in others]

    return similarity_of


def _parse_scope(knowledge: "Knowledge", as_of: str | None, game: str | None) -> "Scope":
    """The edition that `as_of` names: a date, a loaded edition or `latest`. Raises InputError for any other value."""
    from corpus.editions.moment import LATEST, DateOrigin, Scope

    if not as_of:
        return Scope()
    edition_name = as_of.strip().lower()
    if edition_name == LATEST:
        return Scope(DateOrigin.AS_OF)
    editions = sorted({key.edition for key in knowledge.manifest.editions if game in (None, key.game)})
    if _DATE.fullmatch(edition_name) or edition_name in editions:
        return Scope(DateOrigin.AS_OF, edition_name)
    raise InputError(
        "as_of {given!r}: expected a date (2022-06-10, 2022-06, 2022), latest, or one of {editions}",
        given=as_of[:40],
        editions=", ".join(editions),
    )
