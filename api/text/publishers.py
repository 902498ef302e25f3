"""`get` and `update`: the publishers' offers, and the loaded books that have a newer edition."""

from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING

from api.languages import gettext as _
from api.text.layout import SEPARATOR
from corpus.errors import InputError, NotFoundError
from corpus.sources import PublisherSource

if TYPE_CHECKING:
    from rulestone import Library
    from rulestone.publishers.books import Offer, SourceResult


UpdateRow = dict[str, str | None]
"""A loaded book: book, lang, loaded, published, status, page, address, summary, see, error.

The status is current, newer, undated (the file may be newer: only its text states a date), added or failed.
"""


def source_lines(sources: Iterable[PublisherSource]) -> Iterator[str]:
    """A line for each available book, and one for its publisher's page; if nothing is downloaded, only the page."""
    for source in sources:
        how = source.format if source.is_downloadable else _("manual download")
        yield SEPARATOR.join((source.book, source.lang, how, source.page))


def offer_lines(offer: "Offer") -> Iterator[str]:
    """The file to download, its address, and the page of its terms."""
    size = _("{size} kB", size=-(-offer.size // 1000)) if offer.size else _("size unknown")
    day = offer.published_day or (_("the text states the date") if offer.source.is_book else None)
    news = _("nothing newer") if offer.known else size
    yield SEPARATOR.join(filter(None, (offer.source.book, offer.source.lang, day, news)))
    if (limits := offer.reading_limits) and not offer.known:
        yield "  " + _(
            "a large file: it is read within {seconds:.0f} s of processor time and {memory:.0f} MB of memory, or refused",
            seconds=limits.seconds,
            memory=limits.memory / 2**20,
        )
    if offer.source.is_cards and not offer.known:
        yield "  " + _("cards: at most {most} MB are downloaded; the file is kept, unpacked", most=round(offer.most_bytes) >> 20)
    if offer.source.is_rulings and not offer.known:
        yield "  " + _(
            "rulings: at most {most} MB are downloaded; run rulestone index afterwards", most=round(offer.most_bytes) >> 20
        )
    yield "  " + _("file: {address}", address=offer.address)
    yield "  " + _("publisher's page: {address}", address=offer.source.page)
    yield "  " + (_("licence: {address}", address=offer.source.licence) if offer.source.licence else _("licence: no page is known"))


def update_row(result: "SourceResult", library: "Library", lang: str) -> UpdateRow:
    """The outcome for one book, as JSON."""
    offer, source = result.offer, result.source
    loaded_edition = offer.loaded_edition.edition if offer and offer.loaded_edition else None
    status = _status(result)
    new = next((each["edition"] for file in (result.added or {"added": []})["added"] for each in file["readings"]), None)
    summary = None
    if new and loaded_edition and new != loaded_edition:
        with suppress(InputError, NotFoundError):  # their order is unknown: there is nothing to compare
            summary = library.changes(source.book, loaded_edition, new, lang=lang)["summary"]
    return {
        "book": source.book,
        "lang": source.lang,
        "loaded": loaded_edition,
        "published": offer.published_day if offer else None,
        "status": status,
        "page": source.page,
        "address": offer.address if offer else None,
        "summary": summary,
        "see": f"rulestone diff {source.book} {loaded_edition} {new}" if summary else None,
        "error": result.fault.in_language(lang) if result.fault else None,
    }


def _status(result: "SourceResult") -> str:
    offer = result.offer
    if result.fault or offer is None:
        return "failed"
    if result.added:
        return "added"
    if result.is_current or not offer.is_newer:
        return "current"
    return "newer" if offer.published_day else "undated"


def update_lines(rows: Sequence[UpdateRow]) -> Iterator[str]:
    """A line for each loaded book; for an added edition, a line about the changes; errors are printed elsewhere."""
    if not rows:
        yield _("no loaded book has a known publisher's page; rulestone get lists the available books")
    states = {
        "current": _("current"),
        "newer": _("a newer edition is available"),
        "undated": _("a newer edition may be available: only the text states its date"),
        "added": _("added"),
        "failed": _("unknown"),
    }
    for row in rows:
        yield SEPARATOR.join(filter(None, (row["book"], row["lang"], row["loaded"], states[row["status"] or ""], row["published"])))
        if row["summary"]:
            yield f"  {row['summary']} ({row['see']})"
