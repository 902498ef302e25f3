"""A server with a certificate of its own, and what is refused as one."""

import json
import re
import ssl
import subprocess
import sys
import urllib.request
from pathlib import Path
from shutil import which

import pytest

from api.cli.secure import secure
from corpus.errors import InputError
from tests.support.texts import ROOT

pytestmark = pytest.mark.skipif(which("openssl") is None, reason="no openssl here, which makes the certificate")


@pytest.fixture(scope="module")
def pair(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    folder = tmp_path_factory.mktemp("secure")
    cert, key = folder / "cert.pem", folder / "key.pem"
    made = ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2"]
    named = ["-subj", "/CN=localhost", "-addext", "subjectAltName=IP:127.0.0.1", "-keyout", str(key), "-out", str(cert)]
    subprocess.run([*made, *named], check=True, capture_output=True)
    return cert, key


def test_it_answers_over_tls(home: Path, pair: tuple[Path, Path]) -> None:
    cert, key = map(str, pair)
    command = [sys.executable, "-m", "api.cli.app", "--home", str(home), "serve", "--port", "0", "--workers", "1"]
    with subprocess.Popen([*command, "--cert", cert, "--key", key], stderr=subprocess.PIPE, text=True, cwd=ROOT) as server:
        assert server.stderr is not None
        told = server.stderr.readline()
        address = re.match(r"serving (https://127\.0\.0\.1:\d+):", told)
        assert address, told
        trusting = ssl.create_default_context(cafile=cert)
        with urllib.request.urlopen(f"{address[1]}/healthz", context=trusting) as answer:
            assert json.load(answer)["status"] == "ok"
        server.terminate()


def test_neither_is_no_certificate() -> None:
    assert secure(None, None) is None


@pytest.mark.parametrize(
    ("cert", "key", "told"),
    [
        ("cert.pem", None, "--cert goes with --key"),
        (None, "key.pem", "--cert goes with --key"),
        ("cert.pem", "nowhere.pem", "there is no file"),
        ("key.pem", "cert.pem", "are no certificate"),
        ("cert.pem", "cert.pem", "are no certificate"),
    ],
)
def test_what_is_no_certificate_is_refused(pair: tuple[Path, Path], cert: str | None, key: str | None, told: str) -> None:
    folder = pair[0].parent
    with pytest.raises(InputError, match=told):
        secure(folder / cert if cert else None, folder / key if key else None)
