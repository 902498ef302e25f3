"""`editions`, `show`, `cites`, `diff` and `thread`: loaded editions, rules by their references, and changes between editions."""

from collections.abc import Sequence
from typing import Annotated

import typer

from api.cli.console import print_body, terminal_width, write_report
from api.cli.options import (
    AsOf,
    BookLang,
    HtmlFile,
    Json,
    Lang,
    Reference,
    answer_language,
    argument,
    join_words,
    library_of,
    option,
)
from api.text.books import editions_lines
from api.text.changes import diff_lines, thread_lines
from api.text.rule import cites_lines, show_lines
from api.text.rulings import ruling_lines
from api.text.sections import outline_lines, section_lines
from corpus.address import is_ruling
from corpus.errors import InputError
from rulestone import options

Deep = Annotated[bool, typer.Option("--deep", help="Show the whole section that contains the rule, or all below a heading.")]
OutlineOfBook = Annotated[bool, typer.Option("--outline", help="Show the headings of a book: rulestone show mtg/cr --outline.")]
_DEEP = "Needs --deep."


def editions(context: typer.Context, as_json: Json = False) -> None:
    """List every edition that is loaded or in the digest, and whether it is current."""
    body = library_of(context).editions()
    print_body(body, editions_lines(body), as_json=as_json)


def show(
    context: typer.Context,
    ref: Reference,
    lang: Lang = None,
    book_lang: BookLang = None,
    as_of: AsOf = None,
    deep: Deep = False,
    outline: OutlineOfBook = False,
    depth: Annotated[str | None, option(options.DEPTH, note="Needs --outline.")] = None,
    tokens: Annotated[str | None, option(options.TOKENS, note=_DEEP)] = None,
    cursor: Annotated[str | None, option(options.CURSOR, note=_DEEP)] = None,
    examples: Annotated[bool, option(options.SECTION_EXAMPLES, "--examples", note=_DEEP)] = False,
    as_json: Json = False,
) -> None:
    """Show a rule with its context: headings, parts, citations, counterparts."""
    library, reference = library_of(context), join_words(ref)
    answer_lang = answer_language(lang, book_lang)
    _refuse_unused(deep=deep, outline=outline, depth=depth, reading=(tokens, cursor, examples or None))
    if outline and (as_of or book_lang):
        raise InputError(
            "--outline shows one edition; name it instead of --as-of and --in: rulestone show mtg/cr/2024-06-07 --outline"
        )
    if outline:
        headings = library.outline(reference, lang=answer_lang, depth=depth)
        return print_body(headings, outline_lines(headings), as_json=as_json)
    if deep:
        section = library.section(
            reference, lang=answer_lang, book_lang=book_lang, as_of=as_of, tokens=tokens, cursor=cursor, examples=examples
        )
        return print_body(section, section_lines(section, terminal_width()), as_json=as_json)
    if is_ruling(reference):
        rulings = library.rulings(reference, as_of=as_of)
        return print_body(rulings, ruling_lines(rulings, answer_lang or library.lang, terminal_width()), as_json=as_json)
    body = library.rules(reference, lang=answer_lang, book_lang=book_lang, as_of=as_of)
    return print_body(body, show_lines(body, answer_lang or library.lang, terminal_width()), as_json=as_json)


def _refuse_unused(*, deep: bool, outline: bool, depth: str | None, reading: Sequence[object]) -> None:
    """Raises InputError for options that belong to --deep or --outline where that is not given, and for both."""
    if deep and outline:
        raise InputError("give either --deep, which shows a section, or --outline, which shows the headings of a book")
    if depth is not None and not outline:
        raise InputError("--depth goes with --outline: rulestone show mtg/cr --outline --depth 1")
    if not deep and any(option is not None for option in reading):
        raise InputError("--tokens, --cursor and --examples go with --deep: rulestone show mtg:702.19 --deep")


def cites(context: typer.Context, ref: Reference, book_lang: BookLang = None, as_of: AsOf = None, as_json: Json = False) -> None:
    """Show the citations of a rule, and the rules that cite it."""
    answer_language(None, book_lang)
    body = library_of(context).cites(join_words(ref), book_lang=book_lang, as_of=as_of)
    print_body(body, cites_lines(body, terminal_width()), as_json=as_json)


def diff(
    context: typer.Context,
    book: Annotated[str, argument(options.BOOK, "BOOK")],
    old: Annotated[str, argument(options.FROM, "FROM")],
    new: Annotated[str | None, argument(options.TO, "[TO]")] = None,
    section: Annotated[str | None, option(options.SECTION)] = None,
    lang: Lang = None,
    html: HtmlFile = None,
    as_json: Json = False,
) -> None:
    """Show the changes from one edition of a book to a later one, section by section and word by word."""
    if html is not None and as_json:
        raise InputError("give either --html, which writes a page, or --json, which prints JSON")
    body = library_of(context).changes(book, old, new, section=section, lang=answer_language(lang))
    if html is not None:
        from api.text.pages import changes_page

        return write_report([changes_page(body)], html)
    return print_body(body, diff_lines(body, terminal_width()), as_json=as_json)


def thread(context: typer.Context, ref: Reference, book_lang: BookLang = None, as_json: Json = False) -> None:
    """Show a rule through the editions of its book: its numbers, and when its words changed."""
    answer_language(None, book_lang)
    body = library_of(context).thread(join_words(ref), book_lang=book_lang)
    print_body(body, thread_lines(body), as_json=as_json)
