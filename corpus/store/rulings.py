"""The rulings of a bundle, by address, by rule or by card.

The rulings of a source are a document, each named by its id (an older answer: `id@date`), with the names of cards as keys. Links
to the rules that they rest on are another document, written last, with the addresses of rules as keys.
"""

import json
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import chain
from typing import TYPE_CHECKING, Any, NamedTuple, cast

from corpus.address import RULINGS, is_iri, is_ruling, path_of, ruling_iri
from corpus.store.documents import Documents, Entry, NewDocuments, NewEntry, fingerprint
from corpus.store.home.manifest import Manifest, rulings_name
from corpus.words.text import fold_text

if TYPE_CHECKING:
    from corpus.contract import Ruling as RulingBody
    from corpus.contract import RulingCitation
    from corpus.model import Ruling, RulingLink

_NO_LINKS: Mapping[str, Any] = {"cites": [], "rests_on": []}


class RulingStore:
    """The rulings of a bundle. `changed_since` is empty here; `corpus.editions.rulings` computes it."""

    def __init__(self, documents: Documents, manifest: Manifest) -> None:
        self._documents = documents
        self._sources = [entry.name for entry in manifest.rulings]
        self._links = manifest.links

    def by_iri(self, iris: Iterable[str]) -> "dict[str, RulingBody]":
        """The rulings at the given addresses, including older answers; unknown addresses are skipped."""
        ruling_iris = dict.fromkeys(iri for iri in iris if is_iri(iri) and is_ruling(iri))
        names: dict[str, list[str]] = {}
        for iri in ruling_iris:
            game, _, source, name = (*path_of(iri).split("/", 3), "", "")[:4]
            names.setdefault(rulings_name(game, source), []).append(name)
        rulings = {body["iri"]: body for name in names if name in self._sources for body in self._read(name, names[name])}
        return {iri: rulings[iri] for iri in ruling_iris if iri in rulings}

    def all_rulings(self, game: str | None = None) -> "Iterator[RulingBody]":
        """All rulings or those of one game, including older answers, by address."""
        sources = [name for name in sorted(self._sources) if game in (None, name.partition("/")[0])]
        return iter(sorted(chain.from_iterable(map(self._read, sources)), key=lambda ruling: ruling["iri"]))

    def rulings_of_rules(self, rules: Collection[str]) -> list[str]:
        """The rulings that rest on any of the rules, by address."""
        return sorted(
            {iri for name in self._links for rule in rules for iri in self._addresses_with_key(_links(name), path_of(rule), name)}
        )

    def rulings_of_card(self, name: str) -> list[str]:
        """The rulings about a card of that name, whatever its case, width and spaces, by address."""
        return sorted({iri for source in self._sources for iri in self._addresses_with_key(source, fold_text(name), source)})

    def rulings_with_grounds(self) -> list[tuple[str, str, str | None]]:
        """Every ruling with each rule that it rests on, and its date."""
        entries = ((_iri(name, entry.name), entry) for name in self._links for entry in self._documents.entries(_links(name)))
        return sorted(
            (iri, link["rule"], entry.own or None) for iri, entry in entries for link in json.loads(entry.content)["rests_on"]
        )

    def _read(self, source: str, names: Sequence[str] | None = None) -> "Iterator[RulingBody]":
        """Some rulings of a source, or all."""
        links = {entry.name: entry.content for entry in self._entries(_links(source), names)} if source in self._links else {}
        for entry in self._entries(source, names):
            own = json.loads(links[entry.name]) if entry.name in links else _NO_LINKS
            ruling: Any = {**json.loads(entry.content), **own, "changed_since": []}
            yield cast("RulingBody", ruling)

    def _entries(self, document: str, names: Sequence[str] | None) -> Iterator[Entry]:
        return self._documents.entries(document) if names is None else self._documents.entries_by_name(document, names)

    def _addresses_with_key(self, document: str, key: str, source: str) -> Iterator[str]:
        """The addresses of the rulings with a key."""
        places = self._documents.places(document, key)
        return (_iri(source, self._documents.document(document).names[place]) for place in places)


def put_rulings(documents: NewDocuments, game: str, source: str, rulings: "Sequence[Ruling]") -> None:
    """Writes the rulings of a source, including older answers; without any, its document is removed."""
    if not rulings:
        documents.drop(rulings_name(game, source))
        return
    cards: dict[str, list[int]] = {}
    for place, ruling in enumerate(rulings):
        for card in card_keys(ruling):
            cards.setdefault(card, []).append(place)
    documents.add_document(
        rulings_name(game, source), [NewEntry(_name(ruling.iri), _to_json(_body(ruling))) for ruling in rulings], cards
    )


class LinkedRuling(NamedTuple):
    """A ruling with its citations and the rules that it rests on."""

    ruling: "RulingBody"
    cites: "Sequence[RulingCitation]"
    rules: "Sequence[RulingLink]"


def put_links(documents: NewDocuments, source: str, links: Sequence[LinkedRuling]) -> None:
    """Writes the links of the rulings of a source; without any, their document is removed."""
    if not links:
        documents.drop(_links(source))
        return
    rules: dict[str, list[int]] = {}
    for place, ruling in enumerate(links):
        for rule in dict.fromkeys(link.rule for link in ruling.rules):
            rules.setdefault(path_of(rule), []).append(place)
    documents.add_document(_links(source), list(map(_entry, links)), rules)


def links_fingerprint(links: Iterable[LinkedRuling]) -> str:
    """A hash of the links of rulings."""
    return fingerprint(map(_entry, links))


def _entry(ruling: LinkedRuling) -> NewEntry:
    rows = [{name: value for name, value in link._asdict().items() if name != "who" or value} for link in ruling.rules]
    body = {"cites": list(ruling.cites), "rests_on": rows}
    return NewEntry(_name(ruling.ruling["iri"]), _to_json(body), ruling.ruling["date"] or "")


def card_keys(ruling: "Ruling") -> list[str]:
    """The folded names of a ruling's cards; empty for an older answer."""
    names = () if ruling.version else (*ruling.cards, *ruling.card_ids)
    return sorted({key for name in names if (key := fold_text(name))})


def _body(ruling: "Ruling") -> dict[str, Any]:
    return {
        "kind": "ruling",
        "iri": ruling.iri,
        "game": ruling.game,
        "source": ruling.source,
        "id": ruling.id,
        "version": ruling.version or None,
        "withdrawn": ruling.withdrawn,
        "date": ruling.date,
        "authority": ruling.authority.value,
        "question": dict(ruling.question),
        "answer": dict(ruling.answer),
        "marked_up": {part: dict(words) for part, words in ruling.marked_up.items()},
        "cards": list(ruling.cards or ruling.card_ids),
        "card_ids": list(ruling.card_ids),
        "older": [{"iri": version.iri, "date": version.date} for version in ruling.older],
        "files": list(ruling.files),
    }


def _name(iri: str) -> str:
    """The name of a ruling in the document of its source."""
    return path_of(iri).split("/", 3)[3]


def _iri(source: str, name: str) -> str:
    game, _, short = source.split("/")
    return ruling_iri(game, short, name)


def _links(source: str) -> str:
    """The document of the links of a source."""
    return source.replace(f"/{RULINGS}/", "/links/")


def _to_json(body: Mapping[str, Any]) -> bytes:
    return json.dumps(body, ensure_ascii=False, separators=(",", ":")).encode()
