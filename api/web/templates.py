"""Pages are made of templates: escaped by themselves, with the sentences of the catalogue in the reader's language."""

from functools import cache
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined, pass_context
from jinja2.runtime import Context
from markupsafe import Markup, escape

from api.web import addresses, marked, named
from api.web.static import static
from corpus.address import EditionKey, concept_name, split_rule
from corpus.languages import choose
from corpus.messages import Message, Said

FOLDER = Path(__file__).parent / "templates"


@cache
def environment() -> Environment:
    """The templates, compiled once. A name that a page was not given is an error."""
    made = Environment(
        loader=FileSystemLoader(FOLDER),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        auto_reload=False,
    )
    made.globals |= {"_": _tell, "static": static, "named": named, "Markup": Markup}
    made.filters |= {
        "said": _said,
        "local": addresses.local,
        "asking": addresses.asking,
        "read": addresses.read,
        "part": lambda iri, kind: addresses.part(kind, iri),
        "game_of": lambda iri: split_rule(iri).key.game,
        "locator": lambda iri: split_rule(iri).locator,
        "book": lambda rule: addresses.local(str(EditionKey(rule["game"], rule["book"], rule["edition"]).iri)),
        "citation": named.citation,
        "best": lambda there, lang: choose(lang, there) or next(iter(there), None),
        "concept": concept_name,
        "marks": marked.marks,
        "differing": marked.differing,
        "words": marked.words,
        "number": named.number,
    }
    return made


def page(template: str, **values: Any) -> bytes:  # noqa: ANN401
    """A template filled in; `lang` must be among the values."""
    return environment().get_template(template).render(**values).encode("utf-8", "replace")


@pass_context
def _tell(context: Context, text: str, **values: object) -> Markup:
    """`_("… {name} …", name=…)`: a sentence of the catalogue. Values are escaped, but for what is markup already."""
    lang: str = context["lang"]
    told = {name: value.said(lang) if isinstance(value, Said) else value for name, value in values.items()}
    sentence = Markup(escape(Message(text).said(lang)))
    return sentence.format(**told) if told else sentence


@pass_context
def _said(context: Context, what: object) -> object:
    """What is called differently in each language, in the reader's."""
    return what.said(context["lang"]) if isinstance(what, Said) else what
