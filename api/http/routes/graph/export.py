"""`/v1/export`: every rule and ruling, for programs that keep a copy."""

from fastapi import APIRouter, Request
from starlette.responses import Response

from api.http.delivery.streaming import streamed
from api.http.openapi import lines_download
from api.http.replies import SAFE, library_of
from api.http.routes.questions.batch import LINES

router = APIRouter(prefix="/v1", tags=["export"])


@router.get("/export", **lines_download("export", "`rule_record` or `ruling`"))
def export(request: Request) -> Response:
    """Every rule and ruling, one a line.

    Keep the ETag beside your copy: sent as If-None-Match it gives 304 while nothing is new.
    """
    exported = library_of(request).lines()
    return streamed(request, exported.lines, LINES, f'"{exported.seal}"', SAFE)
