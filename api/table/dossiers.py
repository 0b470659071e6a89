"""A ruling's dossier: as a page that is printed, and as the file that is checked offline."""

from __future__ import annotations

from fastapi import APIRouter, Response
from fastapi.responses import HTMLResponse

from api.routes.dossiers import rendered
from api.table.files import place
from api.table.pages import Paged, Sitting

router = APIRouter(prefix="/table/{campaign}/{seat}", include_in_schema=False, route_class=Paged)


@router.get("/rulings/{number}/dossier")
async def dossier(desk: Sitting, number: int) -> Response:
    """To be printed: two sheets."""
    document = await desk.client.get(f"/rulings/{number}/dossier", format="json")
    back = f"{desk.session.path}/rulings/{number}"
    return HTMLResponse(rendered(document, back=back, script=place("page.js")))


@router.get("/rulings/{number}/dossier.json")
async def dossier_file(desk: Sitting, number: int) -> Response:
    """To be kept, and checked with `campaign-ledger verify-dossier`."""
    reply = await desk.client.read(f"/rulings/{number}/dossier", format="json")
    name = f"ruling-{number}-of-{desk.session.campaign}.json"
    return Response(
        reply.body, media_type="application/json", headers={"Content-Disposition": f'attachment; filename="{name}"'}
    )
