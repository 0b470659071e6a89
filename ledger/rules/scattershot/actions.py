"""Actions in Mechanical Play: Actions of the Turn, Free Actions and forfeited Actions."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from ledger.rules.kernel.kit import (
    ANYONE,
    Among,
    Asking,
    Between,
    CharacterId,
    Domain,
    Move,
    Names,
    Question,
    Reason,
    Refusal,
    Refused,
    SeatId,
    Seen,
    Title,
    changed,
    changes,
    character,
    decides,
    declares,
    fact,
    offers,
    require,
    rule,
)
from ledger.rules.scattershot import accounts, conditions, mechanical_play, power
from ledger.rules.scattershot.agreement import ask_for_decliner, check_claim
from ledger.rules.scattershot.draft import (
    NO,
    SOME_TEXT,
    YES,
    Draft,
    group_alike,
    is_anothers_turn,
    require_fight,
    require_standing,
)
from ledger.rules.scattershot.scene import Fight, Resolution, Scene, Standing, in_its_standing
from ledger.rules.scattershot.state import Campaign
from ledger.rules.scattershot.words import (
    ACTIONS_A_TURN,
    BAD_NUMBER,
    FREE_ACTIONS,
    LAST_DITCH_DODGE,
    MOST_FORFEITS,
    NOT_YOUR_TURN,
    PHRASES_BY_FREE_ACTION,
    Cost,
    FreeAction,
    Occasion,
    ResolutionId,
    name_rating,
    say_reason,
)

INSTANTANEOUS = rule(
    "scattershot.mech.instantaneous",
    "An Instantaneous Rating can be used only on the Character's own Turn or in a Flurry, no matter how the"
    " Action is paid for.",
    "Instantaneous",
)
FREE_ACTION = rule(
    "scattershot.mech.free",
    "A Free Action does not use up an Action. The Epic Index is the largest number of Free Actions that a"
    " Character can take in a Round, with only one of each kind.",
    "Free Actions",
)
NOT_A_FREE_ACTION = Refusal(
    FREE_ACTION,
    "not-a-free-action",
    "[{kind}: ]that is not a Free Action[. An attack cannot be one. Choose from these: {accepted}].",
)
FREE_ACTION_LIMIT = Refusal(
    FREE_ACTION,
    "free-action-limit",
    "This Character has already taken {taken:Free Action|Free Actions} in this Round, which is the limit.",
)
FREE_ACTION_KIND_LIMIT = Refusal(
    FREE_ACTION,
    "free-action-kind-limit",
    "This Character has already taken that Free Action in this Round: {kind}. Each kind is allowed once.",
)
FREE_REFRESH = rule(
    "scattershot.mech.free-refresh",
    "Once a Round, on its own Turn, a Character can spend an Action to restore all its Free Actions.",
    "Free Actions",
)
REFRESH_ALREADY_USED = Refusal(
    FREE_REFRESH,
    "refresh-already-used",
    "{character} has already restored its Free Actions in this Round. It can do this once a Round.",
)
FORFEIT = rule(
    "scattershot.mech.forfeit",
    "To react on another Character's Turn, an Engaged Persona can forfeit an Action in its next Turn. It can"
    " forfeit at most 2.",
    "Forfeiting",
)
NOT_ENGAGED_ON_ANOTHERS_TURN = Refusal(
    FORFEIT,
    "not-engaged-on-anothers-turn",
    "{character} can only do this while it is Engaged on another Character's Turn.",
)
FORFEITS_EXHAUSTED = Refusal(
    FORFEIT, "forfeits-exhausted", "{character} has already forfeited both Actions of its next Turn."
)
NO_ACTIONS_LEFT = Refusal(
    mechanical_play.ACTIONS, "no-actions-left", "This costs too many Actions. The Turn has only {left} left."
)


def say_expends(do_or_fact: ExpendAction | ActionExpended, names: Names) -> str:
    char_id = do_or_fact.character if isinstance(do_or_fact, ExpendAction) else do_or_fact.persona
    cost_phrase = "an Action" if do_or_fact.cost == 1 else f"{do_or_fact.cost} Actions"
    purpose = "a running move" if do_or_fact.what == "move" else name_rating(do_or_fact.what)
    return f"{names.name(character(char_id))} spends {cost_phrase} of the Turn{say_reason(purpose)}."


@fact("action-expended", says=say_expends)
class ActionExpended:
    """A Persona used Actions of its Turn. `cost`: how many."""

    persona: CharacterId
    cost: int
    what: Reason


@changes
def note_action(state: Scene, fact: ActionExpended) -> Scene | None:
    """Leave the scene as it is. Accounts count the Actions."""
    return state if state.find_scope_of(fact.persona) is not None else None


@declares("expend-action", ANYONE, says=say_expends, records=(ActionExpended,))
class ExpendAction:
    """Spend an Action without a roll, for example on a running move or on part of an Action that takes several Turns.

    `what`: the Character's activity; `move` is a running move. `cost`: how many Actions are spent.
    """

    character: CharacterId
    what: Reason = "move"
    cost: Cost = 1


def may_expend(draft: Draft, fight: Fight, char_id: str, cost: object, nature: str = "other") -> Refused | None:
    """Refuse to spend Actions outside the Character's Turn, against its All-Out mode, or beyond those it has left."""
    if fight.turn != char_id:
        return NOT_YOUR_TURN.under(INSTANTANEOUS, character=char_id)
    if refused := conditions.may_act_in_mode(fight.standing[char_id], char_id, nature):
        return refused
    if type(cost) is not int or not 1 <= cost <= ACTIONS_A_TURN:
        return BAD_NUMBER.under(mechanical_play.ACTIONS, cost=str(cost))
    actions_left = draft.count_actions_left(char_id)
    return NO_ACTIONS_LEFT(left=actions_left) if actions_left < cost else None


