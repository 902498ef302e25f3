"""Runs of words that two texts have in common, and how alike two questions are."""

import re
import unicodedata
from collections.abc import Collection, Iterable, Iterator, Sequence

CJK_RUN, WORD_RUN = 20, 8
OWN_RUN = 15
"""The most CJK characters that a gloss may have in common with a rulebook at one place, terms, card names and numbers aside."""
_NAME, _PIECE = r"[A-Za-z][\w’'&-]{0,19}(?: [\w’'&-]{1,20}){0,3}", "[^,;:、。：，；]"
_LIST = re.compile(
    rf"(?:{_NAME}[,;] ){{5,}}(?:and )?{_NAME}"  # Cave, Desert, …
    rf"|(?:{_PIECE}{{1,12}}、){{5,}}{_PIECE}{{1,12}}"  # 洞窟、沙漠、…
    rf"|(?:{_PIECE}{{1,40}}、){{8,}}{_PIECE}{{1,40}}"  # アジャニ（Ajani）、…
)
CARD_NAME = re.compile(r"《([^《》\n]{2,30})》|「([^「」\n]{2,15})」")
CJK = re.compile(r"[\u3041-\u30ff\u3400-\u9fff]")


def cjk(text: str) -> str:
    """The letters and digits of a text in one string."""
    return "".join(character for character in unicodedata.normalize("NFKC", text).lower() if character.isalnum())


def is_written_in_cjk(run: str) -> bool:
    """Whether half of a run of letters at least are kana or Han; what is not is a name or an address in Latin script."""
    return 2 * len(CJK.findall(run)) >= len(run)


def is_words(run: Sequence[str]) -> bool:
    """Whether half of a run of words at least have letters enough to be some; what has not is mana symbols and numbers."""
    return 2 * sum(word.isalpha() and len(word) > 1 for word in run) >= len(run)


def words(text: str) -> list[str]:
    """The words of a text in lower case, without punctuation."""
    return re.findall(r"[a-z0-9]+", unicodedata.normalize("NFKC", text).lower().replace("’", "").replace("'", ""))


def without_lists(text: str) -> str:
    """The text without its enumerations of six names and more ("Cave, Desert, Forest, …"), which have no other wording."""
    return _LIST.sub(" | ", text)


def card_names(texts: Iterable[str]) -> set[str]:
    """The card names that some texts print between quotation marks, without punctuation."""
    return {cjk(one or other) for text in texts for one, other in CARD_NAME.findall(text)}


def common(text: str, runs: Collection[str], size: int) -> Iterator[str]:
    """The longest stretches of a text, as `cjk` returns it, of which every `size` letters stand in `runs`."""
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
    """How many letters of a run are left without the terms and card names of `terms`, Latin letters and digits."""
    return len(re.sub("[0-9a-z]+", "", terms.sub("", run)))


def any_of(terms: Iterable[str]) -> re.Pattern[str]:
    """A pattern that fits the terms of two letters or more, the longest first."""
    letters = sorted({cjk(term) for term in terms}, key=lambda term: (-len(term), term))
    return re.compile("|".join(re.escape(term) for term in letters if len(term) > 1))


MOST = 0.6
"""Share of a question's character trigrams that one query may have."""


def trigrams(text: str) -> set[str]:
    """The runs of three letters or digits of a text."""
    plain = cjk(text)
    return {plain[i : i + 3] for i in range(len(plain) - 2)}
