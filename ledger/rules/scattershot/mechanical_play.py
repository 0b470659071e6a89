"""Mechanical Play: calling for it at a Scope, and Turns and Rounds."""

from __future__ import annotations

from collections.abc import Iterator

from ledger.rules.kernel.kit import (
    ANYONE,
    OPEN,
    Among,
    CharacterId,
    Domain,
    Move,
    Names,
    Refusal,
    Refused,
    SeatId,
    Seen,
    SharedRefusal,
    Some,
    changed,
    changes,
    character,
    decides,
    declares,
    fact,
    listed,
    offers,
    require,
    rule,
    seat,
)
from ledger.rules.scattershot import accounts, conditions, game
from ledger.rules.scattershot.agreement import BY_ITS_CALLER
from ledger.rules.scattershot.draft import ORDER, SCOPE, Draft, read_scope, require_fight, require_fight_at
from ledger.rules.scattershot.scene import Fight, Scene, Standing, in_its_fight, in_its_scope, keep_fight, with_fights
from ledger.rules.scattershot.words import (
    ACTIONS_A_TURN,
    LEVELS_BY_SCOPE,
    NOT_IN_MECHANICAL_PLAY,
    NOT_IN_SOLO_PLAY,
    NOT_IN_THIS_SCENE,
    NOT_PROPRIETOR,
    NOT_YOUR_TURN,
    FlurryEnd,
    Scope,
    by_value,
    name_seats,
    whether,
)

INITIATIVE = rule(
    "scattershot.mech.initiative",
    "The Player who decides that a fight cannot be avoided calls for Mechanical Play. Their Personae go first.",
    "Combat Initiative",
    outcome="seat",
)
SCOPE_TOO_SMALL = Refusal(
    SCOPE,
    "scope-too-small",
    "Individual Scope allows fewer than 2 Characters for each Player. With {players:Player|Players},"
    " {characters:Character is|Characters are} too many. Choose a larger Scope.",
)


ALREADY_IN_MECHANICAL_PLAY = SharedRefusal(
    "already-in-mechanical-play", "{character} is already in Mechanical Play, and must leave it first."
)


def say_called_for(do_or_fact: CallMechanicalPlay | MechanicalPlayCalled, names: Names) -> str:
    """Put into words the Characters that take part, their order and the Scope."""
    melee_phrase = ", as a Melee" if do_or_fact.melee else ""
    scope_phrase = "" if do_or_fact.scope == "individual" else f" at {do_or_fact.scope.title()} Scope"
    play_phrase = f"Mechanical Play{scope_phrase}"
    caller = do_or_fact.caller
    call_clause = (
        f"{names.name(seat(caller))} calls {play_phrase}" if caller is not None else f"{play_phrase} is called"
    )
    fighter_names = listed(names.name(character(char_id)) for char_id in do_or_fact.characters)
    order_clause, too_many_clause = "", ""
    if isinstance(do_or_fact, MechanicalPlayCalled):
        order_clause = f"; the order is {name_seats(do_or_fact.order, names)}"
        too_many_clause = (
            ", although there are too many Characters for Individual Scope" if do_or_fact.too_small else ""
        )
    return f"{call_clause} for {fighter_names}{melee_phrase}{too_many_clause}{order_clause}."


@fact("mechanical-play-called", says=say_called_for, kw_only=True)
class MechanicalPlayCalled:
    """Mechanical Play began. `order`: the seats, starting with the caller, each to the right of the previous one.
    `too_small`: whether the Scope is too small for the number of Characters.
    """

    caller: SeatId
    characters: tuple[CharacterId, ...]
    order: tuple[SeatId, ...]
    scope: Scope
    melee: bool
    too_small: bool


@changes
def begin_mechanical_play(state: Scene, fact: MechanicalPlayCalled) -> Scene:
    standings = {char_id: Standing() for char_id in fact.characters}
    fight = Fight(fact.caller, fact.order, fact.scope, fact.melee, standings)
    return changed(keep_fight(state, fact.scope, fight), mode="mechanical")


