"""Finds the newest edition on each publisher's site, compares it with the loaded ones, and adds it.

The state of previous downloads is stored in `publishers.json` of the home, so that an unchanged file is not sent again (304).
"""

import json
import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple
from urllib.parse import quote, unquote, urljoin, urlsplit

from lxml import etree, html

from corpus.address import EditionKey
from corpus.chronology import is_later, newest_first
from corpus.errors import InputError, NotFoundError, RulestoneError
from corpus.messages import message
from corpus.reference import game_by_name
from corpus.sources import Source, sources
from corpus.store.home.disk import os_faults, write_file
from corpus.store.temporary import TemporaryFolder
from ingest.read.limits import READ_LIMITS
from rulestone.progress import Progress
from rulestone.publishers.download import Client, DownloadedAnswer, PublisherFault, Received

if TYPE_CHECKING:
    from corpus import contract
    from rulestone import Library

FILE_NAME = "publishers.json"
_MANUAL_DOWNLOAD = message("{book}: {problem}; download it manually: {page}")
_HEAD_REFUSED = {403, 405, 501}
_HTML = re.compile(rb"(?:\xef\xbb\xbf)?\s*<(?:!doctype|html|head|\?xml)", re.IGNORECASE)
_NOT_FILE_NAME = re.compile(r"[^\w .()-]+")


class Offer(NamedTuple):
    """A file offered by a publisher: its address, its day, its bytes (0: unknown), and the newest loaded edition."""

    source: Source
    address: str
    published: str  # ISO date
    size: int
    loaded: EditionKey | None
    known: bool
    """Whether exactly this file was added before and is loaded."""
    page_marks: Mapping[str, str]

    @property
    def is_newer(self) -> bool:
        """Whether it is newer than the loaded edition."""
        newest = self.loaded
        return newest is None or (not self.known and is_later(EditionKey(newest.game, newest.book, self.published), newest))


@dataclass(slots=True)
class SourceResult:
    """The outcome for one source: the offered edition, the added one, the error."""

    source: Source
    offer: Offer | None = None
    added: "contract.Added | None" = None
    fault: RulestoneError | None = None


def sources_of(name: str) -> list[Source]:
    """The sources of a game, by any of its names, or of a book (`mtg/cr`). Raises NotFoundError."""
    known = sources()
    game = game_by_name(name, {source.game: () for source in known})
    found = [source for source in known if name == source.book or game == source.game]
    if not found:
        books = ", ".join(sorted({source.book for source in known}))
        raise NotFoundError(
            "no publisher's page is known for {name!r}; books with a known page: {books}", name=name[:40], books=books
        )
    return found


class Publishers:
    """The publishers' offers for one library."""

    def __init__(self, library: "Library") -> None:
        self._library = library
        self._visitor = Client()
        self._file = library.path / FILE_NAME
        self._remembered = _read(self._file)

    def loaded_edition(self, source: Source) -> EditionKey | None:
        """The newest loaded edition of a source's book in its language."""
        editions = self._library.editions()["editions"]
        keys = (
            EditionKey(edition["game"], edition["book"], edition["edition"])
            for edition in editions
            if f"{edition['game']}/{edition['book']}" == source.book
            and any(language["lang"] == source.lang for language in edition["languages"])
        )
        return min(keys, key=newest_first, default=None)

    def check_offer(self, source: Source) -> SourceResult:
        """The publisher's current offer, or the error, with the address of the page."""
        try:
            return SourceResult(source, self._fetch_offer(source))
        except RulestoneError as fault:
            return SourceResult(source, fault=fault)

    def add(self, result: SourceResult, received: Received, progress: Progress, *, later: bool = False) -> None:
        """Downloads an offered file and adds it as `Library.add` does; errors are recorded in `result`."""
        try:
            result.added = self._download_and_add(result.offer, received, progress, later=later) if result.offer else None
        except RulestoneError as fault:
            result.fault = fault

    def _fetch_offer(self, source: Source) -> Offer:
        """Raises PublisherFault."""
        with _with_manual_download(source):
            kept, loaded = self._stored_state(source), self.loaded_edition(source)
            page = self._visitor.request(source.page, source.hosts, marks=kept.get("page"))
            address = kept["address"] if page.status == 304 else _newest_link(_check_answer(page, page.url).data, page.url, source)
            marks = kept.get("file") if address == kept.get("address") else None
            head = self._visitor.request(address, source.hosts, head=True, marks=marks)
            if head.status not in (304, *_HEAD_REFUSED):
                _check_answer(head, address)
            same = head.status == 304 or (head.status in _HEAD_REFUSED and marks is not None)
            marked = kept["page"] if page.status == 304 else page.marks
            return Offer(source, address, _date_in_address(source, address), head.size, loaded, same, marked)

    def _download_and_add(self, offer: Offer, received: Received, progress: Progress, *, later: bool) -> "contract.Added":
        """Raises PublisherFault; InputError for another book or an older edition."""
        source = offer.source
        with _with_manual_download(source):
            answer = self._visitor.request(offer.address, source.hosts, largest=READ_LIMITS.file, received=received)
            _refuse_other_kind(_check_answer(answer, offer.address).data, source, offer.address)
            with TemporaryFolder() as folder:
                file = folder.path / _NOT_FILE_NAME.sub("_", unquote(urlsplit(offer.address).path).rpartition("/")[2])
                with os_faults(message("write {file}", file=file)):
                    file.write_bytes(answer.data)
                _refuse_other_book(self._library.add([file], dry_run=True), offer)
                added = self._library.add([file], later=later, progress=progress)
            for each in added["added"]:
                each["file"] = file.name
        self._store_state(source, {"address": offer.address, "page": dict(offer.page_marks), "file": dict(answer.marks)})
        return added

    def _stored_state(self, source: Source) -> Mapping[str, Any]:
        """The stored state of a source while its book is loaded: after a removal the file is downloaded again."""
        kept: Mapping[str, Any] = self._remembered.get(source.name, {})
        return kept if self.loaded_edition(source) and source.link and source.link.search(unquote(kept.get("address", ""))) else {}

    def _store_state(self, source: Source, facts: Mapping[str, object]) -> None:
        self._remembered[source.name] = facts
        draft = self._file.with_suffix(".tmp")
        with os_faults(message("write {file}", file=self._file)):
            write_file(draft, json.dumps(self._remembered, indent=1).encode())
            draft.replace(self._file)


