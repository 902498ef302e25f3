"""What look-ups need of the concepts of a bundle, written when it is built: files that are read where they lie."""

from ontology.concepts.files import FOLDER, PARTS
from ontology.concepts.read import ConceptFiles
from ontology.concepts.write import write

__all__ = ["FOLDER", "PARTS", "ConceptFiles", "write"]
