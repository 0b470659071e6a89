"""Joining and leaving Mechanical Play while it is under way, and its end."""

from __future__ import annotations

from collections.abc import Iterator

from ledger.rules.kernel.kit import (
    ANYONE,
    Among,
    Asking,
    CharacterId,
    Domain,
    Move,
    Names,
    Reason,
    Refused,
    SeatId,
    Seen,
    changed,
    changes,
    decides,
    declares,
    fact,
    offers,
    require,
    rule,
)
from ledger.rules.scattershot import conditions, game, mechanical_play, resources
from ledger.rules.scattershot.draft import (
    ENGAGE,
    NO,
    SOME_TEXT,
    YES,
    Draft,
    require_fight,
    require_fight_at,
)
from ledger.rules.scattershot.scene import Fight, Standing, in_its_scope
from ledger.rules.scattershot.words import (
    NOT_IN_MECHANICAL_PLAY,
    RESISTOR_HAS_NOT_ANSWERED,
    Mode,
    ModeAfterwards,
    Scope,
    say_reason,
    whether,
)

JOIN = rule(
    "scattershot.mech.join",
    "A Persona that joins later gets the place in the order that it would have had from the beginning. A"
    " Persona that leaves and comes back in the same Round gets no second Turn.",
    "Rounds/Turns",
    outcome="character",
)


@fact(
    "mechanical-play-joined",
    says=whether(
        "waits",
        "{character} joins Mechanical Play in the next Round; the order is {order}.",
        "{character} joins Mechanical Play; the order is {order}.",
    ),
)
class MechanicalPlayJoined:
    """A Character joined Mechanical Play. `order`: the order of the seats from now on. `waits`: whether the Character
    must wait for the next Round, because its place in this one has passed.
    """

    character: CharacterId
    scope: Scope
    order: tuple[SeatId, ...]
    waits: bool


@changes
@in_its_scope
def join_fight(fight: Fight, fact: MechanicalPlayJoined) -> Fight:
    kept_standing = fight.away.get(fact.character, Standing())
    standings = {**fight.standing, fact.character: changed(kept_standing, taken=fact.waits)}
    away = {char_id: standing for char_id, standing in fight.away.items() if char_id != fact.character}
    return changed(fight, order=fact.order, standing=standings, away=away)


@fact("mechanical-play-left", says="{character} leaves Mechanical Play.")
class MechanicalPlayLeft:
    """A Character left Mechanical Play."""

    character: CharacterId
    scope: Scope


@changes
@in_its_scope
def leave_fight(fight: Fight, fact: MechanicalPlayLeft) -> Fight:
    standings = {char_id: standing for char_id, standing in fight.standing.items() if char_id != fact.character}
    away = {**fight.away, fact.character: fight.standing[fact.character]}
    turn = None if fight.turn == fact.character else fight.turn
    return changed(fight, standing=standings, away=away, turn=turn)


def say_ends(do: EndMechanicalPlay, names: Names) -> str:
    return f"A shift from Mechanical Play to {do.mode.title()} Play is called for{say_reason(do.reason)}."


@declares(
    "end-mechanical-play",
    ANYONE,
    says=say_ends,
    records=(
        game.MechanicalPlayEnded,
        conditions.OffGuardSet,
        game.PlayModeShifted,
        resources.PenaltyTookEffect,
        game.MechanicalPlayGoesOn,
    ),
)
class EndMechanicalPlay:
    """End Mechanical Play. This is a lull, so penalties that were waiting for one take effect. Unless the Player who
    called for Mechanical Play declares this, the other Players present are asked.

    `mode`: the mode of Play that follows. `scope`: the Scope at which Mechanical Play ends, needed only if it is under
    way at several Scopes. `claimed`: whether a Gamemaster records that the other Players agreed. This needs a `reason`.
    """

    mode: ModeAfterwards = "specific"
    scope: Scope | None = None
    claimed: bool = False
    reason: Reason = ""


@decides
def end_mechanical_play(draft: Draft, do: EndMechanicalPlay) -> Asking[None]:
    """End Mechanical Play at one Scope, if the Player who called for it declares this or the Group agrees. Its end is a
    lull.
    """
    if do.mode not in ("general", "specific"):
        raise NOT_IN_MECHANICAL_PLAY.under(game.END, mode=do.mode)
    fight = require_fight_at(draft, do.scope, game.END)
    if (yield from game.ask_to_end(draft, (fight,), do)):
        end_and_shift(draft, fight, "general" if do.mode == "general" else "specific")


def end_and_shift(draft: Draft, fight: Fight, mode: Mode) -> None:
    """End Mechanical Play at this Scope. If there is none at another Scope, change the mode of Play."""
    game.end_fight(draft, fight)
    if not draft.read_fights():
        draft.here(game.PlayModeShifted("mechanical", mode, "a lull"))


@declares(
    "join-mechanical-play",
    ANYONE,
    says="{character} joins Mechanical Play.",
    records=(MechanicalPlayJoined, conditions.OffGuardSet),
)
class JoinMechanicalPlay:
    """Let a Character join Mechanical Play while it is under way. The Character's Player gets the place in the order
    that they would have had from the beginning.

    `scope`: the Scope to join, needed only if Mechanical Play is under way at several Scopes.
    """

    character: CharacterId
    scope: Scope | None = None


