"""Mnemonic: Success Checks, Status and rulings, based on the only page of its Referee's Guide that is known.

Each module answers one question that a reader of the source would ask. `RULESET` combines them. This module also
defines which parts of a state each seat sees, which facts follow from others, which values are stored twice, and what
is secret.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any, assert_never

from ledger.rules.kernel.kit import (
    CAMPAIGN,
    Adjust,
    AnyRuleset,
    Places,
    Secret,
    Subject,
    Told,
    Twice,
    Viewer,
    by_name,
    character,
    describe_transfers,
    ruleset,
)
from ledger.rules.mnemonic import (
    actions,
    agreeing,
    characters,
    checks,
    consequences,
    featherweight,
    flukes,
    immunity,
    injuries,
    ladders,
    options,
    outlook,
    records,
    recovery,
    recovery_checks,
    referee,
    resisting,
    rolls,
    rulings,
    sessions,
    status,
    traits,
)
from ledger.rules.mnemonic.boards import list_left
from ledger.rules.mnemonic.dials import Dials
from ledger.rules.mnemonic.draft import Draft
from ledger.rules.mnemonic.shown import show_table
from ledger.rules.mnemonic.state import Board, Campaign, Character, Check, Scene, Seat, State
from ledger.rules.mnemonic.words import FINE

__all__ = ["RULESET"]

#: Parts of rule ids, or whole ids, in the order in which the guide prints the rules. The first match decides a rule's
#: place.
READING_ORDER = """
trait.ladder trait.rating trait.primary trait aptitude.sum aptitude chances check.total check.outcome check.odds
check status.default status.names injury.cause injury.aptitude injury.worst injury.check injury status.combine
status.inactive status.fold status recovery.rate recovery.declared recovery.check recovery.inactive recovery
ruling.authority ruling.before-roll ruling dramatic.source dramatic.aptitude dramatic.presets dramatic.hidden
dramatic random.one random.three random.cards random fluke.one fluke.three fluke.kinds fluke.possible
fluke.automatic fluke.spectacular fluke feather.mode feather.describe feather.key feather.assign feather
"""

#: The kinds of references in this game, each with the place where its values are listed.
REFERENCES: Mapping[str, str] = {
    "rating": "The name of a rating. The option `traits.ladder` lists them from low to high.",
    "chances": "The name of a level of Chances. The option `chances.ladder` lists them from low to high.",
    "trait": "The name of a Talent or Life Role. The character's `ratings` list them.",
    "action": "The id of a declared action. The scene or the campaign lists it under `actions`.",
    "check": "The id of a check. The scene or the campaign lists it under `checks`.",
    "injury": "The id of an injury. The scene or the campaign lists it under `injuries`.",
    "recovery": "The id of a recovery that was declared.",
    "ruling": "The number of a ruling of this campaign.",
    "assignment": "The id of an assigned Aptitude. The character's state lists it under `tasks`.",
}

#: Labels for the fields of a view and the words in them, the most important first.
LABELS: Mapping[str, str] = {
    "declare-action": "Attempt something",
    "rule-check": "Ask for a check",
    "rate-trait": "Rate a trait",
    "enter-roll": "Roll for the check",
    "resolve": "Work out the result",
    "rule-certain": "Say it succeeds without a roll",
    "rule-impossible": "Say it is impossible",
    "seat-referee": "Choose the referee",
    "primary_role": "Primary Role",
    "kind": "Kind",
    "player_character": "Player Character",
    "non_player_character": "Non-Player Character",
    "resist_talent": "Talent that resists injuries",
    "sessions": "Sessions played",
    "session": "Last session",
    "status": "Status",
    "word": "Mnemonic word",
    "recovery_rate": "Rate of recovery",
    "ratings": "Ratings",
    "number": "Number",
    "life": "Life Role",
    "talent": "Talent",
    "drifted": "Ratings that changed",
    "left": "Most recently closed scenes",
    "late": "Later rulings in closed scenes",
    "preview": "Possible results, by Aptitude",
    "importances": "Script immunity by check",
    "ref": "Ruling",
}
REFERS: Mapping[str, str] = {
    "kind": "word",
    "referee": "seat",
    "left": "scene",
    "late": "ruling",
    "order": "character",
    "injured": "character",
    "known_to": "character",
    "seen_by": "audience",
    "open_to": "audience",
}

SECRETS: tuple[Secret, ...] = (
    Secret(
        "A rating of script immunity (Important, Survivable)",
        "While the option `dramatic.visible` is off: the game masters and the current referee. The referee can also "
        "reveal a character's rating to its player, or to everybody. While the option `dramatic.seen_by_gm` is off, "
        "only the referee can see the rating. A game master can become the referee, but everybody sees this.",
        "Whether and how the table plays with script immunity. The options show this, and so do rulings for a single "
        "character. All other seats can see neither the rating nor that a character has one, unless the referee was "
        "asked for the rating when the character joined. A former referee knows the ratings that they declared.",
    ),
    Secret(
        "The numbers in a check to resist or recover, and their reasons: the traits or the assigned Aptitude, the "
        "Chances, the total, and the Successes or Failures",
        "Everybody who may know the character's rating of script immunity, if script immunity is a separate rating.",
        "That there is a check, how it is rolled, the roll, whether it was a fluke, what happens to a victim who "
        "fails, and the new Status. From the Status and the roll, others can work out the sum of the Aptitude and the "
        "Chances, but not each of them. At a table that uses both traits and assigned Aptitudes, they can see whether "
        "an assigned one was used, but not which.",
    ),
)


# --- views ------------------------------------------------------------------------------------------------------------


def view(subject: Subject, state: State, viewer: Viewer) -> Mapping[str, object]:
    """Return the JSON values of a state for this seat. If script immunity is hidden, players can neither read nor
    compute it.
    """
    match state:
        case Character():
            return characters.view_character(state, viewer)
        case Scene():
            return _view_board(state.board, viewer)
        case Campaign():
            scene_ids, ruling_numbers = list_left(state)
            return {
                "referee": state.referee,
                "ladders": {name: [list(row) for row in rows] for name, rows in state.ladders.items()},
                "drifted": [by_name(line) for line in state.drifted],
                "preview": outlook.make_preview(),
                "left": scene_ids,
                "late": ruling_numbers,
                **_view_board(state.board, viewer),
            }
        case Seat():
            return {}
        case _:
            assert_never(state)


def _view_board(board: Board, viewer: Viewer) -> dict[str, object]:
    return {
        "order": list(board.order),
        "actions": actions.view_actions(board),
        "checks": outlook.view_checks(board, viewer),
        "injuries": injuries.view_injuries(board, viewer),
        "recoveries": recovery_checks.view_recoveries(board, viewer),
    }


# --- facts that follow from others ------------------------------------------------------------------------------------


def list_following(subject: Subject, before: State, after: State, fact: object) -> tuple[Told[Any], ...]:
    """Return the change of Status that an injury or a recovery causes, with its posting. There is none if the Status
    stays the same.
    """
    if not (isinstance(before, Character) and isinstance(after, Character)):
        return ()
    match fact:
        case injuries.InjuryResolved():
            cause = f"injury/{fact.injury}"
        case recovery.RecoveryDeclared():
            cause = f"recovery/{fact.recovery}"
        case recovery_checks.RecoveryChecked():
            cause = f"recovery/{fact.check}"
        case _:
            return ()
    return status.list_status_changes(subject.id, status.read_status(before), status.read_status(after), cause)


# --- values stored twice ----------------------------------------------------------------------------------------------


def list_kept_twice(subject: Subject, places: Places) -> Iterator[Twice]:
    """Yield the values that are stored twice. Status is also in accounts; boards and the campaign repeat values of a
    character.
    """
    state = places.state(subject)
    if isinstance(state, Character) and state.is_created:
        balances = places.balances(subject, "status")
        posted_level = FINE - balances.get("lost", 0) + balances.get("regained", 0)
        yield Twice("status", state.level, posted_level, account="status")
        yield from _list_aptitudes(subject, state, places)
    if isinstance(state, Scene | Campaign):
        yield from _list_resisting(state.board, places)


def _list_aptitudes(subject: Subject, state: Character, places: Places) -> Iterator[Twice]:
    """Yield the latest number of each task, which the campaign also stores."""
    campaign: Campaign = places.state(CAMPAIGN)
    for key, log in state.tasks.items():
        last_number = log.last.final if log.last is not None else None
        yield Twice(f"aptitude for {key}", last_number, campaign.tasks.find(f"{subject.id}/{key}"))


def _list_resisting(board: Board, places: Places) -> Iterator[Twice]:
    """Yield the values of a resisting check that both its board and its character store: injury, roll, result and end.

    In edition 1, a roll that was resolved at once was not stored with the character.
    """
    for check_id, check in board.checks.items():
        if check.ruled.purpose == "action":
            continue
        state: Character | None = places.state(character(check.ruled.character))
        resisting = state.resisting.find(check_id) if state is not None else None
        yield Twice(f"check {check_id}", True, resisting is not None)
        if resisting is None:
            continue
        yield Twice(f"injury of check {check_id}", check.ruled.injury, resisting.injury)
        yield Twice(f"end of check {check_id}", is_settled(check), resisting.settled)
        if resisting.rolled is not None:
            rolled = records.refer_to_roll(check.rolled) if check.rolled is not None else None
            yield Twice(f"roll of check {check_id}", rolled, resisting.rolled)
        if resisting.awaited is not None:
            result = records.refer_to_result(check.resolved) if check.resolved is not None else None
            yield Twice(f"result of check {check_id}", result, resisting.awaited)


def is_settled(check: Check) -> bool:
    """Return whether, according to the board, a resisting check has had its effect on the character."""
    is_named_later = check.ruled.purpose == "recovery" and check.ruled.readings.recovery == "referee"
    return check.recovered if is_named_later else check.resolved is not None


# --- the game ---------------------------------------------------------------------------------------------------------


_MADE: AnyRuleset = ruleset(
    "mnemonic",
    title="Mnemonic",
    source="Mnemonic, Referee's Guide page 2, Alpha-Zulu Games (1997-2004, Kizig)",
    edition=4,
    chapters=(
        referee,
        options,
        ladders,
        characters,
        sessions,
        traits,
        agreeing,
        immunity,
        featherweight,
        actions,
        rulings,
        rolls,
        flukes,
        records,
        checks,
        outlook,
        consequences,
        resisting,
        injuries,
        status,
        recovery,
        recovery_checks,
    ),
    draft=Draft,
    states={"campaign": Campaign, "seat": Seat, "character": Character, "scene": Scene},
    dials=Dials,
    sheet=characters.Sheet,
    accounts=status.ACCOUNTS,
    view=view,
    reading_order=READING_ORDER,
    seen_as=show_table,
    kept_twice=list_kept_twice,
    references=REFERENCES,
    people=characters.PEOPLE,
    maker=characters.MAKER,
    says={Adjust: describe_transfers({"status": "{amount:level|levels} of Status"})},
    named={"check": "id", "injury": "id", "action": "id", "assigned": "id"},
    characters_in=("character", "victim", "who"),
    secrets=SECRETS,
    chairs=referee.CHAIRS,
    derived=frozenset({status.StatusChanged}),
    follows=list_following,
    #: The fields that hidden injuries and recoveries may change. Everybody sees the Status, and it may already be worse
    #: than the injury's result or better than the recovery's.
    bears_on=dict.fromkeys((injuries.InjuryResolved, recovery_checks.RecoveryChecked), ("level", "condition")),
    bad_dial="bad-dial",
    check_dials=options.check_option,
)
RULESET: AnyRuleset = replace(_MADE, labels=LABELS, refers=REFERS, rolls=outlook.list_rolls)
