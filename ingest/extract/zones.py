"""Finds the zones of a text: headings whose section defines a place, lists of zones, collective names."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from difflib import SequenceMatcher

from corpus.address import slugify
from corpus.words.text import fold_text
from ingest.extract.patterns import Patterns
from ingest.extract.pipeline import PatternHit, Pipeline, pipeline
from ingest.extract.text import BookText, Provision, ZoneDraft, clean_label, has_cjk, sentences, title_labels

_MAX_LABEL_LENGTH = {True: 16, False: 5}  # of a label: characters with CJK, words without
_LIST_SEPARATOR = re.compile(r"[、，,;；・「」『』“”\"]|\s(?:and|or)\s|(?<=[^\s、，])と(?=[^\s]+$)|および|及び|以及|和|与|及")
_LIST_END = re.compile(r"が(?:あり|ある|存在)|から(?:なり|成り|構成)|で(?:す|ある|構成)|などが|等")
_NO_LABEL = {
    "en": re.compile(
        r"\b(?:is|are|that|which|where|players?|of|with|when|if|to|it|becomes|turned|being|about|what)\b|\b(?:zones|areas|locations|regions)$",
        re.IGNORECASE,
    ),
    "ja": re.compile(
        r"[とにのをがではもへ]$|[一-龯ァ-ヶー][とや][一-龯ァ-ヶ]|から|まで|する|した|され|及び|または|について|の(?:種類|基本|説明|定義)|^(?:各|全|すべて|それ|これ|ここ|この|その|[がをはにでも][ぁ-ん])|(?:ます|です|ない|こ|く|る)$|[0-9]+[枚体つ個]|何枚|[を、。]"
    ),
    "zh": re.compile(
        r"[的是为指或和与及]|玩家|[0-9]个|概述|说明|总则|种类|移动|^(?:各|全|所有|其他|在|从|因|每|这|此|该|那)|实质|本身$|[，。]"
    ),
}


def list_members(patterns: Patterns, words: str, *, after: bool) -> list[str]:
    """The members of a list; empty if the words are not a list."""
    parts = [clean_label(label) for label in re.findall(r"「([^「」]+)」", words)]
    if len(parts) < 2:
        words = _LIST_END.split(words)[0] if after else words
        halves = re.split(r"[:：]", words.lstrip(" :："))
        parts = [clean_label(part) for part in _LIST_SEPARATOR.split(halves[0 if after else -1])]
    parts = [part for part in parts if part]
    return parts if len(parts) >= 2 and all(is_label(patterns, part) for part in parts) else []


def is_label(patterns: Patterns, label: str) -> bool:
    """Whether words can be the name of a zone: short, not a sentence, not a property."""
    plain = label.lower().translate(patterns.variant_table)
    size = len(label) if has_cjk(label) else len(label.split())
    kinds = [word for cue in ("OPEN", "SECRET") for word in patterns.cues[cue] if len(word) > 1]
    words = set(re.findall(r"[\w-]+", plain))
    general = {fold_text(word) for cue in ("EVERYONE", "HERE", "AREA") for word in patterns.cues[cue]} | {
        fold_text(label) for label in patterns.not_labels
    }
    return (
        0 < size <= _MAX_LABEL_LENGTH[has_cjk(label)]
        and fold_text(plain) not in general
        and not _NO_LABEL[patterns.lang].search(plain)
        and not (any(word in plain for word in kinds) if patterns.cjk else words & set(kinds))
        and not re.fullmatch(r"[\d\W]+", label)
        and not _area_inside(patterns, plain)
    )


def _area_inside(patterns: Patterns, label: str) -> bool:
    """The word for zone followed by something else: the start of a sentence, not a name."""
    if not patterns.cjk:
        return False
    return any(area in label[:-1] and not label.endswith(patterns.areas) for area in patterns.areas if len(area) > 1)


def label_forms(patterns: Patterns, label: str) -> Iterator[str]:
    """Variants of a label: itself, with and without the word for zone; in English also as the plural or the singular."""
    plain = fold_text(label)
    forms = [plain]
    for area in patterns.areas:
        forms.append(fold_text(label + area))
        if plain.endswith(fold_text(area)) and len(plain) > len(fold_text(area)):
            forms.append(plain.removesuffix(fold_text(area)))
    yield from forms
    if not patterns.cjk:
        singulars = [_PLURAL.sub("", form) for form in forms]
        yield from (f"{form}s" if one == form else one for form, one in zip(forms, singulars, strict=True))


def label_stem(patterns: Patterns, label: str) -> str | None:
    """A label without the word for zone; None if no usable name remains."""
    for area in sorted(patterns.areas, key=len, reverse=True):
        if label.lower().translate(patterns.variant_table).endswith(area) and len(label) - len(area) >= 2:
            return label[: -len(area)].strip() or None
    return None


def spelling_in_text(patterns: Patterns, labels: Sequence[str]) -> list[str]:
    """The labels as a text may print them: 场地区 for 场地区域."""
    longest = max(patterns.areas, key=len)
    short = [
        label[: -len(longest)] + area for label in labels if label.endswith(longest) for area in patterns.areas if area in longest
    ]
    return list(dict.fromkeys([*labels, *short]))


def zones_by_slug(drafts: Sequence[ZoneDraft]) -> dict[str, ZoneDraft]:
    """Slug → zone; English labels become plain ones, others keep their script."""
    by_slug: dict[str, ZoneDraft] = {}
    for draft in drafts:
        base = slugify(draft.label) or "zone"
        name, turn = base, 2
        while name in by_slug:
            name, turn = f"{base}-{turn}", turn + 1
        by_slug[name] = draft
    return by_slug


def find_sub_zones(text: BookText, drafts_by_name: Mapping[str, ZoneDraft]) -> dict[str, str]:
    """Finds sub-zones: their section is inside another zone's section, and their name ends with that zone's name.

    Slug → slug of the parent zone.
    """
    by_place = {locator: slug for slug, draft in drafts_by_name.items() for locator in draft.sections}
    above_of: dict[str, str] = {}
    for name, draft in drafts_by_name.items():
        for above in (above for locator in draft.sections for above in text.provision_and_ancestors(locator)):
            other = by_place.get(above.locator)
            if other and other != name and fold_text(draft.label).endswith(fold_text(drafts_by_name[other].label)):
                above_of.setdefault(name, other)
    return above_of


_MIN_SIMILARITY = 0.85  # of a heading and the name in its own rules: one of them is misprinted
_PROPERTIES = ("visibility", "ordering", "sharing")


@dataclass(slots=True)
class ZoneSearch:
    """The zones found in one text so far, by folded label."""

    text: BookText
    patterns: Patterns
    chapters: set[str] = field(default_factory=set)  # locators of chapters about zones
    drafts: dict[str, ZoneDraft] = field(default_factory=dict)

    def about_zones(self, provision: Provision) -> bool:
        """Whether a provision is in a chapter about zones."""
        return any(above.locator in self.chapters for above in self.text.provision_and_ancestors(provision.locator))

    def sentences(self, provision: Provision) -> list[str]:
        """The sentences of a rule."""
        return sentences(provision.text, self.patterns.ends, cjk=self.patterns.cjk)

    def reader_hits(self, reader: Pipeline, provisions: Iterable[Provision], home: str | None = None) -> Iterator[PatternHit]:
        """The hits of a reader in some rules."""
        for provision in provisions:
            for sentence in self.sentences(provision):
                yield from reader.read(sentence, home)[1]

    def section(self, provision: Provision) -> Iterator[Provision]:
        """The rules below a heading, excluding those of other headings."""
        for locator in self.text.children.get(provision.locator, ()):
            child = self.text.provisions[self.text.place[locator]]
            if not child.heading:
                yield child
                yield from self.section(child)


def find_zones(text: BookText, patterns: Patterns) -> tuple[ZoneSearch, list[ZoneDraft]]:
    """The zones of a text, in the order in which it first names them."""
    state = ZoneSearch(text, patterns)
    plain = pipeline(patterns, {}, {})
    _zone_chapters(state, plain)
    _add_listed_zones(state, plain)
    _confirm_candidates(state, _add_candidates(state))
    return state, sorted(state.drafts.values(), key=lambda draft: _first_place(text, draft))


def _first_place(text: BookText, draft: ZoneDraft) -> int:
    return min((text.place[at] for at in (draft.sections or draft.naming_locators) if at in text.place), default=len(text.place))


def _zone_chapters(state: ZoneSearch, plain: Pipeline) -> None:
    """Chapters with the word for zones in their title, or with a rule that defines a zone."""
    areas = [area for area in state.patterns.cues["AREA"] if len(area) > 1]
    for provision in state.text.provisions:
        if provision.heading and (_names_areas(state.patterns, provision.text) or _is_about_areas(state, provision, areas)):
            state.chapters.add(provision.locator)
        elif not provision.heading and _defines_zones(state, plain, provision, areas):
            state.chapters.add(_top_chapter(state.text, provision))


def _defines_zones(state: ZoneSearch, plain: Pipeline, provision: Provision, areas: Sequence[str]) -> bool:
    """Whether the first sentence of a rule defines a zone."""
    words = provision.text.lower().translate(state.patterns.variant_table)
    first = state.sentences(provision)[:1] if any(area in words for area in areas) else []
    return any(hit.pattern.value == "chapter" for sentence in first for hit in plain.read(sentence)[1])


def _is_about_areas(state: ZoneSearch, provision: Provision, areas: Sequence[str]) -> bool:
    """Whether a chapter with sections has the word for zones in its title."""
    children = (state.text.provisions[state.text.place[at]] for at in state.text.children.get(provision.locator, ()))
    words = provision.text.lower().translate(state.patterns.variant_table)
    has_area = any(area in (words if state.patterns.cjk else re.findall(r"\w+", words)) for area in areas)
    return has_area and any(child.heading for child in children)


def _names_areas(patterns: Patterns, words: str) -> bool:
    """Whether a title ends with the word for zones."""
    label = (title_labels(words) or ("",))[0].lower().translate(patterns.variant_table)
    areas = [area for area in patterns.cues["AREA"] if len(area) > 1]
    return any(re.search(rf"(?:^|\W){area}$" if not patterns.cjk else f"{area}$", label) for area in areas)


def _top_chapter(text: BookText, provision: Provision) -> str:
    """The chapter of a rule: the heading above its own heading, or else its own heading."""
    headings = [above for above in text.provision_and_ancestors(provision.parent) if above.heading]
    return headings[min(1, len(headings) - 1)].locator if headings else provision.locator


def _add_listed_zones(state: ZoneSearch, plain: Pipeline) -> None:
    """Zones that a rule lists (`The areas are the deck, hand, …`) or introduces (`The dock is an open area`)."""
    for provision in state.text.provisions:
        if provision.heading or not state.about_zones(provision):
            continue
        for sentence in state.sentences(provision):
            doc, hits = plain.read(sentence)
            for hit in hits:
                if hit.pattern.value in ("list-after", "list-before"):
                    after = hit.pattern.value == "list-after"
                    for label in list_members(state.patterns, doc[hit.end :].text if after else doc[: hit.start].text, after=after):
                        _name_zone(state, label, provision.locator)
                elif hit.pattern.value == "introduced" and is_label(state.patterns, clean_label(hit.label)):
                    _name_zone(state, clean_label(hit.label), provision.locator)


def _name_zone(state: ZoneSearch, label: str, locator: str) -> ZoneDraft:
    """The zone with a name, created if needed; `exile` and `exile zone` are one."""
    key = next((form for form in label_forms(state.patterns, label) if form in state.drafts), fold_text(label))
    draft = state.drafts.setdefault(key, ZoneDraft(label))
    if fold_text(draft.label) != fold_text(label) and label not in draft.others:
        draft.others.append(label)
    if locator not in draft.naming_locators:
        draft.naming_locators.append(locator)
    return draft


def _add_candidates(state: ZoneSearch) -> list[tuple[list[str], list[Provision]]]:
    """Headings that may name a zone, grouped by common labels: (labels, headings)."""
    candidates: list[tuple[list[str], list[Provision]]] = []
    for provision in state.text.provisions:
        labels = title_labels(provision.text) if provision.heading else ()
        if labels and not state.patterns.cjk:
            labels = tuple(dict.fromkeys([*_names_in_section(state, provision, labels[0]), *labels]))
        if not labels or not is_label(state.patterns, labels[0]):
            continue
        inside = state.about_zones(provision)
        forms = (form for label in labels for form in (label_forms(state.patterns, label) if inside else [fold_text(label)]))
        if any(form in state.drafts for form in forms) or inside or _names_areas(state.patterns, labels[0]):
            keys = {fold_text(label) for label in labels}
            twin = next((candidate for candidate in candidates if keys & {fold_text(label) for label in candidate[0]}), None)
            if twin:
                twin[0].extend(label for label in labels if label not in twin[0])
                twin[1].append(provision)
            else:
                candidates.append((list(labels), [provision]))
    return candidates


_ALSO_CALLED = re.compile(
    r"\balso (?:known as|called|referred to as)((?:\s+(?:or|the|their|its|your|a))*\s*[“\"][^”\"]{2,40}[”\"],?)+", re.I
)
_PLURAL = re.compile(r"(?:(?<=sh)|(?<=ch)|(?<=[xs]))es$|(?<!s)s$", re.I)


def _names_in_section(state: ZoneSearch, provision: Provision, label: str) -> Iterator[str]:
    """The other names of a heading that its own rules use: one of several (`Trashes`), and what it is `also known as`."""
    words = " ".join(rule.text for rule in state.section(provision)) if state.about_zones(provision) else ""
    singular = _PLURAL.sub("", label)
    if singular != label and re.search(rf"\b{re.escape(singular)}\b", words, re.I):
        yield singular
    if match := _ALSO_CALLED.search(words):
        yield label
        yield from (
            name
            for quotation in re.findall(r"[“\"]([^”\"]+)[”\"]", match[0])
            if is_label(state.patterns, name := clean_label(quotation))
        )


def _confirm_candidates(state: ZoneSearch, candidates: Sequence[tuple[list[str], list[Provision]]]) -> None:
    """Keeps the candidates whose section defines or describes a zone; then adds collective names."""
    labels = {fold_text(names[0]): spelling_in_text(state.patterns, names) for names, _ in candidates}
    labels |= {key: [draft.label, *draft.others] for key, draft in state.drafts.items() if key not in labels}
    reader = pipeline(state.patterns, labels, {})
    confirmed: list[tuple[list[str], list[Provision]]] = []
    sorted_in = _listed_among_zones(state, reader)
    for names, provisions in candidates:
        keys = [key for name in names for key in label_forms(state.patterns, name) if key in state.drafts]
        keys += [fold_text(names[0])] if fold_text(names[0]) in sorted_in else []
        hits = (hit for provision in provisions for hit in state.reader_hits(reader, state.section(provision)))
        if any(hit.pattern.value == "denial" for hit in hits):
            for key in keys:
                state.drafts.pop(key, None)
            continue
        # A heading of another chapter that has the same name need not be about the zone: `Trash` may be an action, too.
        own = [
            provision
            for provision in provisions
            if state.about_zones(provision) or _is_defined(state, reader, fold_text(names[0]), [provision])
        ]
        if own and (keys or _is_sub_zone(state, confirmed, names, own) or _is_defined(state, reader, fold_text(names[0]), own)):
            confirmed.append((names, own))
    for names, provisions in confirmed:
        _merge_into_heading_zone(state, names, provisions)
        rules = (rule for provision in provisions for rule in state.section(provision))
        if any(hit.pattern.value == "union" for hit in state.reader_hits(reader, rules)):
            state.drafts[fold_text(names[0])].kind = "composite"
    _find_containers(state, reader)
    _add_composites(state)


def _listed_among_zones(state: ZoneSearch, reader: Pipeline) -> set[str]:
    """Candidates that a rule about zones lists among others: `The dock and the quay are open areas`."""
    rules = [rule for rule in state.text.provisions if not rule.heading and state.about_zones(rule)]
    hits = (hit for hit in state.reader_hits(reader, rules) if hit.pattern.value in ("public", "hidden", "per-player", "shared"))
    return {zone for hit in hits if len(hit.zones) > 1 for zone in hit.zones}


def _is_sub_zone(
    state: ZoneSearch, zones: Sequence[tuple[list[str], list[Provision]]], names: Sequence[str], provisions: Sequence[Provision]
) -> bool:
    """A heading inside a zone's section whose name ends with that zone's name: a sub-zone."""
    for provision in provisions:
        above = {section.locator for section in state.text.provision_and_ancestors(provision.parent)}
        for others, sections in zones:
            inside = any(section.locator in above for section in sections)
            if inside and any(fold_text(names[0]).endswith(fold_text(other)) for other in others):
                return True
    return False


def _merge_into_heading_zone(state: ZoneSearch, names: Sequence[str], provisions: Sequence[Provision]) -> None:
    """Merges entries from lists, and misprinted names, into a heading's zone."""
    others = [name for name in names[1:] if fold_text(name) != fold_text(names[0])]
    zone = ZoneDraft(names[0], others, [provision.locator for provision in provisions])
    rules = {rule.locator for provision in provisions for rule in state.section(provision)}
    same = {key for name in names for key in label_forms(state.patterns, name)}
    for key, draft in list(state.drafts.items()):
        alike = not draft.sections and set(draft.naming_locators) <= rules
        if key in same or (alike and SequenceMatcher(None, key, fold_text(names[0])).ratio() >= _MIN_SIMILARITY):
            state.drafts.pop(key)
            own_labels = {fold_text(name) for name in (zone.label, *zone.others)}
            zone.others += [label for label in (draft.label, *draft.others) if fold_text(label) not in own_labels]
            zone.naming_locators += draft.naming_locators
    state.drafts[fold_text(names[0])] = zone


