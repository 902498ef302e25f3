"""Verdicts of curators on proposed mappings, of concepts and of rules: a table that every build applies.

A curator's file has the columns `subject`, `object`, `verdict`, `who` and `when`; `rulestone mappings` prints it. The subject is a
concept and the object a cross-game concept, or both are rules of two games. A verdict is `yes`, `no`, or another object; a row
without one has not been judged. With an empty object, a concept gets a cross-game concept that was not proposed.
"""

import csv
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from datetime import UTC, date, datetime
from functools import cache
from io import StringIO
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from corpus.address import concept_iri, concept_name, iri_of, is_concept, path_of, split_rule
from corpus.errors import InputError
from corpus.messages import Message, message
from corpus.spreadsheet import unquote_cell
from corpus.store.home.checksums import TABLES_FOLDER
from corpus.store.home.given import GivenKind

if TYPE_CHECKING:
    from ontology.knowledge import Knowledge

FILE_NAME = "verdicts.tsv"
REQUIRED_COLUMNS = ("subject", "object", "verdict", "who", "when")
INFORMATIVE_COLUMNS = ("subject_name", "object_name", "confidence", "rule")
"""Columns for the curator's information, which are ignored."""
YES, NO = "yes", "no"
JUDGED_CONFIDENCE = 0.95
"""The probability that another judge agrees with a curator who accepts a mapping; the mean of mappings that ship."""
_TOOL = "rulestone mappings"
_RULE_SLASHES = 3
"""Slashes in the path of a rule, mtg/cr/2025-02-07/400.7; a concept has at most one."""
_SUBJECTS = message(
    "a concept, such as {concept}, or a rule, such as {rule}", concept="mtg/graveyard", rule="mtg/cr/2025-02-07/400.7"
)
_CONCEPT_VERDICTS = message("{yes}, {no}, or a concept of all games, such as graveyard", yes=YES, no=NO)


class Verdict(NamedTuple):
    """A curator's verdict on the object that is proposed for a subject; both are IRIs."""

    subject: str  # a concept of a game, or a rule
    object: str  # the proposed cross-game concept, or rule of another game; "" if nothing was proposed
    verdict: str  # yes | no | the IRI of another object
    who: str
    when: str  # ISO day
    file: str  # the name of the curator's file

    @property
    def accepted(self) -> str | None:
        """The object that the curator accepts; None for `no`."""
        return {YES: self.object, NO: None}.get(self.verdict, self.verdict)

    @property
    def objects(self) -> set[str]:
        """The proposed object and the accepted one, if there are any."""
        return {*filter(None, (self.object, self.accepted))}

    @property
    def is_of_rules(self) -> bool:
        """Whether it is about two rules."""
        return not is_concept(self.subject)

    @property
    def pair(self) -> frozenset[str]:
        """The concept, or the two rules in either order, on which there is one verdict."""
        return frozenset((self.subject, self.object)) if self.is_of_rules else frozenset((self.subject,))

    @property
    def signature(self) -> dict[str, str]:
        """The columns of SSSOM for the curator, the day and the tool."""
        return {"author_label": self.who, "mapping_date": self.when, "mapping_tool": _TOOL}


class Judgeable(NamedTuple):
    """The mappings that a curator may judge, by IRI."""

    proposals: Mapping[str, Collection[str]]  # concept or rule → the objects that are proposed for it, or were judged before
    hubs: Collection[str]  # the cross-game concepts
    hub_of: Mapping[str, str]  # concept → its cross-game concept that ships
    exists: Callable[[str], bool]  # whether there is such a concept or rule


def saved_verdicts(bundle: Path) -> list[Verdict]:
    """Every verdict of a bundle, sorted."""
    file = bundle / TABLES_FOLDER / GivenKind.MAPPINGS / FILE_NAME
    if not file.is_file():
        return []
    _, *rows = csv.reader(StringIO(file.read_text(encoding="utf-8")), dialect="excel-tab")
    return [Verdict(*row) for row in rows]


def verdicts_table(verdicts: Iterable[Verdict]) -> bytes:
    """Verdicts as the table that a bundle holds; empty without any."""
    if not (every := sorted(verdicts)):
        return b""
    text = StringIO()
    writer = csv.writer(text, "excel-tab")
    writer.writerow(Verdict._fields)
    writer.writerows(every)
    return text.getvalue().encode()


