"""What rulings rest on: the rules that they cite, what curators say, else what search proposes; written when all else is there."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING

from corpus.editions.verify.cited import cited
from corpus.editions.verify.shelf import Shelf
from corpus.ruling import Ground
from corpus.store.engine import Store
from corpus.store.home import Home
from corpus.store.home.checksums import STORE
from corpus.store.home.manifest import read_manifest
from corpus.store.rulings import StoredRulings
from ingest.rulings import quads
from ontology.knowledge import Knowledge
from rulestone.writing.draft.copies import copy_bundle
from rulestone.writing.rulings.judgements import Judgement, judgements
from rulestone.writing.rulings.proposer import Proposer

if TYPE_CHECKING:
    from corpus.contract import Ruling, RulingCitation

_OFTEN = 50
Progress = Callable[[int, int, str], None]
Graphs = dict[str, bytes]


def ground(home: Home, progress: Progress, *, proposing: bool = True) -> bool:
    """Writes what the rulings of a home rest on into a new bundle, where that has changed; whether it has.

    Without `proposing` nothing is searched for: what was proposed before stays, and new rulings rest on what they cite.
    """
    base = home.current()
    if base is None or not _concerns(base):
        return False
    with home.reading() as bundle:
        graphs = _graphs(home, bundle, progress, proposing=proposing)
        digests = _digests(graphs)
        if digests == read_manifest(bundle).grounds:
            return False
    with home.writing(wait=True) as draft:
        if draft.base != bundle:  # another has written meanwhile; what was proposed is kept, so that this is quick
            again = True
        else:
            again = False
            _write(draft.base, draft.path, graphs, digests)
            draft.commit(read_manifest(draft.path).sources())
    return ground(home, progress, proposing=proposing) if again else True


def _concerns(bundle: Path) -> bool:
    manifest = read_manifest(bundle)
    return bool(manifest.rulings or manifest.grounds)


def _write(base: Path, target: Path, graphs: Mapping[str, bytes], digests: dict[str, str]) -> None:
    copy_bundle(base, target)
    manifest = read_manifest(target)
    store = Store(target / STORE)
    store.drop(name for name, digest in manifest.grounds.items() if digests.get(name) != digest)
    for name, lines in graphs.items():
        if manifest.grounds.get(name) != digests[name]:
            store.load(lines)
    store.flush()
    store.close()
    manifest.grounds = digests
    manifest.write(target)


def _digests(graphs: Mapping[str, bytes]) -> dict[str, str]:
    return {name: sha256(lines).hexdigest() for name, lines in graphs.items()}


def _graphs(home: Home, bundle: Path, progress: Progress, *, proposing: bool) -> Graphs:
    """The graphs of every source of rulings."""
    knowledge = Knowledge.open(bundle)
    proposer = Proposer(home, bundle, knowledge, proposing=proposing)
    judged = judgements(home, knowledge)
    by_source: dict[tuple[str, str], list[tuple[str, quads.Grounding]]] = {}
    rulings = list(StoredRulings(knowledge.store).every())
    for nth, ruling in enumerate(rulings):
        if nth % _OFTEN == 0:
            progress(nth, len(rulings), "looking for the rules that rulings rest on")
        cites = list(_cites(knowledge, ruling))
        rests = _overruled(knowledge, _own(proposer, ruling, cites), judged.get(ruling["iri"], ()))
        by_source.setdefault((ruling["game"], ruling["source"]), []).append((ruling["iri"], (cites, rests)))
    proposer.keep()
    graphs: Graphs = {}
    for source, grounded in by_source.items():
        graphs |= quads.grounds(*source, grounded)
    return graphs


def _own(proposer: Proposer, ruling: "Ruling", cites: "Sequence[RulingCitation]") -> list[Ground]:
    """The rules that a ruling cites, else those that are proposed for it."""
    targets = dict.fromkeys(cite["target"] for cite in cites if cite["target"])
    if targets:
        return [Ground(rule, "cited") for rule in targets]
    return [Ground(rule, "proposed", confidence) for rule, confidence in proposer.proposed(ruling)]


def _overruled(knowledge: Knowledge, own: Sequence[Ground], said: Sequence[Judgement]) -> list[Ground]:
    """The same as curators see it: what one says yes to comes first, what one says no to is gone, in whichever edition."""
    if not said:
        return list(own)
    about = {rule for judgement in said for rule in _thread(knowledge, judgement.rule)}
    yes = [Ground(judgement.rule, "proposed", 1.0, judgement.who) for judgement in said if judgement.holds]
    return [*yes, *(proposed for proposed in own if proposed.rule not in about)]


def _thread(knowledge: Knowledge, rule: str) -> set[str]:
    return {rule, *(version.iri for version in knowledge.threads.thread_of(rule) if version.iri)}


def _cites(knowledge: Knowledge, ruling: "Ruling") -> "Iterator[RulingCitation]":
    """The words of a ruling that name rules."""
    shelf: Shelf = knowledge.once("shelf", lambda: Shelf(knowledge))
    for within in ("question", "answer"):
        for lang, text in ruling["question" if within == "question" else "answer"].items():
            for citation in cited(shelf, text, ruling["game"], ruling["date"]):
                yield {
                    "start": citation.start,
                    "end": citation.end,
                    "lang": lang,
                    "within": within,
                    "text": text[citation.start : citation.end],
                    "target": citation.rule,
                    "locator": citation.locator,
                }
