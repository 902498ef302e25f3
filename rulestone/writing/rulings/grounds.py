"""Links from rulings to rules: citations, verdicts of curators, else proposals of search; written last."""

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from corpus.editions.verify.resolve import RuleLookup, cited
from corpus.model import Link
from corpus.store import documents
from corpus.store.engine import Store
from corpus.store.home import Home
from corpus.store.home.checksums import STORE
from corpus.store.home.manifest import read_manifest, rulings_name
from corpus.store.rulings import Linked, links_fingerprint, put_links
from ingest.rulings import quads
from ontology.knowledge import Knowledge
from rulestone.writing.draft.copies import copy_bundle
from rulestone.writing.rulings.judgements import Judgement, judgements
from rulestone.writing.rulings.proposer import Proposer

if TYPE_CHECKING:
    from corpus.contract import Ruling, RulingCitation

_OFTEN = 50
Progress = Callable[[int, int, str], None]
Links = dict[str, list[Linked]]
"""Source → the links of its rulings."""


def ground(home: Home, progress: Progress, *, proposing: bool = True) -> bool:
    """Writes the links of a home's rulings into a new bundle if they have changed; returns whether they have.

    Without `proposing` there is no search: earlier proposals are kept, and new rulings have only their citations.
    """
    base = home.current()
    if base is None or not _concerns(base):
        return False
    with home.reading() as bundle:
        links = _links(home, bundle, progress, proposing=proposing)
        if {source: links_fingerprint(some) for source, some in links.items()} == read_manifest(bundle).links:
            return False
    with home.writing(wait=True) as draft:
        if draft.base != bundle:  # another process has written in the meantime; proposals are cached, so a retry is quick
            again = True
        else:
            again = False
            _write(draft.base, draft.path, links)
            draft.commit(read_manifest(draft.path).sources())
    return ground(home, progress, proposing=proposing) if again else True


def _concerns(bundle: Path) -> bool:
    manifest = read_manifest(bundle)
    return bool(manifest.rulings or manifest.links)


def _write(base: Path, target: Path, links: Links) -> None:
    copy_bundle(base, target, anew=[documents.FILE])
    manifest, store = read_manifest(target), Store(target / STORE)
    after = {source: links_fingerprint(some) for source, some in links.items()}
    changed = [source for source in {**manifest.links, **after} if manifest.links.get(source) != after.get(source)]
    with documents.writing(target, base) as records:
        for source in changed:
            put_links(records, source, links.get(source, ()))
    store.drop(quads.links_graph(source) for source in changed)
    for source in changed:
        for lines in quads.links(source, links.get(source, ())).values():
            store.load(lines)
    store.close()
    manifest.links = after
    manifest.write(target)


def _links(home: Home, bundle: Path, progress: Progress, *, proposing: bool) -> Links:
    """Source → the links of its rulings."""
    knowledge = Knowledge.open(bundle)
    proposer = Proposer(home, bundle, knowledge, proposing=proposing)
    judged = judgements(home, knowledge)
    links: Links = {}
    rulings = list(knowledge.rulings.every())
    for nth, ruling in enumerate(rulings):
        if nth % _OFTEN == 0:
            progress(nth, len(rulings), "looking for the rules that rulings rest on")
        cites = list(_cites(knowledge, ruling))
        rests = _overruled(knowledge, _own(proposer, ruling, cites), judged.get(ruling["iri"], ()))
        links.setdefault(rulings_name(ruling["game"], ruling["source"]), []).append(Linked(ruling, cites, rests))
    proposer.keep()
    return links


def _own(proposer: Proposer, ruling: "Ruling", cites: "Sequence[RulingCitation]") -> list[Link]:
    """The rules that a ruling cites, else those that are proposed for it."""
    targets = dict.fromkeys(cite["target"] for cite in cites if cite["target"])
    if targets:
        return [Link(rule, "cited") for rule in targets]
    return [Link(rule, "proposed", confidence) for rule, confidence in proposer.proposed(ruling)]


def _overruled(knowledge: Knowledge, own: Sequence[Link], said: Sequence[Judgement]) -> list[Link]:
    """The same with the verdicts of curators: accepted rules come first, rejected ones are removed, in any edition."""
    if not said:
        return list(own)
    about = {rule for judgement in said for rule in _thread(knowledge, judgement.rule)}
    yes = [Link(judgement.rule, "proposed", 1.0, judgement.who) for judgement in said if judgement.holds]
    return [*yes, *(proposed for proposed in own if proposed.rule not in about)]


def _thread(knowledge: Knowledge, rule: str) -> set[str]:
    return {rule, *(version.iri for version in knowledge.threads.thread_of(rule) if version.iri)}


def _cites(knowledge: Knowledge, ruling: "Ruling") -> "Iterator[RulingCitation]":
    """The words of a ruling that cite rules."""
    lookup: RuleLookup = knowledge.once("shelf", lambda: RuleLookup(knowledge))
    for within in ("question", "answer"):
        for lang, text in ruling["question" if within == "question" else "answer"].items():
            for citation in cited(lookup, text, ruling["game"], ruling["date"]):
                yield {
                    "start": citation.start,
                    "end": citation.end,
                    "lang": lang,
                    "within": within,
                    "text": text[citation.start : citation.end],
                    "target": citation.rule,
                    "locator": citation.locator,
                }
