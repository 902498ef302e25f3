"""Citations of articles in rules (第3条, 第2章第3条, 第三条第二項, Article 3), resolved inside the same edition."""

import re
from collections.abc import Iterator, Sequence

from corpus.editions.citations.find import is_of_other_text
from corpus.model import Citation, Kind, Node
from corpus.ordinals import Ordinal, Path, folded_path, is_within, path_in, paths_in
from corpus.reference import folded_number
from corpus.words.text import narrow

_IN_WORDS = re.compile(r"(?i:\b(?:part|title|chapter|section|article)) (?:\d{1,3}|[IVX]{1,5})\b(?!\.\d)")
_KANA = re.compile("[\u3041-\u30fa]")


class ArticleCiter:
    """Finds the citations of articles in the texts of one edition."""

    def __init__(self, nodes: Sequence[Node]) -> None:
        self._parents = {node.locator: node.parent for node in nodes}
        self._kinds = {node.locator: node.kind for node in nodes}
        self._whole = {node.locator: self._path_of(node.locator) for node in nodes}
        self._ending: dict[Ordinal, list[str]] = {}
        for locator, whole in self._whole.items():
            if whole and path_in(locator):
                self._ending.setdefault(whole[-1], []).append(locator)

    def citations(self, text: str, locator: str) -> tuple[Citation, ...]:
        """The citations in a text of the rule with a locator, in the order of the text."""
        return tuple(self._found(text, self._whole[locator]))

    def _found(self, text: str, here: Path) -> Iterator[Citation]:
        plain = narrow(text)
        for match in _IN_WORDS.finditer(plain):
            if (locator := folded_number(match[0])) in self._kinds:
                yield Citation(*match.span(), text[match.start() : match.end()], locator, locator)
        for found in paths_in(plain):
            if is_of_other_text(plain, found.start):
                continue
            target = self._nearest(found.path, here) or self._first_paragraph(
                found.path, here, "項" if _KANA.search(text) else "款"
            )
            if target or any(step.unit == "条" for step in found.path):
                surface = text[found.start : found.end]
                yield Citation(found.start, found.end, surface, folded_path(found.path), target)

    def _nearest(self, path: Path, here: Path) -> str | None:
        """The rule that a path cites; of several the one that shares most steps with the citing rule, if it is alone."""
        near: dict[int, list[str]] = {}
        for locator in self._ending.get(path[-1], ()):
            if is_within(path, self._whole[locator]):
                near.setdefault(_shared(self._whole[locator], here), []).append(locator)
        best = near[max(near)] if near else []
        return best[0] if len(best) == 1 else None

    def _first_paragraph(self, path: Path, here: Path, unit: str) -> str | None:
        """The first paragraph of an article, which has no number: 第3条第1項, in Chinese 第三条第一款."""
        article = self._nearest(path[:-1], here) if path[1:] and (path[-1].unit, path[-1].value) == (unit, 1) else None
        first = f"{article}~1"
        return first if article and self._kinds[article].is_heading and self._kinds.get(first) is Kind.RULE else article

    def _path_of(self, locator: str | None) -> Path:
        """The last steps of the locators of a rule and of what it stands in, the outermost first."""
        steps: list[Ordinal] = []
        while locator:
            steps[:0] = path_in(locator)[-1:]
            locator = self._parents.get(locator)
        return tuple(steps)


def _shared(path: Path, other: Path) -> int:
    return next(
        (at for at, (left, right) in enumerate(zip(path, other, strict=False)) if left != right), min(len(path), len(other))
    )