def _is_defined(state: ZoneSearch, reader: Pipeline, key: str, provisions: Sequence[Provision]) -> bool:
    """Whether its own section has a definition of a place, or a statement about the zone of that name or about `this zone`."""
    area = _names_areas(state.patterns, provisions[0].text)
    common = {fold_text(name) for name in state.patterns.common}
    for provision in provisions:
        title = title_labels(provision.text)[0] if state.about_zones(provision) else ""
        if title and fold_text(title.translate(state.patterns.variant_table)) in common:
            return True
        if title and area and any(key in fold_text(rule.text) for rule in state.section(provision)):
            return True
    for provision in provisions:
        for hit in state.reader_hits(reader, state.section(provision)):
            if hit.pattern.value in ("definition", "union") and (not hit.zones or key in hit.zones):
                return True
            states_property = hit.pattern.property in _PROPERTIES and hit.pattern.value not in ("possessed", "face-up", "face-down")
            if states_property and (key in hit.zones or (hit.pattern.subject == "here" and area and not hit.zones)):
                return True
    return False


def _find_containers(state: ZoneSearch, reader: Pipeline) -> None:
    """A heading above the sections of other zones is a chapter; if its own rules name it, it is a composite of these zones."""
    for key, chapter in list(state.drafts.items()):
        inner = [
            other
            for other in state.drafts.values()
            if other is not chapter
            and not fold_text(other.label).endswith(fold_text(chapter.label))
            and any(
                at.locator in chapter.sections for section in other.sections for at in state.text.provision_and_ancestors(section)
            )
        ]
        if len(inner) >= 2:
            rules = [rule for at in chapter.sections for rule in state.section(state.text.provisions[state.text.place[at]])]
            is_named = any(
                key in hit.zones for hit in state.reader_hits(reader, rules) if hit.pattern.value in ("definition", "composite")
            )
            if is_named or chapter.naming_locators:
                chapter.kind = "composite"
            else:
                state.drafts.pop(key)


def _add_composites(state: ZoneSearch) -> None:
    """Collective names of zones."""
    labels = {key: spelling_in_text(state.patterns, [draft.label, *draft.others]) for key, draft in state.drafts.items()}
    reader = pipeline(state.patterns, labels, {})
    for provision in state.text.provisions:
        if provision.heading or not state.about_zones(provision):
            continue
        for hit in state.reader_hits(reader, [provision]):
            label = clean_label(hit.label)
            several = hit.pattern.value == "composite" and len(hit.zones) >= 2 and is_label(state.patterns, label)
            if several and not any(form in state.drafts for form in label_forms(state.patterns, label)):
                _name_zone(state, label, provision.locator).kind = "composite"
