"""Proposals for rulings, cached in the home because each takes a search."""

import json
from pathlib import Path
from typing import TYPE_CHECKING

from corpus.store.home import Home
from corpus.store.home.disk import fingerprint
from ontology.knowledge import Knowledge

if TYPE_CHECKING:
    from corpus.contract import Ruling
    from search.searcher import Searcher

FOLDER = "grounds"
"""Folder of a home with proposals, one file for each state of a game's rules."""
_RULES = 1
"""Version of the proposals. Increase it whenever the way in which rules are proposed changes."""
EVERY = 500
"""Number of proposals between two saves: the most that an interrupted run loses."""
Proposals = dict[str, list[tuple[str, float]]]


class Proposer:
    """Proposes rules for the rulings of a bundle, once for each state of the game's rules."""

    def __init__(self, home: Home, bundle: Path, knowledge: Knowledge, *, proposing: bool) -> None:
        self._folder = home.path / FOLDER
        self._bundle = bundle
        self._knowledge = knowledge
        self._proposing = proposing
        self._searcher: Searcher | None = None
        self._known: dict[str, Proposals] = {}
        self._asked: dict[str, Proposals] = {}
        self._fresh = 0

    def proposed(self, ruling: "Ruling") -> list[tuple[str, float]]:
        """Rules by address with their probabilities, the most certain first."""
        from search.ruling_links import link_query, propose_links

        game, text = ruling["game"], link_query(ruling["question"], ruling["answer"])
        known, asked, key = self._of(game), self._asked.setdefault(game, {}), fingerprint(text)
        if key in known:
            asked[key] = known[key]
        elif self._proposing:
            asked[key] = [(proposed.rule, proposed.confidence) for proposed in propose_links(self._opened(), game, text)]
            self._fresh += 1
            if self._fresh % EVERY == 0:
                self._write(game, {**known, **asked})
        return asked.get(key, [])

    def keep(self) -> None:
        """Saves the proposals, and deletes those for other states of the rules."""
        if not self._proposing:
            return
        for game, proposals in self._asked.items():
            self._write(game, proposals)
            for old in self._folder.glob(f"{game}@*.json"):
                if old != self._file(game):
                    old.unlink(missing_ok=True)

    def _write(self, game: str, proposals: Proposals) -> None:
        self._folder.mkdir(exist_ok=True)
        draft = self._folder / f"{game}.tmp"  # a fixed name, so that the remains of a killed writer are overwritten
        draft.write_text(json.dumps(proposals, separators=(",", ":")), encoding="utf-8")
        draft.replace(self._file(game))

    def _of(self, game: str) -> Proposals:
        if game not in self._known:
            try:
                self._known[game] = json.loads(self._file(game).read_text(encoding="utf-8"))
            except (OSError, ValueError):
                self._known[game] = {}
        return self._known[game]

    def _file(self, game: str) -> Path:
        return self._folder / f"{game}@{self._state(game)}.json"

    def _state(self, game: str) -> str:
        """A hash of the rules of a game and of the search configuration."""
        state: str = self._knowledge.once(("grounds", game), lambda: self._made_of(game))
        return state

    def _made_of(self, game: str) -> str:
        from search.encode import pretrained
        from search.index import index
        from search.ruling_links import FILE

        manifest = self._knowledge.manifest
        made = index.sentence_info(self._bundle / index.FOLDER)
        encoder = made.sha256 if made and made.encoded and pretrained.is_enabled() else "static"
        editions = [
            str(sorted(entry.graphs.items())) for key, entry in sorted(manifest.editions.items(), key=str) if key.game == game
        ]
        cards = [file.sha256 for file in manifest.cards]
        return fingerprint(str(_RULES), encoder, FILE.read_text(encoding="utf-8"), *editions, *cards)[:16]

    def _opened(self) -> "Searcher":
        if self._searcher is None:
            from search.searcher import Searcher

            self._searcher = Searcher(self._bundle, self._knowledge)
            self._searcher.wait_for_encoder()
        return self._searcher
