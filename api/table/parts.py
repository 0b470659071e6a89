"""All routes of the page."""

from __future__ import annotations

from fastapi import FastAPI

from api.table import (
    accounts,
    audit,
    consenting,
    correcting,
    deciding,
    declaring,
    design,
    dice,
    dossiers,
    entering_late,
    feed,
    files,
    findings,
    looking_back,
    making,
    pages,
    reading,
    routes,
    setting_up,
    settings,
    slips,
    starting,
    to_decide,
    why,
)

PARTS = (
    routes,
    declaring,
    design,
    reading,
    deciding,
    slips,
    to_decide,
    correcting,
    entering_late,
    findings,
    consenting,
    why,
    dossiers,
    looking_back,
    accounts,
    dice,
    audit,
    settings,
    starting,
    making,
    setting_up,
    feed,
    files,
)


def add_table_routes(app: FastAPI) -> None:
    pages.prepare_app(app)
    for part in PARTS:
        app.router.routes.extend(part.router.routes)
    app.router.routes.extend(routes.seatless_router.routes)
