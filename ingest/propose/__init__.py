"""Extraction for books nobody annotated: zones and what the rules say of them, as proposals for a judge."""

from ingest.propose.book import Row
from ingest.propose.edition import propose, propose_rows
from ingest.propose.facts import Claim, Proposals, Support, Zone

__all__ = ["Claim", "Proposals", "Row", "Support", "Zone", "propose", "propose_rows"]
