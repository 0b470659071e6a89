"""Residual modifiers, being Off-Guard, the modifiers to all rolls of a Character, and All-Out modes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import partial

from ledger.rules.kernel.kit import (
    ANYONE,
    GM,
    About,
    Among,
    Asking,
    Besides,
    CharacterId,
    Domain,
    Move,
    Names,
    Reason,
    Refusal,
    Refused,
    Saying,
    Seen,
    Subject,
    changed,
    changes,
    character,
    decides,
    declares,
    fact,
    listed,
    offers,
    once_created,
    require,
    rule,
)
from ledger.rules.scattershot import accounts, advantage
from ledger.rules.scattershot.draft import WHOLE, Draft, check_whole, group_alike, make_any_of, require_standing
from ledger.rules.scattershot.scene import Fight, Resolution, Standing, in_its_standing
from ledger.rules.scattershot.state import Character, ResidualPlaced, say_residual
from ledger.rules.scattershot.words import (
    ACTOR,
    BAD_NUMBER,
    EARLY_ENDS,
    NOT_IN_THIS_SCENE,
    AllOutMode,
    Ending,
    OwnResidual,
    ResidualId,
    ResolutionId,
    Situation,
    Whole,
    by_value,
    name_people,
    say_reason,
)

RESIDUAL = rule(
    "scattershot.result.residual",
    "A Residual is a modifier that lasts. Its size is the Bonus that the UE Chart gives for the remaining MIB or RMIB.",
    "Results",
)
LASTING = rule(
    "scattershot.juncture.duration",
    "Consequences of a Telling Blow or a Catastrophic Failure last at least until the Session ends.",
    "Critical Junctures",
)
ENDS_TOO_SOON = Refusal(
    LASTING, "ends-too-soon", "[“{until}” is too soon. ]These consequences must last at least until the Session ends."
)


def say_places(do: PlaceResidual, names: Names) -> str:
    return (
        f"{names.name(character(do.character))} {say_residual(do.amount, do.scope, do.until)}{say_reason(do.source)}."
    )


@declares("place-residual", GM, says=say_places, records=(ResidualPlaced,))
class PlaceResidual:
    """Place a Residual modifier on a Character. This is a Gamemaster's ruling.

    `amount`: the number that the modifier adds to a roll. `scope`: the situations in which the modifier counts.
    `source`: where the modifier comes from. `until`: how long the modifier lasts.
    """

    character: CharacterId
    amount: Whole
    scope: Situation
    source: Reason
    until: Ending = "session"


@decides
def place_residual(draft: Draft, do: PlaceResidual) -> None:
    draft.read_character(do.character)
    amount = check_whole(do.amount, RESIDUAL)
    if do.until.strip().lower() in EARLY_ENDS and do.source in ("telling-blow", "catastrophic-failure"):
        raise ENDS_TOO_SOON(until=do.until)
    residual_placed = ResidualPlaced(
        residual=draft.table.new_id(),
        character=do.character,
        amount=amount,
        scope=do.scope,
        source=do.source,
        until=do.until,
    )
    draft.about(do.character, residual_placed)
    draft.by(RESIDUAL, amount, character=do.character)


@fact("residual-ended", says="One of {subject}'s Residual modifiers ends.")
class ResidualEnded:
    """A lasting modifier ended. `residual`: its id."""

    residual: ResidualId


@changes
@once_created
def end_residual_of_character(state: Character, fact: ResidualEnded) -> Character | None:
    residuals_left = tuple(residual for residual in state.residuals if residual.residual != fact.residual)
    return changed(state, residuals=residuals_left) if len(residuals_left) < len(state.residuals) else None


@declares("end-residual", GM, says="One of {character}'s Residual modifiers ends.", records=(ResidualEnded,))
class EndResidual:
    """End a Residual modifier of a Character."""

    character: CharacterId
    residual: OwnResidual


@decides
def end_residual(draft: Draft, do: EndResidual) -> None:
    if all(residual.residual != do.residual for residual in draft.read_character(do.character).residuals):
        raise BAD_NUMBER.under(RESIDUAL, residual=do.residual)
    draft.about(do.character, ResidualEnded(do.residual))
    draft.by(RESIDUAL, 0, residual=do.residual)


REACT = rule(
    "scattershot.engage.off-guard",
    "A Persona that is concentrating on something else is Off-Guard. It becomes Engaged only if it succeeds"
    " at a Reaction roll at -2.",
    "Off-Guard",
    step="Reaction {reaction}, modified by {modifiers} and by -2 for being Off-Guard: a MIB of {out}.",
    outcome="character",
)
STILL_OFF_GUARD = Refusal(
    REACT,
    "off-guard",
    "{character} is Off-Guard[ towards {looked_at}] and has noticed nothing. A Reaction roll must succeed first.",
)


def _say_guard(subject: Subject, towards: Iterable[str], exempt_id: str | None, names: Names) -> str:
    direction_phrases = [f"towards {name_people(towards, names)}"] if towards else []
    direction_phrases += [f"towards everybody but {names.name(character(exempt_id))}"] if exempt_id is not None else []
    guard_phrase = f"Off-Guard {listed(direction_phrases)}" if direction_phrases else "on guard again"
    return f"{names.name(subject)} is {guard_phrase}."


def say_guarded(fact: OffGuardSet, names: Names) -> str:
    subject = names.subject if isinstance(names, About) else character("")
    return _say_guard(subject, fact.towards, fact.but, names)


@fact("off-guard-set", says=say_guarded)
class OffGuardSet:
    """The Character is Off-Guard towards the Characters in `towards`, or towards everybody except `but`. If both are
    empty, the Character is no longer Off-Guard.
    """

    towards: tuple[CharacterId, ...]
    but: CharacterId | None


@changes
@once_created
def set_off_guard_of(state: Character, fact: OffGuardSet) -> Character:
    return changed(state, off_guard=fact.towards, off_guard_but=fact.but)


def say_guards(do: SetOffGuard, names: Names) -> str:
    return _say_guard(character(do.character), do.towards, do.all_but, names)


@declares("set-off-guard", ANYONE, says=say_guards, records=(OffGuardSet,))
class SetOffGuard:
    """Set towards which Characters this one is Off-Guard. If you leave out both `towards` and `all_but`, the Character
    is on guard again.

    `towards`: the Characters towards whom this one is Off-Guard. `all_but`: the only Character towards whom it is on
    guard; it is Off-Guard towards all others.
    """

    character: CharacterId
    towards: tuple[CharacterId, ...] = ()
    all_but: CharacterId | None = None


@decides
def set_off_guard(draft: Draft, do: SetOffGuard) -> None:
    draft.check_plays(do.character, REACT)
    for char_id in (*do.towards, *((do.all_but,) if do.all_but is not None else ())):
        draft.read_character(char_id)
    draft.about(do.character, OffGuardSet(do.towards, do.all_but))
    draft.by(REACT, do.all_but or list(do.towards), character=do.character)


JUNCTURE_SOURCES = ("telling-blow", "catastrophic-failure")
ADVANTAGE_PENALTY = rule(
    "scattershot.advantage.penalty",
    "For each point of Combat Advantage that a foe holds over a Character, the Character takes -1 on all rolls.",
    "Combat Advantage",
    step="Combat Advantage over {subject}: -{out} to all rolls.",
)
DEFERRED_PENALTY = rule(
    "scattershot.result.deferred-penalty",
    "Penalties for a reduced Resource wait for the next lull. Outside Mechanical Play, they take effect immediately.",
    "Results",
)


def add_up_situation(draft: Draft, char_id: str) -> int:
    """Return the modifier to a Character's rolls from its reduced Resources and from Combat Advantage against it."""
    points_held = []
    fight = draft.find_fight(char_id)
    if fight is not None and fight.melee:
        place_id = draft.place().id
        points_held = [
            draft.balance(accounts.name_advantage(place_id, foe, char_id)) for foe in fight.standing if foe != char_id
        ]
    advantage_penalty = sum(points_held) if draft.dials.advantage_stacking == "sum" else max(points_held, default=0)
    resource_penalty = draft.read_character(char_id).penalty
    if advantage_penalty:
        draft.by(ADVANTAGE_PENALTY, -advantage_penalty, subject=char_id)
    if resource_penalty:
        draft.by(DEFERRED_PENALTY, -resource_penalty, character=char_id)
    return -advantage_penalty - resource_penalty


