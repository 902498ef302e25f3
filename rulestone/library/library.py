"""The library: one knowledge base in a home folder, and everything that can be asked of it or done to it."""

from rulestone.library.addresses import Addresses
from rulestone.library.asking import Asking
from rulestone.library.cards import Cards
from rulestone.library.changes import Changes
from rulestone.library.concepts import Concepts
from rulestone.library.curating import Curating
from rulestone.library.desk import Desk
from rulestone.library.graph import Graph
from rulestone.library.grounds import Grounds
from rulestone.library.packs import Packs
from rulestone.library.reading import Reading
from rulestone.library.rules import Rules
from rulestone.library.rulings import Rulings
from rulestone.library.translating import Translating
from rulestone.library.whole import Whole
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
