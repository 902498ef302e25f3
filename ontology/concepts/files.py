"""The files, each with tables of its own: one that tells the same as in the bundle before is taken over from there."""

from ontology.concepts.names import Form

FOLDER = "concepts"
"""Folder of a bundle."""
NAMES, CLAIMS, MAPPINGS = PARTS = ("names", "claims", "mappings")
_BODIES = "CREATE TABLE told (concept TEXT PRIMARY KEY, bodies TEXT NOT NULL) WITHOUT ROWID;"
TABLES = {
    NAMES: """
CREATE TABLE called (concept TEXT PRIMARY KEY, labels TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE named (form TEXT, concept TEXT, PRIMARY KEY (form, concept)) WITHOUT ROWID;
CREATE TABLE hub (concept TEXT PRIMARY KEY, hub TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE book_term (concept TEXT PRIMARY KEY) WITHOUT ROWID;
CREATE TABLE curator (concept TEXT, lang TEXT, label TEXT, who TEXT NOT NULL, PRIMARY KEY (concept, lang, label)) WITHOUT ROWID;
""",
    CLAIMS: _BODIES,
    MAPPINGS: _BODIES,
}
"""Labels, claims and mappings are JSON: whoever wants one of a concept wants all of them."""
_BETWEEN = "\x1f"


def file_name(part: str) -> str:
    """The file of a part in the folder."""
    return f"{part}.sqlite"


def key_of(form: Form) -> str:
    """What stands in the file for a name as names are compared."""
    return _BETWEEN.join(form)
