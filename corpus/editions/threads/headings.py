"""Headings: most titles are matched by their words, the others by what stands below them."""

from collections import Counter

from corpus.editions.threads.matches import Matches
from corpus.store.threads.rule import StoredRule

_MOST = 0.5
"""The share of a heading's parts that must have gone to one other heading."""
_TITLE = 6
"""Words of a title at most, where a book prints its headings as rules."""


def match_headings(matches: Matches) -> None:
    """Matches what is still free by its parts, the innermost first: a renamed section is where its rules are."""
    for locator in reversed(matches.old.order):
        if (
            locator not in matches.forward
            and _is_title(matches.old.rules[locator])
            and (there := _where_parts_are(matches, locator))
        ):
            matches.add(locator, there)


def _is_title(rule: StoredRule) -> bool:
    """Whether a rule's words are a heading's; a numbered rule with a few words and parts below it is one too."""
    return rule.title or len(rule.words) <= _TITLE


def _where_parts_are(matches: Matches, locator: str) -> str | None:
    parts = matches.old.children.get(locator, ())
    new = [matches.new.parent(matches.forward[part]) for part in parts if part in matches.forward]
    if not new:
        return None
    [(there, count)] = Counter(new).most_common(1)
    fits = there is not None and count > _MOST * len(parts) and _is_title(matches.new.rules[there])
    return there if fits and there not in matches.back else None
