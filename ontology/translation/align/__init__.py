"""Which rule of one text is which rule of another, whatever their languages and numbers are."""

from ontology.translation.align.align import Aligned, Link, aligned
from ontology.translation.align.unit import Unit, units

__all__ = ["Aligned", "Link", "Unit", "aligned", "units"]
