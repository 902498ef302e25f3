"""Finds the newest edition on each publisher's site, compares it with the loaded ones, and adds it; cards and rulings likewise.

The state of previous downloads is stored in `publishers.json` of the home, so that an unchanged file is not sent again (304).
"""

import json
import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple
from urllib.parse import quote, unquote, urlsplit

from lxml import etree, html

from corpus.address import EditionKey
from corpus.chronology import is_later, newest_first
from corpus.errors import InputError, NotFoundError, RulestoneError
from corpus.messages import message
from corpus.reference import game_by_name
from corpus.sources import PublisherSource, sources
from corpus.store.home.disk import file_sha256, os_faults, write_file
from corpus.store.temporary import TemporaryFolder
from ingest.read.limits import READ_LIMITS, ReadLimits
from rulestone.progress import Progress
from rulestone.publishers.cards import CARDS_BYTES, PACKED, add_card_names, strings_in_json, unpacked
from rulestone.publishers.download import Client, DownloadedAnswer, PublisherFault, Received

if TYPE_CHECKING:
    from corpus import contract
    from rulestone import Library

FILE_NAME = "publishers.json"
_MANUAL_DOWNLOAD = message("{book}: {problem}; download it manually: {page}")
_LARGE_BYTES = 16 << 20
"""Size of a file above which the limits of reading are printed."""
_HEAD_REFUSED = {403, 405, 501}
_HTML = re.compile(rb"(?:\xef\xbb\xbf)?\s*<(?:!doctype|html|head|\?xml)", re.IGNORECASE)
_HEADINGS = ("h1", "h2", "h3", "h4", "h5", "h6")
_NOT_FILE_NAME = re.compile(r"[^\w .()-]+")


class Offer(NamedTuple):
    """A file offered by a publisher: its address, its day, its bytes (0: unknown), and the newest loaded edition."""

    source: PublisherSource
    address: str
    published_day: str | None
    """The day or month in the address; None if only the text states one."""
    size: int
    loaded_edition: EditionKey | None
    known: bool
    """Whether exactly this file was added before and is loaded."""
    previous: str | None
    """The day in the address from which the loaded edition was downloaded, if it was."""
    page_marks: Mapping[str, str]

    @property
    def reading_limits(self) -> ReadLimits | None:
        """The limits that a large book may exceed; None for others."""
        return READ_LIMITS if self.size > _LARGE_BYTES and self.source.is_book else None

    @property
    def most_bytes(self) -> float:
        """Maximum size in bytes of the file."""
        return CARDS_BYTES if self.source.is_cards else READ_LIMITS.file

    @property
    def is_newer(self) -> bool:
        """Whether it is newer than the loaded edition; without a day in its address, whether it may be newer.

        A day in an address is compared with one in an address if possible: the text may state another one.
        """
        newest = self.loaded_edition
        if newest is None or self.known:
            return newest is None
        if self.published_day is None:
            return True
        if self.previous is not None:
            return self.published_day > self.previous
        return is_later(EditionKey(newest.game, newest.book, self.published_day), newest)


@dataclass(slots=True)
class SourceResult:
    """The outcome for one source: the offered edition, the added one, the error."""

    source: PublisherSource
    offer: Offer | None = None
    added: "contract.Added | None" = None
    cards: "contract.CardsAdded | None" = None
    """The added cards, if the source is a file of cards."""
    is_current: bool = False
    """Whether the downloaded text states no later date than the loaded edition, and was therefore not added."""
    fault: RulestoneError | None = None


def sources_of(name: str) -> list[PublisherSource]:
    """The sources of a game's books, by any of its names, of a book (`mtg/cr`), or of its cards or rulings (`mtg/cards`).

    Raises NotFoundError.
    """
    every_source = sources()
    games: dict[str, tuple[str, ...]] = {source.game: () for source in every_source}
    owner, _, part = name.rpartition("/")
    game, owner_game = game_by_name(name, games), game_by_name(owner, games) if owner else None
    matches = [
        source
        for source in every_source
        if name == source.book or (game == source.game if source.is_book else (owner_game, part) == (source.game, source.part))
    ]
    if not matches and (game_of_files := game or owner_game):
        offered_books = ", ".join(source.book for source in every_source if source.game == game_of_files)
        raise NotFoundError("no publisher's page is known for {name!r}, only for {offered}", name=name[:40], offered=offered_books)
    if not matches:
        books = ", ".join(sorted({source.book for source in every_source}))
        raise NotFoundError(
            "no publisher's page is known for {name!r}; books with a known page: {books}", name=name[:40], books=books
        )
    return matches