@declares("call-mechanical-play", BY_ITS_CALLER, says=say_called_for, records=(MechanicalPlayCalled,))
class CallMechanicalPlay:
    """Call for Mechanical Play, for example because a fight cannot be avoided. The caller's Personae go first.

    `characters`: the Characters that take part. `scope`: the Scope at which Mechanical Play begins; each Scope has its
    own order of Turns. `melee`: whether this Mechanical Play is a Melee, which is a physical fight with hand weapons or
    bare hands. `caller`: the Player who calls; leave it out for yourself.
    """

    characters: tuple[CharacterId, ...]
    scope: Scope = "individual"
    melee: bool = True
    caller: SeatId | None = None


def may_call_at(scene: Scene, scope: str) -> Refused | None:
    """Refuse a Scope at which Mechanical Play is under way, and any Scope in Solo Play."""
    if scope in scene.fights:
        return NOT_IN_MECHANICAL_PLAY.under(INITIATIVE, scope=scope)
    return NOT_IN_SOLO_PLAY.under(game.SOLO_PLAY) if scene.mode == "solo" else None


@decides
def call(draft: Draft, do: CallMechanicalPlay) -> None:
    """Begin Mechanical Play at one Scope. Other Scopes can have their own."""
    caller = draft.require_player(do.caller)
    scene = draft.read_scene()
    scope = read_scope(do.scope)
    require(may_call_at(scene, scope))
    for char_id in do.characters:
        draft.read_character(char_id)
        require(may_enter(draft, char_id, SCOPE))
    if not do.characters or len(set(do.characters)) != len(do.characters):
        raise NOT_IN_THIS_SCENE.under(SCOPE, characters=list(do.characters))
    is_scope_too_small = check_scope(draft, scope, len(do.characters))
    order = order_to_the_right(draft.list_group(), caller)
    draft.here(
        MechanicalPlayCalled(
            caller=caller,
            characters=do.characters,
            order=order,
            scope=scope,
            melee=do.melee,
            too_small=is_scope_too_small,
        )
    )
    draft.by(INITIATIVE, caller)
    draft.by(ORDER, list(order))
    draft.by(game.MECHANICAL_PLAY, "mechanical", before=scene.mode)


def may_enter(draft: Draft, char_id: str, rule: str) -> Refused | None:
    """Refuse a Character that is retired, or already in Mechanical Play."""
    if not draft.is_open_character(char_id):
        return NOT_IN_THIS_SCENE.under(rule, character=char_id)
    return ALREADY_IN_MECHANICAL_PLAY.under(rule, character=char_id) if draft.find_fight(char_id) is not None else None


def is_too_small(draft: Draft, scope: str, character_count: int) -> bool:
    """Return whether the Scope is Individual and too small for this many Characters."""
    return scope == "individual" and character_count >= 2 * len(draft.list_group())


def may_fit(draft: Draft, scope: str, character_count: int) -> Refused | None:
    """Refuse more Characters than fit the Scope, unless the limit is only advice."""
    if draft.dials.scope_shift == "required" and is_too_small(draft, scope, character_count):
        return SCOPE_TOO_SMALL(characters=character_count, players=len(draft.list_group()))
    return None


def check_scope(draft: Draft, scope: str, character_count: int) -> bool:
    """Return whether there are too many Characters for the Scope. Refuses `scope-too-small` unless the limit is only
    advice.
    """
    require(may_fit(draft, scope, character_count))
    draft.by(SCOPE, scope, characters=character_count, players=len(draft.list_group()))
    return is_too_small(draft, scope, character_count)


def order_to_the_right(clockwise: tuple[str, ...], caller: str) -> tuple[str, ...]:
    """Return the seats counter-clockwise, starting with the caller: each sits to the right of the previous seat."""
    caller_index = clockwise.index(caller) if caller in clockwise else 0
    return tuple(clockwise[(caller_index - step) % len(clockwise)] for step in range(len(clockwise)))


@fact(
    "scope-shifted",
    says=whether(
        "too_small",
        "Mechanical Play shifts from {from} to {to} Scope, although there are too many Characters for {to} Scope.",
        "Mechanical Play shifts from {from} to {to} Scope.",
    ),
    headline=20,
)
class ScopeShifted:
    """Mechanical Play shifted to another Scope. `too_small`: whether that Scope is too small for the number of
    Characters.
    """

    from_: Scope
    to: Scope
    too_small: bool


