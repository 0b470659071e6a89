"""A ruling's dossier: a page to print, and a file to check offline."""

from __future__ import annotations

from fastapi import APIRouter, Response
from fastapi.responses import HTMLResponse

from api.http.dossier_pages import render_dossier
from api.table.files import find_file_address
from api.table.pages import PageRoute, Sitting

router = APIRouter(prefix="/table/{campaign}/{seat}", include_in_schema=False, route_class=PageRoute)


@router.get("/rulings/{number}/dossier")
async def show_dossier(desk: Sitting, number: int) -> Response:
    """Show the dossier as two sheets to print."""
    document = await desk.client.get(f"/rulings/{number}/dossier", format="json")
    back_address = f"{desk.session.path}/rulings/{number}"
    return HTMLResponse(render_dossier(document, back=back_address, script=find_file_address("page.js")))


@router.get("/rulings/{number}/dossier.json")
async def download_dossier(desk: Sitting, number: int) -> Response:
    """Download the dossier, to be checked with `campaign-ledger verify-dossier`."""
    reply = await desk.client.read(f"/rulings/{number}/dossier", format="json")
    name = f"ruling-{number}-of-{desk.session.campaign}.json"
    return Response(
        reply.body, media_type="application/json", headers={"Content-Disposition": f'attachment; filename="{name}"'}
    )
