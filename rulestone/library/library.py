"""The library: one knowledge base in a home folder, and everything that can be asked of it or done to it."""

from rulestone.library.graph.graph import Graph
from rulestone.library.graph.packs import Packs
from rulestone.library.graph.whole import Whole
from rulestone.library.questions.asking import Asking
from rulestone.library.questions.cards import Cards
from rulestone.library.questions.grounds import Grounds
from rulestone.library.questions.rulings import Rulings
from rulestone.library.rules.addresses import Addresses
from rulestone.library.rules.changes import Changes
from rulestone.library.rules.reading import Reading
from rulestone.library.rules.rules import Rules
from rulestone.library.terminology.concepts import Concepts
from rulestone.library.terminology.curating import Curating
from rulestone.library.terminology.desk import Desk
from rulestone.library.terminology.translating import Translating
from rulestone.library.writing import Writing


class Library(
    Writing,
    Rules,
    Rulings,
    Grounds,
    Cards,
    Changes,
    Concepts,
    Asking,
    Translating,
    Desk,
    Curating,
    Graph,
    Whole,
    Addresses,
    Reading,
    Packs,
):
    """A knowledge base. It always answers from the newest bundle, whoever wrote that; it is safe to use from several threads.

    Answers are the JSON bodies of the contract (`corpus.contract`) as dictionaries. `lang` is the language to answer in and
    to tell reasons in, `within` the language of the books; both take `ja`, `zh` (= `zh-Hans`), `zh-Hant` and `en`.

    Every method raises EnvironmentFault where the machine refuses, and InputError for what cannot be asked.
    """
