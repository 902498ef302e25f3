"""The certificate of a server, and what is refused as one."""

import subprocess
from pathlib import Path
from shutil import which

import pytest

from api.http.server import certificate
from corpus.errors import InputError
from tests.support.publisher import certificate as certificate_and_key

pytestmark = pytest.mark.skipif(which("openssl") is None, reason="no openssl here, which makes the certificate")


@pytest.fixture(scope="module")
def pair(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    return certificate_and_key(tmp_path_factory.mktemp("secure"))


def test_neither_is_no_certificate() -> None:
    assert certificate(None, None) is None


@pytest.mark.parametrize(
    ("cert", "key", "message"),
    [
        ("cert.pem", None, "--cert and --key belong together"),
        (None, "key.pem", "--cert and --key belong together"),
        ("cert.pem", "nowhere.pem", "there is no file"),
        ("key.pem", "cert.pem", "are not a PEM certificate"),
        ("cert.pem", "cert.pem", "are not a PEM certificate"),
    ],
)
def test_a_file_without_a_certificate_is_refused(pair: tuple[Path, Path], cert: str | None, key: str | None, message: str) -> None:
    folder = pair[0].parent
    with pytest.raises(InputError, match=message):
        certificate(folder / cert if cert else None, folder / key if key else None)


def test_a_key_in_another_form_is_refused_with_the_command_that_converts_it(pair: tuple[Path, Path], tmp_path: Path) -> None:
    cert, key = pair
    other, converted = tmp_path / "ec.pem", tmp_path / "converted.pem"
    subprocess.run(["openssl", "ec", "-in", str(key), "-out", str(other)], check=True, capture_output=True)
    with pytest.raises(InputError) as error:
        certificate(cert, other)
    message = str(error.value)
    assert "\n" not in message
    command = message.partition("convert it with: ")[2].partition(",")[0].replace("NEW", str(converted))
    subprocess.run(command.split(), check=True, capture_output=True)
    assert certificate(cert, converted) == (cert, converted)
