"""Detects the encoding of a file that does not declare it, by the plausibility of each reading.

charset-normalizer 3.5 was measured first, on the files of the rulebook folder (whole, first 20,000, 2,000 and 300 characters)
re-encoded in 712 ways: 24 readings were wrong. It detected whole English books in cp1252 with curly quotes as cp1250, and failed on
short Chinese ones. This scoring considers only our encodings and was right in all 712 cases.

A reading is scored by its characters beyond ASCII: frequent characters of its language (kana, level-1 Han of the codec, accents and
quotes next to Latin letters) raise the score; rare Han, half-width kana, private or unassigned characters and single Han inside a
Latin word lower it.
"""

import codecs
import re
import unicodedata
from collections.abc import Iterator
from functools import lru_cache
from itertools import islice

# Name given to users → codec that reads it. The codecs are the supersets in which real files are written (as in WHATWG).
LEGACY_ENCODINGS = {"shift_jis": "cp932", "gb18030": "gb18030", "big5": "big5hkscs", "euc-jp": "euc_jp", "cp1252": "cp1252"}
WIDE_ENCODINGS = ("utf-32-le", "utf-32-be", "utf-16-le", "utf-16-be")
# Lead bytes of the first, everyday level of each national standard; in GB the second byte is above 0xA0 as well.
LEVEL_1_RANGES = {"cp932": (0x88, 0x98), "euc_jp": (0xB0, 0xCF), "gb18030": (0xB0, 0xD7), "big5hkscs": (0xA4, 0xC6)}
JAPANESE_CODECS = {"cp932", "euc_jp"}

# Windows and Unicode map some signs of Big5 differently; U+2215 is never intended in Chinese text, the full-width slash often.
UNIFIED_CHARACTERS = {"big5hkscs": str.maketrans("∕•､‾∼♁☉¥¢£", "／‧﹑¯～⊕⊙￥￠￡")}
CHARSETS = {  # label in <meta charset> → encoding on the web
    "shift_jis x-sjis sjis windows-31j": "shift_jis",
    "euc-jp x-euc-jp": "euc-jp",
    "gb18030 gbk gb2312 x-gbk": "gb18030",
    "big5 big5-hkscs x-x-big5": "big5",
    "windows-1252 cp1252 iso-8859-1 latin1 us-ascii": "cp1252",
}
MIN_PLAUSIBLE_SCORE = 0.4  # correct readings of the real texts score 0.84 to 1.3, always above every wrong one
SAMPLE_LENGTH = 20_000  # characters judged
MAX_RUNS = 3_000  # runs of non-ASCII characters that are scored
_META_CHARSET = re.compile(rb"<meta[^>]{1,200}?charset\s*=\s*[\"']?([\w-]+)", re.IGNORECASE)
_ASCII = bytes(range(0x80))
_BEYOND_ASCII = re.compile(r"[^\x00-\x7f]+")
_UPPER_HALF = "".join(bytes([b]).decode("cp1252", "ignore") + chr(b) for b in range(0x80, 0xC0))
_UTF8_AS_LATIN = re.compile(f"[\u00c2-\u00f4][{re.escape(_UPPER_HALF)}\ufffd]{{1,3}}")
_UTF8_CJK = re.compile(rb"[\xe3-\xe9\xef][\x80-\xbf]{2}")  # kana, Han and full-width characters in UTF-8


def decode_declared(data: bytes) -> tuple[str, str] | None:
    """Decodes by `<meta charset>`; None if it is missing, unknown or wrong."""
    meta = _META_CHARSET.search(data[:4096])
    label = meta[1].decode("ascii", "replace").lower() if meta else ""
    for labels, encoding in CHARSETS.items():
        if label in labels.split() and (text := decode_strictly(data, LEGACY_ENCODINGS[encoding])):
            return text, encoding
    return None


def detect_encoding(data: bytes) -> tuple[str, str] | None:
    """Returns (text, encoding name) of the most plausible reading of bytes that are not UTF-8; None if there is none."""
    candidates = [(name, name) for name in WIDE_ENCODINGS]
    if b"\0" not in data:
        candidates += LEGACY_ENCODINGS.items()
    readings = [(plausibility(text, codec), text, name) for name, codec in candidates if (text := decode_strictly(data, codec))]
    best = max(readings, key=lambda reading: reading[0], default=(0.0, "", ""))
    return best[1:] if best[0] >= MIN_PLAUSIBLE_SCORE and not is_mojibake(best[1]) else None


def is_mojibake(text: str) -> bool:
    """Returns whether UTF-8 was read as Latin, Shift-JIS or GBK and saved again; judged by the first 20,000 characters."""
    head = text[:SAMPLE_LENGTH]
    beyond = len(head) - len(head.encode("ascii", "ignore"))
    latin = [len(run) for run in _UTF8_AS_LATIN.findall(head)]
    as_latin = 2 * sum(latin) >= beyond and (len(latin) > 2 or max(latin, default=0) > 2)
    return as_latin or _is_utf8_bytes(head, "cp932") or _is_utf8_bytes(head, "gb18030")


