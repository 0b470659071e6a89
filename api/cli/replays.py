"""The command that replays a session, ruling by ruling."""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import TYPE_CHECKING, Annotated

import typer

from api.cli.look import As
from api.cli.rulings import show_changes, show_ruling
from api.run.failures import explain_failures
from api.run.terminal import (
    LOOK,
    MOST,
    AsJson,
    Campaign,
    Data,
    Seat,
    open_campaign_reading,
    print_envelope,
    say,
)

if TYPE_CHECKING:
    from projections.documents.replays import Frame, Header

app = typer.Typer()


@app.command(rich_help_panel=LOOK)
def replay(  # noqa: PLR0913, PLR0917  (one parameter for each option)
    campaign: Campaign,
    session: Annotated[str, typer.Argument(metavar="SESSION", help="The session's id.")],
    first_number: Annotated[
        int,
        typer.Option(
            "--from", min=1, max=MOST, metavar="NUMBER", show_default=False, help="Only rulings from this one on."
        ),
    ] = 1,
    last_number: Annotated[
        int | None, typer.Option("--to", min=1, max=MOST, metavar="NUMBER", help="Only rulings up to this one.")
    ] = None,
    as_: As = "corrected",
    speed: Annotated[float, typer.Option(min=0, max=3600, help="Seconds between rulings. 0 shows all at once.")] = 0.0,
    step: Annotated[bool, typer.Option("--step", help="Wait for Enter before each ruling.")] = False,
    follow: Annotated[
        bool, typer.Option("--follow", help="Keep following the session while it is played. Ctrl-C stops.")
    ] = False,
    seat: Seat = None,
    data: Data = None,
    as_json: AsJson = False,
) -> None:
    """Replay a session, ruling by ruling.

    With --follow and --json, each line of the output is the JSON document of one ruling.

    With --as recorded, rulings appear as they were made, and each decision appears when it was made.

    Example: campaign-ledger replay k3v7q2mzt5a4c 3 --speed 0.5

    Example: campaign-ledger replay k3v7q2mzt5a4c 3 --as recorded --from 20 --to 25
    """
    from projections.documents.replays import Selection, make_replay

    is_recorded = as_ == "recorded"

    def follow_frames() -> Iterator[tuple[Header, Frame]]:
        start_number, last_position = first_number, 0
        while True:
            session_replay = make_replay(reading.lens, session, Selection(start_number, last_number, is_recorded))
            for frame in session_replay.frames:
                if frame["position"] > last_position:
                    yield session_replay.header, frame
                    last_position = frame["position"]
                if frame["did"] == "ruled":
                    start_number = frame["ruling"]["number"]
            if not follow:
                return
            time.sleep(0.5)
            reading.lens.book.catch_up()

    with explain_failures(), open_campaign_reading(campaign, seat, data) as reading:
        if as_json and not follow:
            session_replay = make_replay(reading.lens, session, Selection(first_number, last_number, is_recorded))
            print_envelope(
                "replay",
                {**session_replay.header, "frames": session_replay.frames},
                campaign,
                session_replay.header["position"],
            )
            return
        for header, frame in follow_frames():
            if step:
                typer.prompt("", default="", show_default=False, prompt_suffix="", err=True)
            if as_json:
                print_envelope("replay", frame, campaign, header["position"])
            else:
                _show_frame(frame)
            time.sleep(speed)


def _show_frame(frame: Frame) -> None:
    if frame["did"] != "ruled":
        say(f"Then ruling {frame['ruling']['number']} was {frame['did'].replace('-', ' ')}:", style="bold")
    show_ruling(frame["ruling"])
    for subject_changes in frame["changed"]:
        show_changes(subject_changes, style="cyan")
