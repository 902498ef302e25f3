"""The types of the library's answers, for annotations: the JSON bodies of the contract, and related types."""

from corpus.contract.answers import *  # noqa: F403
from corpus.contract.changes import *  # noqa: F403
from corpus.contract.checks import *  # noqa: F403
from corpus.contract.concepts import *  # noqa: F403
from corpus.contract.library import *  # noqa: F403
from corpus.contract.rules import *  # noqa: F403
from corpus.contract.rulings import *  # noqa: F403
from corpus.contract.translation import *  # noqa: F403
from corpus.contract.verify import *  # noqa: F403
from corpus.store.sparql.question import SparqlAnswer as SparqlAnswer
from ontology.checks import questions as _questions
from ontology.concepts.tables import OrdinaryMove as OrdinaryMove
from ontology.concepts.tables import TableLayout as TableLayout
from ontology.translation.glossary import CuratedLabel as CuratedLabel
from ontology.translation.glossary import Proposal as Proposal
from rulestone.library import Built as Built
from rulestone.library.exports import Lines as Lines
from rulestone.library.maintenance import EncodingResult as EncodingResult
from rulestone.library.terminology import TermsApplied as TermsApplied

Example = _questions.Question