def expend_actions(draft: Draft, char_id: str, cost: int, purpose: str, nature: str = "other") -> None:
    """Spend Actions of the Character's own Turn."""
    require(may_expend(draft, require_fight(draft, char_id), char_id, cost, nature))
    account = accounts.name_actions(draft.place().id, char_id)
    draft.here(ActionExpended(char_id, cost, purpose), accounts.make_loss(account, cost))
    draft.by(mechanical_play.ACTIONS, draft.balance(account), cost=cost)


def may_use_now(draft: Draft, char_id: str, name: str, payment: str) -> Refused | None:
    """Refuse the use of an Instantaneous Rating outside the Character's own Turn, however the Action is paid for,
    unless a Flurry pays for it.
    """
    rating = draft.read_character(char_id).ratings.get(name)
    is_instantaneous = rating is not None and rating.use == "instantaneous"
    if is_instantaneous and payment != "flurry" and require_fight(draft, char_id).turn != char_id:
        return NOT_YOUR_TURN.under(INSTANTANEOUS, character=char_id, rating=name)
    return None


def use_now(draft: Draft, char_id: str, name: str, payment: str) -> None:
    require(may_use_now(draft, char_id, name, payment))
    draft.by(INSTANTANEOUS, True, rating=name)


@decides
def expend_action(draft: Draft, do: ExpendAction) -> None:
    """Spend Actions without a roll. For a running move, cite how many yards Characters run at this table."""
    draft.check_plays(do.character, mechanical_play.ACTIONS)
    is_move = do.what == "move"
    expend_actions(draft, do.character, do.cost, do.what, "movement" if is_move else "other")
    if is_move:
        draft.by(mechanical_play.ACTIONS, draft.dials.move_yards, yards=draft.dials.move_yards)


def say_free_action(do_or_fact: TakeFreeAction | FreeActionTaken, names: Names) -> str:
    if isinstance(do_or_fact, TakeFreeAction):
        name, kind = names.name(character(do_or_fact.character)), do_or_fact.action
    else:
        name, kind = names.name(character(do_or_fact.persona)), do_or_fact.kind
    phrase = PHRASES_BY_FREE_ACTION.get(kind)
    return f"{name} {phrase} as a Free Action." if phrase else f"{name} does this as a Free Action: {kind}."


@fact("free-action-taken", says=say_free_action)
class FreeActionTaken:
    """A Persona took a Free Action. `kind`: the kind of Free Action."""

    persona: CharacterId
    kind: FreeAction


@changes
@in_its_standing
def take_free_action_of(standing: Standing, fact: FreeActionTaken) -> Standing:
    return changed(standing, free=(*standing.free, fact.kind))


