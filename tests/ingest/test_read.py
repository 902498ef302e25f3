"""The reader: every encoding, every refusal, and the text of HTML and PDF. All texts here are invented."""

import hashlib
import os
import re
import stat
import subprocess
import sys
from collections.abc import Callable
from dataclasses import fields
from pathlib import Path

import pytest

from corpus.errors import EnvironmentFault, InputError
from ingest.read import limits
from ingest.read.charset import decode_strictly
from ingest.read.document import Document, _most_digits, decode, read
from tests.support.pdfs import page_lines, pdf_of
from tests.support.texts import TEXTS

Write = Callable[..., Path]
RULES = {
    "en": "The Game of Ferrymen\r\n\r\n1. Quays\r\n1.1. A ferry’s captain ties the ferry to the “home quay”.\r\n"
    "1.1a The café on the quay doesn’t count as cargo — nor do geese…\r\n\r\n1.2. Each ferryman draws 3 fares.\r\n",
    "ja": "渡し守のゲーム\n\n1. 桟橋\n1.1. 各プレイヤーは自分の渡し船を「母港」につなぐ。\n"
    "1.1a 桟橋にいるガチョウは積荷として数えない。\n\n２．渡し賃は１～３枚であり、川の流れに従って支払う。\n",
    "zh": "摆渡人的游戏\n\n1. 码头\n1.1. 每位玩家将自己的渡船系在“母港”。\n"
    "1.1a 码头上的鹅不算作货物，但会占用一个座位。\n\n2. 船费为一到三张牌，按照河流的方向支付。\n",
    "zh-Hant": "擺渡人的遊戲\n\n1. 碼頭\n1.1. 每位玩家將自己的渡船繫在「母港」。\n"
    "1.1a 碼頭上的鵝不算作貨物，但會佔用一個座位。\n\n2. 船費為一到三張牌，按照河流的方向支付。\n",
}
LEGACY = {"en": ["cp1252"], "ja": ["cp932", "euc_jp"], "zh": ["gb18030", "gbk", "gb2312"], "zh-Hant": ["big5", "cp950"]}
UNICODE = ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "utf-32", "utf-32-le", "utf-32-be"]
NAMES = {
    **{"utf-8-sig": "utf-8", "cp932": "shift_jis", "euc_jp": "euc-jp", "gbk": "gb18030", "gb2312": "gb18030"},
    **dict.fromkeys(("cp950", "big5hkscs"), "big5"),
}
ENCODED = [(lang, codec) for lang in RULES for codec in UNICODE + LEGACY[lang]]
PNG = b"\x89PNG\r\n\x1a\n" + bytes(range(256))
LATIN_1_MOJIBAKE = RULES["ja"].encode().decode("latin-1")


def text_for(lang: str, codec: str) -> str:
    # EUC-JP has a wave dash where Windows has a full-width tilde.
    return RULES[lang].replace("～", "〜") if codec == "euc_jp" else RULES[lang]


def pdf(*pages: list[str], **more: bytes) -> bytes:
    return pdf_of(map(page_lines, pages), info=more.get("info", b""), trailer=more.get("trailer", b""))


FERRY_PDF = pdf(["1.1. Tie the ferry-", "man to the quay."], [], ["1.2. Row."])
# The standard security handler with keys that no empty password opens.
LOCKED = b"/Encrypt << /Filter /Standard /V 1 /R 2 /P -4 /O <%s> /U <%s> >> /ID [<00> <00>]" % (b"11" * 32, b"22" * 32)


@pytest.fixture
def write(tmp_path: Path) -> Write:
    def write(data: bytes, name: str = "ferry.txt") -> Path:
        path = tmp_path / name
        path.write_bytes(data)
        return path

    return write


@pytest.mark.parametrize(("lang", "codec"), ENCODED)
def test_round_trip(write: Write, lang: str, codec: str) -> None:
    text = text_for(lang, codec)
    data = text.encode(codec)
    expected = Document("ferry.txt", hashlib.sha256(data).hexdigest(), "text", NAMES.get(codec, codec), text)
    assert read(write(data)) == expected


@pytest.mark.parametrize(("lang", "codec"), [(lang, codec) for lang, codec in ENCODED if codec != "gb2312"])
def test_one_line_is_enough(lang: str, codec: str) -> None:
    line = next(line for line in text_for(lang, codec).split("\n") if line.startswith("1.1."))
    assert decode(line.encode(codec), "ferry.txt") == (line, NAMES.get(codec, codec))


