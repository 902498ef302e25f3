"""Errors as pages: what was given, what is expected, and where to go on."""

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from api.web.replies import shown
from corpus.errors import RulestoneError
from corpus.messages import message


def install(site: Starlette) -> None:
    """Has every error of the site told by a page."""
    site.add_exception_handler(RulestoneError, rulestone)
    site.add_exception_handler(HTTPException, _http)
    site.add_exception_handler(Exception, _unexpected)


def rulestone(request: Request, error: Exception) -> Response:
    """The page of an error of ours."""
    assert isinstance(error, RulestoneError)
    return shown(request, "problem.html", error.status, reason=error.message)


def _http(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    reason = message("there is no page {path}", path=request.url.path[:200])
    if error.status_code == 405:
        reason = message("this page cannot be asked for in that way")
    return shown(request, "problem.html", error.status_code, reason=reason)


def _unexpected(request: Request, error: Exception) -> Response:
    return shown(
        request, "problem.html", 500, reason=message("unexpected {error}; the server's log has more", error=type(error).__name__)
    )
