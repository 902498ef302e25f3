"""Errors as the HTTP API tells them: `application/problem+json` (RFC 9457)."""

from http import HTTPStatus

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException
from starlette.responses import Response

from api.encoding import encode
from api.languages import accepted
from corpus.address import BASE
from corpus.contract import Problem
from corpus.errors import BusyError, InputError, RulestoneError
from corpus.messages import Message, message
from rulestone.languages import DEFAULT, named_language

MEDIA = "application/problem+json"
RETRY_AFTER = "10"
"""Seconds after which somebody who was turned away may come again."""
LONGEST = 200
"""Characters of what was given that an error repeats."""


def install(app: FastAPI) -> None:
    """Has every error of an application told as a problem."""
    app.add_exception_handler(RulestoneError, _rulestone)
    app.add_exception_handler(RequestValidationError, _invalid)
    app.add_exception_handler(HTTPException, _http)
    app.add_exception_handler(Exception, _unexpected)


def problem(request: Request, error: RulestoneError) -> Response:
    """The problem that an error of ours is."""
    kind = f"{BASE}problems/{error.title.lower().replace(' ', '-')}"
    response = _problem(request, kind, error.title, error.status, error.message)
    if isinstance(error, BusyError):
        response.headers["Retry-After"] = RETRY_AFTER
    return response


def _problem(request: Request, kind: str, title: str, status: int, reason: Message) -> Response:
    detail = reason.said(_language(request))
    body: Problem = {"type": kind, "title": title, "status": status, "detail": detail, "instance": _instance(request)}
    headers = {"Cache-Control": "no-store" if status >= 500 else "no-cache", "X-Content-Type-Options": "nosniff"}
    return Response(encode(body), status, headers, MEDIA)


def _instance(request: Request) -> str:
    """The address that was asked for; without its query, and cut, where that is long."""
    path = request.url.path[:LONGEST]
    whole = f"{path}?{request.url.query}" if request.url.query else path
    return whole if len(whole) <= LONGEST else path


def _language(request: Request) -> str:
    """The language that an error is told in: that of the query if it names one of ours, else the client's."""
    asked = named_language(request.query_params.get("lang", ""))
    return asked or accepted(request.headers.get("accept-language")) or DEFAULT


def plain(request: Request, status: int, reason: Message) -> Response:
    """A problem that HTTP itself has a name for."""
    return _problem(request, "about:blank", HTTPStatus(status).phrase, status, reason)


async def _rulestone(request: Request, error: Exception) -> Response:
    assert isinstance(error, RulestoneError)
    return problem(request, error)


async def _invalid(request: Request, error: Exception) -> Response:
    assert isinstance(error, RequestValidationError)
    faults = (f"{'.'.join(map(str, fault['loc']))}: {fault['msg']}" for fault in error.errors())
    return problem(request, InputError("{faults}; see /docs", faults="; ".join(faults)))


async def _http(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    reason = message("{method} {path} is no route; see /docs", method=request.method, path=request.url.path[:LONGEST])
    if error.detail != HTTPStatus(error.status_code).phrase:
        reason = Message(error.detail)
    response = plain(request, error.status_code, reason)
    response.headers.update(error.headers or {})
    return response


async def _unexpected(request: Request, error: Exception) -> Response:
    return plain(request, 500, message("unexpected {error}; the server's log has more", error=type(error).__name__))
