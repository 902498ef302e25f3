"""Quotations cut from a rule: faithful ones as people write them, and altered ones."""

import random
import re

from corpus.words.text import fold_text

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
_OTHER_WORDS = {
    "en": ("turn", "player", "card", "spell", "zone", "owner", "before", "after", "battle", "token", "cost", "deck", "hand"),
    "ja": ("手札", "山札", "墓地", "相手", "自分", "攻撃", "能力", "呪文"),
    "zh-Hans": ("手牌", "牌库", "坟墓场", "对手", "攻击", "异能", "咒语", "费用"),
}


def comparison_text(text: str) -> str:
    """A text normalised for comparison: without quotation marks, and with unified dashes, spaces and width."""
    return re.sub(r"[\"'*_-]", "", fold_text(text))


def quote_part(draw: random.Random, text: str, lang: str) -> str | None:
    """A sentence or some consecutive words of a rule; None if the rule is too short."""
    flat = text.split("\n")[0]
    words = _quote_clauses(draw, flat, lang)
    return words if words and _is_balanced(words) else None


def _is_balanced(words: str) -> bool:
    """Whether all quotation marks are paired, because nobody quotes half of a quotation."""
    pairs = ("“”", "‘’", "「」", "『』", "()", "（）", "[]", "《》")
    even = all(words.count(pair[0]) == words.count(pair[1]) for pair in pairs if pair[0] != "‘")
    return even and words.count('"') % 2 == 0 and words.rfind("“") <= words.rfind("”") and words[0] not in "”」』)"


def _quote_clauses(draw: random.Random, flat: str, lang: str) -> str | None:
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


def faithful_quotation(draw: random.Random, text: str, full_text: str, lang: str) -> str | None:
    """Words of a rule with other marks, blanks, breaks, an ellipsis, or an editor's bracket."""
    words = quote_part(draw, text, lang)
    if words is None:
        return None
    quotation = draw.choice(_FAITHFUL_CHANGES)(words, lang)
    return (
        quotation
        if "“" not in words and "「" not in words
        else words.replace("“", "‘").replace("”", "’").replace("「", "『").replace("」", "』")
    )


def _unchanged(words: str, _: str) -> str:
    return words


def _straight_quotes(words: str, _: str) -> str:
    return words.replace("’", "'").replace("—", "--")


def _with_line_break(words: str, lang: str) -> str:
    return words.replace(" ", "\n", 1) if lang == "en" else words[:6] + "\n" + words[6:]


def _with_ellipsis(words: str, lang: str) -> str:
    if lang == "en":
        parts = words.split(" ")
        return " ".join([*parts[:3], "…", *parts[5:]])
    return words[:5] + "……" + words[8:]


def _with_bracketed_letter(words: str, lang: str) -> str:
    return f"[{words[0].swapcase()}]{words[1:]}" if lang == "en" and words[0].isalpha() else words


_FAITHFUL_CHANGES = (_unchanged, _straight_quotes, _with_line_break, _with_ellipsis, _with_bracketed_letter)


def altered_quotation(draw: random.Random, text: str, full_text: str, lang: str) -> str | None:
    """Words of a rule with one change of their meaning; None if no change is possible."""
    words = quote_part(draw, text, lang)
    if words is None:
        return None
    ways = [_drop_negation, _change_number, _change_word, _drop_word, _insert_word, _swap_words]
    draw.shuffle(ways)
    for way in ways:
        alteration = way(draw, words, lang)
        if alteration and comparison_text(alteration).strip(".,;:。，、；：") not in comparison_text(full_text):
            return alteration
    return None


def _drop_negation(draw: random.Random, words: str, lang: str) -> str | None:
    matches = [match for match in re.finditer(_NEGATION[lang], words) if match.start() > 0 and match.end() < len(words) - 2]
    if not matches:
        return None
    match = draw.choice(matches)
    return words[: match.start()] + words[match.end() :]


def _change_number(draw: random.Random, words: str, lang: str) -> str | None:
    pairs = [(old, new) for first, other in _NUMBERS[lang] for old, new in ((first, other), (other, first))]
    draw.shuffle(pairs)
    for old, new in pairs:
        pattern = rf"\b{old}\b" if lang == "en" else old
        if re.search(pattern, words):
            return re.sub(pattern, new, words, count=1)
    digit = re.search(r"\d", words)
    return words[: digit.start()] + str((int(digit[0]) + 1) % 10) + words[digit.end() :] if digit else None


def _change_word(draw: random.Random, words: str, lang: str) -> str | None:
    new = draw.choice(_OTHER_WORDS[lang])
    if lang != "en":
        at = draw.randrange(3, len(words) - 4)
        return words[:at] + new + words[at + 2 :]
    matches = [match for match in _WORD.finditer(words) if len(match[0]) > 3][1:-1]
    if not matches:
        return None
    match = draw.choice(matches)
    return words[: match.start()] + new + words[match.end() :]


def _drop_word(draw: random.Random, words: str, lang: str) -> str | None:
    if lang != "en":
        at = draw.randrange(3, len(words) - 4)
        return words[:at] + words[at + 1 :]
    parts = words.split(" ")
    at = draw.randrange(2, len(parts) - 2)
    return " ".join(parts[:at] + parts[at + 1 :])


def _insert_word(draw: random.Random, words: str, lang: str) -> str | None:
    if lang != "en":
        return None
    parts = words.split(" ")
    at = draw.randrange(2, len(parts) - 2)
    return " ".join([*parts[:at], draw.choice(_OTHER_WORDS[lang]), *parts[at:]])


def _swap_words(draw: random.Random, words: str, lang: str) -> str | None:
    if lang != "en":
        return None
    parts = words.split(" ")
    at = draw.randrange(2, len(parts) - 3)
    parts[at], parts[at + 1] = parts[at + 1], parts[at]
    return " ".join(parts)