@decides
def join(draft: Draft, do: JoinMechanicalPlay) -> None:
    """Let a Character join. Its Player gets the place in the order that they would have had from the beginning.

    If that place has passed, the Character waits for the next Round. For a Persona that comes back, its Turn in this
    Round, its Free Actions, its forfeited Actions and its All-Out mode still count.
    """
    owner = draft.check_plays(do.character, JOIN)
    if draft.find_fight(do.character) is not None:
        raise mechanical_play.ALREADY_IN_MECHANICAL_PLAY.under(JOIN, character=do.character)
    fight = require_fight_at(draft, do.scope, JOIN)
    require(mechanical_play.may_enter(draft, do.character, JOIN))
    mechanical_play.check_scope(draft, fight.scope, len(fight.standing) + 1)
    order = fight.order
    if owner not in order:
        order = mechanical_play.order_to_the_right(
            tuple(id for id in draft.list_players() if id in (*order, owner)), fight.caller
        )
    later_players = order[order.index(owner) + 1 :]
    kept_standing = fight.away.get(do.character, Standing())
    has_to_wait = kept_standing.taken or any(
        standing.taken and draft.find_owner(id) in later_players for id, standing in fight.standing.items()
    )
    draft.here(MechanicalPlayJoined(do.character, fight.scope, order, has_to_wait))
    if kept_standing.all_out == "focusing" and kept_standing.foe is not None:
        draft.about(do.character, conditions.OffGuardSet((), kept_standing.foe))
    draft.by(JOIN, list(order), character=do.character, waits=has_to_wait)


@declares(
    "leave-mechanical-play",
    ANYONE,
    says="{character} leaves Mechanical Play.",
    records=(
        MechanicalPlayLeft,
        mechanical_play.FlurryEnded,
        conditions.OffGuardSet,
        resources.PenaltyTookEffect,
        game.MechanicalPlayEnded,
        game.PlayModeShifted,
    ),
)
class LeaveMechanicalPlay:
    """Let a Character leave Mechanical Play. It loses its remaining Actions, and all Combat Advantage that it holds or
    suffers ends. For this Character, this is a lull. When the last Character leaves, Mechanical Play ends.
    """

    character: CharacterId


def may_leave(draft: Draft, char_id: str) -> Refused | None:
    """Refuse a Persona that still has to respond."""
    if any(resolution.engaged.get(char_id) in ("asked", "obliged") for resolution in draft.read_resolutions().values()):
        return RESISTOR_HAS_NOT_ANSWERED.under(ENGAGE, character=char_id)
    return None


@decides
def leave(draft: Draft, do: LeaveMechanicalPlay) -> None:
    """Remove a Character with its Actions and Combat Advantage. For that Character, this is a lull.

    When the last Character leaves, Mechanical Play ends.
    """
    char_id = do.character
    draft.check_plays(char_id, JOIN)
    fight = require_fight(draft, char_id, JOIN)
    require(may_leave(draft, char_id))
    flurry = fight.flurry
    if flurry is not None and flurry.ended is None and char_id in (flurry.persona, flurry.foe):
        draft.here(mechanical_play.FlurryEnded("interruption", fight.scope))
    other_ids = [other for other in fight.standing if other != char_id]
    if not other_ids:
        end_and_shift(draft, fight, "specific")
        return
    losses = game.list_losses(draft, (char_id,), other_ids)
    if fight.standing[char_id].all_out == "focusing":
        draft.about(char_id, conditions.OffGuardSet((), None))
    draft.here(MechanicalPlayLeft(char_id, fight.scope), *losses)
    game.apply_pending_penalty(draft, char_id)
    draft.by(JOIN, other_ids, character=char_id)


@offers
def offer_to_end(seen: Seen, draft: Draft) -> Iterator[Move]:
    """Yield moves that end Mechanical Play. A Gamemaster's moves can also claim that the others agreed."""
    for fight in draft.read_fights().values():
        fields: dict[str, Domain] = {"mode": Among(("general", "specific")), "scope": draft.make_scope_domain(fight)}
        yield Move(EndMechanicalPlay, {**fields, "claimed": NO})
        if draft.is_by_gm:
            yield Move(EndMechanicalPlay, {**fields, "claimed": YES, "reason": SOME_TEXT})


@offers
def offer_to_join(seen: Seen, draft: Draft) -> Iterator[Move]:
    for fight in draft.read_fights().values():
        free_ids = draft.filter_mine(
            char_id for char_id in draft.roster if mechanical_play.may_enter(draft, char_id, JOIN) is None
        )
        if free_ids and mechanical_play.may_fit(draft, fight.scope, len(fight.standing) + 1) is None:
            yield Move(JoinMechanicalPlay, {"character": Among(free_ids), "scope": draft.make_scope_domain(fight)})
        if leaving_ids := draft.filter_mine(char_id for char_id in fight.standing if may_leave(draft, char_id) is None):
            yield Move(LeaveMechanicalPlay, {"character": Among(leaving_ids)})
