"""Commands that tell rulings: one of them, a session's once more, and what would be different without some."""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from api.cli.failures import saying_why
from api.cli.look import As
from api.cli.terminal import (
    LOOK,
    MOST,
    AsJson,
    Campaign,
    Data,
    Limit,
    Order,
    Search,
    Seat,
    envelope,
    looking,
    picked,
    readable,
    say,
    say_behind,
    say_cut,
    table,
)
from ledger.errors import Fault
from ledger.rules.kernel.contract import AnyRuleset

if TYPE_CHECKING:
    from projections.documents.answers import Given
    from projections.documents.registers import View
    from projections.documents.replays import Frame, Header
    from projections.documents.rulings import Brief
    from projections.documents.rulings import Ruling as RulingDocument
    from projections.documents.subjects import Changed

app = typer.Typer()
Number = Annotated[int, typer.Argument(min=1, max=MOST, metavar="NUMBER", help="The ruling's number.")]


@app.command(rich_help_panel=LOOK)
def ruling(
    campaign: Campaign,
    number: Number,
    leaning: Annotated[bool, typer.Option("--leaning", help="With the later rulings that lean on it.")] = False,
    seat: Seat = None,
    data: Data = None,
    as_json: AsJson = False,
) -> None:
    """One ruling: what was declared and rolled, what became true and why.

    Example: campaign-ledger ruling k3v7q2mzt5a4c 12 --leaning
    """
    from projections.documents.comparisons import one_ruling

    with saying_why(), looking(campaign, seat, data) as look:
        document = one_ruling(look.lens, number, leaning=leaning)
        position = look.position
    if as_json:
        envelope("ruling", document, campaign, position)
    else:
        show_ruling(document)


@app.command(rich_help_panel=LOOK)
def rulings(  # noqa: PLR0913, PLR0917  (one parameter an option)
    campaign: Campaign,
    status: Annotated[
        Literal["standing", "disputed", "upheld", "overturned", "revised"] | None,
        typer.Option(help="Only those in this status."),
    ] = None,
    character: Annotated[str | None, typer.Option(help="Only about this character, by its id.")] = None,
    by: Annotated[str | None, typer.Option(metavar="SEAT", help="Only declared by this seat.")] = None,
    scene: Annotated[str | None, typer.Option(help="Only declared in this scene.")] = None,
    session: Annotated[str | None, typer.Option(help="Only of this session.")] = None,
    kind: Annotated[str | None, typer.Option(help="Only of this kind of declaration.")] = None,
    rule: Annotated[str | None, typer.Option(help="Only those that rest on this rule.")] = None,
    after: Annotated[
        int, typer.Option(min=0, max=MOST, metavar="NUMBER", show_default=False, help="Only later ones.")
    ] = 0,
    limit: Limit = 200,
    order: Order = "asc",
    search: Search = None,
    seat: Seat = None,
    data: Data = None,
    as_json: AsJson = False,
) -> None:
    """Rulings in order, a sentence each; every filter given must fit.

    Example: campaign-ledger rulings k3v7q2mzt5a4c --status disputed --by s2

    Example: campaign-ledger rulings k3v7q2mzt5a4c --search "rumour -nose" --order desc
    """
    from api.http import filters
    from projections.documents.registers import Wanted
    from projections.documents.registers import rulings as told
    from projections.views.pages import MOST as MOST_ROWS

    with saying_why(), looking(campaign, seat, data) as look:
        known = filters.check(character=character, seat=by, scene=scene, session=session, kind=kind, rule=rule)
        if known is not None:
            known(look.lens)
        found: list[RulingDocument | Brief] = []
        view: View = "whole" if as_json else "brief"
        more: str | None = str(after)
        while more is not None and len(found) < limit:
            most = min(MOST_ROWS, limit - len(found))
            wanted = Wanted(status, character, by, scene, session, kind, rule, int(more), most, order, search, view)
            page = told(look.lens.view_lens(), look.reader, campaign, wanted)
            found += page.decoded()["rulings"]
            more = page.after
        say_behind(look, page.position)
    if as_json:
        envelope("rulings", found, campaign, page.position, more)
        return
    columns = picked("number", "status") | {
        "what was ruled": lambda row: row["text"],
        "by": lambda row: row["by"]["name"],
        "at": lambda row: row["at"][:16],
    }
    table(found, columns, "There is no ruling that fits.")
    say_cut(more, limit)


