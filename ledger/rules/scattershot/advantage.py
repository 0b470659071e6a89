"""Combat Advantage in Melee: how it is Seized, Held, Checked and erased, and how a Character turns to another foe."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import product

from ledger.rules.kernel.kit import (
    ANYONE,
    Among,
    Asking,
    CharacterId,
    Domain,
    Move,
    Question,
    Reason,
    Refusal,
    Refused,
    Seen,
    SharedRefusal,
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
from ledger.rules.scattershot import accounts
from ledger.rules.scattershot.agreement import ask_to_agree
from ledger.rules.scattershot.draft import Draft, group_alike, require_standing
from ledger.rules.scattershot.scene import Fight, Resolution, Scene, Standing, in_its_standing
from ledger.rules.scattershot.words import NOT_IN_MELEE, NOT_IN_THIS_SCENE, NOT_PROPRIETOR, ResolutionId, whether

SEIZE = rule(
    "scattershot.advantage.seize",
    "A Character who has no Combat Advantage over a foe can Seize 1 point of it. This needs a suitable"
    " Action, or a ruling by the Gamemaster.",
    "Seizing the Advantage",
)
ADVANTAGE_ALREADY_HELD = Refusal(
    SEIZE, "advantage-already-held", "{holder} already has Combat Advantage over {foe}. To gain more, Hold it."
)
ADVANTAGE_HELD_BY_FOE = Refusal(
    SEIZE, "advantage-held-by-foe", "{foe} has Combat Advantage over {holder}, so {holder} cannot Seize any."
)
HOLD = rule(
    "scattershot.advantage.hold",
    "A Character who has Combat Advantage over a foe can Hold it, which adds 1 point.",
    "Holding the Advantage",
)
CHECK = rule(
    "scattershot.advantage.check",
    "A Character can Check the Combat Advantage that a foe holds over it, which removes 1 point.",
    "Checking the Advantage",
)
ERASE = rule(
    "scattershot.advantage.erase",
    "A Character who makes a crucial mistake against a foe, or falls for a foe's Trick, loses all Combat"
    " Advantage over that foe.",
    "Checking the Advantage",
)
CONVERT = rule(
    "scattershot.advantage.convert",
    "Points of a Telling Blow beyond the Critical Juncture can become Combat Advantage.",
    "Critical Junctures",
)
CAP = rule(
    "scattershot.advantage.cap",
    "The Epic Index is the largest number of points of Combat Advantage that a Character can hold over a foe.",
    "Combat Advantage",
)
ADVANTAGE_CAP = Refusal(
    CAP, "advantage-cap", "Combat Advantage cannot exceed the Epic Index[: {holder} cannot gain more over {foe}]."
)
SWITCH_FOE = rule(
    "scattershot.advantage.switch",
    "A Character who turns to another foe loses all Combat Advantage over the others.",
    "Combat Advantage",
    outcome="character",
)


# --- the Action that allows a change ----------------------------------------------------------------------------------


NOT_THE_ACT = SharedRefusal(
    "not-the-act",
    "That Action does not allow this. Choose an open Action of the right kind, or none to ask the Gamemaster.",
)


NO_ADVANTAGE_HELD = SharedRefusal("no-advantage-held", "{holder} has no Combat Advantage over {foe}.")


ADVANTAGE_AGAINST_SELF = SharedRefusal(
    "advantage-against-self", "{holder} cannot hold Combat Advantage over itself. Choose another foe."
)


@fact("act-declined", says="The Gamemaster does not allow this for {character}: {what}.", headline=3)
class ActDeclined:
    """The Gamemaster did not allow a change for which no declared Action was named. `what`: the change, in words."""

    character: CharacterId
    what: Reason


@changes
def note_act_declined(state: Scene, fact: ActDeclined) -> Scene:
    """Leave the scene as it is. The fact is only a record."""
    return state


def is_between(resolution: Resolution, char_id: str, other_id: str) -> bool:
    """Return whether one of these two Characters is the Actor, and the other is the subject or is Engaged."""
    pair_ids = {char_id, other_id}
    affected_ids = {resolution.subject, *resolution.engaged}
    return resolution.actor in pair_ids and bool((pair_ids - {resolution.actor}) & affected_ids)


def check_act(draft: Draft, rule: str, act_id: str | None, is_fitting_act: Callable[[Resolution], bool]) -> None:
    """Check that the named resolution is an Action that allows the change. Refuses `not-the-act`, or `wrong-phase` if
    the resolution is closed.
    """
    if act_id is not None and not is_fitting_act(draft.require_resolution(act_id)):
        raise NOT_THE_ACT.under(rule, resolution=act_id)


ASK_ACT = Question("act", "{purpose}. Do you allow it?")


def ask_for_ruling(draft: Draft, rule: str, char_id: str, act_id: str | None, request_text: str) -> Asking[None]:
    """If no resolution is named, ask the Gamemaster to allow the change. If the Gamemaster declines, record only the
    refusal.
    """
    if act_id is not None or draft.is_by_gm:
        return
    purpose = f"For {draft.table.name(character(char_id))}, without a declared Action: {request_text}"
    if not (yield from ask_to_agree(draft, draft.find_gm(), rule, ASK_ACT(), purpose)):
        draft.start_over()
        draft.here(ActDeclined(char_id, request_text))
        draft.by(rule, False, character=char_id)


# --- turning to a foe -------------------------------------------------------------------------------------------------


@fact("foe-changed", says=whether("from", "{persona} turns from {from} to {to}.", "{persona} turns to {to}."))
class FoeChanged:
    """A Persona turned to another foe."""

    persona: CharacterId
    from_: CharacterId | None
    to: CharacterId


@changes
@in_its_standing
def change_foe_of(standing: Standing, fact: FoeChanged) -> Standing:
    return changed(standing, foe=fact.to)


@fact("advantage-erased", says="{holder} loses all Combat Advantage over {foe}, a total of {n}[: {cause}].")
class AdvantageErased:
    """The `holder` lost all Combat Advantage over the `foe`. `n`: how many points."""

    holder: CharacterId
    foe: CharacterId
    n: int
    cause: Reason


@changes
def note_advantage(
    state: Scene, fact: AdvantageSeized | AdvantageHeld | AdvantageChecked | AdvantageErased | AdvantageConverted
) -> Scene | None:
    """Return the scene unchanged. Accounts count Combat Advantage."""
    return state if state.find_scope_of(fact.holder) is not None else None


@fact("advantage-converted", says="{holder} gains {n:point|points} of Combat Advantage over {foe}.")
class AdvantageConverted:
    """Excess points of a Telling Blow became Combat Advantage. `n`: how many."""

    holder: CharacterId
    foe: CharacterId
    n: int


def turn_to_foe(draft: Draft, char_id: str, *foes: str) -> None:
    """Turn the Persona to the first of these foes, unless it already faces one of them.

    Do nothing outside Melee, or for a Persona that is not in it. The facts belong to the calling ruling.
    """
    fight = draft.find_fight(char_id)
    standing = fight.standing.get(char_id) if fight is not None and fight.melee else None
    present_foes = [foe for foe in foes if fight is not None and foe in fight.standing and foe != char_id]
    if fight is None or standing is None or not present_foes or standing.foe in present_foes:
        return
    draft.here(FoeChanged(char_id, standing.foe, present_foes[0]))
    for other_id in fight.standing:
        account = accounts.name_advantage(draft.place().id, char_id, other_id)
        points = draft.balance(account) if other_id not in (char_id, *present_foes) else 0
        if points > 0:
            draft.here(AdvantageErased(char_id, other_id, points, "another foe"), accounts.make_loss(account, points))
    draft.by(SWITCH_FOE, present_foes[0], before=standing.foe)


# --- Combat Advantage -------------------------------------------------------------------------------------------------


@fact("advantage-seized", says="{holder} Seizes the Advantage over {foe}[: {cause}].")
class AdvantageSeized:
    """The `holder` got its first point of Combat Advantage over the `foe`."""

    holder: CharacterId
    foe: CharacterId
    cause: Reason


@fact("advantage-held", says="{holder} Holds the Advantage over {foe} and gains 1 more point[: {cause}].")
class AdvantageHeld:
    """The `holder` got 1 more point of Combat Advantage over the `foe`."""

    holder: CharacterId
    foe: CharacterId
    cause: Reason


@fact("advantage-checked", says="{foe} Checks {holder}'s Advantage, which falls by 1[: {cause}].")
class AdvantageChecked:
    """The `holder` lost 1 point of Combat Advantage over the `foe`."""

    holder: CharacterId
    foe: CharacterId
    cause: Reason


def _require_melee_account(draft: Draft, rule: str, holder: str, foe: str) -> str:
    """Return the account of this pair. Refuses `not-in-melee`, `not-in-this-scene`, `advantage-against-self`."""
    fight = draft.find_fight(holder)
    if not any(other.melee for other in draft.read_fights().values()) or (fight is not None and not fight.melee):
        raise NOT_IN_MELEE.under(rule)
    for char_id in (holder, foe):
        draft.read_character(char_id)
        require_standing(draft, char_id, rule)
    if fight is None or foe not in fight.standing:
        raise NOT_IN_THIS_SCENE.under(rule, character=foe)
    if holder == foe:
        raise ADVANTAGE_AGAINST_SELF.under(rule, holder=holder)
    return accounts.name_advantage(draft.place().id, holder, foe)


def count_advantage_room(draft: Draft, holder: str, foe: str) -> int:
    """Return how many more points the cap allows, for this pair or in the whole scene."""
    fight, place_id = draft.find_fight(holder), draft.place().id
    if fight is None:
        return 0
    if draft.dials.advantage_cap == "per-pair":
        points = draft.balance(accounts.name_advantage(place_id, holder, foe))
    else:
        points = sum(
            draft.balance(accounts.name_advantage(place_id, holder_id, foe_id))
            for holder_id, foe_id in _list_pairs(fight)
        )
    return max(0, draft.dials.epic_index - points)


def _list_pairs(fight: Fight) -> list[tuple[str, str]]:
    return [(holder_id, foe_id) for holder_id in fight.standing for foe_id in fight.standing if holder_id != foe_id]


def _check_speaker(draft: Draft, rule: str, *ids: str) -> None:
    """Check that a Gamemaster, or the Player of one of these Characters, declares. Refuses `not-proprietor`."""
    author = draft.table.by
    if author.role != "gm" and author.seat not in [draft.find_owner(char_id) for char_id in ids]:
        raise NOT_PROPRIETOR.under(rule, characters=list(ids))


def _check_act(draft: Draft, rule: str, do: SeizeAdvantage | HoldAdvantage | CheckAdvantage | EraseAdvantage) -> None:
    check_act(draft, rule, do.act, lambda resolution: is_between(resolution, do.holder, do.foe))


@declares(
    "seize-advantage",
    ANYONE,
    says="{holder} Seizes the Advantage over {foe}[: {cause}].",
    records=(AdvantageSeized, ActDeclined),
)
class SeizeAdvantage:
    """Seize 1 point of Combat Advantage over a foe. The holder's Player can do this. If the foe's Player does it, it is
    called Yielding.

    `holder`: the Character that gets the Combat Advantage. `foe`: the Character that suffers from it. `cause`: the
    reason, such as Reach or a good hit. `act`: the open resolution between these two Characters that allows this. Leave
    it out to ask the Gamemaster; Yielding needs no resolution.
    """

    holder: CharacterId
    foe: CharacterId
    cause: Reason
    act: ResolutionId | None = None


@declares(
    "hold-advantage",
    ANYONE,
    says="{holder} Holds the Advantage over {foe}[: {cause}].",
    records=(AdvantageHeld, ActDeclined),
)
class HoldAdvantage:
    """Hold Combat Advantage over a foe, which adds 1 point to it. The holder's Player can do this.

    `holder`: the Character that has the Combat Advantage. `foe`: the Character that suffers from it. `cause`: the
    reason, such as Cornering or the High Ground. `act`: the open resolution between these two Characters that allows
    this. Leave it out to ask the Gamemaster.
    """

    holder: CharacterId
    foe: CharacterId
    cause: Reason
    act: ResolutionId | None = None


@declares(
    "check-advantage",
    ANYONE,
    says="{foe} Checks {holder}'s Advantage[: {cause}].",
    records=(AdvantageChecked, ActDeclined),
)
class CheckAdvantage:
    """Check a foe's Combat Advantage, which removes 1 point of it. The Player of the Character that suffers from it can
    do this.

    `holder`: the Character that has the Combat Advantage. `foe`: the Character that suffers from it and Checks it.
    `cause`: the reason, such as Backing Off. `act`: the open resolution between these two Characters that allows this.
    Leave it out to ask the Gamemaster.
    """

    holder: CharacterId
    foe: CharacterId
    cause: Reason
    act: ResolutionId | None = None


@declares(
    "erase-advantage",
    ANYONE,
    says="{foe} ends all of {holder}'s Combat Advantage[: {cause}].",
    records=(AdvantageErased, ActDeclined),
)
class EraseAdvantage:
    """Erase all Combat Advantage that a Character has over a foe, because of an Upset or a Trick. The foe's Player can
    do this.

    `holder`: the Character that loses the Combat Advantage. `foe`: the Character that suffers from it. `cause`: the
    reason, such as an Upset. `act`: the open resolution between these two Characters that allows this. Leave it out to
    ask the Gamemaster.
    """

    holder: CharacterId
    foe: CharacterId
    cause: Reason
    act: ResolutionId | None = None


def may_gain(draft: Draft, holder: str, foe: str) -> Refused | None:
    """Refuse another point of Combat Advantage if the cap is reached."""
    return ADVANTAGE_CAP(holder=holder, foe=foe) if count_advantage_room(draft, holder, foe) < 1 else None


def may_seize(draft: Draft, holder: str, foe: str) -> Refused | None:
    """Refuse to Seize if the holder already has Combat Advantage over the foe, if the cap is reached, or if the foe has
    some over the holder and the table does not allow both.
    """
    place_id = draft.place().id
    if draft.balance(accounts.name_advantage(place_id, holder, foe)) > 0:
        return ADVANTAGE_ALREADY_HELD(holder=holder, foe=foe)
    if (
        draft.balance(accounts.name_advantage(place_id, foe, holder)) > 0
        and draft.dials.seize_requires == "none-either-way"
    ):
        return ADVANTAGE_HELD_BY_FOE(holder=holder, foe=foe)
    return may_gain(draft, holder, foe)


def may_lose(draft: Draft, rule: str, holder: str, foe: str) -> Refused | None:
    """Refuse a loss if the holder has no Combat Advantage."""
    points = draft.balance(accounts.name_advantage(draft.place().id, holder, foe))
    return NO_ADVANTAGE_HELD.under(rule, holder=holder, foe=foe) if points < 1 else None


def may_hold(draft: Draft, holder: str, foe: str) -> Refused | None:
    """Refuse to Hold if the holder has no Combat Advantage, or if the cap is reached."""
    return may_lose(draft, HOLD, holder, foe) or may_gain(draft, holder, foe)


@decides
def seize_advantage(draft: Draft, do: SeizeAdvantage) -> Asking[None]:
    """Give the holder its first point of Combat Advantage. The holder's Player Seizes it, or the foe's Player Yields
    it.
    """
    account = _require_melee_account(draft, SEIZE, do.holder, do.foe)
    _check_speaker(draft, SEIZE, do.holder, do.foe)
    _check_act(draft, SEIZE, do)
    require(may_seize(draft, do.holder, do.foe))
    draft.here(AdvantageSeized(do.holder, do.foe, do.cause), accounts.make_gain(account, 1))
    draft.by(SEIZE, 1, cause=do.cause)
    is_yielding = draft.me == draft.find_owner(do.foe) != draft.find_owner(do.holder)
    if not is_yielding:
        yield from ask_for_ruling(draft, SEIZE, do.holder, do.act, do.cause)


@decides
def hold_advantage(draft: Draft, do: HoldAdvantage) -> Asking[None]:
    """Add 1 point to the holder's Combat Advantage."""
    account = _require_melee_account(draft, HOLD, do.holder, do.foe)
    _check_speaker(draft, HOLD, do.holder)
    _check_act(draft, HOLD, do)
    require(may_hold(draft, do.holder, do.foe))
    draft.here(AdvantageHeld(do.holder, do.foe, do.cause), accounts.make_gain(account, 1))
    draft.by(HOLD, draft.balance(account), cause=do.cause)
    yield from ask_for_ruling(draft, HOLD, do.holder, do.act, do.cause)


