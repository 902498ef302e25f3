"""What is wrong in the library, and what one should know of it."""

from typing import TYPE_CHECKING

from ontology.checks.report import findings as found_in
from ontology.knowledge import Knowledge

if TYPE_CHECKING:
    from corpus.contract import Findings


def findings(knowledge: Knowledge) -> "Findings":
    """The findings of every check; a dispute is information, and asks nobody to do anything."""
    every = [(finding.is_information, finding.body()) for finding in found_in(knowledge)]
    return {
        "findings": [finding for is_information, finding in every if not is_information],
        "information": [finding for is_information, finding in every if is_information],
    }