def show_ruling(told: RulingDocument) -> None:
    say(f"Ruling {told['number']} {told['status']}, {told['at']}, by {told['by']['name']}", style="bold")
    say(f"  {told['text']}")
    for answer in told["answers"]:
        say(f"  {show_answer(answer)}")
    for step in told["because"]:
        of = f" of {readable(step['given'])}" if step["given"] else ""
        say(f"  because {step['text']} ({step['rule']} = {readable(step['out'])}{of})")
    for fact in told["facts"]:
        line = f"  {fact['text']}"
        say(f"{line} (struck)" if fact["struck"] else line, style="strike dim" if fact["struck"] else None)
    if told["refusal"]:
        say(f"  records nothing: {told['refusal']['text']} {told['refusal']['statement']} ({told['refusal']['rule']})")
    for made in told["decisions"]:
        say(f"  {made['at'][:19]} {made['text']}")
    if told["leaning"]:
        say(f"  rulings that lean on it: {readable(told['leaning'])}")


def show_answer(given: Given) -> str:
    """`Giazza rolls 4 and 3 (initiative). (Ben, at the table)`: whose dice, then who answered."""
    ((form, value),) = given["answer"].items()
    where = "" if form == "choice" else ", by the ledger" if _by_ledger(value) else ", at the table"
    aside = ", set aside" if given["set_aside"] else ""
    return f"{given['text']} ({given['by']['name']}{where}{aside})"


def _by_ledger(answered: object) -> bool:
    return isinstance(answered, dict) and answered.get("source") == "ledger"


@app.command(rich_help_panel=LOOK)
def replay(  # noqa: PLR0913, PLR0917  (one parameter an option)
    campaign: Campaign,
    session: Annotated[str, typer.Argument(metavar="SESSION", help="The session's id.")],
    first: Annotated[
        int,
        typer.Option("--from", min=1, max=MOST, metavar="NUMBER", show_default=False, help="Only from this ruling on."),
    ] = 1,
    last: Annotated[
        int | None, typer.Option("--to", min=1, max=MOST, metavar="NUMBER", help="Only up to this ruling.")
    ] = None,
    as_: As = "corrected",
    speed: Annotated[float, typer.Option(min=0, max=3600, help="Seconds between two rulings; 0: all at once.")] = 0.0,
    step: Annotated[bool, typer.Option("--step", help="Wait for Enter before each ruling.")] = False,
    follow: Annotated[bool, typer.Option("--follow", help="Go on as the session is played; Ctrl-C ends it.")] = False,
    seat: Seat = None,
    data: Data = None,
    as_json: AsJson = False,
) -> None:
    """Play a session once more, ruling by ruling.

    With --follow and --json every ruling is a document of its own, a line each.

    As recorded it is told as it was played, what was decided in the session in its place.

    Example: campaign-ledger replay k3v7q2mzt5a4c 3 --speed 0.5

    Example: campaign-ledger replay k3v7q2mzt5a4c 3 --as recorded --from 20 --to 25
    """
    from projections.documents.replays import Wanted
    from projections.documents.replays import replay as told

    recorded = as_ == "recorded"

    def frames() -> Iterator[tuple[Header, Frame]]:
        start, reached = first, 0
        while True:
            shown = told(look.lens, session, Wanted(start, last, recorded))
            for frame in shown.frames:
                if frame["position"] > reached:
                    yield shown.header, frame
                    reached = frame["position"]
                if frame["did"] == "ruled":
                    start = frame["ruling"]["number"]
            if not follow:
                return
            time.sleep(0.5)
            look.lens.book.forward()

    with saying_why(), looking(campaign, seat, data) as look:
        if as_json and not follow:
            shown = told(look.lens, session, Wanted(first, last, recorded))
            envelope("replay", {**shown.header, "frames": shown.frames}, campaign, shown.header["position"])
            return
        for header, frame in frames():
            if step:
                typer.prompt("", default="", show_default=False, prompt_suffix="", err=True)
            if as_json:
                envelope("replay", frame, campaign, header["position"])
            else:
                _show_frame(frame)
            time.sleep(speed)


