"""The library: one knowledge base in a home folder, its answers, and the commands that change it.

Each topic has a module. A new kind of question is a method of its topic's class, and `Library` lists these classes.
"""

from rulestone.library.align import AlignMixin
from rulestone.library.ask import AskMixin
from rulestone.library.base import Built
from rulestone.library.bitext import BitextMixin
from rulestone.library.cards import CardsMixin
from rulestone.library.changes import ChangesMixin
from rulestone.library.concepts import ConceptsMixin
from rulestone.library.cross_references import CrossReferencesMixin
from rulestone.library.drift import DriftMixin
from rulestone.library.exports import ExportsMixin
from rulestone.library.graph import GraphMixin
from rulestone.library.linked_data import LinkedDataMixin
from rulestone.library.maintenance import MaintenanceMixin
from rulestone.library.rules import RulesMixin
from rulestone.library.rulings import RulingsMixin
from rulestone.library.search import SearchMixin
from rulestone.library.terminology import TerminologyMixin
from rulestone.library.verify import VerifyMixin

__all__ = ["Built", "Library"]


class Library(
    MaintenanceMixin,
    RulesMixin,
    RulingsMixin,
    CardsMixin,
    ChangesMixin,
    ConceptsMixin,
    AskMixin,
    SearchMixin,
    VerifyMixin,
    AlignMixin,
    DriftMixin,
    CrossReferencesMixin,
    BitextMixin,
    TerminologyMixin,
    GraphMixin,
    ExportsMixin,
    LinkedDataMixin,
):
    """A knowledge base. It answers from the newest bundle, regardless of the process that wrote it. Thread-safe.

    Answers are the JSON bodies of the contract (`rulestone.types`) as dictionaries. `lang` is the language of the answer and of
    errors, `book_lang` the language of the books; both take `ja`, `zh` (= `zh-Hans`), `zh-Hant` and `en`.

    Every method raises EnvironmentFault for errors of the system, and InputError for invalid arguments.
    """
