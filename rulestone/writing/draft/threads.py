"""Threads of a bundle in the making: what is new is compared with its neighbours, what was compared before is kept."""

from collections.abc import Iterator, Mapping, Sequence
from hashlib import sha256

from corpus.address import NS, EditionKey, graph_iri
from corpus.catalogue import catalogue
from corpus.editions.threads import graph
from corpus.editions.threads.pair import steps
from corpus.editions.threads.proposed import glossed, proposals
from corpus.model import Authority
from corpus.store.archive.writing import Archiving
from corpus.store.engine import Store, values
from corpus.store.home.manifest import EditionEntry, Manifest, PairEntry
from corpus.store.threads.body import packed, unpacked
from corpus.store.threads.order import Pair, neighbours
from corpus.store.threads.rule import stored
from ontology.knowledge import Knowledge
from ontology.translation.align.checked import checked
from ontology.translation.align.sheet import Sheet, kept
from ontology.translation.alignments import between
from rulestone.writing.draft.made_of import made_of

RULES = 2
"""Raised with every change of how rules are matched: pairs of another number are compared anew."""


def write_threads(store: Store, manifest: Manifest, sheets: Sequence[Sheet], archive: Archiving) -> None:
    """Writes the pairs of neighbouring editions into a store and an archive that hold these, and into the manifest.

    `sheets` are the checked alignments of the home, which stand where two editions have no language in common. What is stated of
    a pair goes where its older edition is.
    """
    knowledge = Knowledge(store, manifest, archive=archive)
    before = {entry.pair: entry for entry in manifest.pairs}
    books = ((_Book(store, archive, knowledge, before, sheets), entries) for entries in _books(manifest))
    manifest.pairs = [pair for book, entries in books for pair in book.written(entries)]
    kept = {name for entry in manifest.pairs for name in entry.graphs}
    gone = [name for entry in before.values() for name in entry.graphs if name not in kept]
    store.drop(gone)
    for name in gone:
        archive.drop_pair(name)


def pairs_of(manifest: Manifest) -> set[Pair]:
    """The neighbouring editions of every book whose words are loaded."""
    books = ({key: entry.chapters for key, entry in entries.items()} for entries in _books(manifest))
    return {pair for book in books for pair in neighbours(book)}


def _books(manifest: Manifest) -> list[dict[EditionKey, EditionEntry]]:
    """The editions of each book whose words are loaded."""
    books: dict[str, dict[EditionKey, EditionEntry]] = {}
    for key, entry in sorted(manifest.editions.items(), key=lambda item: str(item[0])):
        if entry.languages:
            books.setdefault(f"{key.game}/{key.book}", {})[key] = entry
    return list(books.values())