def _show_frame(frame: Frame) -> None:
    if frame["did"] != "ruled":
        say(f"Then ruling {frame['ruling']['number']} was {frame['did']}:", style="bold")
    show_ruling(frame["ruling"])
    for one in frame["changed"]:
        _show_changes(one, style="cyan")


def _show_changes(of: Changed, style: str | None = None) -> None:
    for field in of["fields"]:
        before, after = readable(field["before"]), readable(field["after"])
        if before != after:  # nothing, an empty list and an empty text read alike
            where = field["field"].replace("~1", "/").replace("~0", "~")
            say(f"    {of['name'] or of['subject']}: {where} {before} -> {after}", style=style)


def _dials(ruleset: AnyRuleset, said: Iterable[str]) -> dict[str, object]:
    """Fault for a dial or a value there is none of."""
    from api.http.forms import Forms
    from ledger.rules.kernel.dials import check_dial
    from ledger.rules.kernel.refusals import Refused

    dials = dict(Forms(ruleset).dial(*one.split(":", 1)) for one in said)
    for name, value in dials.items():
        try:
            check_dial(ruleset, name, value)
        except Refused as no:
            problem = no.context.get("problem") or f"there is no dial {name!r} here"
            raise Fault(f"Dial {name}: {problem}.", code=no.code) from None
    return dials


def _patch(said: str) -> dict[str, object]:
    """BadParameter for what is no JSON object."""
    from api.http.problems import BadRequest
    from api.http.strict_json import parse

    try:
        patch = parse(said.encode())
    except BadRequest as problem:
        raise typer.BadParameter(f"--patch: {problem.detail}") from None
    if not isinstance(patch, dict):
        raise typer.BadParameter("""--patch is a JSON object: --patch '{"armour": 2}'""")
    return patch


@app.command(name="what-if", rich_help_panel=LOOK)
def what_if(
    campaign: Campaign,
    without: Annotated[
        list[int] | None,
        typer.Option("--without", min=1, max=MOST, metavar="NUMBER", help="Without this ruling; may be said again."),
    ] = None,
    dial: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME:VALUE", help="With this dial from the start; may be said again."),
    ] = None,
    revise: Annotated[
        int | None,
        typer.Option("--revise", min=1, max=MOST, metavar="NUMBER", help="With this ruling declared otherwise."),
    ] = None,
    patch: Annotated[
        str | None,
        typer.Option(metavar="JSON", help="With --revise: what is otherwise, a merge patch of its declaration."),
    ] = None,
    seat: Seat = None,
    data: Data = None,
    as_json: AsJson = False,
) -> None:
    """What would be different without a ruling, with another reading, or had one been declared otherwise.

    Nothing is saved.

    Example: campaign-ledger what-if k3v7q2mzt5a4c --without 12

    Example: campaign-ledger what-if k3v7q2mzt5a4c --dial terminal_basis:size

    Example: campaign-ledger what-if k3v7q2mzt5a4c --revise 12 --patch '{"armour": 2}'
    """
    from ledger.application.commands import previewing, revising
    from projections.documents.comparisons import MOST_ROWS, Wanted, comparison

    if bool(without or dial) == (revise is not None) or any(":" not in one for one in dial or ()):
        raise typer.BadParameter(
            "name rulings (--without 12) or a dial (--dial name:value), or one with its patch (--revise 12 --patch)"
        )
    if (revise is None) != (patch is None):
        raise typer.BadParameter("--revise names the ruling, --patch says what is otherwise about it: both or neither")
    with saying_why(), looking(campaign, seat, data) as look:
        book, viewer = look.lens.book, look.lens.viewer
        if revise is not None:
            correction = revising.Correction("what if", "ruling", patch=_patch(patch or ""))
            shown = revising.preview(book, viewer, revise, correction)
        else:
            shown = previewing.what_if(book, viewer, without or (), _dials(book.ruleset, dial or ()))
        document = comparison(look.lens, shown, Wanted(limit=MOST_ROWS))
        position = look.position
    if as_json:
        envelope("what-if", document, campaign, position)
        return
    say(", ".join(f"{count} {standpoint}" for standpoint, count in document["counts"].items()))
    others = [row["text"] for row in document["rulings"] if row["standpoint"] != "stands"]
    for line in others or ["No later ruling changes."]:
        say(line)
    if document["more"] is not None:
        say(f"And others, after ruling {document['more']}.")
    for one in document["subjects"]:
        _show_changes(one)
