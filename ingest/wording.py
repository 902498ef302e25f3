"""The wording of a rule without the numbers it cites: what a renumbered book leaves as it was."""

from hashlib import sha256

from corpus.model import Node
from corpus.words.text import fold

_CITED = "\N{SECTION SIGN}"


def wording(node: Node) -> str:
    """SHA-256 (64 hex) of a rule's folded headword and words with every citation masked; "" where it cites nothing.

    Two rules with the same wording say the same of whatever they refer to: between editions only the numbers moved.
    """
    if not node.cites:
        return ""
    kept, end = [node.headword, "\n"], 0
    for cite in node.cites:
        kept += [node.text[end : cite.start], _CITED]
        end = cite.end
    return sha256(fold("".join([*kept, node.text[end:]])).encode()).hexdigest()
