"""Actions in Mechanical Play: of one's Turn, free, forfeited, All-Out. 3.12."""

from __future__ import annotations

from ledger.rules.kernel.questions import Asking
from ledger.rules.scattershot import accounts
from ledger.rules.scattershot.acts import check_act, is_all_out, ruled
from ledger.rules.scattershot.agreement import claimed, who_declines
from ledger.rules.scattershot.draft import Draft
from ledger.rules.scattershot.facts_of_characters import OffGuardSet
from ledger.rules.scattershot.facts_of_fights import (
    ActionExpended,
    ActionForfeited,
    AllOutDeclared,
    FreeActionAccepted,
    FreeActionDeclined,
    FreeActionTaken,
    FreeCapacityRestored,
)
from ledger.rules.scattershot.foes import turn_to
from ledger.rules.scattershot.guards import no
from ledger.rules.scattershot.inputs_of_fights import (
    AcceptFreeAction,
    ExpendAction,
    ForfeitAction,
    GoAllOut,
    RestoreFreeActions,
    TakeFreeAction,
)
from ledger.rules.scattershot.melee import fight_of, is_anothers_turn, standing_of
from ledger.rules.scattershot.state import Resolution, Standing
from ledger.rules.scattershot.tables import ACTIONS_A_TURN, FREE_ACTIONS, LAST_DITCH_DODGE, MOST_FORFEITS

ALL_OUT = {"attack": "All-Out Attack", "defense": "All-Out Defense", "focusing": "Focusing"}


def expend(draft: Draft, id: str, cost: object, what: str, nature: str = "other") -> None:
    """Actions of one's own Turn. Refuses `not-your-turn`, `all-out`, `bad-number`, `no-actions-left`."""
    fight = fight_of(draft, id)
    standing = fight.standing[id]
    if fight.turn != id:
        raise no("mech.instantaneous", "not-your-turn", character=id)
    check_all_out(standing, id, nature)
    if type(cost) is not int or not 1 <= cost <= ACTIONS_A_TURN:
        raise no("mech.actions", "bad-number", cost=str(cost))
    account = accounts.actions(draft.place().id, id)
    if draft.balance(account) < cost:
        raise no("mech.actions", "no-actions-left", left=draft.balance(account))
    draft.here(ActionExpended(id, cost, what), accounts.lost(account, cost))
    draft.by("mech.actions", draft.balance(account), cost=cost)


def check_instantaneous(draft: Draft, id: str, name: str, pays: str) -> None:
    """`mech.instantaneous`: a Rating listed so is for one's own Turn, or for a Flurry, whatever else would pay."""
    listed = draft.who(id).ratings.get(name)
    if listed is not None and listed.use == "instantaneous" and pays != "flurry" and fight_of(draft, id).turn != id:
        raise no("mech.instantaneous", "not-your-turn", character=id, rating=name)
    draft.by("mech.instantaneous", True, rating=name)


def check_all_out(standing: Standing, id: str, nature: str, pays: str = "action") -> None:
    """`mech.all-out`: no defense after All-Out Attack; nothing else but movement after All-Out Defense. What is free
    is no Action."""
    if standing.all_out == "defense" and pays != "free" and nature not in ("defense", "movement"):
        raise no("mech.all-out", "all-out", character=id)
    if standing.all_out == "attack" and nature == "defense":
        raise no("mech.all-out", "all-out", character=id)


def expend_action(draft: Draft, do: ExpendAction) -> None:
    """A running move, among others: as far as the table's Characters run."""
    draft.must_play(do.character, "mech.actions")
    moves = do.what == "move"
    expend(draft, do.character, do.cost, do.what, "movement" if moves else "other")
    if moves:
        draft.by("mech.actions", draft.dials.move_yards, yards=draft.dials.move_yards)


def take_free(draft: Draft, id: str, kind: str, nature: str = "other") -> None:
    """`mech.free`: at any time in Mechanical Play; one the source lists, or the Group accepted.

    Refuses `not-a-free-action`, `free-action-limit`, `free-action-kind-limit`.
    """
    standing = standing_of(draft, id, "mech.free")
    accepted = draft.campaign().free_actions
    if kind not in accepted and (kind not in FREE_ACTIONS or nature == "attack"):
        raise no("mech.free", "not-a-free-action", kind=kind, accepted=[*FREE_ACTIONS, *accepted])
    if len(standing.free) >= draft.dials.epic_index:
        raise no("mech.free", "free-action-limit", taken=len(standing.free))
    if kind == LAST_DITCH_DODGE:
        check_all_out(standing, id, "defense")
    if kind in standing.free and not draft.dials.cinematic:
        raise no("mech.free", "free-action-kind-limit", kind=kind)
    draft.here(FreeActionTaken(id, kind))
    draft.by("mech.free", kind, character=id)