@pytest.mark.parametrize("codec", ["utf-16-le", "utf-16-be"])
def test_utf_16_without_any_nul(codec: str) -> None:
    data = "渡船繋留場。川之神、".encode(codec)
    assert b"\0" not in data
    assert decode(data, "ferry.txt") == ("渡船繋留場。川之神、", codec)


@pytest.mark.parametrize("end", ["\n", "\r", "\r\n", "\f", "\x0b", "\u2028"])
def test_line_ends_are_kept(write: Write, end: str) -> None:
    text = f"1.1. Row.{end}1.2. Rest.{end}"
    assert read(write(text.encode())).text == text


@pytest.mark.parametrize(
    ("name", "text", "media"),
    [
        ("ferry", "1. Row.", "text"),
        ("ferry.txt", "1. Row.", "text"),
        ("FERRY.MD", "1. Row.", "markdown"),
        ("ferry.markdown", "1. Row.", "markdown"),
        ("ferry.rst", "1. Row.", "rst"),
        ("ferry.rst.txt", "1. Row.", "rst"),
        ("ferry.htm", "<p>1. Row.", "html"),
        ("ferry.txt", "<!-- a --> <?xml?>\n<!DOCTYPE html><p>1. Row.", "html"),
        ("ferry.md", "<html lang=en><p>1. Row.", "html"),
        ("ferry.txt", "Ferries\n=======\n\nRow. [#a]_\n\n.. [#a] Or sail.\n", "rst"),
        ("ferry.txt", "Ferries\r=======\r\r.. note:: Row.\r", "rst"),
        ("ferry.txt", "Ferries\n=======\n\nRow and so on ... \n", "text"),
        ("ferry.txt", "Ferries\n\n.. note:: Row.\n", "text"),
        ("ferry.txt", "<!-- " * 500, "text"),
    ],
)
def test_media(write: Write, name: str, text: str, media: str) -> None:
    assert read(write(text.encode(), name)).media == media


HTML = [
    ("<h1>The  Ferry<br>men</h1><p>Row\n now.<p>Rest.", "# The Ferry men\n\nRow now.\n\nRest."),
    ("<h3>1.1. <i>Qu</i>ays</h3>Row.<br>Rest.", "### 1.1. Quays\n\nRow.\nRest."),
    ("<ul><li>a<ul><li>b<br>c</ul><li>d</ul>e", "- a\n  - b\n    c\n- d\n\ne"),
    ("<ol><li>1. a<li>b<li>(2) c<li>2.1a d<li>3 geese</ol>", "1. a\n- b\n(2) c\n2.1a d\n- 3 geese"),
    ("<ul><li>1. a</ul>", "- 1. a"),
    ("<ul><li><p>a</p></ul><p>b", "- a\n\nb"),
    ("<table><tr><th>a<th>b|c<tr><td>1<br>2</table>x", "| a | b\\|c |\n| --- | --- |\n| 1 2 |  |\n\nx"),
    ("<table><caption>c<tr><td>a<td>b</table>", "c\n\n| a | b |\n| --- | --- |"),
    ("<table><tr><td><h2>a</h2>b<td>c</table>", "## a\n\nb\n\nc"),
    ("<head><title>t</title></head><nav>n</nav><style>s</style><script>j</script>a<!-- k -->b", "ab"),
    ("<p>渡し\n場の順番 <ruby>桟橋<rp>(</rp><rt>さんばし</rt></ruby>", "渡し場の順番 桟橋"),
    ("a<pre>\n b\n   c\n</pre>d", "a\n\n b\n   c\n\nd"),
    ('<p>a <img alt="{ferry}" src=x>&amp;&nbsp;b', "a {ferry}&\xa0b"),
    ("<div>" * 500 + "deep", "deep"),
]


@pytest.mark.parametrize(("html", "text"), HTML)
def test_html(write: Write, html: str, text: str) -> None:
    document = read(write(f"<!doctype html>{html}".encode(), "ferry.html"))
    assert (document.media, document.text) == ("html", text)


