"""The page's routes, together."""

from __future__ import annotations

from fastapi import FastAPI

from api.table import (
    consenting,
    correcting,
    deciding,
    declaring,
    dossiers,
    feed,
    files,
    findings,
    pages,
    reading,
    routes,
    why,
)


def add_table(app: FastAPI) -> None:
    pages.prepare(app)
    for part in (
        routes,
        declaring,
        reading,
        deciding,
        correcting,
        findings,
        consenting,
        why,
        dossiers,
        feed,
        files,
    ):
        app.include_router(part.router)
