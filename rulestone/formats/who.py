"""Who says that a term is so, in words that a translator reads."""

WHO = {
    "official": "publisher's book",
    "translation": "recognised translation",
    "community": "community",
    "editorial": "editors of a wiki",
    "curator": "curator",
    "ours": "Rulestone",
}
"""Authority → words."""