@pytest.mark.parametrize(
    ("label", "codec", "lang"),
    [
        ("Shift_JIS", "cp932", "ja"),
        ("EUC-JP", "euc_jp", "ja"),
        ("gb2312", "gb18030", "zh"),
        ("big5", "cp950", "zh-Hant"),
        ("iso-8859-1", "cp1252", "en"),
        ("utf-8", "cp1252", "en"),
        ("iso-8859-1", "utf-8", "ja"),
        ("windows-1251", "utf-16", "ja"),
        ("unknown", "gb18030", "zh"),
    ],
)
def test_html_charset(write: Write, label: str, codec: str, lang: str) -> None:
    text = text_for(lang, codec)
    body = f'<html><head><meta charset="{label}"></head><pre>{text}</pre>'
    document = read(write(body.encode(codec), "ferry.html"))
    assert (document.text.split(), document.encoding) == (text.split(), NAMES.get(codec, codec))


ETEN = "裏側表示的渡船恒常可以攻擊。①先抽一張卡，ⅰ再支付「あひる」和「アヒル」的船費。\n"
WINDOWS = "髙い桟橋の渡し守は、①船を結び、ⅰ 渡し賃を支払います。\n"


@pytest.mark.parametrize(
    ("label", "data", "text"),
    [
        ("big5", ETEN.encode("big5hkscs"), ETEN),
        ("shift_jis", WINDOWS.encode("cp932"), WINDOWS),
        ("euc-jp", b"\xfc\xe2\xa4\xa4\xa1\xa2\xad\xa1\xc1\xa5\xfc\xf1", "髙い、①船ⅰ"),
    ],
)
def test_characters_that_vendors_added_to_an_encoding(label: str, data: bytes, text: str) -> None:
    declared = b'<meta charset="' + label.encode() + b'">'
    assert decode(declared + data, "ferry.html") == (declared.decode() + text, label)
    if len(text) > 20:
        assert decode(data * 8, "ferry.txt") == (text * 8, label)


@pytest.mark.parametrize("pair", [b"\x80\x41", b"\x80\xa1", b"\xa1\x80", b"\xa1\xff", b"\xff\xa1", b"\xa1"])
def test_bytes_outside_the_table_of_euc_jp_are_no_characters(pair: bytes) -> None:
    assert decode_strictly("船".encode("euc_jp") + pair, "euc_jp") is None


def test_html_charset_decides_where_bytes_are_ambiguous() -> None:
    assert decode(b'<html><meta charset="euc-jp">' + "乗".encode("euc_jp"), "f.html")[0].endswith("乗")


def test_pdf(write: Write) -> None:
    document = read(write(FERRY_PDF, "ferry.txt"))
    assert (document.media, document.encoding) == ("pdf", "utf-8")
    assert document.text == "1.1. Tie the ferry-\nman to the quay.\n\f\n\f1.2. Row."
    assert document.created == ""


def test_the_day_on_which_a_pdf_was_made(write: Write) -> None:
    dated = pdf(["1.1. Row."], info=b"/CreationDate (D:20240301120000+09'00')")
    assert read(write(dated, "ferry.pdf")).created == "2024-03-01"


