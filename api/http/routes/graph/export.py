"""`/v1/export`: everything, or what changed since a mark, for those who keep a copy."""

from fastapi import APIRouter, Request
from starlette.responses import Response

from api.http.delivery.streaming import streamed
from api.http.openapi import lines_download
from api.http.replies import SAFE, library_of
from api.http.routes.questions.batch import LINES

router = APIRouter(prefix="/v1", tags=["export"])
MARK = "Rulestone-Mark"
"""The header that names what the export holds."""
_GOT = "`rule_record` or `ruling`; with `since`, of `delta_line` with one `delta_end` as the last"


@router.get("/export", **lines_download("export", _GOT, MARK, "?since"))
def export(request: Request) -> Response:
    """Every rule and ruling, one a line; or with `since` what was added, changed and removed, then the new mark.

    A copy to which the lines are applied equals the whole export. A mark that is no longer known is 404: take everything anew,
    with `since=0`.
    """
    exported = library_of(request).lines(request.query_params.get("since"))
    return streamed(request, exported.lines, LINES, f'"{exported.tag}"', {MARK: exported.mark, **SAFE})
