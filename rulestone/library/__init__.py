"""The library: one knowledge base in a home folder, its answers, and the commands that change it.

Each topic has a module. A new kind of question is a method of its topic's class, which `Library` inherits.
"""

from rulestone.library.align import Align
from rulestone.library.ask import Ask
from rulestone.library.base import Built
from rulestone.library.bitext import Bitexts
from rulestone.library.cards import Cards
from rulestone.library.changes import Changes
from rulestone.library.concepts import Concepts
from rulestone.library.cross_references import ReferenceChecks
from rulestone.library.drift import DriftReports
from rulestone.library.exports import Exports
from rulestone.library.graph import Graph
from rulestone.library.linked_data import LinkedData
from rulestone.library.maintenance import Maintenance
from rulestone.library.rules import Rules
from rulestone.library.rulings import Rulings
from rulestone.library.terminology import Terminology

__all__ = ["Built", "Library"]


class Library(
    Maintenance,
    Rules,
    Rulings,
    Cards,
    Changes,
    Concepts,
    Ask,
    Align,
    DriftReports,
    ReferenceChecks,
    Bitexts,
    Terminology,
    Graph,
    Exports,
    LinkedData,
):
    """A knowledge base. It answers from the newest bundle, regardless of the process that wrote it. Thread-safe.

    Answers are the JSON bodies of the contract (`rulestone.types`) as dictionaries. `lang` is the language of the answer and of
    errors, `book_lang` the language of the books; both take `ja`, `zh` (= `zh-Hans`), `zh-Hant` and `en`.

    Every method raises EnvironmentFault for errors of the system, and InputError for invalid arguments.
    """
