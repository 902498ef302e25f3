"""The threads of a draft: new editions are compared with their neighbours, other pairs are reused."""

from collections.abc import Collection, Iterator, Mapping, Sequence

from corpus.address import EditionKey, graph_iri
from corpus.catalogue import catalogue
from corpus.editions.threads.pair import propose_steps, rule_as_gloss, steps
from corpus.model import Authority
from corpus.store import statements
from corpus.store.documents import NewDocuments, NewEntry
from corpus.store.engine import Store
from corpus.store.home.disk import fingerprint
from corpus.store.home.manifest import EditionEntry, Manifest, PairEntry
from corpus.store.threads.recorded import document_of, pair_name
from corpus.store.threads.rule import stored_rule
from corpus.store.threads.step import Pair, neighbouring_pairs, pack_steps
from ontology.knowledge import Knowledge
from ontology.translation.checked_alignments import AlignmentSheet, alignment_of, thread_steps, without_words
from rulestone.writing.draft.editions import graph_hashes

RULES_VERSION = 2
"""Version of the matching. Increase it with every change: pairs of another version are compared again."""


def write_threads(store: Store, documents: NewDocuments, manifest: Manifest, sheets: Sequence[AlignmentSheet]) -> None:
    """Writes the pairs of neighbouring editions into the records of a draft, into its store and into its manifest.

    `sheets` are the checked alignments of the home, which apply to editions without a common language. The store has the short
    steps of every pair, and all statements about a pair whose older edition it has.
    """
    before = {entry.pair: entry for entry in manifest.pairs}
    comparing = _PairComparer(Knowledge(store, manifest, documents), before, sheets)
    books = [(entries, list(comparing.pairs(entries))) for entries in _editions_by_book(manifest)]
    manifest.pairs = [entry for _, pairs in books for entry, _ in pairs]
    there = {document_of(entry.pair[0]) for entry in manifest.pairs}
    for name in {document_of(old) for old, _ in before} - there:
        documents.drop(name)
    for entries, pairs in books:
        if pairs:
            documents.add_document(
                document_of(next(iter(entries))), [NewEntry(pair_name(entry.pair), body) for entry, body in pairs]
            )
    _write_graphs(store, Knowledge(store, manifest, documents), before)


def _write_graphs(store: Store, knowledge: Knowledge, before: Mapping[Pair, PairEntry]) -> None:
    """Updates the statements about each pair in the store."""
    manifest, lines = knowledge.manifest, dict[Pair, bytes]()
    for book in {(old.game, old.book): old for old, _ in _outdated_pairs(manifest)}.values():
        outdated = _outdated_pairs(manifest)
        for pair, every_step, threads in knowledge.steps(book):
            if pair in outdated:
                lines[pair] = statements.pair_statements(pair, every_step, threads, replaced=knowledge.is_replacement(pair))
    entries_and_graphs = [
        _pair_entry(knowledge, entry, lines[entry.pair]) if entry.pair in lines else (entry, {}) for entry in manifest.pairs
    ]
    manifest.pairs = [entry for entry, _ in entries_and_graphs]
    after = {name: checksum for entry in manifest.pairs for name, checksum in entry.graphs.items()}
    hashes = {name: checksum for entry in before.values() for name, checksum in entry.graphs.items()}
    store.drop(name for name, checksum in hashes.items() if after.get(name) != checksum)
    for _, graphs in entries_and_graphs:
        for name, quads in graphs.items():
            if hashes.get(name) != after[name]:
                store.load(quads)
    store.flush()


def _outdated_pairs(manifest: Manifest) -> Collection[Pair]:
    """The pairs whose statements in the store are missing or outdated."""
    graphs = {entry.pair: (statements.pair_graph(entry.pair) in entry.graphs, bool(entry.graphs)) for entry in manifest.pairs}
    return {pair for pair, (there, has_graphs) in graphs.items() if not has_graphs or there != _has_edition(manifest, pair[0])}


def _has_edition(manifest: Manifest, key: EditionKey) -> bool:
    """Whether the store has an edition."""
    return graph_iri(key, statements.RECORDS) in manifest.editions[key].graphs