def read_verdicts(text: str, name: str, judgeable: Judgeable) -> list[Verdict]:
    """The verdicts in a curator's file. Raises InputError with the line of a row that cannot be used."""
    lines = _table_rows(text)
    _, head = next(lines, (0, []))
    columns = [column.strip().lower() for column in head]
    wrong = [column for column in REQUIRED_COLUMNS if column not in columns]
    wrong += [column for column in columns if column not in (*REQUIRED_COLUMNS, *INFORMATIVE_COLUMNS)]
    if wrong:
        raise InputError(
            "{file}: column {name!r} is missing or unknown; expected a table of rulestone mappings: {columns}",
            file=name,
            name=wrong[0][:40],
            columns=", ".join(REQUIRED_COLUMNS),
        )
    verdicts: dict[frozenset[str], Verdict] = {}
    for line, cells in lines:
        row = dict(zip(columns, (unquote_cell(cell).strip() for cell in cells), strict=False))
        if row.get("verdict"):
            verdict = _VerdictRow(row, name, line).verdict(judgeable)
            if verdict.pair in verdicts:
                raise InputError(
                    "{file}, line {line}: {concept} is judged twice; leave one row",
                    file=name,
                    line=line,
                    concept=row["subject"][:60],
                )
            verdicts[verdict.pair] = verdict
    return list(verdicts.values())


def _table_rows(text: str) -> Iterator[tuple[int, list[str]]]:
    """The rows of a table with their line numbers. Raises InputError for one that csv cannot read."""
    rows = csv.reader(StringIO(text), delimiter="\t", quoting=csv.QUOTE_NONE)
    try:
        yield from ((rows.line_num, row) for row in rows)
    except csv.Error as fault:
        raise InputError("line {count}: not a table ({fault})", count=rows.line_num, fault=fault) from None


class _VerdictRow(NamedTuple):
    """A judged row of a curator's file."""

    cells: Mapping[str, str]
    file: str
    line: int

    def verdict(self, judgeable: Judgeable) -> Verdict:
        """The verdict. Raises InputError."""
        subject, target, verdict, who, when = (self.cells.get(column, "") for column in REQUIRED_COLUMNS)
        iri, target_iri = _iri(subject), _iri(target)
        if not judgeable.exists(iri):
            raise self._error("subject", subject, _SUBJECTS)
        if not self._is_open(iri, target_iri, judgeable):
            raise InputError(
                "{file}, line {line}: {hub} is not proposed for {concept} any more ({now}); "
                "print the table again: rulestone mappings",
                file=self.file,
                line=self.line,
                hub=target[:60] or "?",
                concept=subject[:60],
                now=", ".join(map(_name, judgeable.proposals.get(iri) or filter(None, [judgeable.hub_of.get(iri)])))[:200] or "–",
            )
        if not who or not who.isprintable():
            raise self._error("who", who, "a name")
        return Verdict(iri, target_iri, self._decision(verdict, iri, target_iri, judgeable), who, self._day(when), self.file)

    def _is_open(self, subject: str, target: str, judgeable: Judgeable) -> bool:
        """Whether the object is proposed for the subject, or nothing is and the curator may name one."""
        proposals = judgeable.proposals.get(subject, ())
        return target in proposals if target or proposals else is_concept(subject) and subject not in judgeable.hub_of

    def _decision(self, verdict: str, subject: str, target: str, judgeable: Judgeable) -> str:
        word = verdict.lower()
        if word in (YES, NO) and target:
            return word
        other = _iri(verdict)
        if is_concept(subject):
            if other not in judgeable.hubs:
                raise self._error("verdict", verdict, _CONCEPT_VERDICTS)
        else:
            game = split_rule(target).key.game
            if is_concept(other) or split_rule(other).key.game != game or not judgeable.exists(other):
                expected = message("{yes}, {no}, or another rule of {game}", yes=YES, no=NO, game=game)
                raise self._error("verdict", verdict, expected)
        return other

    def _day(self, day: str) -> str:
        try:
            return date.fromisoformat(day).isoformat() if day else datetime.now(UTC).date().isoformat()
        except ValueError:
            raise self._error("when", day, "2026-11-28") from None

    def _error(self, column: str, value: str, expected: str | Message) -> InputError:
        return InputError(
            "{file}, line {line}: {column} {given!r} cannot be used; expected {expected}",
            file=self.file,
            line=self.line,
            column=column,
            given=value[:60],
            expected=expected,
        )


def without_file(verdicts: Sequence[Verdict], name: str) -> Iterator[Verdict]:
    """The verdicts that are not from a curator's file of that name."""
    return (verdict for verdict in verdicts if verdict.file != name)


def existence_check(knowledge: "Knowledge") -> Callable[[str], bool]:
    """A function of an IRI: whether a concept or rule of this knowledge base has it."""

    @cache
    def exists(iri: str) -> bool:
        return iri in knowledge.names.labels if is_concept(iri) else bool(knowledge.by_iri([iri]))

    return exists


def unused_verdicts(verdicts: Iterable[Verdict], knowledge: "Knowledge") -> list[Verdict]:
    """The verdicts on concepts or rules that do not exist any more, for example because their edition was removed."""
    exists = existence_check(knowledge)
    return [verdict for verdict in verdicts if not all(map(exists, {verdict.subject, *verdict.objects}))]


def _iri(path: str) -> str:
    """The IRI of a concept or rule by its path; "" for an empty one."""
    if not path:
        return ""
    return iri_of(path) if path.count("/") >= _RULE_SLASHES else concept_iri(path)


def _name(iri: str) -> str:
    return concept_name(iri) if is_concept(iri) else path_of(iri)
