"""Errors as `application/problem+json` (RFC 9457), in the language of the client."""

from http import HTTPStatus

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.responses import Response

from api.encoding import encode
from api.http.queries import input_error
from api.languages import accepted_language
from corpus.address import BASE
from corpus.contract import Problem
from corpus.errors import BusyError, RulestoneError
from corpus.messages import Message, message
from rulestone.languages import DEFAULT_LANGUAGE, parse_language

MEDIA_TYPE = "application/problem+json"
RETRY_SECONDS = 10
"""Seconds after which a client may retry a request that a busy server refused."""
_TITLES = {
    400: message("Bad Request"),
    401: message("Unauthorized"),
    404: message("Not Found"),
    405: message("Method Not Allowed"),
    406: message("Not Acceptable"),
    408: message("Request Timeout"),
    413: message("Content Too Large"),
    414: message("URI Too Long"),
    415: message("Unsupported Media Type"),
    421: message("Misdirected Request"),
    429: message("Too Many Requests"),
    431: message("Request Header Fields Too Large"),
    500: message("Internal Server Error"),
}
"""Status → its phrase (RFC 9110, section 15; RFC 6585), translated."""
MAX_REASON_LENGTH = 200
"""Number of characters of a request that an error repeats."""


def install_handlers(app: FastAPI | Starlette) -> None:
    """Adds the exception handlers to an application."""
    app.add_exception_handler(RulestoneError, _on_rulestone_error)
    app.add_exception_handler(RequestValidationError, _on_invalid_parameters)
    app.add_exception_handler(HTTPException, _on_http_exception)
    app.add_exception_handler(Exception, _on_unexpected)


def problem(request: Request, error: RulestoneError) -> Response:
    """The problem for one of Rulestone's errors; its type is an IRI derived from the error's title."""
    kind = f"{BASE}problems/{error.title.text.lower().replace(' ', '-')}"
    response = _response(request, kind, error.title, error.status, error.with_listing)
    if isinstance(error, BusyError):
        response.headers["Retry-After"] = str(RETRY_SECONDS)
    return response


def http_problem(request: Request, status: int, reason: Message) -> Response:
    """A problem without a type of its own: only the status describes it."""
    return _response(request, "about:blank", _TITLES.get(status) or Message(HTTPStatus(status).phrase), status, reason)


def _response(request: Request, kind: str, title: Message, status: int, reason: Message) -> Response:
    lang = (
        parse_language(request.query_params.get("lang", ""))
        or accepted_language(request.headers.get("accept-language"))
        or DEFAULT_LANGUAGE
    )
    path = request.url.path[:MAX_REASON_LENGTH]
    instance = f"{path}?{request.url.query}" if request.url.query else path
    instance = instance if len(instance) <= MAX_REASON_LENGTH else path
    body: Problem = {
        "type": kind,
        "title": title.in_language(lang),
        "status": status,
        "detail": reason.in_language(lang),
        "instance": instance,
    }
    headers = {"Cache-Control": "no-store" if status >= 500 else "no-cache", "X-Content-Type-Options": "nosniff"}
    return Response(encode(body), status, headers, MEDIA_TYPE)


async def _on_rulestone_error(request: Request, error: Exception) -> Response:
    assert isinstance(error, RulestoneError)
    return problem(request, error)


async def _on_invalid_parameters(request: Request, error: Exception) -> Response:
    assert isinstance(error, RequestValidationError)
    return problem(request, input_error(request, error))


async def _on_http_exception(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    reason = message(
        "there is no route {method} {path}; /docs lists all routes",
        method=request.method,
        path=request.url.path[:MAX_REASON_LENGTH],
    )
    if error.detail != HTTPStatus(error.status_code).phrase:
        reason = Message(error.detail)
    response = http_problem(request, error.status_code, reason)
    response.headers.update(error.headers or {})
    return response


async def _on_unexpected(request: Request, error: Exception) -> Response:
    return http_problem(request, 500, message("unexpected {error}; see the server's log", error=type(error).__name__))