@offers
def offer_conditions(seen: Seen, draft: Draft) -> Iterator[Move]:
    if own_ids := draft.filter_mine(draft.roster):
        guard_fields: dict[str, Domain] = {
            "towards": make_any_of(draft.roster),
            "all_but": Among((None, *draft.roster)),
        }
        yield Move(SetOffGuard, {"character": Among(own_ids), **guard_fields})
    if not seen.decides or not draft.roster:
        return
    fields: dict[str, Domain] = {"character": Among(draft.roster), "amount": WHOLE}
    yield Move(PlaceResidual, {**fields, "source": Besides(JUNCTURE_SOURCES)})
    yield Move(PlaceResidual, {**fields, "source": Among(JUNCTURE_SOURCES), "until": Besides(EARLY_ENDS)})
    for char_id in draft.roster:
        if residual_ids := tuple(residual.residual for residual in draft.read_character(char_id).residuals):
            yield Move(EndResidual, {"character": Among((char_id,)), "residual": Among(residual_ids)})


# --- All-Out Attack, All-Out Defense and Focusing ---------------------------------------------------------------------


ALL_OUT = rule(
    "scattershot.mech.all-out",
    "A Persona in an All-Out Attack cannot defend itself until its next Turn. In All-Out Defense, it can"
    " only defend itself and move. While it is Focusing on a foe, it is Off-Guard to everybody else.",
    "Combat Advantage",
)
IN_ALL_OUT = Refusal(
    ALL_OUT,
    "all-out",
    "{character} is in an All-Out Attack or All-Out Defense, and cannot do that before its next Turn.",
)