def say_accepted(fact: FreeActionAccepted, names: Names) -> str:
    return f"The Group accepts a new Free Action: {fact.action}{say_reason(fact.reason)}."


@fact("free-action-accepted", says=say_accepted, headline=22)
class FreeActionAccepted:
    """The Group accepted a new Free Action. `reason`: why a Gamemaster recorded the agreement for the others, if one
    did.
    """

    action: Title
    reason: Reason


@changes
def accept_as_free(state: Campaign, fact: FreeActionAccepted) -> Campaign:
    return changed(state, free_actions=tuple(dict.fromkeys((*state.free_actions, fact.action))))


@fact(
    "free-action-declined", says="{against} does not accept this as a Free Action: {action}.", headline=23, changes=None
)
class FreeActionDeclined:
    """The Group did not accept a new Free Action. `against`: the seat that declined."""

    action: Title
    against: SeatId


@declares("take-free-action", ANYONE, says=say_free_action, records=(FreeActionTaken,))
class TakeFreeAction:
    """Take a Free Action, which costs nothing.

    `action`: one of the kinds that the game names, or one that the Group has accepted.
    """

    character: CharacterId
    action: FreeAction


def may_take_free_action(
    draft: Draft, char_id: str, standing: Standing, kind: str, nature: str = "other"
) -> Refused | None:
    """Refuse a Free Action that neither the source nor the Group allows, or one more than a Round allows."""
    accepted_actions = draft.read_campaign().free_actions
    if kind not in accepted_actions and (kind not in FREE_ACTIONS or nature == "attack"):
        return NOT_A_FREE_ACTION(kind=kind, accepted=[*FREE_ACTIONS, *accepted_actions])
    if len(standing.free) >= draft.dials.epic_index:
        return FREE_ACTION_LIMIT(taken=len(standing.free))
    if kind == LAST_DITCH_DODGE and (refused := conditions.may_act_in_mode(standing, char_id, "defense")):
        return refused
    if kind in standing.free and not draft.dials.cinematic:
        return FREE_ACTION_KIND_LIMIT(kind=kind)
    return None


def record_free_action(draft: Draft, char_id: str, kind: str, nature: str = "other") -> None:
    """Record a Free Action. It is possible at any time in Mechanical Play."""
    require(may_take_free_action(draft, char_id, require_standing(draft, char_id, FREE_ACTION), kind, nature))
    draft.here(FreeActionTaken(char_id, kind))
    draft.by(FREE_ACTION, kind, character=char_id)


@decides
def take_free_action(draft: Draft, do: TakeFreeAction) -> None:
    draft.check_plays(do.character, FREE_ACTION)
    record_free_action(draft, do.character, do.action)


def say_proposed(do: AcceptFreeAction, names: Names) -> str:
    return f"The Group is asked to accept a new Free Action: {do.action}{say_reason(do.reason)}."


@declares("accept-free-action", ANYONE, says=say_proposed, records=(FreeActionAccepted, FreeActionDeclined))
class AcceptFreeAction:
    """Ask the Group to accept a new kind of act as a Free Action for every Character from now on. All other Players
    present are asked.

    `action`: the new Free Action. `claimed`: whether a Gamemaster records that the other Players agreed. This needs a
    `reason`.
    """

    action: Title
    claimed: bool = False
    reason: Reason = ""


ASK_FREE_ACTION = Question("free-action", "{purpose}. Do you agree?")


@decides
def accept_free_action(draft: Draft, do: AcceptFreeAction) -> Asking[None]:
    """Ask the Group to accept "any other act" as a Free Action (`mech.free`). Refuses `not-a-free-action`."""
    action = do.action.strip()
    if not action:
        raise NOT_A_FREE_ACTION(kind=action)
    decliner = None
    if not check_claim(draft, FREE_ACTION, do):
        purpose = f"This becomes a Free Action for every Character: {action}"
        decliner = yield from ask_for_decliner(draft, draft.list_group(), FREE_ACTION, ASK_FREE_ACTION(), purpose)
    if decliner is None:
        draft.campaign_wide(FreeActionAccepted(action, do.reason.strip() if do.claimed else ""))
    else:
        draft.campaign_wide(FreeActionDeclined(action, decliner))
    draft.by(FREE_ACTION, decliner is None, action=action)


