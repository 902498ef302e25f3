"""Runs of words that two texts share, and the similarity of two questions."""

import re
import unicodedata
from collections.abc import Collection, Iterable, Iterator, Sequence

CJK_RUN, WORD_RUN = 20, 8
MAX_SHARED_RUN = 15
"""Maximum number of consecutive CJK characters that a gloss may share with a rulebook, without terms, card names and numbers."""
_NAME, _PIECE = r"[A-Za-z][\w’'&-]{0,19}(?: [\w’'&-]{1,20}){0,3}", "[^,;:、。：，；]"
_NAME_LIST = re.compile(
    rf"(?:{_NAME}[,;] ){{5,}}(?:and )?{_NAME}"  # Cave, Desert, …
    rf"|(?:{_PIECE}{{1,12}}、){{5,}}{_PIECE}{{1,12}}"  # 洞窟、沙漠、…
    rf"|(?:{_PIECE}{{1,40}}、){{8,}}{_PIECE}{{1,40}}"  # アジャニ（Ajani）、…
)
CARD_NAME = re.compile(r"《([^《》\n]{2,30})》|「([^「」\n]{2,15})」")
CJK = re.compile(r"[\u3041-\u30ff\u3400-\u9fff]")


def cjk_text(text: str) -> str:
    """The letters and digits of a text in one string."""
    return "".join(character for character in unicodedata.normalize("NFKC", text).lower() if character.isalnum())


def is_written_in_cjk(run: str) -> bool:
    """Whether at least half of the letters of a run are kana or Han; other runs are names or addresses in Latin script."""
    return 2 * len(CJK.findall(run)) >= len(run)


def is_words(run: Sequence[str]) -> bool:
    """Whether at least half of the words of a run have enough letters; other runs are mana symbols and numbers."""
    return 2 * sum(word.isalpha() and len(word) > 1 for word in run) >= len(run)


def words(text: str) -> list[str]:
    """The words of a text in lower case, without punctuation."""
    return re.findall(r"[a-z0-9]+", unicodedata.normalize("NFKC", text).lower().replace("’", "").replace("'", ""))


def without_lists(text: str) -> str:
    """The text without lists of six or more names ("Cave, Desert, Forest, …"), which cannot be worded differently."""
    return _NAME_LIST.sub(" | ", text)


def card_names(texts: Iterable[str]) -> set[str]:
    """The card names that some texts print between quotation marks, without punctuation."""
    return {cjk_text(one or other) for text in texts for one, other in CARD_NAME.findall(text)}


def common_stretches(text: str, runs: Collection[str], size: int) -> Iterator[str]:
    """The longest stretches of a text, as `cjk_text` returns it, all of whose substrings of `size` letters are in `runs`."""
    start = end = 0
    for i in range(len(text) - size + 1):
        if text[i : i + size] not in runs:
            continue
        if i > end - size + 1:
            if end:
                yield text[start:end]
            start = i
        end = i + size
    if end:
        yield text[start:end]


def own_letters(run: str, terms: re.Pattern[str]) -> int:
    """The number of letters of a run without `terms` (terms and card names), Latin letters and digits."""
    return len(re.sub("[0-9a-z]+", "", terms.sub("", run)))


def alternation(terms: Iterable[str]) -> re.Pattern[str]:
    """A pattern that matches the terms of at least two letters, the longest first."""
    letters = sorted({cjk_text(term) for term in terms}, key=lambda term: (-len(term), term))
    return re.compile("|".join(re.escape(term) for term in letters if len(term) > 1))


MAX_COMMON_SHARE = 0.6
"""Maximum share of a question's character trigrams that one query may contain."""


def trigrams(text: str) -> set[str]:
    """The runs of three letters or digits of a text."""
    plain = cjk_text(text)
    return {plain[i : i + 3] for i in range(len(plain) - 2)}
