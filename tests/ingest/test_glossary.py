"""Glossaries of every kind give the same rows: tables, TBX of both dialects, Weblate's CSV, Qt's .ts."""

import pytest

from corpus.errors import InputError
from ingest.glossary import read

TBX = b"""<?xml version="1.0"?>
<martif type="TBX" xml:lang="en"><text><body><termEntry id="t1">
<langSet xml:lang="en"><tig><term>raft</term><termNote type="administrativeStatus">preferredTerm-admn-sts</termNote></tig>
<tig><term>float</term><termNote type="administrativeStatus">deprecatedTerm-admn-sts</termNote></tig></langSet>
<langSet xml:lang="ja-JP"><ntig><termGrp><term>\xe7\xad\x8f</term></termGrp></ntig></langSet>
</termEntry></body></text></martif>"""
QT = """<?xml version="1.0" encoding="utf-8"?><!DOCTYPE TS>
<TS version="2.1" language="ja_JP" sourcelanguage="en_US"><context><name>Zones</name>
<message><source>raft</source><translation>筏</translation></message>
<message><source>open</source><translation type="unfinished"></translation></message></context></TS>""".encode()
Rows = list[tuple[int, dict[str, list[tuple[str, str]]]]]


def rows(data: bytes, *languages: str) -> Rows:
    source, target = (*languages, None, None)[:2]
    read_ = read(data, "glossary", (source, target)).rows
    return [(row.line, {lang: [(term.text, term.status) for term in terms] for lang, terms in row.terms.items()}) for row in read_]


RAFT = {"en": [("raft", "preferred")], "ja": [("筏", "preferred")]}


@pytest.mark.parametrize(
    ("data", "languages", "expected"),
    [
        ("English,日本語\nraft,筏\n".encode(), (), [(2, RAFT)]),
        ("en\tja\nraft\t筏\n".encode("utf-8-sig"), (), [(2, RAFT)]),
        ("location,source,target,developer_comments\nx,raft,筏,a boat\n".encode(), ("en", "ja"), [(2, RAFT)]),
        (QT, (), [(3, RAFT)]),
        (TBX, (), [(2, {"en": [("raft", "preferred"), ("float", "deprecated")], "ja": [("筏", "preferred")]})]),
        (
            "concept,en,en status,en also,en avoid,ja\nferry/raft,raft,preferred: us,balsa,float | log,筏\n".encode(),
            (),
            [
                (
                    2,
                    {
                        "en": [("raft", "preferred"), ("balsa", "admitted"), ("float", "deprecated"), ("log", "deprecated")],
                        "ja": RAFT["ja"],
                    },
                )
            ],
        ),
    ],
)
def test_rows(data: bytes, languages: tuple[str, ...], expected: Rows) -> None:
    assert rows(data, *languages) == expected


TABLE = "English{0}日本語{0}简体中文\nraft{0}筏{0}木筏\nsail{0}帆{0}船帆\ndeck{0}甲板{0}甲板\n"


@pytest.mark.parametrize("separator", [",", ";", "\t"])
@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "gb18030", "cp932"])
def test_tables_as_spreadsheets_write_them(encoding: str, separator: str) -> None:
    text = TABLE.format(separator).replace("简体中文", "zh" if encoding == "cp932" else "简体中文")
    terms = rows(text.encode(encoding), "en", "ja")
    assert terms[0] == (2, {"en": [("raft", "preferred")], "ja": [("筏", "preferred")], "zh-Hans": [("木筏", "preferred")]})
    assert len(terms) == 3


@pytest.mark.parametrize(
    ("tbx_status", "status", "unknown"),
    [
        ("obsolete", "deprecated", ""),
        ("obsoleteTerm-admn-sts", "deprecated", ""),
        ("standardizedTerm-admn-sts", "preferred", ""),
        ("do not use", "forbidden", ""),
        ("不推荐", "deprecated", ""),
        ("notRecommended", "deprecated", ""),
        ("supersededTerm-admn-sts", "deprecated", ""),
        ("rejected", "forbidden", ""),
        ("admittedTerm", "admitted", ""),
        ("preferredTerm-admn-sts", "preferred", ""),
        ("legalTerm-admn-sts", "admitted", "legalTerm-admn-sts"),
    ],
)
def test_only_a_preferred_status_makes_a_preferred_term(tbx_status: str, status: str, unknown: str) -> None:
    data = TBX.replace(b"preferredTerm-admn-sts", tbx_status.encode())
    term = read(data, "glossary").rows[0].terms["en"][0]
    assert (term.text, term.status, term.given_status) == ("raft", status, unknown)