def accept_free_action(draft: Draft, do: AcceptFreeAction) -> Asking[None]:
    """`mech.free`: "any other act accepted" by the Group is one from then on. Refuses `not-a-free-action`."""
    rule, action = "mech.free", do.action.strip()
    if not action:
        raise no(rule, "not-a-free-action", kind=action)
    against = None
    if not claimed(draft, rule, do):
        purpose = f"This becomes a Free Action for every Character: {action}"
        against = yield from who_declines(draft, draft.group(), rule, "free-action", purpose)
    if against is None:
        draft.campaign_wide(FreeActionAccepted(action, do.reason.strip() if do.claimed else ""))
    else:
        draft.campaign_wide(FreeActionDeclined(action, against))
    draft.by(rule, against is None, action=action)


def take_free_action(draft: Draft, do: TakeFreeAction) -> None:
    draft.must_play(do.character, "mech.free")
    take_free(draft, do.character, do.action)


def restore_free(draft: Draft, do: RestoreFreeActions) -> None:
    """`mech.free-refresh`: 1 Action of one's Turn, once a Round."""
    draft.must_play(do.character, "mech.free-refresh")
    standing = standing_of(draft, do.character, "mech.free-refresh")
    if fight_of(draft, do.character).turn != do.character:
        raise no("mech.free-refresh", "not-your-turn", character=do.character)
    if standing.refreshed:
        raise no("mech.free-refresh", "refresh-already-used", character=do.character)
    expend(draft, do.character, 1, "restoring Free Actions", "movement")
    draft.here(FreeCapacityRestored(do.character))
    draft.by("mech.free-refresh", 0, character=do.character)


def forfeit(draft: Draft, id: str, resolution: str) -> None:
    """`mech.forfeit`: on another's Turn, at most 2 before one's own."""
    standing = standing_of(draft, id, "mech.forfeit")
    if not is_anothers_turn(draft, id):
        raise no("mech.forfeit", "not-engaged-on-anothers-turn", character=id)
    if standing.forfeited >= MOST_FORFEITS:
        raise no("mech.forfeit", "forfeits-exhausted", character=id)
    draft.here(ActionForfeited(id, resolution))
    draft.by("mech.forfeit", standing.forfeited + 1, character=id)


def check_engaged(id: str, *resolutions: Resolution) -> None:
    """Refuses `not-engaged-on-anothers-turn` unless one of these that is open calls for the Persona's response."""
    stances = [one.engaged.get(id) for one in resolutions if one.phase != "closed"]
    if not {"asked", "obliged", "opposing"}.intersection(stances):
        raise no("mech.forfeit", "not-engaged-on-anothers-turn", character=id)


def forfeit_action(draft: Draft, do: ForfeitAction) -> None:
    """Beside an answer: for another Reactive Action against the same resolution."""
    draft.must_play(do.character, "mech.forfeit")
    standing_of(draft, do.character, "mech.forfeit")
    check_engaged(do.character, draft.resolution(do.resolution))
    forfeit(draft, do.character, do.resolution)


def go_all_out(draft: Draft, do: GoAllOut) -> Asking[None]:
    """`mech.all-out`: until one's next Turn. Focusing leaves one Off-Guard to all but the foe."""
    draft.must_play(do.character, "mech.all-out")
    standing = standing_of(draft, do.character, "mech.all-out")
    check_all_out(standing, do.character, do.mode)
    if do.mode == "focusing" and do.foe is None:
        raise no("mech.all-out", "not-in-this-scene")
    if do.foe is not None:
        standing_of(draft, do.foe, "mech.all-out")
    check_act(draft, "mech.all-out", do.act, lambda one: is_all_out(one, do.character, do.mode, do.foe))
    draft.here(AllOutDeclared(do.character, do.mode, do.foe))
    if do.mode == "focusing" and do.foe is not None:
        draft.about(do.character, OffGuardSet((), do.foe))
        turn_to(draft, do.character, do.foe)
    elif standing.all_out == "focusing":
        draft.about(do.character, OffGuardSet((), None))
    draft.by("mech.all-out", do.mode, character=do.character)
    yield from ruled(draft, "mech.all-out", do.character, do.act, ALL_OUT[do.mode])