class Publishers:
    """The publishers' offers for one library."""

    def __init__(self, library: "Library") -> None:
        self._library = library
        self._visitor = Client()
        self._file = library.path / FILE_NAME
        self._states = _read(self._file)

    def loaded_edition(self, source: PublisherSource) -> EditionKey | None:
        """The newest loaded edition of a source's book in its language."""
        editions = self._library.editions()["editions"]
        keys = (
            EditionKey(edition["game"], edition["book"], edition["edition"])
            for edition in editions
            if f"{edition['game']}/{edition['book']}" == source.book
            and any(language["lang"] == source.lang for language in edition["languages"])
        )
        return min(keys, key=newest_first, default=None)

    def check_offer(self, source: PublisherSource) -> SourceResult:
        """The publisher's current offer, or the error, with the address of the page."""
        try:
            return SourceResult(source, self._fetch_offer(source))
        except RulestoneError as fault:
            return SourceResult(source, fault=fault)

    def add(
        self, result: SourceResult, report_bytes: Received, progress: Progress, *, later: bool = False, only_newer: bool = False
    ) -> None:
        """Downloads an offered file and adds it as `Library.add` does; errors are recorded in `result`.

        With `only_newer` it is not added if the text states no later date than the loaded edition.
        """
        if result.offer is None:
            return
        try:
            if result.source.is_cards:
                result.cards = self._download_and_add_cards(result.offer, report_bytes, progress, later=later)
                return
            if result.source.is_rulings:
                result.added = self._download_and_add_rulings(result.offer, report_bytes, progress)
                return
            result.added = self._download_and_add(result.offer, report_bytes, progress, later=later, only_newer=only_newer)
            result.is_current = result.added is None
        except RulestoneError as fault:
            result.fault = fault

    def _fetch_offer(self, source: PublisherSource) -> Offer:
        """Raises PublisherFault."""
        with _with_manual_download(source):
            state, loaded_edition = self._stored_state(source), self.loaded_edition(source)
            address, page_marks = self._find_address(source, state)
            marks = state.get("file") if address == state.get("address") else None
            head = self._visitor.request(address, source.hosts, head=True, marks=marks)
            if head.status not in (304, *_HEAD_REFUSED):
                _check_answer(head, address)
            published_day = source.day_in(unquote(address))
            same = head.status == 304 or (head.status in _HEAD_REFUSED and marks is not None and published_day is not None)
            is_from_there = loaded_edition is not None and state.get("edition") == loaded_edition.edition
            previous = source.day_in(unquote(state["address"])) if is_from_there else None
            return Offer(source, address, published_day, head.size, loaded_edition, same, previous, page_marks)

    def _find_address(self, source: PublisherSource, state: Mapping[str, Any]) -> tuple[str, Mapping[str, str]]:
        """The address of the file, and the validators of the page; the page is not read if the address never changes."""
        if source.file is not None:
            return source.file, {}
        page = self._visitor.request(source.list or source.page, source.hosts, marks=state.get("page"))
        if page.status == 304:
            return state["address"], state["page"]
        data = _check_answer(page, page.url).data
        if source.list is None:
            return _newest_link(data, page.url, source), page.marks
        addresses = [address for address in strings_in_json(data, page.url) if source.has_address(address)]
        if not addresses:
            raise PublisherFault("{url} has no address that matches: the list has changed", url=page.url)
        return max(addresses, key=lambda address: (source.day_in(address) or "", address)), page.marks

    def _download_and_add(
        self, offer: Offer, report_bytes: Received, progress: Progress, *, later: bool, only_newer: bool
    ) -> "contract.Added | None":
        """Raises PublisherFault; InputError for another book or an older edition."""
        source = offer.source
        with _with_manual_download(source), TemporaryFolder() as folder:
            file, answer = self._download(offer, report_bytes, folder.path)
            edition = _recognised_edition(self._library.add([file], dry_run=True), source, offer.loaded_edition)
            result = None
            if not (only_newer and _is_not_newer(edition, offer)):
                _refuse_older(edition, offer.loaded_edition)
                result = self._library.add([file], later=later, progress=progress)
                for each in result["added"]:
                    each["file"] = file.name
        state = {"address": offer.address, "edition": edition, "page": dict(offer.page_marks), "file": dict(answer.marks)}
        self._store_state(source, state)
        return result

    def _download_and_add_cards(
        self, offer: Offer, report_bytes: Received, progress: Progress, *, later: bool
    ) -> "contract.CardsAdded":
        """Replaces the file of cards that came from the same source. Raises PublisherFault, InputError for a file without cards."""
        source = offer.source
        with _with_manual_download(source), TemporaryFolder() as folder:
            file, answer = self._download(offer, report_bytes, folder.path)
            if source.format.endswith(PACKED):
                file = unpacked(file, offer.address, source.format.removesuffix(PACKED))
            checksum = file_sha256(file)
            previous_sha256 = self._states.get(source.name, {}).get("sha256")
            result = self._library.add_cards(file, game=source.game, replaces=previous_sha256, later=later, progress=progress)
            result["added"]["file"] = file.name
        state = {"address": offer.address, "sha256": checksum, "page": dict(offer.page_marks), "file": dict(answer.marks)}
        self._store_state(source, state)
        return result

    def _download_and_add_rulings(self, offer: Offer, report_bytes: Received, progress: Progress) -> "contract.Added":
        """Rulings with the names of the loaded cards; vectors and the rules on which they rest are left to `index`.

        A later file replaces the earlier one. Raises PublisherFault; InputError if the game has no cards.
        """
        source = offer.source
        names = self._library.names_by_card(source.game)
        if not names:
            raise InputError(
                "the rulings of {game} name their cards only by number; first run: rulestone get {game}/cards", game=source.game
            )
        with _with_manual_download(source), TemporaryFolder() as folder:
            file, answer = self._download(offer, report_bytes, folder.path)
            if source.format.endswith(PACKED):
                file = unpacked(file, offer.address, source.format.removesuffix(PACKED))
            add_card_names(file, names, offer.address)
            checksum = file_sha256(file)
            result = self._library.add([file], game=source.game, later=True, progress=progress)
            for each in result["added"]:
                each["file"] = file.name
        state = {"address": offer.address, "sha256": checksum, "page": dict(offer.page_marks), "file": dict(answer.marks)}
        self._store_state(source, state)
        return result

    def _download(self, offer: Offer, report_bytes: Received, folder: Path) -> tuple[Path, DownloadedAnswer]:
        """The offered file in a folder, under its own name. Raises PublisherFault."""
        file = folder / (_NOT_FILE_NAME.sub("_", unquote(urlsplit(offer.address).path).rpartition("/")[2]) or "book")
        hosts, most = offer.source.hosts, offer.most_bytes
        answer = self._visitor.request(offer.address, hosts, largest=most, report_bytes=report_bytes, file=file)
        _refuse_other_kind(file, offer.source, _check_answer(answer, offer.address).url)
        return file, answer

    def _stored_state(self, source: PublisherSource) -> Mapping[str, Any]:
        """The stored state of a source while its file is loaded: after a removal the file is downloaded again."""
        state: Mapping[str, Any] = self._states.get(source.name, {})
        is_loaded = self.loaded_edition(source) if source.is_book else self._library.has_file(state.get("sha256", ""))
        return state if is_loaded and source.has_address(unquote(state.get("address", ""))) else {}

    def _store_state(self, source: PublisherSource, facts: Mapping[str, object]) -> None:
        self._states[source.name] = facts
        draft = self._file.with_suffix(".tmp")
        with os_faults(message("write {file}", file=self._file)):
            write_file(draft, json.dumps(self._states, indent=1).encode())
            draft.replace(self._file)


