"""`editions`, `show` and `cites`: what is loaded, and a rule by its reference."""

import typer

from api.cli.console import say, say_json, width
from api.cli.options import AsOf, Json, Lang, Reference, Within, answer_language, joined, library_of
from corpus.address import is_ruling
from rulestone import Library


def show(
    context: typer.Context, ref: Reference, lang: Lang = None, within: Within = None, as_of: AsOf = None, as_json: Json = False
) -> None:
    """Show a rule with everything around it."""
    library = library_of(context)
    answer = answer_language(lang, within)
    if is_ruling(joined(ref)):
        return _ruling(library, joined(ref), answer or library.lang, as_of, as_json=as_json)
    body = library.rules(joined(ref), lang=answer, within=within, as_of=as_of)
    if as_json:
        say_json(body)
    else:
        from api.text.rule import pages

        say(pages(body, answer or library.lang, width()))
    return None


def _ruling(library: Library, iri: str, lang: str, as_of: str | None, *, as_json: bool) -> None:
    """Shows the ruling at an address."""
    body = library.rulings(iri, as_of=as_of)
    if as_json:
        return say_json(body)
    from api.text.rulings import pages

    return say(pages(body, lang, width()))


def editions(context: typer.Context, as_json: Json = False) -> None:
    """List every edition that is loaded or known from the digest, and whether it is current."""
    body = library_of(context).editions()
    if as_json:
        say_json(body)
    else:
        from api.text.editions import table

        say(table(body))


def cites(context: typer.Context, ref: Reference, within: Within = None, as_of: AsOf = None, as_json: Json = False) -> None:
    """Show what a rule cites, and which rules cite it."""
    answer_language(None, within)
    body = library_of(context).cites(joined(ref), within=within, as_of=as_of)
    if as_json:
        say_json(body)
    else:
        from api.text.rule import citations

        say(citations(body, width()))