REFUSED = [
    ("ferry.txt", b"", "ferry.txt: is empty or has only spaces; give a file with rules in it"),
    ("ferry.txt", " \r\n\t\u3000\xa0\n".encode(), "is empty or has only spaces"),
    ("ferry.html", b"<!doctype html><script>x</script>", "is empty or has only spaces"),
    ("ferry.txt", PNG, "ferry.txt: is a PNG image; a rulebook is a text, Markdown, reStructuredText, HTML or PDF file"),
    ("ferry.docx", b"PK\x03\x04\x14\0\x06\0", "is a zip archive (or a Word"),
    ("ferry.txt", b"1. Row.\0\0\x01\x02\xff\xfe\x00\xd8" * 99, "is a binary file (it has NUL bytes and is not UTF-16)"),
    ("ferry.txt", b"1. Row.\0 2. Rest." * 9, "is a binary file (it has NUL bytes and is not UTF-16)"),
    ("ferry.txt", b"1. Row.\x01\x02\x1b" * 99, "is a binary file (too many control characters)"),
    ("ferry.txt", bytes(range(128, 256)) * 40, "its bytes match no encoding (not UTF-8 from byte 0 on"),
    ("ferry.txt", RULES["en"].encode() + b"\x92", f"not UTF-8 from byte {len(RULES['en'].encode()):,} on"),
    ("ferry.txt", b"\xff\xfe" + "row".encode("utf-16-le") + b"x", "begins with a byte order mark of utf-16, but byte 8"),
    ("ferry.txt", b"\xef\xbb\xbfrow\xff", "begins with a byte order mark of utf-8, but byte 3"),
    ("ferry.txt", LATIN_1_MOJIBAKE.encode(), "is garbled: UTF-8 was read in another encoding"),
    ("ferry.txt", "ã‚¾ãƒ¼ãƒ³".encode(), "is garbled"),
    ("ferry.txt", "The ferryâ€™s quay".encode(), "is garbled"),
    ("ferry.txt", RULES["ja"].encode().decode("cp932", "replace").replace("\ufffd", "?").encode(), "is garbled"),
    ("ferry.txt", RULES["zh"].encode().decode("gb18030", "replace").replace("\ufffd", "?").encode(), "is garbled"),
    ("ferry.txt", RULES["ja"].encode("cp932").decode("utf-8", "replace").encode(), "characters are U+FFFD, lost in a"),
    ("ferry.txt", b"row" * 400_000, "has a line of 1,200,000 characters, the limit is 1,000,000"),
    ("ferry.pdf", b"1. Row.", 'not a PDF, although its name says so (it should begin with "%PDF-")'),
    ("ferry.pdf", b"", "is empty or has only spaces"),
    ("ferry.pdf", FERRY_PDF[:-200], "the PDF is cut off (its end mark %%EOF is missing)"),
    ("ferry.pdf", b"%PDF-1.7\nrow row\n%%EOF", "the PDF is damaged and cannot be opened"),
    ("ferry.pdf", pdf([], []), "the PDF has no text layer on any of its 2 pages (a scan?); run text recognition"),
    ("ferry.pdf", pdf(["1. Row."], trailer=LOCKED), "the PDF is encrypted; save it without a password"),
]


@pytest.mark.parametrize(("name", "data", "message"), REFUSED)
def test_refused(write: Write, name: str, data: bytes, message: str) -> None:
    with pytest.raises(InputError, match=re.escape(message)) as caught:
        read(write(data, name))
    assert str(caught.value).startswith(f"{name}: ")
    assert "\n" not in str(caught.value)


def test_accepted_although_odd() -> None:
    for text in ("À Évian: «\xa0Le Quai\xa0»\xa0— é", "one lost \ufffd character", "縺れ 渡し船 繝", "10 × 3 ½ ferries ™"):
        assert decode(text.encode(), "ferry.txt") == (text, "utf-8")


