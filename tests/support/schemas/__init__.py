"""The schemas that exports are held against."""

import json
import os
import zipfile
from collections.abc import Sequence
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest
from lxml import etree

HERE = Path(__file__).parent
OMEGAT = Path("/usr/share/omegat/OmegaT.jar")
"""OmegaT of Debian: it brings the DTD of TMX 1.4 and a schema of TBX 2008."""


def faults(schema: str, document: bytes) -> Sequence[str]:
    """The errors that our own schema of a standard finds in a document."""
    held = etree.RelaxNG(file=str(HERE / f"{schema}.rng"))
    held.validate(etree.fromstring(document))
    return [str(fault) for fault in held.error_log]


def published_grammar(name: str) -> etree.RelaxNG:
    """A published grammar in the folder that RULESTONE_SCHEMAS names; skips the test where it is not there."""
    return etree.RelaxNG(file=str(_schema_path(name, "no package brings it")))


def published_json(name: str) -> Any:  # noqa: ANN401
    """A published JSON Schema in that folder; skips the test where it is not there."""
    return json.loads(_schema_path(name, "`npm pack @microsoft/jest-sarif` brings it").read_text(encoding="utf-8"))


def _schema_path(name: str, whence: str) -> Path:
    file = Path(os.environ.get("RULESTONE_SCHEMAS", HERE / "published")) / name
    if not file.is_file():
        pytest.skip(f"no {name} in the folder that RULESTONE_SCHEMAS names; {whence}")
    return file


def xsd_faults(name: str, document: bytes, folder: Path) -> Sequence[str]:
    """The errors that a schema from OmegaT finds in a document; `folder` is for the schema and the one that it imports."""
    for file in (name, "xml.xsd"):
        (folder / file).write_bytes(published(file))
    held = etree.XMLSchema(file=str(folder / name))
    held.validate(etree.fromstring(document))
    return [str(fault) for fault in held.error_log]


def published(name: str) -> bytes:
    """A schema as OmegaT brings it; skips the test where it is not installed."""
    if not OMEGAT.is_file():
        pytest.skip(f"no OmegaT at {OMEGAT}, which brings {name}; on Debian: apt-get install omegat")
    with zipfile.ZipFile(OMEGAT) as jar:
        return jar.read(f"schemas/{name}")


def dtd_faults(name: str, document: bytes) -> Sequence[str]:
    """The errors that a published DTD finds in a document."""
    dtd = etree.DTD(BytesIO(published(name)))
    dtd.validate(etree.fromstring(document))
    return [str(fault) for fault in dtd.error_log.filter_from_errors()]