@decides
def check_advantage(draft: Draft, do: CheckAdvantage) -> Asking[None]:
    """Remove 1 point of the holder's Combat Advantage. The foe's Player does this."""
    account = _require_melee_account(draft, CHECK, do.holder, do.foe)
    _check_speaker(draft, CHECK, do.foe)
    _check_act(draft, CHECK, do)
    require(may_lose(draft, CHECK, do.holder, do.foe))
    draft.here(AdvantageChecked(do.holder, do.foe, do.cause), accounts.make_loss(account, 1))
    draft.by(CHECK, draft.balance(account), cause=do.cause)
    yield from ask_for_ruling(draft, CHECK, do.foe, do.act, do.cause)


@decides
def erase_advantage(draft: Draft, do: EraseAdvantage) -> Asking[None]:
    """Remove all Combat Advantage of the holder over the foe, after an Upset or a Trick."""
    account = _require_melee_account(draft, ERASE, do.holder, do.foe)
    _check_speaker(draft, ERASE, do.foe)
    _check_act(draft, ERASE, do)
    require(may_lose(draft, ERASE, do.holder, do.foe))
    points = draft.balance(account)
    draft.here(AdvantageErased(do.holder, do.foe, points, do.cause), accounts.make_loss(account, points))
    draft.by(ERASE, points, cause=do.cause)
    yield from ask_for_ruling(draft, ERASE, do.foe, do.act, do.cause)


