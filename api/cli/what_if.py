"""The command that shows what would be different without a ruling, with another option, or with a corrected ruling."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Annotated

import typer

from api.cli.rulings import show_changes
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
from ledger.errors import Fault
from ledger.rules.kernel.contract import AnyRuleset

if TYPE_CHECKING:
    from projections.documents.comparisons import Comparison

app = typer.Typer()


def _read_dials(ruleset: AnyRuleset, pairs: Iterable[str]) -> dict[str, object]:
    """Return the options with their values. Raise a Fault for an unknown option or value."""
    from api.http.forms import Forms
    from ledger.rules.kernel.dials import check_dial
    from ledger.rules.kernel.refusals import Refused

    dials = dict(Forms(ruleset).parse_dial(*pair.split(":", 1)) for pair in pairs)
    for name, value in dials.items():
        try:
            check_dial(ruleset, name, value)
        except Refused as refusal:
            problem = refusal.context.get("problem") or f"there is no option {name!r}"
            raise Fault(f"Option {name}: {problem}.", code=refusal.code) from None
    return dials


def _read_patch(text: str) -> dict[str, object]:
    """Return the patch in the text. Raise BadParameter if it is not a JSON object."""
    from api.http.problems import BadRequest
    from api.http.strict_json import parse

    try:
        patch = parse(text.encode())
    except BadRequest as problem:
        raise typer.BadParameter(f"--patch: {problem.detail}") from None
    if not isinstance(patch, dict):
        raise typer.BadParameter("""--patch must be a JSON object: --patch '{"armour": 2}'""")
    return patch


@app.command(name="what-if", rich_help_panel=LOOK)
def preview_what_if(
    campaign: Campaign,
    without: Annotated[
        list[int] | None,
        typer.Option(
            "--without",
            min=1,
            max=MOST,
            metavar="NUMBER",
            help="Preview the campaign without this ruling. You can repeat this option.",
        ),
    ] = None,
    dial: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME:VALUE",
            help="Preview the campaign as if this option had had this value from the start. Use --dial again for each"
            " further option.",
        ),
    ] = None,
    revise: Annotated[
        int | None,
        typer.Option(
            "--revise", min=1, max=MOST, metavar="NUMBER", help="Preview the campaign with this ruling corrected."
        ),
    ] = None,
    patch: Annotated[
        str | None,
        typer.Option(metavar="JSON", help="With --revise: the correction, as a merge patch of the declaration."),
    ] = None,
    seat: Seat = None,
    data: Data = None,
    as_json: AsJson = False,
) -> None:
    """Preview the campaign without a ruling, with another option, or with a ruling corrected.

    Nothing is saved.

    Example: campaign-ledger what-if k3v7q2mzt5a4c --without 12

    Example: campaign-ledger what-if k3v7q2mzt5a4c --dial terminal_basis:size

    Example: campaign-ledger what-if k3v7q2mzt5a4c --revise 12 --patch '{"armour": 2}'
    """
    from ledger.application.commands import previewing, revising
    from projections.documents.comparisons import MOST_ROWS, Selection, describe_comparison

    if bool(without or dial) == (revise is not None) or any(":" not in pair for pair in dial or ()):
        raise typer.BadParameter(
            "enter rulings (--without 12), an option (--dial name:value), or a correction (--revise 12 --patch)"
        )
    if (revise is None) != (patch is None):
        raise typer.BadParameter("use --revise and --patch together")
    with explain_failures(), open_campaign_reading(campaign, seat, data) as reading:
        book, viewer = reading.lens.book, reading.lens.viewer
        if revise is not None:
            correction = revising.Correction("what if", "ruling", patch=_read_patch(patch or ""))
            comparison = revising.preview_revising(book, viewer, revise, correction)
        else:
            comparison = previewing.preview_what_if(book, viewer, without or (), _read_dials(book.ruleset, dial or ()))
        document = describe_comparison(reading.lens, comparison, Selection(limit=MOST_ROWS))
        position = reading.position
    if as_json:
        print_envelope("what-if", document, campaign, position)
        return
    show_comparison(document)


def show_comparison(document: Comparison) -> None:
    """Print how the results of later rulings would change, and which subjects would end up different."""
    last_struck_number, struck_numbers = document.get("through"), document["without"]
    if (entered := document.get("entered")) is not None:
        say(f"Its number in order of play would be {entered['place']}.")
        for fact in entered["outcome"]["facts"] or ():
            say(f"  {fact['text']}")
    say(", ".join(f"{count} {standpoint}" for standpoint, count in document["counts"].items()))
    if last_struck_number is not None and struck_numbers:
        say(f"Rulings {struck_numbers[0]} to {last_struck_number} would no longer count.")
    lines = [row["text"] for row in document["rulings"] if row["standpoint"] != "stands"]
    for line in lines or (["No later ruling changes."] if last_struck_number is None else []):
        say(line)
    if document["more"] is not None:
        say(f"More rulings would change after ruling {document['more']}.")
    for subject in document["subjects"]:
        show_changes(subject)
