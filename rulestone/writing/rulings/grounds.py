"""Links from rulings to rules: citations, verdicts of curators, else proposals of search, which are cached; written last."""

import json
from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

import xxhash

from corpus.editions.verify.resolve import RuleLookup, resolve_citations
from corpus.messages import message
from corpus.model import RulingLink
from corpus.store import documents
from corpus.store.engine import Store
from corpus.store.home import Home
from corpus.store.home.checksums import STORE_FOLDER
from corpus.store.home.disk import fingerprint, os_faults
from corpus.store.home.manifest import Manifest, read_base_manifest, read_manifest, rulings_name
from corpus.store.rulings import LinkedRuling, links_fingerprint, put_links
from ingest.rulings import quads
from ontology.knowledge import Knowledge
from rulestone.progress import Progress
from rulestone.writing.draft.copies import copy_bundle
from rulestone.writing.rulings.judgements import Judgement, verdicts_by_ruling

if TYPE_CHECKING:
    from corpus.contract import Ruling, RulingCitation
    from search.searcher import Searcher

FOLDER_NAME = "grounds"
"""Folder of a home with proposals, one file for each state of a game's rules."""
_RULES_VERSION = 1
"""Version of the proposals. Increase it whenever the way in which rules are proposed changes."""
PROGRESS_STEP = 500
"""Number of proposals between two saves: the most that an interrupted run loses."""
Proposals = dict[str, list[tuple[str, float]]]
_SAVE_STEP = 50
Links = dict[str, list[LinkedRuling]]
"""Source → the links of its rulings."""


def write_grounds(home: Home, progress: Progress, *, proposing: bool = True) -> bool:
    """Writes the links of a home's rulings into a new bundle if they have changed; returns whether they have.

    Without `proposing` there is no search: earlier proposals are kept, and new rulings have only their citations.
    """
    base = home.current_folder()
    if base is None or not _has_rulings(base):
        return False
    with home.reading_current() as bundle:
        links = _ruling_links(home, bundle, progress, proposing=proposing)
        if {source: links_fingerprint(some) for source, some in links.items()} == read_manifest(bundle).links:
            return False
    with home.writing_bundle(wait=True) as draft:
        if draft.base != bundle:  # another process has written in the meantime; proposals are cached, so a retry is quick
            again = True
        else:
            again = False
            _write(draft.base, draft.path, links)
            draft.commit(read_manifest(draft.path).given())
    return write_grounds(home, progress, proposing=proposing) if again else True


def link_rulings(home: Home, draft: Path, manifest: Manifest, progress: Progress) -> None:
    """Writes the links of the rulings of a draft, with earlier proposals and without a search, if they have changed."""
    if manifest.rulings or manifest.links:
        _put_links(draft, manifest, _ruling_links(home, draft, progress, proposing=False))


def _has_rulings(bundle: Path) -> bool:
    manifest = read_manifest(bundle)
    return bool(manifest.rulings or manifest.links)


def _write(base: Path, target: Path, links: Links) -> None:
    copy_bundle(base, target, rewritten=[documents.FILE_NAME])
    with documents.draft_documents(target, base):
        pass  # only copied here
    _put_links(target, read_base_manifest(base), links)


def _put_links(draft: Path, manifest: Manifest, links: Links) -> None:
    """Writes changed links into the records, the store and the manifest of a draft."""
    after = {source: links_fingerprint(some) for source, some in links.items()}
    changed_sources = [source for source in {**manifest.links, **after} if manifest.links.get(source) != after.get(source)]
    if not changed_sources:
        return
    store = Store(draft / STORE_FOLDER)
    with documents.draft_documents(draft, None) as records:
        for source in changed_sources:
            put_links(records, source, links.get(source, ()))
    store.drop(quads.links_graph(source) for source in changed_sources)
    for source in changed_sources:
        for lines in quads.links(source, links.get(source, ())).values():
            store.load(lines)
    store.close()
    manifest.links = after
    manifest.write(draft)


def _ruling_links(home: Home, bundle: Path, progress: Progress, *, proposing: bool) -> Links:
    """Source → the links of its rulings."""
    knowledge = Knowledge.open(bundle)
    proposer = GroundProposer(home, bundle, knowledge, proposing=proposing)
    judgements_by_ruling = verdicts_by_ruling(home, knowledge)
    links: Links = {}
    rulings = list(knowledge.rulings.all_rulings())
    for nth, ruling in enumerate(rulings):
        if nth % _SAVE_STEP == 0:
            progress(nth, len(rulings), "looking for the rules that rulings rest on")
        cites = list(_cited_phrases(knowledge, ruling))
        rests = _apply_judgements(
            knowledge, _cited_or_proposed(proposer, ruling, cites), judgements_by_ruling.get(ruling["iri"], ())
        )
        links.setdefault(rulings_name(ruling["game"], ruling["source"]), []).append(LinkedRuling(ruling, cites, rests))
    proposer.save()
    return links


def _cited_or_proposed(proposer: "GroundProposer", ruling: "Ruling", cites: "Sequence[RulingCitation]") -> list[RulingLink]:
    """The rules that a ruling cites, else those that are proposed for it."""
    targets = dict.fromkeys(cite["target"] for cite in cites if cite["target"])
    if targets:
        return [RulingLink(rule, "cited") for rule in targets]
    return [RulingLink(rule, "proposed", confidence) for rule, confidence in proposer.proposals_for(ruling)]


