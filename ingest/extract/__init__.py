"""Extraction for books without annotations: zones and claims as proposals for a judge."""

from ingest.extract.propose import propose, propose_rows
from ingest.extract.text import ExtractedClaim, ExtractedSupport, ExtractedZone, Proposals, TextNode

__all__ = ["ExtractedClaim", "ExtractedSupport", "ExtractedZone", "Proposals", "TextNode", "propose", "propose_rows"]
