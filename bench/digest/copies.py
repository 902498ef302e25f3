"""Runs of words that two texts have in common, and how alike two questions are."""

import re
import unicodedata

CJK_RUN, WORD_RUN = 20, 8
CJK = re.compile(r"[\u3041-\u30ff\u3400-\u9fff]")


def cjk(text: str) -> str:
    """The letters and digits of a text in one string."""
    return "".join(character for character in unicodedata.normalize("NFKC", text).lower() if character.isalnum())


def is_written_in_cjk(run: str) -> bool:
    """Whether half of a run of letters at least are kana or Han; what is not is a name or an address in Latin script."""
    return 2 * len(CJK.findall(run)) >= len(run)


def words(text: str) -> list[str]:
    """The words of a text in lower case, without punctuation."""
    return re.findall(r"[a-z0-9]+", unicodedata.normalize("NFKC", text).lower().replace("’", "").replace("'", ""))


MOST = 0.6
"""Share of a question's character trigrams that one query may have."""


def trigrams(text: str) -> set[str]:
    """The runs of three letters or digits of a text."""
    plain = cjk(text)
    return {plain[i : i + 3] for i in range(len(plain) - 2)}
