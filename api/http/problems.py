"""Errors as the HTTP API tells them: `application/problem+json` (RFC 9457)."""

from http import HTTPStatus

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException
from starlette.responses import Response

from api.answers import encode
from corpus.address import BASE
from corpus.errors import InputError, RulestoneError

MEDIA = "application/problem+json"


def install(app: FastAPI) -> None:
    """Has every error of an application told as a problem."""
    app.add_exception_handler(RulestoneError, _rulestone)
    app.add_exception_handler(RequestValidationError, _invalid)
    app.add_exception_handler(HTTPException, _http)
    app.add_exception_handler(Exception, _unexpected)


def problem(request: Request, error: RulestoneError) -> Response:
    """The problem that an error of ours is."""
    kind = f"{BASE}problems/{error.title.lower().replace(' ', '-')}"
    return _problem(request, kind, error.title, error.status, str(error))


def _problem(request: Request, kind: str, title: str, status: int, detail: str) -> Response:
    query = f"?{request.url.query}" if request.url.query else ""
    body = {"type": kind, "title": title, "status": status, "detail": detail, "instance": request.url.path + query}
    headers = {"Cache-Control": "no-store"} if status >= 500 else {"Cache-Control": "no-cache"}
    return Response(encode(body), status, headers, MEDIA)


def _plain(request: Request, status: int, detail: str) -> Response:
    """A problem that HTTP itself has a name for."""
    return _problem(request, "about:blank", HTTPStatus(status).phrase, status, detail)


async def _rulestone(request: Request, error: Exception) -> Response:
    assert isinstance(error, RulestoneError)
    return problem(request, error)


async def _invalid(request: Request, error: Exception) -> Response:
    assert isinstance(error, RequestValidationError)
    faults = (f"{'.'.join(map(str, one['loc']))}: {one['msg']}" for one in error.errors())
    return problem(request, InputError("; ".join(faults) + "; see /docs"))


async def _http(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    said = error.detail if error.detail != HTTPStatus(error.status_code).phrase else ""
    response = _plain(request, error.status_code, said or f"{request.method} {request.url.path} is no route; see /docs")
    response.headers.update(error.headers or {})
    return response


async def _unexpected(request: Request, error: Exception) -> Response:
    return _plain(request, 500, f"unexpected {type(error).__name__}; the server's log has more")
