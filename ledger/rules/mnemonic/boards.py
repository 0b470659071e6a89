"""Where actions and checks are: on the board of a scene, or the campaign's for what happens outside any scene.

No rule stands here. `find_check` and its like look a thing up for a rule; `Boards` lists what can be ruled or finished
now, for offers.
"""

from __future__ import annotations

from collections.abc import Iterator

from ledger.rules.kernel.kit import CAMPAIGN, Subject, Table, scene
from ledger.rules.mnemonic.records import InjuryRuled
from ledger.rules.mnemonic.shelves import sort_id
from ledger.rules.mnemonic.state import Action, Board, Campaign, Check, Scene

#: So many of the scenes that were closed are shown to have been, the latest last: what was begun there can be finished.
LEFT = 3
#: So many of the rulings that began something in a closed scene are shown, each with its scene.
LATE = 12


def find_place(table: Table[object]) -> Subject:
    """Return where a new action or check is recorded."""
    return table.scene or CAMPAIGN


def read_board(table: Table[object], where: Subject) -> Board:
    if where == CAMPAIGN:
        return table.get(CAMPAIGN, Campaign).board
    return table.get(where, Scene).board


def find_check(table: Table[object], id: str) -> tuple[Subject, Check] | None:
    """Return a standing check and where it is: in this scene, outside any, in another open one, or in a closed one."""
    for where in _list_places(table, id):
        check = read_board(table, where).checks.find(id)
        if check is not None:
            return where, check
    return None


def find_action(table: Table[object], id: str) -> tuple[Subject, Action] | None:
    """Return a standing action and where it is, looked for as a check is."""
    for where in _list_places(table, id):
        action = read_board(table, where).actions.find(id)
        if action is not None:
            return where, action
    return None


def find_injury(table: Table[object], id: str) -> InjuryRuled | None:
    """Return a standing injury, looked for as a check is."""
    for where in _list_places(table, id):
        injury = read_board(table, where).injuries.find(id)
        if injury is not None:
            return injury
    return None


def _list_places(table: Table[object], id: str) -> Iterator[Subject]:
    first = find_place(table)
    yield first
    if first != CAMPAIGN:
        yield CAMPAIGN
    for place in table.subjects("scene"):
        if place != first:
            yield place
    yield from _list_closed(table, id)


def _list_closed(table: Table[object], id: str) -> Iterator[Subject]:
    """Yield the closed scenes that were open when the ruling of this id was made, or in which it began something."""
    number, campaign = find_ruling(id), table.get(CAMPAIGN, Campaign)
    during = (left.scene for left in campaign.left if find_ruling(left.scene) < number < left.ruling)
    later = (late.scene for late in campaign.late if late.ruling == number)
    for place in map(scene, (*later, *during)):
        if table.has(place):
            yield place


def find_ruling(id: str) -> int:
    """Return the number of the ruling that made what has this id: 147 of `147-2`. 0 of what nobody made."""
    return sort_id(id)[0]


# --- what is shown, and can be ruled or finished ----------------------------------------------------------------------


def list_left(campaign: Campaign) -> tuple[list[str], list[int]]:
    """Return the scenes closed last, and those in which something was begun afterwards; the rulings that began it."""
    late = campaign.late.latest(LATE)
    scenes = [left.scene for left in (*late, *campaign.left.latest(LEFT))]
    return list(dict.fromkeys(scenes)), [left.ruling for left in late]


class Boards:
    """The actions and checks of open scenes, of the campaign and of scenes closed lately, in order.

    `checks`: of open scenes, of the campaign, and those begun in a closed scene since it closed. `left`: those begun in
    it before: they can be finished, and nobody waits for it. `actions`, `left_actions`: likewise. `resolved`: all
    checks that have a result.
    """

    def __init__(self, table: Table[object]) -> None:
        campaign = table.get(CAMPAIGN, Campaign)
        scenes, late = list_left(campaign)
        open_scenes = table.subjects("scene")
        closed = [place for place in map(scene, scenes) if place not in open_scenes and table.has(place)]
        boards = [campaign.board, *(read_board(table, place) for place in open_scenes)]
        left = [read_board(table, place) for place in closed]
        begun_there = [check for board in left for check in board.checks.in_order()]
        self.checks = [check for board in boards for check in board.checks.in_order()]
        self.checks += [check for check in begun_there if find_ruling(check.ruled.check) in late]
        self.left = [check for check in begun_there if find_ruling(check.ruled.check) not in late]
        self.actions = [action for board in boards for action in board.actions.in_order()]
        self.left_actions = [action for board in left for action in board.actions.in_order()]
        self.resolved = [check for check in (*self.checks, *self.left) if check.resolved is not None]
        self.all_actions = [*self.actions, *self.left_actions]