@changes
def move_to_scope(state: Scene, fact: ScopeShifted) -> Scene | None:
    """Move the Mechanical Play to the new Scope. It keeps its place among the others."""
    if fact.from_ not in state.fights or fact.to in state.fights:
        return None
    fights = {
        (fact.to if scope == fact.from_ else scope): (changed(fight, scope=fact.to) if scope == fact.from_ else fight)
        for scope, fight in state.fights.items()
    }
    return with_fights(state, fights)


@declares("shift-scope", ANYONE, says="Mechanical Play shifts to {to} Scope.", records=(ScopeShifted,))
class ShiftScope:
    """Shift Mechanical Play to another Scope without ending it, for example because there are too many Characters. The
    Player who called for it, or a Gamemaster, can do this. The Round, the Turns and all Combat Advantage stay as they
    are.

    `to`: the new Scope. `scope`: the current Scope, needed only if Mechanical Play is under way at several Scopes.
    """

    to: Scope
    scope: Scope | None = None


def may_shift(draft: Draft, fight: Fight, new_scope: str) -> Refused | None:
    """Refuse seats other than the caller's and the Gamemasters', and a Scope at which Mechanical Play is under way."""
    if not draft.is_by_gm and draft.me != fight.caller:
        return NOT_PROPRIETOR.under(SCOPE, author=fight.caller)
    return NOT_IN_MECHANICAL_PLAY.under(SCOPE, scope=new_scope) if new_scope in draft.read_fights() else None


@decides
def shift_scope(draft: Draft, do: ShiftScope) -> None:
    """Shift Mechanical Play to another Scope. Refuses `not-proprietor`, `not-in-mechanical-play`, `scope-too-small`."""
    fight, new_scope = require_fight_at(draft, do.scope, SCOPE), read_scope(do.to)
    require(may_shift(draft, fight, new_scope))
    is_scope_too_small = check_scope(draft, new_scope, len(fight.standing))
    draft.here(ScopeShifted(fight.scope, new_scope, is_scope_too_small))


@offers
def offer_to_call(seen: Seen, draft: Draft) -> Iterator[Move]:
    """Yield moves that call for Mechanical Play. If the number of Characters at Individual Scope is limited, that Scope
    has a move of its own.
    """
    scene = draft.open_scene
    free_ids = tuple(char_id for char_id in draft.roster if may_enter(draft, char_id, SCOPE) is None)
    if scene is None or not free_ids:
        return
    scopes = [scope for scope in LEVELS_BY_SCOPE if may_call_at(scene, scope) is None]
    is_limited = draft.dials.scope_shift == "required"
    wide_scopes = tuple(scope for scope in scopes if scope != "individual" or not is_limited)
    fitting_counts = [n for n in range(1, len(free_ids) + 1) if may_fit(draft, "individual", n) is None]
    for caller, player_values in draft.list_players_spoken_for(seen, draft.list_group()):
        fields: dict[str, Domain] = {"caller": player_values, "melee": OPEN}
        if is_limited and "individual" in scopes and fitting_counts:
            individual_fields: dict[str, Domain] = {
                "scope": Among(("individual",)),
                "characters": Some(Among(free_ids), 1, fitting_counts[-1]),
            }
            yield Move(CallMechanicalPlay, {**fields, **individual_fields}, of=caller)
        if wide_scopes:
            wide_fields: dict[str, Domain] = {"scope": Among(wide_scopes), "characters": Some(Among(free_ids), 1)}
            yield Move(CallMechanicalPlay, {**fields, **wide_fields}, of=caller)


@offers
def offer_to_shift(seen: Seen, draft: Draft) -> Iterator[Move]:
    for fight in draft.read_fights().values():
        free_scopes = (scope for scope in LEVELS_BY_SCOPE if may_shift(draft, fight, scope) is None)
        scopes = tuple(scope for scope in free_scopes if may_fit(draft, scope, len(fight.standing)) is None)
        if scopes:
            yield Move(ShiftScope, {"to": Among(scopes), "scope": draft.make_scope_domain(fight)})


# --- Turns and Rounds -------------------------------------------------------------------------------------------------