def _apply_judgements(knowledge: Knowledge, own_links: Sequence[RulingLink], judgements: Sequence[Judgement]) -> list[RulingLink]:
    """The same with the verdicts of curators: accepted rules come first, rejected ones are removed, in any edition."""
    if not judgements:
        return list(own_links)
    about = {rule for judgement in judgements for rule in _thread_rules(knowledge, judgement.rule)}
    yes = [RulingLink(judgement.rule, "proposed", 1.0, judgement.who) for judgement in judgements if judgement.holds]
    return [*yes, *(link for link in own_links if link.rule not in about)]


def _thread_rules(knowledge: Knowledge, rule: str) -> set[str]:
    return {rule, *(version.iri for version in knowledge.threads.thread_of(rule) if version.iri)}


def _cited_phrases(knowledge: Knowledge, ruling: "Ruling") -> "Iterator[RulingCitation]":
    """The words of a ruling that cite rules."""
    lookup: RuleLookup = knowledge.cached("shelf", lambda: RuleLookup(knowledge))
    for within in ("question", "answer"):
        for lang, text in ruling["question" if within == "question" else "answer"].items():
            for citation in resolve_citations(lookup, text, ruling["game"], ruling["date"]):
                yield {
                    "start": citation.start,
                    "end": citation.end,
                    "lang": lang,
                    "within": within,
                    "text": text[citation.start : citation.end],
                    "target": citation.rule,
                    "locator": citation.locator,
                }


class GroundProposer:
    """Proposes rules for the rulings of a bundle, once for each state of the game's rules."""

    def __init__(self, home: Home, bundle: Path, knowledge: Knowledge, *, proposing: bool) -> None:
        self._folder = home.path / FOLDER_NAME
        self._bundle = bundle
        self._knowledge = knowledge
        self._proposing = proposing
        self._searcher: Searcher | None = None
        self._saved_proposals: dict[str, Proposals] = {}
        self._recent_proposals: dict[str, Proposals] = {}
        self._fresh = 0

    def proposals_for(self, ruling: "Ruling") -> list[tuple[str, float]]:
        """Rules by address with their probabilities, the most certain first."""
        from search.ruling_links import link_query, propose_links

        game, text = ruling["game"], link_query(ruling["question"], ruling["answer"])
        saved_proposals, recent_proposals, key = (
            self._proposals_of(game),
            self._recent_proposals.setdefault(game, {}),
            fingerprint(text),
        )
        if key in saved_proposals:
            recent_proposals[key] = saved_proposals[key]
        elif self._proposing:
            recent_proposals[key] = [(link.rule, link.confidence) for link in propose_links(self._open_searcher(), game, text)]
            self._fresh += 1
            if self._fresh % PROGRESS_STEP == 0:
                self._write(game, {**saved_proposals, **recent_proposals})
        return recent_proposals.get(key, [])

    def save(self) -> None:
        """Saves the proposals, and deletes those for other states of the rules."""
        if not self._proposing:
            return
        for game, proposals in self._recent_proposals.items():
            self._write(game, proposals)
            for old in self._folder.glob(f"{game}@*.json"):
                if old != self._file(game):
                    old.unlink(missing_ok=True)

    def _write(self, game: str, proposals: Proposals) -> None:
        with os_faults(message("store proposals in {folder}", folder=self._folder)):
            self._write_file(game, proposals)

    def _write_file(self, game: str, proposals: Proposals) -> None:
        self._folder.mkdir(exist_ok=True)
        draft = self._folder / f"{game}.tmp"  # a fixed name, so that the remains of a killed writer are overwritten
        content = json.dumps(proposals, separators=(",", ":"))
        draft.write_text(f"{_checksum(content)}\n{content}", encoding="utf-8")
        draft.replace(self._file(game))

    def _proposals_of(self, game: str) -> Proposals:
        """The saved proposals of a game; a damaged file has none, and they are made again."""
        if game not in self._saved_proposals:
            self._saved_proposals[game] = {}
            with suppress(FileNotFoundError):
                checksum, _, content = self._file(game).read_bytes().decode(errors="replace").partition("\n")
                if checksum == _checksum(content):
                    self._saved_proposals[game] = json.loads(content)
                else:
                    self._proposing = True
        return self._saved_proposals[game]

    def _file(self, game: str) -> Path:
        return self._folder / f"{game}@{self._game_state(game)}.json"

    def _game_state(self, game: str) -> str:
        """A hash of the rules of a game and of the search configuration."""
        state: str = self._knowledge.cached(("grounds", game), lambda: self._state_fingerprint(game))
        return state

    def _state_fingerprint(self, game: str) -> str:
        from search.encode import pretrained
        from search.index import index
        from search.ruling_links import WEIGHTS_FILE

        manifest = self._knowledge.manifest
        info = index.sentence_info(self._bundle / index.FOLDER)
        encoder = info.sha256 if info and info.encoded and pretrained.is_enabled() else "static"
        editions = [
            str(sorted(entry.graphs.items())) for key, entry in sorted(manifest.editions.items(), key=str) if key.game == game
        ]
        cards = [file.sha256 for file in manifest.cards]
        return fingerprint(str(_RULES_VERSION), encoder, WEIGHTS_FILE.read_text(encoding="utf-8"), *editions, *cards)[:16]

    def _open_searcher(self) -> "Searcher":
        if self._searcher is None:
            from search.searcher import Searcher

            self._searcher = Searcher(self._bundle, self._knowledge)
            self._searcher.wait_for_encoder()
        return self._searcher


def _checksum(content: str) -> str:
    """The first line of a file of proposals: the XXH3-128 of the rest."""
    return xxhash.xxh3_128_hexdigest(content.encode())
