"""Questions held against texts: the words that they have from a book, and known questions in other clothes."""

import json
from collections.abc import Iterable

from bench.digest.copies import CJK_RUN, MAX_COMMON_SHARE, WORD_RUN, cjk_text, trigrams, words
from corpus.digest import Digest
from tests.support.texts import QUERIES


class Phrases:
    """The words and letters of some texts."""

    def __init__(self, *texts: str) -> None:
        whole = "\n".join(texts)
        self._words, self._letters = f" {' '.join(words(whole))} ", cjk_text(whole)

    def quoted_in(self, question: str, lang: str) -> list[str]:
        """The runs of WORD_RUN words, or of CJK_RUN letters of a question that is not English, that stand in the texts."""
        said, plain = words(question), "" if lang == "en" else cjk_text(question)
        runs = (" ".join(said[i : i + WORD_RUN]) for i in range(len(said) - WORD_RUN + 1))
        copied = (plain[i : i + CJK_RUN] for i in range(len(plain) - CJK_RUN + 1))
        return [*(run for run in runs if f" {run} " in self._words), *(run for run in copied if run in self._letters)]


def copies(questions: Iterable[str], known: Iterable[str]) -> list[str]:
    """Questions that share MAX_COMMON_SHARE or more of their trigrams with a known one, each with that one."""
    of_known = [(other, trigrams(other)) for other in known]
    quotations = []
    for question in questions:
        mine = trigrams(question)
        quotations += [
            f"{question} ~ {other}" for other, theirs in of_known if mine and len(mine & theirs) >= MAX_COMMON_SHARE * len(mine)
        ]
    return quotations


def evaluation_queries() -> list[str]:
    """The queries of the evaluation set."""
    return [json.loads(line)["query"] for line in QUERIES.read_text("utf-8").splitlines()]


def asked_of(digests: Iterable[Digest]) -> list[str]:
    """Every question of some digests."""
    return [question for digest in digests for gloss in digest.glosses for some in gloss.questions.values() for question in some]