@declares("change-foe", ANYONE, says="{character} turns to {foe}.", records=(FoeChanged, AdvantageErased))
class ChangeFoe:
    """Turn a Character to another foe without attacking. The Character loses all Combat Advantage over others. An
    attack, a Flurry and Focusing turn a Character to another foe, too, so this is not needed with them.
    """

    character: CharacterId
    foe: CharacterId


@decides
def change_foe(draft: Draft, do: ChangeFoe) -> None:
    """Turn to another foe without an attack. Combat Advantage over that foe is kept."""
    draft.check_plays(do.character, SWITCH_FOE)
    _require_melee_account(draft, SWITCH_FOE, do.character, do.foe)
    turn_to_foe(draft, do.character, do.foe)


@offers
def offer_advantage(seen: Seen, draft: Draft) -> Iterator[Move]:
    """Yield moves for the Players whom the rules name: the holder's Player, who Seizes or Holds, and the foe's, who
    Yields or Checks.
    """
    for fight in draft.read_fights().values():
        if fight.melee:
            yield from _list_advantage_moves(draft, fight)


def _list_advantage_moves(draft: Draft, fight: Fight) -> Iterator[Move]:
    own_ids = draft.filter_mine(fight.standing)
    for char_id in own_ids:
        if foes := tuple(foe for foe in fight.standing if foe != char_id):
            yield Move(ChangeFoe, {"character": Among((char_id,)), "foe": Among(foes)})

    def list_seizable_foes(holder: str) -> tuple[str, ...]:
        foes = (foe for foe in fight.standing if foe != holder and (holder in own_ids or foe in own_ids))
        return tuple(foe for foe in foes if may_seize(draft, holder, foe) is None)

    for foes, holder_domain in group_alike(fight.standing, lambda char_id: list_seizable_foes(char_id) or None):
        yield Move(SeizeAdvantage, {"holder": holder_domain, "foe": Among(foes)})
        for holder, foe in product(holder_domain.values, foes):
            if act_ids := _list_act_ids(draft, str(holder), foe):
                fields: dict[str, Domain] = {"holder": Among((holder,)), "foe": Among((foe,))}
                yield Move(SeizeAdvantage, {**fields, "act": Among(act_ids)})
    for holder, foe in _list_pairs(fight):
        act_domain = Among((None, *_list_act_ids(draft, holder, foe)))
        fields = {"holder": Among((holder,)), "foe": Among((foe,)), "act": act_domain}
        if holder in own_ids and may_hold(draft, holder, foe) is None:
            yield Move(HoldAdvantage, fields)
        if foe in own_ids and may_lose(draft, CHECK, holder, foe) is None:
            yield Move(CheckAdvantage, fields)
            yield Move(EraseAdvantage, fields)


def _list_act_ids(draft: Draft, holder: str, foe: str) -> tuple[str, ...]:
    """Return the open resolutions that are Actions between these two Characters."""
    return tuple(
        resolution_id
        for resolution_id, resolution in draft.read_resolutions().items()
        if is_between(resolution, holder, foe)
    )
