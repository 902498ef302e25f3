"""The JSON bodies of the contract as types, shared by the library, the command line and HTTP.

Bodies are plain dictionaries; a type defines their keys and values, and `api.schemas` derives the published JSON Schema from it.
"""

from corpus.contract.answers import *  # noqa: F403
from corpus.contract.changes import *  # noqa: F403
from corpus.contract.checks import *  # noqa: F403
from corpus.contract.concepts import *  # noqa: F403
from corpus.contract.library import *  # noqa: F403
from corpus.contract.rules import *  # noqa: F403
from corpus.contract.rulings import *  # noqa: F403
from corpus.contract.schema import *  # noqa: F403
from corpus.contract.translation import *  # noqa: F403
from corpus.contract.verify import *  # noqa: F403