def make_all_out_saying(field: str) -> Saying:
    """Return the sentences for the All-Out modes. `field`: the field that names the Character."""
    phrases_by_mode = {
        "attack": "makes an All-Out Attack[ on {foe}]",
        "defense": "chooses All-Out Defense[ against {foe}]",
        "focusing": "is Focusing[ on {foe}]",
    }
    return by_value("mode", {mode: f"{{{field}}} {phrase}." for mode, phrase in phrases_by_mode.items()})


@fact("all-out-declared", says=make_all_out_saying("persona"))
class AllOutDeclared:
    """A Persona went into an All-Out Attack or an All-Out Defense, or is Focusing on a foe."""

    persona: CharacterId
    mode: AllOutMode
    foe: CharacterId | None


@changes
@in_its_standing
def go_all_out_of(standing: Standing, fact: AllOutDeclared) -> Standing:
    return changed(standing, all_out=fact.mode)


@declares(
    "go-all-out",
    ANYONE,
    says=make_all_out_saying("character"),
    records=(
        AllOutDeclared,
        OffGuardSet,
        advantage.FoeChanged,
        advantage.AdvantageErased,
        advantage.ActDeclined,
    ),
)
class GoAllOut:
    """Choose All-Out Attack, All-Out Defense or Focusing for a Character. This lasts until its next Turn.

    `mode`: `attack` allows no defense; `defense` allows only defense and movement; `focusing` makes the Character
    Off-Guard towards everybody but the foe. `foe`: the foe, needed for Focusing. `act`: the open resolution in which
    the Character attacks, defends itself, moves or acts against the foe. Leave it out to ask the Gamemaster.
    """

    character: CharacterId
    mode: AllOutMode
    foe: CharacterId | None = None
    act: ResolutionId | None = None


def is_all_out_act(resolution: Resolution, char_id: str, mode: str, foe: str | None) -> bool:
    """Return whether the Persona acts in this resolution as the mode requires: it attacks, it defends or moves or, when
    Focusing, it acts against the foe.
    """
    match mode:
        case "attack":
            return resolution.actor == char_id and resolution.deed.nature == "attack"
        case "defense":
            nature = resolution.deed.nature if resolution.actor == char_id else _find_nature(resolution, char_id)
            return nature in ("defense", "movement")
        case _:
            return resolution.actor == char_id and foe is not None and advantage.is_between(resolution, char_id, foe)


def _find_nature(resolution: Resolution, char_id: str) -> str:
    side = resolution.sides.get(char_id) if char_id != ACTOR else None
    return side.nature if side is not None else ""


MODE_NAMES = {"attack": "All-Out Attack", "defense": "All-Out Defense", "focusing": "Focusing"}


