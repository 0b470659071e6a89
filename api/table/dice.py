"""Compare the dice of every seat with fair dice, and show the proof of each roll by the ledger."""

from __future__ import annotations

from fastapi import APIRouter, Request, Response
from fastapi.responses import RedirectResponse

from api.table import charts, forms
from api.table.client import Json
from api.table.pages import Desk, PageRoute, Sitting
from api.table.plain_forms import find_refusal, read_fields

router = APIRouter(prefix="/table/{campaign}/{seat}/dice", include_in_schema=False, route_class=PageRoute)
PAGE = 20  # rolls
ENOUGH = 5  # the expected number of each face that a test needs
SOURCE_WORDS = {
    "ledger": "rolled by the ledger",
    "table": "rolled by hand, entered as an answer",
    "declaration": "rolled by hand, entered with an action",
}


@router.get("")
async def show_dice(desk: Sitting, after: int = 0, session: str | None = None) -> Response:
    return await _show_dice(desk, after, session)


async def _show_dice(
    desk: Desk, after: int = 0, session: str | None = None, problem: str | None = None, text: str = ""
) -> Response:
    tallies = (await desk.client.get("/dice/faces", **({"session": session} if session else {})))["faces"]
    rolls = await desk.client.get("/dice", order="desc", limit=PAGE, after=after)
    state = await desk.client.get("/state")
    tallies_by_name: dict[str, list[Json]] = {}
    for tally in tallies:
        tallies_by_name.setdefault(tally["name"], []).append(
            {**tally, "chart": charts.draw_histogram(tally["faces"], tally["shares"]), "verdict": word_verdict(tally)}
        )
    last_roll_number = rolls["rolls"][-1]["roll"] if rolls["rolls"] else 1
    return desk.render_page(
        "dice/dice.html.jinja",
        422 if problem else 200,
        name=state["campaign"]["name"],
        seats=tallies_by_name,
        rolls=rolls,
        epochs={epoch["epoch"]: epoch for epoch in rolls["epochs"]},
        words=desk.make_words(state),
        problem=problem,
        text=text,
        mine=next(
            (entropy["value"] for entropy in reversed(rolls["entropies"]) if entropy["seat"] == desk.session.seat), None
        ),
        earlier=last_roll_number if last_roll_number > 1 else None,
        after=after,
        session=session,
        source_words=SOURCE_WORDS,
        sessions=desk.make_words(state).names["session"],
    )


def word_verdict(tally: Json) -> str:
    """Return the result of the fairness test as a sentence."""
    sides, dice_count, p = tally["sides"], tally["dice"], tally["p"]
    if p is None:
        missing_count = ENOUGH * sides - dice_count
        return (
            f"There are too few dice to test. {missing_count} more {'is' if missing_count == 1 else 'are'} needed."
            if missing_count > 0
            else "These dice can’t be tested."
        )
    if p >= 0.05:
        return f"These look like fair dice: {p:.0%} of fair sets are at least this uneven (p = {p:.2f})."
    rate = f"only 1 time in {round(1 / p):,}" if p else "almost never"
    wording = "A little uneven" if p >= 0.01 else "Uneven"
    return f"{wording}: {rate} are fair dice this uneven (p = {p:.4f})."


@router.post("")
async def add_entropy(request: Request, desk: Sitting) -> Response:
    """Add the reader's own text to the ledger's dice."""
    fields, key = await read_fields(request, desk, "entropy")
    value = forms.get_field_text(fields, "value")
    answer = await desk.client.post(f"/seats/{desk.session.seat}/entropy", {"value": value}, key)
    if problem := find_refusal(answer):
        return await _show_dice(desk, problem=problem, text=value)
    return RedirectResponse(f"{desk.session.path}/dice#own", 303)
