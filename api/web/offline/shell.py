"""`/offline`: the page that a browser shows for any address when there is no network; its scripts fill it from what is kept."""

from starlette.requests import Request
from starlette.responses import Response

from api.web import named
from api.web.replies import shown


def shell(request: Request) -> Response:
    """The page without content, in the language of `?lang=`, else of the reader."""
    return shown(request, "offline.html", authorities=named.AUTHORITY)
