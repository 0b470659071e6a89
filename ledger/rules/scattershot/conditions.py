"""Residual modifiers, being Off-Guard, and what modifies all rolls of a Character."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ledger.rules.kernel.kit import (
    ANYONE,
    GM,
    About,
    Among,
    Besides,
    CharacterId,
    Domain,
    Move,
    Names,
    Reason,
    Refusal,
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
    rule,
)
from ledger.rules.scattershot import accounts
from ledger.rules.scattershot.draft import WHOLE, Draft, allow_any, check_whole
from ledger.rules.scattershot.state import Character, ResidualPlaced, say_residual
from ledger.rules.scattershot.words import (
    BAD_NUMBER,
    TOO_SOON,
    Ending,
    OwnResidual,
    ResidualId,
    Situation,
    Whole,
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

    `amount`: what the modifier adds to a roll. `scope`: the situations in which the modifier counts. `source`: where
    the modifier comes from. `until`: how long the modifier lasts.
    """

    character: CharacterId
    amount: Whole
    scope: Situation
    source: Reason
    until: Ending = "session"


@decides
def place_residual(draft: Draft, do: PlaceResidual) -> None:
    draft.who(do.character)
    amount = check_whole(do.amount, RESIDUAL)
    if do.until.strip().lower() in TOO_SOON and do.source in ("telling-blow", "catastrophic-failure"):
        raise ENDS_TOO_SOON(until=do.until)
    placed = ResidualPlaced(
        residual=draft.table.new_id(),
        character=do.character,
        amount=amount,
        scope=do.scope,
        source=do.source,
        until=do.until,
    )
    draft.about(do.character, placed)
    draft.by(RESIDUAL, amount, character=do.character)


@fact("residual-ended", says="One of {subject}'s Residual modifiers ends.")
class ResidualEnded:
    """A lasting modifier ended. `residual`: its id."""

    residual: ResidualId


@changes
@once_created
def end_residual_of_character(state: Character, fact: ResidualEnded) -> Character | None:
    kept = tuple(residual for residual in state.residuals if residual.residual != fact.residual)
    return changed(state, residuals=kept) if len(kept) < len(state.residuals) else None


@declares("end-residual", GM, says="One of {character}'s Residual modifiers ends.", records=(ResidualEnded,))
class EndResidual:
    """End a Residual modifier of a Character."""

    character: CharacterId
    residual: OwnResidual


@decides
def end_residual(draft: Draft, do: EndResidual) -> None:
    if all(residual.residual != do.residual for residual in draft.who(do.character).residuals):
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


def _say_guard(who: Subject, towards: Iterable[str], but: str | None, names: Names) -> str:
    against = [f"towards {name_people(towards, names)}"] if towards else []
    against += [f"towards everybody but {names.name(character(but))}"] if but is not None else []
    return f"{names.name(who)} is {f'Off-Guard {listed(against)}' if against else 'on guard again'}."


def say_guarded(fact: OffGuardSet, names: Names) -> str:
    about = names.subject if isinstance(names, About) else character("")
    return _say_guard(about, fact.towards, fact.but, names)


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
    """Say towards whom a Character is Off-Guard. If you leave out both `towards` and `all_but`, the Character is on
    guard again.

    `towards`: the Characters towards whom this one is Off-Guard. `all_but`: the only one towards whom it is on guard;
    it is Off-Guard to everybody else.
    """

    character: CharacterId
    towards: tuple[CharacterId, ...] = ()
    all_but: CharacterId | None = None


@decides
def set_off_guard(draft: Draft, do: SetOffGuard) -> None:
    draft.check_plays(do.character, REACT)
    for id in (*do.towards, *((do.all_but,) if do.all_but is not None else ())):
        draft.who(id)
    draft.about(do.character, OffGuardSet(do.towards, do.all_but))
    draft.by(REACT, do.all_but or list(do.towards), character=do.character)


OF_JUNCTURES = ("telling-blow", "catastrophic-failure")
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


def add_up_situation(draft: Draft, id: str) -> int:
    """Return what Combat Advantage against a Character and its reduced Resources take from its rolls."""
    held = []
    fight = draft.fight(id)
    if fight is not None and fight.melee:
        place = draft.place().id
        held = [draft.balance(accounts.advantage(place, foe, id)) for foe in fight.standing if foe != id]
    penalty = sum(held) if draft.dials.advantage_stacking == "sum" else max(held, default=0)
    reduced = draft.who(id).penalty
    if penalty:
        draft.by(ADVANTAGE_PENALTY, -penalty, subject=id)
    if reduced:
        draft.by(DEFERRED_PENALTY, -reduced, character=id)
    return -penalty - reduced


@offers
def offer_conditions(seen: Seen, draft: Draft) -> Iterator[Move]:
    if mine := draft.filter_mine(draft.known):
        fields: dict[str, Domain] = {"towards": allow_any(draft.known), "all_but": Among((None, *draft.known))}
        yield Move(SetOffGuard, {"character": Among(mine), **fields})
    if not seen.decides or not draft.known:
        return
    lasting: dict[str, Domain] = {"character": Among(draft.known), "amount": WHOLE}
    yield Move(PlaceResidual, {**lasting, "source": Besides(OF_JUNCTURES)})
    yield Move(PlaceResidual, {**lasting, "source": Among(OF_JUNCTURES), "until": Besides(TOO_SOON)})
    for id in draft.known:
        if placed := tuple(residual.residual for residual in draft.who(id).residuals):
            yield Move(EndResidual, {"character": Among((id,)), "residual": Among(placed)})