def _pair_entry(knowledge: Knowledge, entry: PairEntry, quads: bytes) -> tuple[PairEntry, dict[str, bytes]]:
    """A pair with its graphs in the store."""
    pair = entry.pair
    graphs = {statements.pair_graph(pair, statements.RECORDS): statements.pair_summary(pair, knowledge.threads.words(*pair))}
    if _has_edition(knowledge.manifest, pair[0]):
        graphs[statements.pair_graph(pair)] = quads
    return entry._replace(graphs=graph_hashes(graphs)), graphs


def pairs_of(manifest: Manifest) -> set[Pair]:
    """The neighbouring editions of every book whose words are loaded."""
    books = ({key: entry.chapters for key, entry in entries.items()} for entries in _editions_by_book(manifest))
    return {pair for book in books for pair in neighbouring_pairs(book)}


def _editions_by_book(manifest: Manifest) -> list[dict[EditionKey, EditionEntry]]:
    """The editions of each book whose words are loaded."""
    books: dict[str, dict[EditionKey, EditionEntry]] = {}
    for key, entry in sorted(manifest.editions.items(), key=lambda item: str(item[0])):
        if entry.languages:
            books.setdefault(f"{key.game}/{key.book}", {})[key] = entry
    return list(books.values())


class _PairComparer:
    """Compares neighbouring editions, except pairs that were compared before."""

    def __init__(self, knowledge: Knowledge, before: Mapping[Pair, PairEntry], sheets: Sequence[AlignmentSheet]) -> None:
        self.knowledge = knowledge
        self.before = before
        self.sheets = sheets

    def pairs(self, entries: Mapping[EditionKey, EditionEntry]) -> Iterator[tuple[PairEntry, bytes]]:
        """The pairs of the editions of a book, the oldest first, each with its steps; new pairs have no graphs yet."""
        depends: dict[EditionKey, str] = {}  # edition → hash of all inputs that determine the names of its threads
        for old, new in neighbouring_pairs({key: entry.chapters for key, entry in entries.items()}):
            input_hash = fingerprint(
                str(RULES_VERSION),
                *(entries[key].fingerprint for key in (old, new)),
                *self._checked_alignment(entries[old], entries[new]),
            )
            chain_hash = depends[new] = fingerprint(input_hash, depends.get(old, ""), depends.get(new, ""))
            pair_entry = self.before.get((old, new))
            is_known = pair_entry is not None and pair_entry.made_of == input_hash
            body = self.knowledge.threads.words(old, new) if is_known else self._stored_steps(entries[old], entries[new])
            if pair_entry is None or pair_entry.begun != chain_hash:
                pair_entry = PairEntry(old.game, old.book, old.edition, new.edition, input_hash, chain_hash, {})
            yield pair_entry, body.encode()

    def _stored_steps(self, old: EditionEntry, new: EditionEntry) -> str:
        """The stored steps of a pair."""
        langs = _languages(old, new)
        if not langs:
            first, then = ([rule_as_gloss(record) for record in self.knowledge.stored_records(entry.key)] for entry in (old, new))
            sheet = alignment_of(self.sheets, old.key, new.key)
            return pack_steps(thread_steps(sheet, first, then) if sheet else propose_steps(first, then), first, then)
        before, after = (
            [stored_rule(record, langs) for record in self.knowledge.stored_records(entry.key)] for entry in (old, new)
        )
        return pack_steps(steps(before, after), before, after)

    def _checked_alignment(self, old: EditionEntry, new: EditionEntry) -> Iterator[str]:
        """The checked alignment of two editions without a common language."""
        if not _languages(old, new) and (sheet := alignment_of(self.sheets, old.key, new.key)):
            yield without_words(sheet)


def _languages(old: EditionEntry, new: EditionEntry) -> list[str]:
    """The common languages of two editions: that of the highest authority first, then the book's original one."""
    original = catalogue().book(new.game, new.book).original

    def rank(lang: str) -> tuple[object, ...]:
        return max(Authority(entry.languages[lang]).rank for entry in (old, new)), lang != original, lang

    return sorted(old.languages.keys() & new.languages.keys(), key=rank)