@contextmanager
def _with_manual_download(source: PublisherSource) -> Iterator[None]:
    """Adds the book and the publisher's page to an error, for a manual download."""
    try:
        yield
    except PublisherFault as fault:
        raise PublisherFault(_MANUAL_DOWNLOAD.text, book=source.book, problem=fault.message, page=source.page) from fault
    except InputError as fault:
        raise InputError(_MANUAL_DOWNLOAD.text, book=source.book, problem=fault.with_command, page=source.page) from fault


def _read(file: Path) -> dict[str, Any]:
    with suppress(OSError, ValueError):
        content = json.loads(file.read_bytes())
        return content if isinstance(content, dict) else {}
    return {}


def _check_answer(answer: DownloadedAnswer, url: str) -> DownloadedAnswer:
    """The answer to a request for a file."""
    if answer.status in (401, 403):
        raise PublisherFault("{host} does not answer programs (HTTP {status})", host=urlsplit(url).hostname, status=answer.status)
    if answer.status in (404, 410):
        raise PublisherFault("{url} no longer exists (HTTP {status})", url=url, status=answer.status)
    if answer.status != 200:
        raise PublisherFault("{url} responded with HTTP {status}", url=url, status=answer.status)
    return answer


def _newest_link(page: bytes, url: str, source: PublisherSource) -> str:
    """The address of the latest file that a page links to. Raises PublisherFault if it is not clear which file that is."""
    days = {address: source.day_in(address) or "" for address, words in _links(page, url) if _is_offer(source, address, words)}
    if not days:
        raise PublisherFault("no link on the page matches the book: the page has changed, or it is a log-in page")
    newest = max(days.values())
    addresses = [address for address, day in days.items() if day == newest]
    if not newest and len(addresses) > 1:
        raise PublisherFault(
            "{count} links on the page match the book, and none has a date: the page has changed", count=len(addresses)
        )
    return quote(max(addresses), safe=":/?&=+,;@!$'()*~")


