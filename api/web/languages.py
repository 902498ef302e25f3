"""`/languages`: a reader chooses the language of the pages, and that of the books; the choice stays for a year."""

from starlette.requests import Request
from starlette.responses import Response

from api.web.addresses import is_local
from api.web.reader import BOOKS, LANG
from api.web.replies import elsewhere, shown
from rulestone.languages import language_option

_YEAR = 365 * 24 * 3600


def languages(request: Request) -> Response:
    """Keeps a choice and goes back to where it was made; without one, the page on which to choose."""
    given = request.query_params
    back = given.get("back", "/")
    if LANG not in given and BOOKS not in given:
        return shown(request, "languages.html", back=back if is_local(back) else "/")
    response = elsewhere(back if is_local(back) else "/")
    for name in (LANG, BOOKS):
        if name in given:
            _keep(request, response, name, language_option(given[name] or None, name))
    return response


def _keep(request: Request, response: Response, name: str, chosen: str | None) -> None:
    """Sets a cookie, or lets it go."""
    secure = request.url.scheme == "https"
    if chosen is None:
        response.delete_cookie(name, secure=secure, httponly=True, samesite="lax")
    else:
        response.set_cookie(name, chosen, _YEAR, secure=secure, httponly=True, samesite="lax")