@fact("free-capacity-restored", says="{persona} can use all Free Actions again.")
class FreeCapacityRestored:
    """A Persona can take all its Free Actions again in this Round."""

    persona: CharacterId


@changes
@in_its_standing
def restore_free_actions_of(standing: Standing, fact: FreeCapacityRestored) -> Standing:
    return changed(standing, free=(), refreshed=True)


@declares(
    "restore-free-actions",
    ANYONE,
    says="{character} spends an Action to restore all Free Actions.",
    records=(FreeCapacityRestored, ActionExpended),
)
class RestoreFreeActions:
    """Spend an Action of the Character's Turn so that it can take all its Free Actions again in this Round."""

    character: CharacterId


def may_restore_free(fight: Fight, char_id: str) -> Refused | None:
    """Refuse to restore Free Actions outside the Character's Turn, or a second time in a Round."""
    if fight.turn != char_id:
        return NOT_YOUR_TURN.under(FREE_REFRESH, character=char_id)
    return REFRESH_ALREADY_USED(character=char_id) if fight.standing[char_id].refreshed else None


@decides
def restore_free(draft: Draft, do: RestoreFreeActions) -> None:
    draft.check_plays(do.character, FREE_REFRESH)
    require(may_restore_free(require_fight(draft, do.character, FREE_REFRESH), do.character))
    expend_actions(draft, do.character, 1, "restoring Free Actions", "movement")
    draft.here(FreeCapacityRestored(do.character))
    draft.by(FREE_REFRESH, 0, character=do.character)


@fact("action-forfeited", says="{persona} forfeits an Action in the next Turn.")
class ActionForfeited:
    """A Persona gave up an Action in its next Turn. `for`: the resolution in which it reacts."""

    persona: CharacterId
    for_: Occasion


@changes
@in_its_standing
def count_forfeit(standing: Standing, fact: ActionForfeited) -> Standing:
    return changed(standing, forfeited=standing.forfeited + 1)


@declares("forfeit-action", ANYONE, says="{character} forfeits an Action in the next Turn.", records=(ActionForfeited,))
class ForfeitAction:
    """Give up an Action of a Character's next Turn to react once more, while the Character is Engaged on another
    Character's Turn. To oppose with a forfeited Action, use `answer-engagement` instead.

    `resolution`: the resolution in which the Character is Engaged.
    """

    character: CharacterId
    resolution: ResolutionId


def may_forfeit(draft: Draft, char_id: str, standing: Standing) -> Refused | None:
    """Refuse to forfeit an Action unless it is another Character's Turn and fewer than 2 were forfeited."""
    if not is_anothers_turn(draft, char_id):
        return NOT_ENGAGED_ON_ANOTHERS_TURN(character=char_id)
    return FORFEITS_EXHAUSTED(character=char_id) if standing.forfeited >= MOST_FORFEITS else None


def forfeit_one_action(draft: Draft, char_id: str, resolution_id: str) -> None:
    standing = require_standing(draft, char_id, FORFEIT)
    require(may_forfeit(draft, char_id, standing))
    draft.here(ActionForfeited(char_id, resolution_id))
    draft.by(FORFEIT, standing.forfeited + 1, character=char_id)


def may_react(char_id: str, *resolutions: Resolution) -> Refused | None:
    """Refuse a Persona that neither opposes one of these open resolutions nor still has to respond to it."""
    stances = {resolution.engaged.get(char_id) for resolution in resolutions if resolution.phase != "closed"}
    reacting_stances = {"asked", "obliged", "opposing"} & stances
    return NOT_ENGAGED_ON_ANOTHERS_TURN(character=char_id) if not reacting_stances else None


@decides
def forfeit_action(draft: Draft, do: ForfeitAction) -> None:
    """Forfeit an Action without answering, to pay for another Reactive Action in the same resolution."""
    draft.check_plays(do.character, FORFEIT)
    require_standing(draft, do.character, FORFEIT)
    require(may_react(do.character, draft.require_resolution(do.resolution)))
    forfeit_one_action(draft, do.character, do.resolution)


NATURES = ("attack", "defense", "movement", "other")