def test_refused_paths(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("1. Row.")
    os.mkfifo(tmp_path / "pipe")
    for path, message in [
        (tmp_path / "none.txt", "none.txt: there is no such file; check the path"),
        (tmp_path / "file" / "none.txt", "none.txt: there is no such file"),
        (tmp_path / "a\0b", "there is no such file"),
        (tmp_path, "is a folder; give the rulebook files in it"),
        (tmp_path / "pipe", "is a device or pipe, not a file"),
        (Path("/dev/zero"), "zero: is a device or pipe, not a file"),
    ]:
        with pytest.raises(InputError, match=re.escape(message)):
            read(path)


def test_too_large_is_never_opened(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "ferry.txt"
    with path.open("wb") as file:
        file.truncate(int(limits.READ_LIMITS.file) + 1)
    monkeypatch.setattr(Path, "open", lambda *_: pytest.fail("opened"))
    with pytest.raises(InputError, match="has 67,108,865 bytes or more, the limit is 67,108,864"):
        read(path)


def test_a_growing_file_is_refused(write: Write, monkeypatch: pytest.MonkeyPatch) -> None:
    path = write(b"1. Row.")
    monkeypatch.setattr(limits, "READ_LIMITS", limits.ReadLimits(file=6))
    small = os.stat_result((stat.S_IFREG, 0, 0, 1, 0, 0, 1, 0, 0, 0))
    monkeypatch.setattr(Path, "stat", lambda *_, **__: small)
    with pytest.raises(InputError, match="the limit is 6"):
        read(path)


@pytest.mark.parametrize(
    ("error", "message"),
    [
        (PermissionError(13, "Permission denied"), "ferry.txt: no permission to read it; change its permissions"),
        (OSError(5, "Input/output error"), "ferry.txt: cannot be read (Input/output error); check the disk"),
    ],
)
def test_the_machine_refuses(write: Write, monkeypatch: pytest.MonkeyPatch, error: OSError, message: str) -> None:
    path = write(b"1. Row.")

    def refuse(*_: object) -> None:
        raise error

    monkeypatch.setattr(Path, "open", refuse)
    with pytest.raises(EnvironmentFault, match=re.escape(message)):
        read(path)


@pytest.mark.skipif(sys.platform != "linux", reason="file names of any bytes exist on Linux only")
def test_name_that_is_no_unicode(tmp_path: Path) -> None:
    path = Path(os.fsdecode(os.fsencode(tmp_path) + b"/f\xffrry.txt"))
    path.write_text("1. Row.")
    assert read(path).name == "f\ufffdrry.txt"


def test_utf_8_needs_no_heavy_import(write: Write) -> None:
    code = (
        "import sys; from pathlib import Path; from ingest.read.document import read; read(Path(sys.argv[1]));"
        "print({'charset_normalizer', 'selectolax', 'pypdfium2', 'ingest.read.formats'} & set(sys.modules))"
    )
    path = write(RULES["ja"].encode())
    root = Path(__file__).parents[2]
    run = subprocess.run([sys.executable, "-c", code, path], cwd=root, capture_output=True, text=True, check=True)
    assert run.stdout == "set()\n"


def test_every_read_limit_has_a_help_text() -> None:
    assert [setting.name for setting in fields(limits.ReadLimits) if len(setting.metadata["help"]) <= 20] == []


MISREAD = str.maketrans("\u301c\u2016\u2212\xa2\xa3\xac‧", "～∥－￠￡￢•")  # one byte pair, two readings


def real_language(text: str) -> str:
    if len(re.findall("[ぁ-ヿ]", text)) > 0.05 * len(text):
        return "ja"
    return "zh" if len(re.findall("[一-鿿]", text)) > 0.1 * len(text) else "en"


def curly(text: str) -> str:
    return re.sub(r'"([^"\n]*)"', r"“\1”", text.replace("'", "’"))


def test_a_copyright_sign_before_a_name_is_no_han() -> None:
    line = "©Ferrymen 1\nCOMPREHENSIVE RULES"
    assert decode(line.encode("cp1252"), "ferry.txt") == (line, "cp1252")


@pytest.mark.real
@pytest.mark.skipif(not TEXTS.is_dir(), reason=f"no real rulebooks at {TEXTS} (setting RULESTONE_TEXTS)")
@pytest.mark.parametrize("length", [None, 20_000, 2_000, 300])
def test_real_books(length: int | None) -> None:
    real = {"en": ["cp1252"], "ja": ["cp932", "shift_jis", "euc_jp"], "zh": ["gb18030", "gbk", "big5hkscs"]}
    wrong, count = [], 0
    books = {path for path in TEXTS.rglob("*") if path.is_file() and path.suffix != ".pdf" and path.name != "README.md"}
    for path in sorted(books):
        full = path.read_text("utf-8-sig")
        lang = real_language(full)
        for codec in UNICODE + real[lang]:
            data = (curly(full) if lang == "en" else full)[:length].encode(codec, "ignore")  # Big5 lacks simplified Han
            text = data.decode(codec)
            got, encoding = decode(data, path.name)
            same = got.translate(MISREAD) == text.translate(MISREAD) if codec in real[lang] else got == text
            if not (same and encoding in (codec, NAMES.get(codec))) and not _ascii(data):
                wrong.append((path.name, codec, encoding))
            count += 1
    assert count and not wrong


def _ascii(data: bytes) -> bool:
    return data.isascii() and b"\0" not in data


@pytest.mark.parametrize("lang", ["ja", "zh"])
@pytest.mark.parametrize("place", [1, 40, -2])
def test_one_damaged_byte_is_one_lost_character(tmp_path: Path, lang: str, place: int) -> None:
    data = bytearray(RULES[lang].encode())
    data[place] = 0xFF
    path = tmp_path / "ferry.txt"
    path.write_bytes(data)
    document = read(path)
    assert document.encoding == "utf-8"
    assert 1 <= document.text.count("\ufffd") <= 3


@pytest.mark.parametrize("before", [0, 1, 49, 50, 99, 100, 101])
@pytest.mark.parametrize(("digits", "expected"), [(99, 0), (100, 100), (151, 151), (250, 250)])
def test_the_longest_number_is_found_wherever_it_stands(before: int, digits: int, expected: int) -> None:
    for behind in (0, 1, 60, 240):
        assert _most_digits("a" * before + "7" * digits + "b" * behind) == expected
