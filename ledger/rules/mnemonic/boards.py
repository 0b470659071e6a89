"""Where actions and checks are stored: on the board of a scene or, outside any scene, on the campaign's.

This module has no rules. `find_check` and similar functions look up an entry for a rule. For offers, `Boards` lists the
actions and checks that can be ruled on or finished now.
"""

from __future__ import annotations

from collections.abc import Iterator

from ledger.rules.kernel.kit import CAMPAIGN, Subject, Table, scene
from ledger.rules.mnemonic.records import InjuryRuled
from ledger.rules.mnemonic.shelves import make_sort_key
from ledger.rules.mnemonic.state import Action, Board, Campaign, Check, Scene

#: How many of the most recently closed scenes are shown. Actions and checks begun in them can still be finished.
LEFT = 3
#: How many of the rulings that began an action, check or injury in a closed scene are shown, each with its scene.
LATE = 12


def find_place(table: Table[object]) -> Subject:
    """Return the subject on whose board a new action or check is recorded."""
    return table.scene or CAMPAIGN


def read_board(table: Table[object], place: Subject) -> Board:
    if place == CAMPAIGN:
        return table.get(CAMPAIGN, Campaign).board
    return table.get(place, Scene).board


def find_check(table: Table[object], check_id: str) -> tuple[Subject, Check] | None:
    """Return a check that was not overturned, with the subject whose board it is on, or None. It can be in this scene,
    outside any scene, in another open scene, or in a closed one.
    """
    for place in _list_places(table, check_id):
        check = read_board(table, place).checks.find(check_id)
        if check is not None:
            return place, check
    return None


def find_action(table: Table[object], action_id: str) -> tuple[Subject, Action] | None:
    """Return an action that was not overturned, with the subject whose board it is on, or None. The places are searched
    as for a check.
    """
    for place in _list_places(table, action_id):
        action = read_board(table, place).actions.find(action_id)
        if action is not None:
            return place, action
    return None


def find_injury(table: Table[object], injury_id: str) -> InjuryRuled | None:
    """Return an injury that was not overturned, or None. The places are searched as for a check."""
    for place in _list_places(table, injury_id):
        injury = read_board(table, place).injuries.find(injury_id)
        if injury is not None:
            return injury
    return None


def _list_places(table: Table[object], id: str) -> Iterator[Subject]:
    current_place = find_place(table)
    yield current_place
    if current_place != CAMPAIGN:
        yield CAMPAIGN
    for place in table.subjects("scene"):
        if place != current_place:
            yield place
    yield from _list_closed(table, id)


def _list_closed(table: Table[object], id: str) -> Iterator[Subject]:
    """Yield the closed scenes in which the ruling of this id began an action, check or injury, or which were open when
    it was made.
    """
    ruling_number, campaign = find_ruling_number(id), table.get(CAMPAIGN, Campaign)
    closed_since = (
        scene_left
        for scene_left in campaign.left
        if find_ruling_number(scene_left.scene) < ruling_number < scene_left.ruling
    )
    begun_late = (begun for begun in campaign.late if begun.ruling == ruling_number)
    for place in (scene(scene_left.scene) for scene_left in (*begun_late, *closed_since)):
        if table.has(place):
            yield place


def find_ruling_number(id: str) -> int:
    """Return the number of the ruling that assigned this id: 147 for `147-2`. Return 0 for an id that no ruling
    assigned.
    """
    return make_sort_key(id)[0]


# --- actions and checks that are shown or can be finished ------------------------------------------------------------


def list_left(campaign: Campaign) -> tuple[list[str], list[int]]:
    """Return the ids of the scenes to show, and the numbers of the rulings to show: the most recently closed scenes,
    and the latest rulings that began an action, check or injury in a closed scene, each with its scene.
    """
    begun_late = campaign.late.list_latest(LATE)
    scene_ids = [scene_left.scene for scene_left in (*begun_late, *campaign.left.list_latest(LEFT))]
    return list(dict.fromkeys(scene_ids)), [begun.ruling for begun in begun_late]


class Boards:
    """The actions and checks of open scenes, of the campaign and of recently closed scenes, in order.

    `checks`: the checks of open scenes and of the campaign, and those begun in a closed scene after it closed.
    `left_checks`: those begun in a closed scene before it closed. They can be finished, but the table does not wait for
    that. Only injuries outlast their scene: checks that resist them are in `checks`. `actions`: the actions of open
    scenes and of the campaign. `left_actions`: those of closed scenes.
    `resolved_checks`: all checks that have a result.
    """

    def __init__(self, table: Table[object]) -> None:
        campaign = table.get(CAMPAIGN, Campaign)
        scene_ids, late_rulings = list_left(campaign)
        open_scenes = table.subjects("scene")
        closed_places = [place for place in map(scene, scene_ids) if place not in open_scenes and table.has(place)]
        boards = [campaign.board, *(read_board(table, place) for place in open_scenes)]
        closed_boards = [read_board(table, place) for place in closed_places]
        checks_in_closed = [check for board in closed_boards for check in board.checks.in_order()]
        self.checks = [check for board in boards for check in board.checks.in_order()]
        self.left_checks: list[Check] = []
        for check in checks_in_closed:
            is_awaited = check.ruled.purpose == "resist" or find_ruling_number(check.ruled.check) in late_rulings
            (self.checks if is_awaited else self.left_checks).append(check)
        self.actions = [action for board in boards for action in board.actions.in_order()]
        self.left_actions = [action for board in closed_boards for action in board.actions.in_order()]
        self.resolved_checks = [check for check in (*self.checks, *self.left_checks) if check.resolved is not None]
        self.all_actions = [*self.actions, *self.left_actions]