@dataclass(frozen=True, slots=True)
class Way:
    """A way to pay for an Action: the natures it can pay for, the fields that describe it, and the
    name of the payment.
    """

    natures: tuple[str, ...]
    fields: dict[str, Domain]
    pays: str


def list_possible_natures(draft: Draft, char_id: str) -> tuple[str, ...]:
    """Return the natures of the Actions that the Character can still take with the Hit Points it has left."""
    return tuple(nature for nature in NATURES if power.may_fight(draft, char_id, nature) is None)


def list_usable_ratings(draft: Draft, char_id: str, payment: str) -> tuple[str, ...]:
    """Return the Ratings that the Character can use now and has enough Power for."""
    names_and_ratings = draft.read_character(char_id).ratings.items()
    payable_names = (
        name for name, rating in names_and_ratings if power.may_spend_power(draft, char_id, rating.power_cost) is None
    )
    return tuple(
        name for name in payable_names if not draft.read_fights() or may_use_now(draft, char_id, name, payment) is None
    )


def list_free_actions(draft: Draft, char_id: str, standing: Standing, nature: str = "other") -> tuple[str, ...]:
    """Return the Free Actions that the Character can still take in this Round."""
    kinds = dict.fromkeys((*FREE_ACTIONS, *draft.read_campaign().free_actions))
    return tuple(kind for kind in kinds if may_take_free_action(draft, char_id, standing, kind, nature) is None)


def list_free_ways(
    draft: Draft, char_id: str, standing: Standing, natures: tuple[str, ...]
) -> Iterator[tuple[tuple[str, ...], tuple[str, ...]]]:
    """Yield natures with the Free Actions that can pay for them. Only an accepted Free Action can be an attack."""
    fitting_natures = conditions.list_natures_allowed(standing, char_id, natures, "free")
    peaceful_natures = tuple(nature for nature in fitting_natures if nature != "attack")
    for natures_alike in (peaceful_natures, ("attack",) if "attack" in fitting_natures else ()):
        kinds = list_free_actions(draft, char_id, standing, natures_alike[0]) if natures_alike else ()
        if kinds:
            yield natures_alike, kinds


@offers
def offer_actions(seen: Seen, draft: Draft) -> Iterator[Move]:
    for fight in draft.read_fights().values():
        yield from _list_actions(draft, fight)


def _list_actions(draft: Draft, fight: Fight) -> Iterator[Move]:
    own_ids = draft.filter_mine(fight.standing)
    if fight.turn is not None and fight.turn in own_ids:
        yield from _list_expending_moves(draft, fight, fight.turn)
    for kinds, id_domain in group_alike(
        own_ids, lambda char_id: list_free_actions(draft, char_id, fight.standing[char_id]) or None
    ):
        yield Move(TakeFreeAction, {"character": id_domain, "action": Among(kinds)})
    for act_id, resolution in draft.read_resolutions().items():
        reacting_ids = (char_id for char_id in own_ids if may_react(char_id, resolution) is None)
        if able_ids := tuple(
            char_id for char_id in reacting_ids if may_forfeit(draft, char_id, fight.standing[char_id]) is None
        ):
            yield Move(ForfeitAction, {"character": Among(able_ids), "resolution": Among((act_id,))})


def _list_expending_moves(draft: Draft, fight: Fight, char_id: str) -> Iterator[Move]:
    """Yield the moves that spend Actions without a roll, and the move that restores Free Actions."""
    actions_left = min(ACTIONS_A_TURN, draft.count_actions_left(char_id))
    fields: dict[str, Domain] = {"character": Among((char_id,)), "cost": Between(1, actions_left)}
    if may_expend(draft, fight, char_id, 1) is None:
        yield Move(ExpendAction, fields)
    elif may_expend(draft, fight, char_id, 1, "movement") is None:
        yield Move(ExpendAction, {**fields, "what": Among(("move",))})
    if actions_left >= 1 and may_restore_free(fight, char_id) is None:
        yield Move(RestoreFreeActions, {"character": Among((char_id,))})


@offers
def offer_to_accept(seen: Seen, draft: Draft) -> Iterator[Move]:
    yield Move(AcceptFreeAction, {"action": SOME_TEXT, "claimed": NO})
    if draft.is_by_gm:
        yield Move(AcceptFreeAction, {"action": SOME_TEXT, "claimed": YES, "reason": SOME_TEXT})
