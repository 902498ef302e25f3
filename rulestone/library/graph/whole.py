"""The knowledge base as a whole: exports, findings."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from corpus.errors import InputError
from rulestone.library.opened import Opened
from rulestone.live import OpenBundle

if TYPE_CHECKING:
    from corpus import contract
    from rulestone.answers.deltas import Export


class Whole(Opened):
    """Everything at once."""

    def export(self, kind: str, *, since: str | None = None) -> Iterator[bytes]:
        """Everything, piece by piece: `jsonl` (one rule a line), `nquads`, `turtle`, or the mappings as `sssom`.

        With `since`, of `jsonl` alone, what changed since then: see `lines`.
        """
        from rulestone.answers.exports import exporter

        export = exporter(kind)
        if since is None:
            bundle = self._bundle()
            return _held(export(bundle.knowledge), bundle)
        if kind != "jsonl":
            raise InputError("export {kind} has no changes; expected jsonl where since is given", kind=kind)
        return self.lines(since).lines

    def lines(self, since: str | None = None) -> "Export":
        """The rules and rulings as JSON Lines, with the `mark` that names them; or what changed `since` a mark.

        Each line says `added`, `changed` or `removed`, the address, and the line as the export has it now; the last one has the new
        `mark`. A copy to which the lines are applied equals the whole export. `since` is a mark that was given before, or
        a day, month or year (UTC) when the copy was made; `0` is the empty copy. Raises NotFoundError for what is not known any
        more, InputError for what is no mark, EnvironmentFault where the bundle is older than journals.
        """
        from dataclasses import replace

        from rulestone.answers.deltas import export

        bundle = self._bundle()
        exported = export(bundle.knowledge, bundle.journal, since)
        return replace(exported, lines=_held(exported.lines, bundle))

    def check(self) -> "contract.Findings":
        """What is wrong in the knowledge base, and what is disputed."""
        from ontology.archive.whole import complete
        from rulestone.answers.findings import findings

        bundle = self._bundle()
        with complete(bundle.path, bundle.knowledge) as knowledge:
            return findings(knowledge)


def _held(lines: Iterator[bytes], _: OpenBundle) -> Iterator[bytes]:
    """Lines; the bundle stays open as long as they are read."""
    yield from lines
