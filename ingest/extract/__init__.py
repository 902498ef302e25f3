"""Extraction for books without annotations: zones and claims as proposals for a judge."""

from ingest.extract.propose import propose, propose_rows
from ingest.extract.text import Claim, Proposals, Support, TextNode, Zone

__all__ = ["Claim", "Proposals", "Support", "TextNode", "Zone", "propose", "propose_rows"]