ACTIONS = rule(
    "scattershot.mech.actions",
    "A Character has 2 Actions in a Turn, minus any that it has forfeited. Unused Actions are lost.",
    "Immediate Actions",
)
FLURRY = rule(
    "scattershot.mech.flurry",
    "A Flurry is a series of steps from a script. The whole series counts as one Action. It ends with a hit, with"
    " an interruption, or when the number of steps reaches the Epic Index.",
    "Following Actions",
)
LAST_STEP_OUTSTANDING = Refusal(
    FLURRY, "last-step-outstanding", "{character} has announced the last step of the Flurry. Carry it out first."
)
ANOTHER_TURN_IS_OPEN = Refusal(ORDER, "another-turn-is-open", "{turn}'s Turn is not over yet. End it first.")
TURN_ALREADY_TAKEN = Refusal(
    ORDER, "turn-already-taken", "{character} has already had a Turn in this Round. It has one in each Round."
)
TURNS_OUTSTANDING = Refusal(ORDER, "turns-outstanding", "{whose} still has a Turn to take. End the Round after that.")


@fact(
    "flurry-ended",
    says=by_value(
        "by",
        {
            "hit": "The Flurry ends with a hit.",
            "interruption": "The Flurry is interrupted.",
            "limit": "The Flurry ends with its last step.",
        },
    ),
)
class FlurryEnded:
    """A Flurry ended. `by`: the cause of its end."""

    by: FlurryEnd
    scope: Scope


@changes
@in_its_scope
def end_flurry(fight: Fight, fact: FlurryEnded) -> Fight | None:
    return changed(fight, flurry=changed(fight.flurry, ended=fact.by)) if fight.flurry is not None else None


@fact(
    "turn-started",
    says=whether(
        "actions",
        "{persona}'s Turn begins, with {actions:Action|Actions}.",
        "{persona}'s Turn begins, with no Actions left.",
    ),
    headline=21,
)
class TurnStarted:
    """A Persona's Turn began. `actions`: how many Actions it has."""

    persona: CharacterId
    player: SeatId
    actions: int


@changes
def start_turn_of(state: Scene, fact: TurnStarted) -> Scene | None:
    after = _take_turn(state, fact)
    return changed(after, speaker=fact.player) if after is not None else None


@in_its_fight
def _take_turn(fight: Fight, fact: TurnStarted) -> Fight:
    standing = changed(fight.standing[fact.persona], forfeited=0, taken=True, all_out=None)
    return changed(fight, turn=fact.persona, standing={**fight.standing, fact.persona: standing})


@fact("turn-ended", says="{persona}'s Turn is over.")
class TurnEnded:
    """A Persona's Turn ended."""

    persona: CharacterId


@changes
@in_its_fight
def end_turn_of(fight: Fight, fact: TurnEnded) -> Fight | None:
    return changed(fight, turn=None) if fight.turn == fact.persona else None


@fact("round-ended", says="Round {n} is over.")
class RoundEnded:
    """A Round ended. `n`: its number."""

    n: int
    scope: Scope


@changes
@in_its_scope
def end_round_of(fight: Fight, fact: RoundEnded) -> Fight:
    standings = {
        char_id: changed(standing, taken=False, free=(), refreshed=False)
        for char_id, standing in fight.standing.items()
    }
    away = {
        char_id: changed(standing, taken=False, free=(), refreshed=False) for char_id, standing in fight.away.items()
    }
    return changed(fight, standing=standings, away=away, round=fight.round + 1, turn=None)


def find_next_player(draft: Draft, fight: Fight) -> str | None:
    """Return the Player whose Turn it is: the first in the order with a Persona that has not had a
    Turn in this Round.
    """
    waiting_ids = [
        char_id
        for char_id, standing in fight.standing.items()
        if not standing.taken and draft.is_open_character(char_id)
    ]
    players = [draft.find_owner(char_id) for char_id in waiting_ids]
    return next((player for player in (*fight.order, *players) if player in players), None)


@declares("start-turn", ANYONE, says="{character}'s Turn begins.", records=(TurnStarted, conditions.OffGuardSet))
class StartTurn:
    """Start a Character's Turn, which has 2 Actions, minus those forfeited."""

    character: CharacterId


def may_start_turn(draft: Draft, fight: Fight, char_id: str) -> Refused | None:
    """Refuse to start a Turn unless it is this Player's Turn and this Persona has not had one in this Round."""
    if fight.turn is not None:
        return ANOTHER_TURN_IS_OPEN(turn=fight.turn)
    if fight.standing[char_id].taken:
        return TURN_ALREADY_TAKEN(character=char_id)
    owner, next_player = draft.find_owner(char_id), find_next_player(draft, fight)
    return NOT_YOUR_TURN.under(ORDER, player=owner, whose=next_player) if next_player != owner else None


