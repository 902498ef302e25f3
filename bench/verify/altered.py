"""Quotations cut from a rule: faithful ones as people write them, and altered ones."""

import random
import re

from corpus.words.text import fold

_WORD = re.compile(r"[A-Za-z]+(?:[’'][a-z]+)?")
_NEGATION = {"en": r"(?<=can)[’']t\b|\bnot |\bnever |\bno |\bdoesn[’']t ", "ja": "ない|ません", "zh-Hans": "不|没有|未"}
_NUMBERS = {
    "en": [
        ("one", "two"),
        ("two", "three"),
        ("three", "four"),
        ("first", "second"),
        ("all", "some"),
        ("each", "any"),
        ("may", "must"),
    ],
    "ja": [("一", "二"), ("1", "2"), ("2", "3"), ("すべて", "一部"), ("各", "全"), ("前", "後")],
    "zh-Hans": [("一", "两"), ("两", "三"), ("所有", "部分"), ("每", "任一"), ("可以", "必须"), ("之前", "之后")],
}
_OTHER = {
    "en": ("turn", "player", "card", "spell", "zone", "owner", "before", "after", "battle", "token", "cost", "deck", "hand"),
    "ja": ("手札", "山札", "墓地", "相手", "自分", "攻撃", "能力", "呪文"),
    "zh-Hans": ("手牌", "牌库", "坟墓场", "对手", "攻击", "异能", "咒语", "费用"),
}


def plain(text: str) -> str:
    """A text as it is compared: without quotation marks, and dashes, blanks and width aside."""
    return re.sub(r"[\"'*_-]", "", fold(text))


def cut(draw: random.Random, text: str, lang: str) -> str | None:
    """A sentence, or some words in a row, of a rule; None of one that is too short."""
    flat = text.split("\n")[0]
    words = _cut(draw, flat, lang)
    return words if words and _balanced(words) else None


def _balanced(words: str) -> bool:
    """Whether every mark that opens is closed: nobody quotes half of a quotation."""
    pairs = ("“”", "‘’", "「」", "『』", "()", "（）", "[]", "《》")
    even = all(words.count(pair[0]) == words.count(pair[1]) for pair in pairs if pair[0] != "‘")
    return even and words.count('"') % 2 == 0 and words.rfind("“") <= words.rfind("”") and words[0] not in "”」』)"


def _cut(draw: random.Random, flat: str, lang: str) -> str | None:
    if lang == "en":
        words = flat.split(" ")
        if len(words) < 8:
            return None
        start = draw.randrange(0, max(1, len(words) - 12))
        return " ".join(words[start : start + draw.randint(8, 24)])
    if len(flat) < 16:
        return None
    pieces = [piece for piece in re.split(r"(?<=[。；])", flat) if len(piece) > 12]
    return draw.choice(pieces)[:90] if pieces else None


def faithful(draw: random.Random, text: str, whole: str, lang: str) -> str | None:
    """Words of a rule with other marks, blanks, breaks, an ellipsis, or an editor's bracket."""
    words = cut(draw, text, lang)
    if words is None:
        return None
    tried = draw.choice(_DRESSINGS)(words, lang)
    return (
        tried
        if "“" not in words and "「" not in words
        else words.replace("“", "‘").replace("”", "’").replace("「", "『").replace("」", "』")
    )


def _as_it_is(words: str, _: str) -> str:
    return words


def _straight(words: str, _: str) -> str:
    return words.replace("’", "'").replace("—", "--")


def _broken(words: str, lang: str) -> str:
    return words.replace(" ", "\n", 1) if lang == "en" else words[:6] + "\n" + words[6:]


def _shortened(words: str, lang: str) -> str:
    if lang == "en":
        parts = words.split(" ")
        return " ".join([*parts[:3], "…", *parts[5:]])
    return words[:5] + "……" + words[8:]


def _bracketed(words: str, lang: str) -> str:
    return f"[{words[0].swapcase()}]{words[1:]}" if lang == "en" and words[0].isalpha() else words


_DRESSINGS = (_as_it_is, _straight, _broken, _shortened, _bracketed)


def altered(draw: random.Random, text: str, whole: str, lang: str) -> str | None:
    """Words of a rule with one change that makes them another sentence; None where no change does."""
    words = cut(draw, text, lang)
    if words is None:
        return None
    ways = [_without_not, _other_number, _other_word, _dropped, _doubled, _swapped]
    draw.shuffle(ways)
    for way in ways:
        changed = way(draw, words, lang)
        if changed and plain(changed).strip(".,;:。，、；：") not in plain(whole):
            return changed
    return None


def _without_not(draw: random.Random, words: str, lang: str) -> str | None:
    matches = [match for match in re.finditer(_NEGATION[lang], words) if match.start() > 0 and match.end() < len(words) - 2]
    if not matches:
        return None
    match = draw.choice(matches)
    return words[: match.start()] + words[match.end() :]


def _other_number(draw: random.Random, words: str, lang: str) -> str | None:
    pairs = [(old, new) for first, other in _NUMBERS[lang] for old, new in ((first, other), (other, first))]
    draw.shuffle(pairs)
    for old, new in pairs:
        pattern = rf"\b{old}\b" if lang == "en" else old
        if re.search(pattern, words):
            return re.sub(pattern, new, words, count=1)
    digit = re.search(r"\d", words)
    return words[: digit.start()] + str((int(digit[0]) + 1) % 10) + words[digit.end() :] if digit else None


def _other_word(draw: random.Random, words: str, lang: str) -> str | None:
    new = draw.choice(_OTHER[lang])
    if lang != "en":
        at = draw.randrange(3, len(words) - 4)
        return words[:at] + new + words[at + 2 :]
    matches = [match for match in _WORD.finditer(words) if len(match[0]) > 3][1:-1]
    if not matches:
        return None
    match = draw.choice(matches)
    return words[: match.start()] + new + words[match.end() :]


def _dropped(draw: random.Random, words: str, lang: str) -> str | None:
    if lang != "en":
        at = draw.randrange(3, len(words) - 4)
        return words[:at] + words[at + 1 :]
    parts = words.split(" ")
    at = draw.randrange(2, len(parts) - 2)
    return " ".join(parts[:at] + parts[at + 1 :])


def _doubled(draw: random.Random, words: str, lang: str) -> str | None:
    if lang != "en":
        return None
    parts = words.split(" ")
    at = draw.randrange(2, len(parts) - 2)
    return " ".join([*parts[:at], draw.choice(_OTHER[lang]), *parts[at:]])


def _swapped(draw: random.Random, words: str, lang: str) -> str | None:
    if lang != "en":
        return None
    parts = words.split(" ")
    at = draw.randrange(2, len(parts) - 3)
    parts[at], parts[at + 1] = parts[at + 1], parts[at]
    return " ".join(parts)
