"""Style sheets, scripts and pictures: small files whose address changes with the content of any of them."""

from functools import cache
from hashlib import blake2b
from pathlib import Path

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from api.http.caching import CACHEABLE_KEY

FOLDER = Path(__file__).parent / "static"
_MEDIA_TYPES = {
    ".css": "text/css; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".svg": "image/svg+xml",
    ".png": "image/png",
    ".webmanifest": "application/manifest+json",
}
_FOR_EVER, _ASK_AGAIN = "public, max-age=31536000, immutable", "no-cache"


@cache
def static_files() -> dict[str, bytes]:
    """Every file by its name, `offline/rank.js` for one in a folder."""
    files = sorted(file for file in FOLDER.rglob("*") if file.suffix in _MEDIA_TYPES)
    return {file.relative_to(FOLDER).as_posix(): file.read_bytes() for file in files}


@cache
def static_version() -> str:
    """The version in the addresses of all files: one module imports another by its path, so all of them change together."""
    digest = blake2b(digest_size=6)
    for name, data in static_files().items():
        digest.update(name.encode() + b"\0" + data)
    return digest.hexdigest()


def static_path(name: str) -> str:
    """The address of a file. Raises KeyError for a missing file."""
    if name not in static_files():
        raise KeyError(name)
    return f"/static/{static_version()}/{name}"


async def static_file(request: Request) -> Response:
    """A file: cacheable for ever at its current address.

    An older address, which an open page may still request, returns the current version, which this server does not cache there.
    """
    name = request.path_params["name"]
    data = static_files().get(name)
    if data is None:
        raise HTTPException(404)
    request.scope[CACHEABLE_KEY] = is_current = request.path_params["version"] == static_version()
    headers = {"ETag": f'"{blake2b(data, digest_size=12).hexdigest()}"', "Cache-Control": _FOR_EVER if is_current else _ASK_AGAIN}
    return Response(data, headers=headers | {"Vary": "Accept-Encoding"}, media_type=_MEDIA_TYPES[Path(name).suffix])
