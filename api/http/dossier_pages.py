"""A ruling's dossier as a page to print, for the API, the table and the command line."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined

_pages = Environment(loader=PackageLoader("api", "http"), autoescape=True, undefined=StrictUndefined)
#: The maximum number of items of each list, so that the dossier fits on two pages.
SHOWN = {"steps": 18, "facts": 12, "answers": 10, "decisions": 8, "entries": 8}


def render_dossier(document: Mapping[str, Any], *, back: str | None = None, script: str | None = None) -> str:
    """Return the dossier as an HTML page that fits on two A4 sheets. Long lists are cut.

    `back`: the address of the ruling's page at the table. `script`: the script of the print button.
    """
    template = _pages.get_template("dossier.html.jinja")
    return template.render(of=document, ruling=document["ruling"], most=SHOWN, back=back, script=script)
