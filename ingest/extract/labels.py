"""Names of zones: what can be one, which forms of it are the same, how a list of them is taken apart."""

import re
from collections.abc import Iterator, Mapping, Sequence

from corpus.address import slug
from corpus.words.text import fold
from ingest.extract.book import BookText, clean
from ingest.extract.facts import ZoneDraft
from ingest.extract.patterns import Patterns
from ingest.extract.tokens import has_cjk

_LONGEST = {True: 16, False: 5}  # of a label: characters with CJK, words without
_SPLIT = re.compile(r"[、，,;；・「」『』“”\"]|\s(?:and|or)\s|(?<=[^\s、，])と(?=[^\s]+$)|および|及び|以及|和|与|及")
_LIST_END = re.compile(r"が(?:あり|ある|存在)|から(?:なり|成り|構成)|で(?:す|ある|構成)|などが|等")
_NO_LABEL = {
    "en": re.compile(
        r"\b(?:is|are|that|which|where|players?|of|with|when|if|to|it|becomes|turned|being|about|what)\b|\b(?:zones|areas|locations|regions)$",
        re.IGNORECASE,
    ),
    "ja": re.compile(
        r"[とにのをがではもへ]$|[一-龯ァ-ヶー][とや][一-龯ァ-ヶ]|から|まで|する|した|され|及び|または|について|の(?:種類|基本|説明|定義)|^(?:各|全|すべて|それ)|[、。]"
    ),
    "zh": re.compile(
        r"[的是为指或和与及]|玩家|[0-9]个|概述|说明|总则|种类|移动|^(?:各|全|所有|其他|在|从|因|每)|实质|本身$|[，。]"
    ),
}


def members(patterns: Patterns, words: str, *, after: bool) -> list[str]:
    """The members of a list, or nothing where the words are none."""
    parts = [clean(label) for label in re.findall(r"「([^「」]+)」", words)]
    if len(parts) < 2:
        words = _LIST_END.split(words)[0] if after else words
        halves = re.split(r"[:：]", words.lstrip(" :："))
        parts = [clean(part) for part in _SPLIT.split(halves[0 if after else -1])]
    parts = [part for part in parts if part]
    return parts if len(parts) >= 2 and all(is_label(patterns, part) for part in parts) else []


def is_label(patterns: Patterns, label: str) -> bool:
    """Whether words can be the name of a zone: short, no sentence, no word for what a zone is like."""
    turned = label.lower().translate(patterns.turned)
    size = len(label) if has_cjk(label) else len(label.split())
    kinds = [word for cue in ("OPEN", "SECRET") for word in patterns.cues[cue] if len(word) > 1]
    words = set(re.findall(r"[\w-]+", turned))
    general = {fold(word) for cue in ("EVERYONE", "HERE", "AREA") for word in patterns.cues[cue]} | {
        fold(label) for label in patterns.not_labels
    }
    return (
        0 < size <= _LONGEST[has_cjk(label)]
        and fold(turned) not in general
        and not _NO_LABEL[patterns.lang].search(turned)
        and not (any(word in turned for word in kinds) if patterns.cjk else words & set(kinds))
        and not re.fullmatch(r"[\d\W]+", label)
        and not _area_inside(patterns, turned)
    )


def _area_inside(patterns: Patterns, label: str) -> bool:
    """The word for zone followed by something else: the beginning of a sentence, not a name."""
    if not patterns.cjk:
        return False
    return any(area in label[:-1] and not label.endswith(patterns.areas) for area in patterns.areas if len(area) > 1)


def forms(patterns: Patterns, label: str) -> Iterator[str]:
    """A label as it may be known already: itself, with the word for zone, without it."""
    yield fold(label)
    for area in patterns.areas:
        yield fold(label + area)
        if fold(label).endswith(fold(area)) and len(fold(label)) > len(fold(area)):
            yield fold(label).removesuffix(fold(area))


def stem(patterns: Patterns, label: str) -> str | None:
    """A label without the word for zone; None where nothing sensible is left."""
    for area in sorted(patterns.areas, key=len, reverse=True):
        if label.lower().translate(patterns.turned).endswith(area) and len(label) - len(area) >= 2:
            return label[: -len(area)].strip() or None
    return None


def as_written(patterns: Patterns, labels: Sequence[str]) -> list[str]:
    """The labels as a text may write them: 场地区 for 场地区域."""
    longest = max(patterns.areas, key=len)
    short = [
        label[: -len(longest)] + area for label in labels if label.endswith(longest) for area in patterns.areas if area in longest
    ]
    return list(dict.fromkeys([*labels, *short]))


def slugs(drafts: Sequence[ZoneDraft]) -> dict[str, ZoneDraft]:
    """Slug → zone; English labels give plain ones, others keep their script."""
    named: dict[str, ZoneDraft] = {}
    for draft in drafts:
        base = slug(draft.label) or "zone"
        name, turn = base, 2
        while name in named:
            name, turn = f"{base}-{turn}", turn + 1
        named[name] = draft
    return named


def kinds(text: BookText, named: Mapping[str, ZoneDraft]) -> dict[str, str]:
    """Sub-zones: a section inside another zone's, whose name ends with that zone's name. Slug → slug of the zone above."""
    by_place = {locator: slug for slug, draft in named.items() for locator in draft.sections}
    above_of: dict[str, str] = {}
    for name, draft in named.items():
        for above in (above for locator in draft.sections for above in text.above(locator)):
            other = by_place.get(above.locator)
            if other and other != name and fold(draft.label).endswith(fold(named[other].label)):
                above_of.setdefault(name, other)
    return above_of