@decides
def start_turn(draft: Draft, do: StartTurn) -> None:
    """Start a Turn with 2 Actions, minus those forfeited (`mech.actions`)."""
    owner = draft.check_plays(do.character, ORDER)
    fight = require_fight(draft, do.character)
    standing = fight.standing[do.character]
    require(may_start_turn(draft, fight, do.character))
    action_count = max(0, ACTIONS_A_TURN - standing.forfeited)
    account = accounts.name_actions(draft.place().id, do.character)
    draft.here(TurnStarted(do.character, owner, action_count), accounts.make_gain(account, action_count))
    if standing.all_out == "focusing":
        draft.about(do.character, conditions.OffGuardSet((), None))
    draft.by(ORDER, owner, persona=do.character)
    draft.by(ACTIONS, action_count, forfeited=standing.forfeited)


@declares("end-turn", ANYONE, says="{character}'s Turn ends.", records=(TurnEnded,))
class EndTurn:
    """End a Character's Turn. Unused Actions are lost."""

    character: CharacterId


@decides
def end_turn(draft: Draft, do: EndTurn) -> None:
    draft.check_plays(do.character, ORDER)
    fight = require_fight(draft, do.character)
    require(may_end_turn(draft, fight, do.character))
    account = accounts.name_actions(draft.place().id, do.character)
    actions_left = draft.balance(account)
    draft.here(TurnEnded(do.character), accounts.make_loss(account, actions_left))
    draft.by(ACTIONS, 0, lost=actions_left)


def may_end_turn(draft: Draft, fight: Fight, char_id: str) -> Refused | None:
    """Refuse to end a Turn while the last step of a Flurry is announced but not played out, unless its Persona has
    retired.
    """
    if fight.turn != char_id:
        return NOT_YOUR_TURN.under(ORDER, character=char_id)
    flurry = fight.flurry
    if flurry is not None and flurry.is_last_due and draft.is_open_character(flurry.persona):
        return LAST_STEP_OUTSTANDING(character=flurry.persona)
    return None


@declares("end-round", ANYONE, says="The Round ends.", records=(RoundEnded,))
class EndRound:
    """End the Round when every Character has had a Turn.

    `scope`: the Scope of the Round, needed only if Mechanical Play is under way at several Scopes.
    """

    scope: Scope | None = None


def may_end_round(draft: Draft, fight: Fight) -> Refused | None:
    """Refuse to end the Round until every Character has had a Turn."""
    if fight.turn is not None:
        return ANOTHER_TURN_IS_OPEN(turn=fight.turn)
    next_player = find_next_player(draft, fight)
    return TURNS_OUTSTANDING(whose=next_player) if next_player is not None else None


@decides
def end_round(draft: Draft, do: EndRound) -> None:
    fight = require_fight_at(draft, do.scope, ORDER)
    require(may_end_round(draft, fight))
    draft.here(RoundEnded(fight.round, fight.scope))
    draft.by(ORDER, fight.round)


@offers
def offer_turns(seen: Seen, draft: Draft) -> Iterator[Move]:
    """Yield moves that start and end Turns, and that end the Round. The table does not wait for a Turn to end while the
    Character's Action is open.
    """
    resolutions = draft.read_resolutions().values()
    for fight in draft.read_fights().values():
        if fight.turn is not None and may_end_turn(draft, fight, fight.turn) is None:
            awaits = (
                None
                if any(resolution.actor == fight.turn and resolution.phase != "closed" for resolution in resolutions)
                else ORDER
            )
            yield Move(
                EndTurn, {"character": Among((fight.turn,))}, awaits, fight.turn, draft.list_speakers(fight.turn)
            )
        if may_end_round(draft, fight) is None:
            yield Move(EndRound, {"scope": draft.make_scope_domain(fight)}, ORDER)
        for char_id in fight.standing:
            if may_start_turn(draft, fight, char_id) is None:
                yield Move(StartTurn, {"character": Among((char_id,))}, ORDER, char_id, draft.list_speakers(char_id))