def test_a_column_of_statuses_is_about_the_name_in_the_last_language() -> None:
    data = "en,ja,Status\nraft,筏 | いかだ,\npier,桟橋,forbidden\nrope,縄 | ロープ,preferred\ngoat,山羊,obsolete\ncrate,箱,shiny\n"
    rows = read(data.encode(), "terms.csv").rows
    assert [term.status for row in rows for term in row.terms["en"]] == ["preferred"] * 5
    assert [[(term.text, term.status, term.given_status) for term in row.terms["ja"]] for row in rows] == [
        [("筏", "preferred", ""), ("いかだ", "admitted", "")],
        [("桟橋", "forbidden", "")],
        [("縄", "preferred", ""), ("ロープ", "admitted", "")],
        [("山羊", "deprecated", "")],
        [("箱", "admitted", "shiny")],
    ]


def test_notes_and_concepts_are_kept() -> None:
    [row] = read(b"concept,en,ja,note\nferry/raft,raft,x,a boat\n", "glossary").rows
    assert (row.concept, row.note) == ("ferry/raft", "a boat")


BOMB = b'<!DOCTYPE t [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;">]><martif><text>&b;</text></martif>'


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"name,number\nraft,1\n", "has no columns of two languages"),
        (b"en,ja\n", "has no terms"),
        (b"", "has no columns of two languages"),
        (b"en;name\nraft;1\n", "(separator: ;)"),
        (b"\x00\x01\x02\x03", "binary"),
        (b"<html></html>", "is unsupported XML"),
        (b"<martif>", "is not valid XML"),
        (BOMB, "has no terms"),
        (
            b"<TS><context><message><source>a</source><translation>b</translation></message></context></TS>",
            "does not state its languages",
        ),
    ],
)
def test_files_that_are_no_glossary_are_refused(data: bytes, message: str) -> None:
    with pytest.raises(InputError, match=message):
        read(data, "glossary")


JSON = b'{"terms": [{"name": "raft", "jp": "\xe7\xad\x8f", "remark": "x"}, {"name": "oar"}]}'


def test_a_json_list_with_any_keys_is_read_with_a_map() -> None:
    [row] = read(JSON, "glossary.json", keys={"en": "name", "ja": "jp", "note": "remark"}).rows
    assert ({lang: [term.text for term in terms] for lang, terms in row.terms.items()}, row.note) == (
        {"en": ["raft"], "ja": ["筏"]},
        "x",
    )


@pytest.mark.parametrize(
    ("data", "keys", "reason"),
    [
        (JSON, {}, "its keys: name, jp, remark"),
        (JSON, {"en": "name", "zz": "jp"}, "its keys"),
        (b"[1, 2]", {}, "its keys: -"),
        (b"{", {}, "is not valid JSON"),
    ],
)
def test_other_json_is_refused(data: bytes, keys: dict[str, str], reason: str) -> None:
    with pytest.raises(InputError, match=reason):
        read(data, "glossary.json", keys=keys)


def test_forbidden_names_are_a_status_of_their_own() -> None:
    assert rows("en,ja,ja never\nraft,筏,舟\n".encode()) == [
        (2, {"en": [("raft", "preferred")], "ja": [("筏", "preferred"), ("舟", "forbidden")]})
    ]


def test_terms_in_languages_that_are_not_read_are_counted() -> None:
    entry = "<conceptEntry>{}</conceptEntry>"
    section = '<langSec xml:lang="{}"><termSec><term>raft</term></termSec></langSec>'
    entries = [("en", "fr"), ("fr", "de"), ("fr",)]
    body = "".join(entry.format("".join(map(section.format, langs))) for langs in entries)
    glossary = read(f'<tbx xmlns="urn:iso:std:iso:30042:ed-2"><text><body>{body}</body></text></tbx>'.encode(), "terms.tbx")
    assert (len(glossary.rows), glossary.other_languages) == (1, {"fr": 3, "de": 1})
    alone = f"<tbx><text><body>{entry.format(section.format('fr'))}</body></text></tbx>"
    with pytest.raises(InputError, match="has terms only in fr"):
        read(alone.encode(), "terms.tbx")