def _is_utf8_bytes(text: str, codec: str) -> bool:
    """Returns whether the bytes of `text` are mostly UTF-8; a few may be lost."""
    data = text.encode(codec, "ignore").translate(None, delete=_ASCII)
    count = len(_UTF8_CJK.findall(data))
    return count > 2 and 3 * count >= 0.6 * len(data)


def plausibility(text: str, codec: str) -> float:
    """Returns how plausible `text` is as a reading by `codec`: the mean weight of its characters, at most 1.5."""
    weights = list(_wide_weights(text) if codec in WIDE_ENCODINGS else _narrow_weights(text, codec))
    mean = sum(weights) / len(weights) if weights else 0.0
    if codec in JAPANESE_CODECS and not re.search("[ぁ-んァ-ヶ]", text):
        return mean / 2  # Chinese read as Japanese: kanji only
    return mean


def decode_strictly(data: bytes, codec: str) -> str | None:
    """The decoded text; None if a byte is invalid."""
    try:
        text = data.decode(codec, "windows" if codec == "euc_jp" else "strict")
    except UnicodeDecodeError:
        return None
    return text.translate(UNIFIED_CHARACTERS[codec]) if codec in UNIFIED_CHARACTERS else text


def _decode_by_windows(error: UnicodeError) -> tuple[str, int]:
    """A character that only Windows has in EUC-JP, such as ①, ⅰ and 髙; an error handler of codecs."""
    if not isinstance(error, UnicodeDecodeError):
        raise error
    try:
        return _sjis_of_euc(error.object[error.start : error.start + 2]).decode("cp932"), error.start + 2
    except (UnicodeDecodeError, ValueError, IndexError):
        raise error from None


def _sjis_of_euc(pair: bytes) -> bytes:
    """The two bytes of EUC-JP as those of Shift-JIS: the same row and cell of the table of characters. Raises ValueError."""
    if min(pair) < 0xA1 or max(pair) > 0xFE:
        raise ValueError
    row, cell = pair[0] - 0xA1, pair[1] - 0xA1
    low = cell + (0x9F if row % 2 else 0x40 + (cell >= 0x3F))
    return bytes([row // 2 + (0x81 if row < 62 else 0xC1), low])


codecs.register_error("windows", _decode_by_windows)


def _wide_weights(text: str) -> Iterator[float]:
    for char in text[:SAMPLE_LENGTH]:
        if char.isascii():
            yield 1.0 if char.isprintable() or char.isspace() else -1.0
        else:
            yield character_weight(char, "utf-16")


def _narrow_weights(text: str, codec: str) -> Iterator[float]:
    for match in islice(_BEYOND_ASCII.finditer(text), MAX_RUNS):
        run = match.group()
        beside = text[max(0, match.start() - 1) : match.start()] + text[match.end() : match.end() + 1]
        if codec == "cp1252":
            yield from (_latin_weight(char, len(run), beside) for char in run)
        elif len(run) == 1 and (beside.isalpha() or _holds_an_initial(run, text[match.end() : match.end() + 1], codec)):
            yield -0.5  # a lone Han inside a Latin word: an accent or apostrophe misread
        else:
            yield from (character_weight(char, codec) for char in run)


def _holds_an_initial(char: str, after: str, codec: str) -> bool:
    """Returns whether the second byte of a character is the capital of the Latin word after it ("©Di" read as Big5 is "呻i")."""
    code = char.encode(codec, "ignore")
    return len(code) == 2 and code[1:].isupper() and after.isascii() and after.islower()


def _latin_weight(char: str, run_length: int, neighbours: str) -> float:
    if run_length > 3:  # "Größe", "« à", but never four in a row
        return -1.0
    if char.isalpha():
        return 1.0 if any(c.isalpha() for c in neighbours) else 0.0
    return 0.9 if char in "\xa0‘’“”–—…•«»™®©°·×½" else 0.2


@lru_cache(maxsize=1 << 16)
def character_weight(char: str, codec: str) -> float:
    """Returns the weight of a non-ASCII character for (up to 1.5) or against (down to -1) a CJK reading."""
    if "ぁ" <= char <= "ヿ":
        # Two rows of kana are unlikely by chance: they outweigh the Han that EUC-JP yields when read as Big5.
        return 1.5 if codec in JAPANESE_CODECS or codec == "utf-16" else 0.2
    if "\u3000" <= char <= "】" or "！" <= char <= "～" or char in "“”‘’…—·–":
        return 0.6
    if "一" <= char <= "鿿":
        return 1.0 if _is_everyday(char, codec) else -0.2
    return _other_weight(char)


def _other_weight(char: str) -> float:
    if "。" <= char <= "ﾟ":  # half-width kana: any GB or EUC text read as Shift-JIS
        return -0.2
    category = unicodedata.category(char)
    if category in ("Cc", "Cn", "Co", "Cs"):
        return -1.0
    return 0.3 if category[0] in "NPSZ" else 0.0


def _is_everyday(char: str, codec: str) -> bool:
    if codec == "utf-16":
        return any(_is_everyday(char, each) for each in LEVEL_1_RANGES)
    low, high = LEVEL_1_RANGES[codec]
    code = char.encode(codec, "ignore")
    return len(code) == 2 and low <= code[0] <= high and (codec != "gb18030" or code[1] > 0xA0)
