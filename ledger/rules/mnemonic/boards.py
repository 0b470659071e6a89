"""Where actions and checks are: on the board of a scene, or the campaign's for what happens outside any scene."""

from __future__ import annotations

from collections.abc import Iterator

from ledger.rules.kernel.contract import Table
from ledger.rules.kernel.subjects import CAMPAIGN, Subject, scene
from ledger.rules.mnemonic.facts_of_injuries import InjuryRuled
from ledger.rules.mnemonic.state import Action, Board, Campaign, Check, Scene


def here(table: Table[object]) -> Subject:
    """Where a new action or check is recorded."""
    return table.scene or CAMPAIGN


def board_of(table: Table[object], where: Subject) -> Board:
    if where == CAMPAIGN:
        return table.get(CAMPAIGN, Campaign).board
    return table.get(where, Scene).board


def find_check(table: Table[object], id: str) -> tuple[Subject, Check] | None:
    """A standing check and where it is: in this scene, outside any, in another open one, or in one that was closed."""
    for where in _places(table, id):
        check = board_of(table, where).checks.find(id)
        if check is not None:
            return where, check
    return None


def find_action(table: Table[object], id: str) -> tuple[Subject, Action] | None:
    """A standing action and where it is, looked for as a check is."""
    for where in _places(table, id):
        action = board_of(table, where).actions.find(id)
        if action is not None:
            return where, action
    return None


def _places(table: Table[object], id: str) -> Iterator[Subject]:
    first = here(table)
    yield first
    if first != CAMPAIGN:
        yield CAMPAIGN
    for place in table.subjects("scene"):
        if place != first:
            yield place
    yield from _left(table, id)


def _left(table: Table[object], id: str) -> Iterator[Subject]:
    """The closed scenes that were open when the ruling of this id was made, or in which it began something later."""
    number, campaign = ruling_of(id), table.get(CAMPAIGN, Campaign)
    during = (left.scene for left in campaign.left if ruling_of(left.scene) < number < left.ruling)
    later = (late.scene for late in campaign.late if late.ruling == number)
    for place in map(scene, (*later, *during)):
        if table.has(place):
            yield place


def ruling_of(id: str) -> int:
    """The number of the ruling that made what has this id: 147 of `147-2`. 0 of what nobody made."""
    text = id.partition("-")[0]
    return int(text) if text.isdecimal() and text.isascii() else 0


def find_injury(table: Table[object], id: str) -> InjuryRuled | None:
    """A standing injury, looked for as a check is."""
    for where in _places(table, id):
        injury = board_of(table, where).injuries.find(id)
        if injury is not None:
            return injury
    return None