@contextmanager
def _with_manual_download(source: Source) -> Iterator[None]:
    """Adds the book and the publisher's page to an error, for a manual download."""
    try:
        yield
    except PublisherFault as fault:
        raise PublisherFault(_MANUAL_DOWNLOAD.text, book=source.book, problem=fault.message, page=source.page) from fault
    except InputError as fault:
        raise InputError(_MANUAL_DOWNLOAD.text, book=source.book, problem=fault.with_command, page=source.page) from fault


def _read(file: Path) -> dict[str, Any]:
    with suppress(OSError, ValueError):
        read = json.loads(file.read_bytes())
        return read if isinstance(read, dict) else {}
    return {}


def _check_answer(answer: DownloadedAnswer, url: str) -> DownloadedAnswer:
    """The answer to a request for a file."""
    if answer.status in (404, 410):
        raise PublisherFault("{url} no longer exists (HTTP {status})", url=url, status=answer.status)
    if answer.status != 200:
        raise PublisherFault("{url} responded with HTTP {status}", url=url, status=answer.status)
    return answer


def _newest_link(page: bytes, url: str, source: Source) -> str:
    """The address of the latest file that a page links to."""
    if source.link is None:
        raise PublisherFault("the entry of the book in sources.toml has no link")
    try:
        hrefs = html.fromstring(page).xpath("//a/@href") if page.strip() else []
    except (etree.LxmlError, ValueError):
        hrefs = []
    addresses = [unquote(urljoin(url, href.strip())) for href in hrefs]
    found = [(match["date"], address) for address in addresses if (match := source.link.search(address))]
    if not found:
        raise PublisherFault("no link on the page matches the book: the page has changed, or it is a log-in page")
    return quote(max(found)[1], safe=":/?&=+,;@!$'()*~")


def _date_in_address(source: Source, address: str) -> str:
    """The day in the address of a file."""
    match = source.link.search(unquote(address)) if source.link else None
    assert match
    return f"{match['date'][:4]}-{match['date'][4:6]}-{match['date'][6:]}"


def _refuse_other_kind(data: bytes, source: Source, url: str) -> None:
    is_pdf = b"%PDF-" in data[:1024]
    if _HTML.match(data):
        raise PublisherFault(
            "{url} is an HTML page, not a {format} file: the file has moved, or a log-in page was returned",
            url=url,
            format=source.format,
        )
    if not data.strip() or is_pdf != (source.format == "pdf"):
        raise PublisherFault("{url} is not a {format} file", url=url, format=source.format)


def _refuse_other_book(added: "contract.Added", offer: Offer) -> None:
    """Refuses a file that is recognised as another book, in another language, or as older than the loaded edition."""
    found = {
        f"{each['game']}/{each['book']} {each['lang']}": each["edition"] for file in added["added"] for each in file["readings"]
    }
    edition, loaded = found.get(offer.source.name), offer.loaded
    if found and edition is None:
        raise InputError("the file was recognised as {found}, not as {wanted}", found=", ".join(found), wanted=offer.source.name)
    if edition and loaded and is_later(loaded, EditionKey(loaded.game, loaded.book, edition)):
        raise InputError("the file is the edition {older}, but the later edition {loaded} is loaded", older=edition, loaded=loaded)