def _is_offer(source: PublisherSource, address: str, words: str) -> bool:
    return source.has_address(address) and (source.words is None or bool(source.words.search(words)))


def _links(page: bytes, url: str) -> Iterator[tuple[str, str]]:
    """Each link of a page: its absolute address, decoded; and its words after those of the heading above."""
    try:
        document = html.fromstring(page) if page.strip() else html.Element("html")
        document.make_links_absolute(url, handle_failures="ignore")
    except (etree.LxmlError, ValueError):
        return
    heading = ""
    for element in document.iter(*_HEADINGS, "a"):
        words = " ".join(element.text_content().split())
        if element.tag != "a":
            heading = words
        elif href := element.get("href"):
            yield unquote(href.strip()), f"{heading} {words}"


def _refuse_other_kind(file: Path, source: PublisherSource, url: str) -> None:
    with os_faults(message("read {file}", file=file)), file.open("rb") as stream:
        head = stream.read(1024)
    if _HTML.match(head):
        raise PublisherFault(
            "{url} is an HTML page, not a {format} file: the file has moved, or a log-in page was returned",
            url=url,
            format=source.format,
        )
    if not head.strip() or (b"%PDF-" in head) != (source.format == "pdf"):
        raise PublisherFault("{url} is not a {format} file", url=url, format=source.format)


def _recognised_edition(result: "contract.Added", source: PublisherSource, loaded_edition: EditionKey | None) -> str | None:
    """The edition as which a file is recognised; the loaded one for a file that is loaded already, which is not read again.

    Raises InputError for another book or language.
    """
    edition_of_text = {
        f"{each['game']}/{each['book']} {each['lang']}": each["edition"] for file in result["added"] for each in file["readings"]
    }
    if edition_of_text and source.name not in edition_of_text:
        raise InputError(
            "the file was recognised as {found}, not as {wanted}", found=", ".join(edition_of_text), wanted=source.name
        )
    return edition_of_text[source.name] if edition_of_text else loaded_edition.edition if loaded_edition else None


def _is_not_newer(edition: str | None, offer: Offer) -> bool:
    """Whether a text has the date of the loaded edition, or an earlier one of which the address says nothing."""
    loaded_edition = offer.loaded_edition
    if edition is None or loaded_edition is None:
        return False
    is_earlier = offer.published_day is None and is_later(
        loaded_edition, EditionKey(loaded_edition.game, loaded_edition.book, edition)
    )
    return edition == loaded_edition.edition or is_earlier


def _refuse_older(edition: str | None, loaded_edition: EditionKey | None) -> None:
    if edition and loaded_edition and is_later(loaded_edition, EditionKey(loaded_edition.game, loaded_edition.book, edition)):
        raise InputError(
            "the file is the edition {older}, but the later edition {loaded} is loaded", older=edition, loaded=loaded_edition
        )