def may_act_in_mode(standing: Standing, char_id: str, nature: str, payment: str = "action") -> Refused | None:
    """Refuse defense after an All-Out Attack, and anything but defense and movement after All-Out Defense.

    A Free Action is allowed after All-Out Defense, because it is not an Action.
    """
    if standing.all_out == "defense" and payment != "free" and nature not in ("defense", "movement"):
        return IN_ALL_OUT(character=char_id)
    return IN_ALL_OUT(character=char_id) if standing.all_out == "attack" and nature == "defense" else None


def list_natures_allowed(standing: Standing, char_id: str, natures: tuple[str, ...], payment: str) -> tuple[str, ...]:
    """Return the natures, out of these, that the Character's All-Out mode allows."""
    return tuple(nature for nature in natures if may_act_in_mode(standing, char_id, nature, payment) is None)


@decides
def go_all_out(draft: Draft, do: GoAllOut) -> Asking[None]:
    """Choose an All-Out mode until the next Turn. Focusing leaves the Character Off-Guard towards everybody but the
    foe.
    """
    draft.check_plays(do.character, ALL_OUT)
    standing = require_standing(draft, do.character, ALL_OUT)
    require(may_act_in_mode(standing, do.character, do.mode))
    if do.mode == "focusing" and do.foe is None:
        raise NOT_IN_THIS_SCENE.under(ALL_OUT)
    if do.foe is not None:
        require_standing(draft, do.foe, ALL_OUT)
    advantage.check_act(
        draft, ALL_OUT, do.act, lambda resolution: is_all_out_act(resolution, do.character, do.mode, do.foe)
    )
    draft.here(AllOutDeclared(do.character, do.mode, do.foe))
    if do.mode == "focusing" and do.foe is not None:
        draft.about(do.character, OffGuardSet((), do.foe))
        advantage.turn_to_foe(draft, do.character, do.foe)
    elif standing.all_out == "focusing":
        draft.about(do.character, OffGuardSet((), None))
    draft.by(ALL_OUT, do.mode, character=do.character)
    yield from advantage.ask_for_ruling(draft, ALL_OUT, do.character, do.act, MODE_NAMES[do.mode])


@offers
def offer_all_out(seen: Seen, draft: Draft) -> Iterator[Move]:
    """Yield each mode with its foe: once to ask the Gamemaster, and once with each open resolution that allows the
    mode.
    """
    foes = tuple(char_id for fight in draft.read_fights().values() for char_id in fight.standing)
    for fight in draft.read_fights().values():
        own_ids = draft.filter_mine(fight.standing)
        for modes, ids in group_alike(own_ids, partial(_list_modes, fight)):
            yield Move(GoAllOut, {"character": ids, "mode": Among(modes), "foe": Among((None, *foes))})
        if focusing_ids := tuple(
            char_id for char_id in own_ids if may_act_in_mode(fight.standing[char_id], char_id, "focusing") is None
        ):
            yield Move(GoAllOut, {"character": Among(focusing_ids), "mode": Among(("focusing",)), "foe": Among(foes)})
        for char_id in own_ids:
            yield from _list_moves_by_act(draft, fight, char_id, foes)


def _list_modes(fight: Fight, char_id: str) -> tuple[str, ...] | None:
    return list_natures_allowed(fight.standing[char_id], char_id, ("attack", "defense"), "action") or None


def _list_moves_by_act(draft: Draft, fight: Fight, char_id: str, foes: tuple[str, ...]) -> Iterator[Move]:
    """Yield each mode with the open resolutions in which the Character acts as the mode requires."""
    ids_and_resolutions = draft.read_resolutions().items()
    for mode in _list_modes(fight, char_id) or ():
        if act_ids := tuple(
            act_id for act_id, resolution in ids_and_resolutions if is_all_out_act(resolution, char_id, mode, None)
        ):
            fields: dict[str, Domain] = {"character": Among((char_id,)), "mode": Among((mode,)), "act": Among(act_ids)}
            yield Move(GoAllOut, {**fields, "foe": Among((None, *foes))})
    for foe in foes if may_act_in_mode(fight.standing[char_id], char_id, "focusing") is None else ():
        if act_ids := tuple(
            act_id for act_id, resolution in ids_and_resolutions if is_all_out_act(resolution, char_id, "focusing", foe)
        ):
            focusing = {"character": Among((char_id,)), "mode": Among(("focusing",)), "act": Among(act_ids)}
            yield Move(GoAllOut, {**focusing, "foe": Among((foe,))})
