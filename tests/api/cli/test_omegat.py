"""A translation memory and a work package in OmegaT, which runs here without its window: identical sentences are filled in."""

import subprocess
from pathlib import Path

import pytest
from lxml import etree

from rulestone.formats.package import read_finished
from tests.support.commands import call
from tests.support.schemas import OMEGAT

SETTINGS = {
    **dict.fromkeys(("source_dir", "target_dir", "tm_dir", "glossary_dir", "glossary_file", "dictionary_dir"), "__DEFAULT__"),
    "source_lang": "EN",
    "target_lang": "JA",
    "support_default_translations": "true",
    "remove_tags": "false",
}

EMPTY = (
    b'<tmx version="1.4"><header creationtool="t" creationtoolversion="1" segtype="block" o-tmf="t" adminlang="EN" srclang="EN" '
    b'datatype="plaintext"/><body/></tmx>'
)


def project(folder: Path, memory: bytes, lines: list[str], *, sentences: bool) -> Path:
    """A project with a memory that fills in, and one file; an empty line ends a paragraph, as OmegaT reads plain text."""
    for name in ("source", "target", "tm/auto", "glossary", "dictionary", "omegat"):
        (folder / name).mkdir(parents=True)
    document = etree.Element("omegat")
    inside = etree.SubElement(document, "project", version="1.0")
    for name, value in (*SETTINGS.items(), ("sentence_seg", str(sentences).lower())):
        etree.SubElement(inside, name).text = value
    (folder / "omegat.project").write_bytes(etree.tostring(document, xml_declaration=True, encoding="UTF-8"))
    (folder / "tm/auto/book.tmx").write_bytes(memory)
    (folder / "source/book.txt").write_text("\n\n".join(lines) + "\n", encoding="utf-8")
    return folder


def translated(folder: Path) -> list[str]:
    """The paragraphs of the file as OmegaT translates them."""
    return translated_file(folder, "book.txt").read_text(encoding="utf-8").strip().split("\n\n")


def translated_file(folder: Path, name: str) -> Path:
    """A source file of a project as OmegaT writes its translation."""
    if not OMEGAT.is_file():
        pytest.skip(f"no OmegaT at {OMEGAT}; on Debian: apt-get install omegat")
    command = ["java", "-Djava.awt.headless=true", "-jar", str(OMEGAT), str(folder), "--mode=console-translate", "--quiet"]
    subprocess.run([*command, f"--config-dir={folder.with_suffix('.config')}"], check=True, capture_output=True, timeout=300)
    return folder / "target" / name


@pytest.mark.slow
@pytest.mark.parametrize("sentences", [True, False])
def test_omegat_fills_in_every_sentence_of_the_memory(home: Path, tmp_path: Path, *, sentences: bool) -> None:
    memory = call(home, "export", "tmx", "ferry/cr", "--source", "en", "--target", "ja").out.encode()
    pairs = {source.text: target.text for source, target in (unit.iter("seg") for unit in etree.fromstring(memory).iter("tu"))}
    single = {source: target for source, target in pairs.items() if "\n" not in source + target}
    assert len(single) >= 10
    assert translated(project(tmp_path / "project", memory, list(single), sentences=sentences)) == list(single.values())


@pytest.mark.slow
def test_omegat_keeps_the_units_of_a_work_package(home: Path, tmp_path: Path) -> None:
    out = call(home, "export", "xliff", "ferry/cr", "--todo", "--source", "en", "--target", "zh", "--dialect", "1.2").out.encode()
    folder = project(tmp_path / "project", EMPTY, ["A line."], sentences=False)
    (folder / "source/work.xlf").write_bytes(out)
    before, after = read_finished(out, "work.xlf"), read_finished(translated_file(folder, "work.xlf").read_bytes(), "work.xlf")
    assert len(before.units) >= 10
    assert after == before
