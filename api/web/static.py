"""Style sheets, scripts and pictures: small files with an address that changes with what is in any of them."""

from functools import cache
from hashlib import blake2b
from pathlib import Path

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from api.http.caching import CACHEABLE

FOLDER = Path(__file__).parent / "static"
_MEDIA = {
    ".css": "text/css; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".svg": "image/svg+xml",
    ".png": "image/png",
    ".webmanifest": "application/manifest+json",
}
_FOR_EVER, _ASK_AGAIN = "public, max-age=31536000, immutable", "no-cache"


@cache
def files() -> dict[str, bytes]:
    """Every file by its name, `offline/rank.js` where it lies in a folder."""
    served = sorted(file for file in FOLDER.rglob("*") if file.suffix in _MEDIA)
    return {file.relative_to(FOLDER).as_posix(): file.read_bytes() for file in served}


@cache
def version() -> str:
    """What the addresses of all files hold: a module can name another one beside it, and both change together."""
    digest = blake2b(digest_size=6)
    for name, data in files().items():
        digest.update(name.encode() + b"\0" + data)
    return digest.hexdigest()


def static(name: str) -> str:
    """The address of a file. Raises KeyError for one that is not there."""
    if name not in files():
        raise KeyError(name)
    return f"/static/{version()}/{name}"


async def file(request: Request) -> Response:
    """A file: to be kept for ever at its address of today; at an older one, which an open page may still ask for, as it is now."""
    name = request.path_params["name"]
    data = files().get(name)
    if data is None:
        raise HTTPException(404)
    request.scope[CACHEABLE] = True
    is_current = request.path_params["version"] == version()
    headers = {"ETag": f'"{blake2b(data, digest_size=12).hexdigest()}"', "Cache-Control": _FOR_EVER if is_current else _ASK_AGAIN}
    return Response(data, headers=headers | {"Vary": "Accept-Encoding"}, media_type=_MEDIA[Path(name).suffix])
