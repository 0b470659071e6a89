"""Commands that show the state now or earlier: a character, a scene, the campaign, differences, seats, and how a value
came about.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Literal, cast

import typer

from api.cli.look import As, At, check_moment_option
from api.http.moments import read_moment
from api.run.failures import explain_failures
from api.run.terminal import (
    LOOK,
    AsJson,
    Campaign,
    Data,
    Seat,
    make_readable,
    open_campaign_reading,
    pick_columns,
    print_envelope,
    print_table,
    say,
)

if TYPE_CHECKING:
    from projections.documents.derivations import Link
    from projections.documents.states import State
    from projections.documents.subjects import Balance, Clock
    from projections.documents.subjects import Character as CharacterDocument
    from projections.documents.subjects import Scene as SceneDocument
    from projections.redaction import Json, LiveLens

app = typer.Typer()


def _make_clock(at: str | None, as_: str) -> Clock:
    from projections.documents.subjects import Clock

    return Clock(read_moment(at), as_ == "recorded")


@app.command("character", rich_help_panel=LOOK)
def show_character(
    campaign: Campaign,
    id: Annotated[str, typer.Argument(metavar="CHARACTER", help="The character's id.")],
    at: At = None,
    as_: As = "corrected",
    seat: Seat = None,
    data: Data = None,
    as_json: AsJson = False,
) -> None:
    """Show a character now, or at an earlier point.

    Example: campaign-ledger character k3v7q2mzt5a4c 1 --at 12 --as recorded
    """
    from ledger.rules.kernel import subjects as kernel
    from projections.documents.subjects import describe_subject

    with explain_failures(), open_campaign_reading(campaign, seat, data) as reading:
        document = cast("CharacterDocument", describe_subject(reading.lens, kernel.character(id), _make_clock(at, as_)))
        position = reading.position
    if as_json:
        print_envelope("character", document, campaign, position)
    else:
        _show_character(document)


def _show_character(character: CharacterDocument) -> None:
    player_text = f"played by {character['player']}" + (", retired" if character["retired"] else "")
    say(f"{character['name']} ({character['id']}), {player_text}", style="bold")
    _show_state(character["state"], character["balances"])


def _show_state(state: Json, balances: list[Balance]) -> None:
    for field, value in state.items():
        say(f"  {field}: {make_readable(value)}")
    for balance in balances:
        say(f"  {balance['balance']} {balance['unit']} in {balance['account']}")


@app.command("scene", rich_help_panel=LOOK)
def show_scene(
    campaign: Campaign,
    id: Annotated[str, typer.Argument(metavar="SCENE", help="The scene's id.")],
    at: At = None,
    as_: As = "corrected",
    seat: Seat = None,
    data: Data = None,
    as_json: AsJson = False,
) -> None:
    """Show a scene now, or at an earlier point.

    Example: campaign-ledger scene k3v7q2mzt5a4c 4
    """
    from ledger.rules.kernel import subjects as kernel
    from projections.documents.subjects import describe_subject

    with explain_failures(), open_campaign_reading(campaign, seat, data) as reading:
        document = cast("SceneDocument", describe_subject(reading.lens, kernel.scene(id), _make_clock(at, as_)))
        position = reading.position
        if as_json:
            print_envelope("scene", document, campaign, position)
        else:
            _show_scene(reading.lens, document)


def _show_scene(lens: LiveLens, scene: SceneDocument) -> None:
    cast_text = ", ".join(lens.find_subject_name(f"character:{id}") for id in scene["cast"]) or "nobody"
    say(f"{scene['title']} ({scene['id']}), {'open' if scene['open'] else 'closed'}, with {cast_text}", style="bold")
    _show_state(scene["state"], scene["balances"])


@app.command("state", rich_help_panel=LOOK)
def show_state(
    campaign: Campaign,
    at: At = None,
    as_: As = "corrected",
    seat: Seat = None,
    data: Data = None,
    as_json: AsJson = False,
) -> None:
    """Show the campaign, its characters and open scenes. Without --at, also show what is waiting and what needs
    attention.

    Example: campaign-ledger state k3v7q2mzt5a4c --at 12
    """
    from projections.documents.states import describe_state

    with explain_failures(), open_campaign_reading(campaign, seat, data) as reading:
        document = describe_state(reading.lens, _make_clock(at, as_))
        position = reading.position
        if as_json:
            print_envelope("state", document, campaign, position)
        else:
            _show_campaign(reading.lens, document)


def _show_campaign(lens: LiveLens, state: State) -> None:
    campaign = state["campaign"]
    session = next((session for session in campaign["sessions"] if session["open"]), None)
    session_text = f"in session {session['title'] or session['id']}" if session is not None else "between sessions"
    say(f"{campaign['name']} ({campaign['id']}), {campaign['system']}, {session_text}", style="bold")
    _show_state(campaign["state"], campaign["balances"])
    for character in state["characters"]:
        _show_character(character)
    for scene in state["scenes"]:
        _show_scene(lens, scene)
    for waiting in state["waiting"] or ():
        question = waiting["question"]
        asked_person = question["asked"] if question is not None else None
        asked_name = asked_person["name"][:1].upper() + asked_person["name"][1:] if asked_person is not None else ""
        question_text = (
            f" {asked_name} has to answer: {question['text']}" if question is not None and asked_name else ""
        )
        say(f"{waiting['id']} is waiting: {waiting['text']}{question_text}")
    for awaited_row in state["awaited"] or ():
        kind_text = f": {awaited_row['kind']}" if awaited_row["kind"] else ""
        say(f"The game is waiting for {awaited_row['seat']['name']}{kind_text}.")
    for dispute in state["disputes"] or ():
        say(f"Ruling {dispute['ruling']} is disputed by {dispute['by']['name']}: {dispute['reason']}")
    for finding in state["findings"] or ():
        say(f"Needs attention ({finding['id']}): {finding['text']}")


@app.command("diff", rich_help_panel=LOOK)
def show_differences(
    campaign: Campaign,
    start: Annotated[
        str | None,
        typer.Option(
            "--from",
            parser=check_moment_option,
            metavar="WHEN",
            show_default=False,
            help="The first point: a ruling or a time.",
        ),
    ] = None,
    end: Annotated[
        str | None,
        typer.Option(
            "--to",
            parser=check_moment_option,
            metavar="WHEN",
            help="The second point: a ruling or a time. Default: now.",
        ),
    ] = None,
    at: At = None,
    as_: Annotated[
        Literal["recorded", "corrected"] | None,
        typer.Option(
            "--as", help="For --from and --to: as known at the time, or with all later corrections. Default: corrected."
        ),
    ] = None,
    seat: Seat = None,
    data: Data = None,
    as_json: AsJson = False,
) -> None:
    """Compare the campaign at two points, and show which rulings caused the differences.

    --at compares what was known at one point with what is known about it now, after all corrections.

    Example: campaign-ledger diff k3v7q2mzt5a4c --from 12 --to 20

    Example: campaign-ledger diff k3v7q2mzt5a4c --at 12
    """
    from projections.documents.differences import Interval, describe_differences

    if (start is None) == (at is None) or (at is not None and (end or as_)):
        raise typer.BadParameter("enter two points (--from 12 --to 20), or one to compare (--at 12)")
    clocks = (
        (_make_clock(start, as_ or "corrected"), _make_clock(end, as_ or "corrected"))
        if at is None
        else (_make_clock(at, "recorded"), _make_clock(at, "corrected"))
    )
    with explain_failures(), open_campaign_reading(campaign, seat, data) as reading:
        document = describe_differences(reading.lens, Interval(*clocks))
        position = reading.position
    if as_json:
        print_envelope("diff", document, campaign, position)
        return
    for subject in document["subjects"]:
        for field in subject["fields"]:
            rulings_text = (
                f" [{', '.join(f'ruling {number}' for number in field['rulings'])}]" if field["rulings"] else ""
            )
            say(f"{field['text']}{rulings_text}")
    for ruling in document["rulings"]:
        say(f"  ruling {ruling['number']}, {ruling['status']}: {ruling['text']} ({ruling['by']['name']})")
    if not document["subjects"]:
        say("There are no differences.")


@app.command("seats", rich_help_panel=LOOK)
def show_seats(campaign: Campaign, seat: Seat = None, data: Data = None, as_json: AsJson = False) -> None:
    """List the seats: names, roles and characters.

    Example: campaign-ledger seats k3v7q2mzt5a4c
    """
    from projections.documents.campaigns import describe_campaign

    with explain_failures(), open_campaign_reading(campaign, seat, data) as reading:
        document = describe_campaign(reading.lens)
        position = reading.position
    if as_json:
        print_envelope("seats", document["seats"], campaign, position)
        return
    character_names_by_seat: dict[str, list[str]] = {}
    for character in document["characters"]:
        if not character["retired"]:
            character_names_by_seat.setdefault(character["seat"], []).append(character["name"])
    print_table(
        document["seats"],
        pick_columns("id", "name")
        | {
            "as": lambda row: "removed" if row["removed"] else row["role"],
            "plays": lambda row: ", ".join(character_names_by_seat.get(str(row["id"]), ())),
        },
    )


@app.command("why", rich_help_panel=LOOK)
def explain_value(
    campaign: Campaign,
    subject: Annotated[str, typer.Argument(metavar="SUBJECT", help="The subject: character:1, scene:4, campaign.")],
    field: Annotated[
        str, typer.Argument(metavar="FIELD", help="A field of the subject's state, its name, or balances/ACCOUNT.")
    ],
    at: At = None,
    as_: As = "corrected",
    seat: Seat = None,
    data: Data = None,
    as_json: AsJson = False,
) -> None:
    """Explain a value: list every result and ruling that changed it, in order. Results that no longer count are marked.

    Example: campaign-ledger why k3v7q2mzt5a4c character:1 name
    """
    from ledger.rules.kernel.refusals import Refused
    from ledger.rules.kernel.subjects import parse_subject
    from projections.documents.derivations import explain_field

    try:
        parsed_subject = parse_subject(subject)
    except Refused:
        raise typer.BadParameter("enter a subject: character:1, scene:4, campaign") from None
    with explain_failures(), open_campaign_reading(campaign, seat, data) as reading:
        document = explain_field(reading.lens, parsed_subject, field, _make_clock(at, as_))
        position = reading.position
        name = reading.lens.name(parsed_subject)
    if as_json:
        print_envelope("why", document, campaign, position)
        return
    say(f"{name or subject}: {field} is {make_readable(document['value'])}", style="bold")
    for link in document["chain"]:
        _show_link(link)


def _show_link(link: Link) -> None:
    ruling, fact = link["ruling"], link["fact"]
    ruling_text = f"ruling {ruling['number']}, {ruling['text']}" if ruling is not None else ""
    result_text = fact["text"] if fact is not None else "something hidden from this seat"
    struck_mark = " (struck)" if link["struck"] else ""
    source_text = f" [{ruling_text}]" if ruling_text else f" [{link['by']['name']}]" if link["by"] is not None else ""
    line = (
        f"  {make_readable(link['before'])} -> {make_readable(link['after'])}: {result_text}{struck_mark}{source_text}"
    )
    say(line, style="strike dim" if link["struck"] else None)