class _Book:
    """The pairs of one book."""

    def __init__(
        self,
        store: Store,
        archive: Archiving,
        knowledge: Knowledge,
        before: Mapping[Pair, PairEntry],
        sheets: Sequence[Sheet],
    ) -> None:
        self.store = store
        self.knowledge = knowledge
        self.archive = archive
        self.before = before
        self.sheets = sheets
        self.told: list[Pair] = []
        self.begun: dict[EditionKey, str] = {}
        """Edition → digest of all that the names of its threads depend on."""

    def written(self, entries: Mapping[EditionKey, EditionEntry]) -> Iterator[PairEntry]:
        """The pairs of some editions, the oldest first, each with what its graphs hold."""
        for old, new in neighbours({key: entry.chapters for key, entry in entries.items()}):
            made = made_of(str(RULES), *(_records(entries[key]) for key in (old, new)), *self._checked(entries[old], entries[new]))
            begun = made_of(made, self.begun.get(old, ""), self.begun.get(new, ""))
            self.begun[new] = begun
            known_before = self.before.get((old, new))
            if known_before and known_before.begun == begun:
                self._settle((old, new))
                yield known_before
            else:
                known = known_before is not None and known_before.made_of == made
                body = self.knowledge.threads.words(old, new) if known else self._compared(entries[old], entries[new])
                yield PairEntry(old.game, old.book, old.edition, new.edition, made, begun, self._graphs((old, new), body))
            self.told.append((old, new))

    def _compared(self, old: EditionEntry, new: EditionEntry) -> str:
        """The steps of a pair as they are kept."""
        langs = _languages(old, new)
        if not langs:
            first, then = (glossed(self.knowledge.stored(entry.key)) for entry in (old, new))
            sheet = between(self.sheets, old.key, new.key)
            return packed(checked(sheet, first, then) if sheet else proposals(first, then), first, then)
        before, after = (stored(self.knowledge.stored(entry.key), langs) for entry in (old, new))
        return packed(steps(before, after), before, after)

    def _checked(self, old: EditionEntry, new: EditionEntry) -> Iterator[str]:
        """What a person has said of two editions without a common language."""
        if not _languages(old, new) and (sheet := between(self.sheets, old.key, new.key)):
            yield kept(sheet)

    def _graphs(self, pair: Pair, body: str) -> dict[str, str]:
        """Writes the graphs of a pair; their names and digests."""
        before = self.before.get(pair)
        self.store.drop(before.graphs if before else ())
        self.archive.drop_pair(graph.graph_name(*pair))
        every_step = graph.all_steps(unpacked(*pair, body), *map(self._rules, pair))
        threads = self._threads(pair)
        graph.follow(every_step, threads)
        written = graph.nquads(pair, every_step, threads, body)
        for name, lines in written.items():
            if name == graph.graph_name(*pair) and pair[0] in self.archive.keys:
                self.archive.put_pair(name, pair, lines)
            else:
                self.store.load(lines)
        self.store.flush()
        return {name: sha256(lines).hexdigest() for name, lines in written.items()}

    def _settle(self, pair: Pair) -> None:
        """Has the graph of a pair that is known follow its older edition."""
        name = graph.graph_name(*pair)
        there = name in self.archive.pairs
        if there and pair[0] not in self.archive.keys:
            self.store.load("".join(f"{line}\n" for line in self.archive.pair(name)).encode())
            self.archive.drop_pair(name)
        elif not there and pair[0] in self.archive.keys:
            self.archive.put_pair(name, pair, self.store.graph(name))
            self.store.drop([name])

    def _rules(self, key: EditionKey) -> list[str]:
        if key in self.archive.keys:
            return sorted(self.archive.rules(key))
        rows = self.store.select(f"SELECT ?rule WHERE {{ GRAPH <{graph_iri(key, 'records')}> {{ ?rule <{NS}locator> ?locator }} }}")
        return sorted(row["rule"] for row in rows)

    def _threads(self, pair: Pair) -> graph.Threads:
        """The threads of the rules of both editions that earlier pairs have told."""
        told = values("g", [graph.graph_name(old, new) for old, new in self.told if new in pair])
        rows = self.store.select(f"SELECT ?rule ?thread WHERE {{ {told} GRAPH ?g {{ ?rule <{graph.VERSION_OF}> ?thread }} }}")
        told_there = (line for old, new in self.told if new in pair for line in self.archive.pair(graph.graph_name(old, new)))
        threads: graph.Threads = {}
        for rule, thread in ((row["rule"], row["thread"]) for row in rows):
            threads[rule] = threads.get(rule, frozenset()) | {thread}
        for subject, predicate, thread, *_ in (line.split(" ", 3) for line in told_there):
            if predicate == f"<{graph.VERSION_OF}>":
                threads[subject[1:-1]] = threads.get(subject[1:-1], frozenset()) | {thread[1:-1]}
        return threads


def _languages(old: EditionEntry, new: EditionEntry) -> list[str]:
    """The languages that two editions have in common: first that of the highest authority, then the book's own."""
    original = catalogue().book(new.game, new.book).original

    def rank(lang: str) -> tuple[object, ...]:
        return max(Authority(entry.languages[lang]).rank for entry in (old, new)), lang != original, lang

    return sorted(old.languages.keys() & new.languages.keys(), key=rank)


def _records(entry: EditionEntry) -> str:
    return entry.graphs[graph_iri(entry.key, "records")]
