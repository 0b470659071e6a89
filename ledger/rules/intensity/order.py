"""Actions: whose turn it is, ties, and passing."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TypeAlias

from ledger.rules.intensity.draft import Draft
from ledger.rules.intensity.faces import ask_faces, check_faces
from ledger.rules.intensity.facts_of_rounds import ActionPassed, Thrown, TieSettled
from ledger.rules.intensity.guards import Place, the_participant, the_round, the_scene
from ledger.rules.intensity.inputs_of_rounds import Faces, Pass, SettleTie
from ledger.rules.intensity.state import Die, Participant, Round
from ledger.rules.intensity.terms import DieName
from ledger.rules.kernel.questions import Asking
from ledger.rules.kernel.refusals import Refused

#: Highest face, other face; a missing die is 0.
Key: TypeAlias = tuple[int, int]


def key_of(dice: Iterable[Die]) -> Key:
    """intensity.order.key: which die shows the face is irrelevant."""
    return key_of_faces(die.face for die in dice)


def key_of_faces(faces: Iterable[int]) -> Key:
    first, second, *_ = [*sorted(faces, reverse=True), 0, 0]
    return (first, second)


def grouped(keys: Mapping[str, Key]) -> list[list[str]]:
    """Larger key first, the fully tied together."""
    return [[id for id, own in keys.items() if own == key] for key in sorted(set(keys.values()), reverse=True)]


def standing(participant: Participant) -> list[Die]:
    """The dice on the table that were not picked up."""
    return [die for die in participant.dice.values() if not die.picked_up]


def front(draft: Draft, round: Round) -> tuple[str, ...]:
    """The pending participants who are next by their keys: one, or several fully tied."""
    pending = [id for id, one in round.participants.items() if one.turn == "pending"]
    if draft.dials.initiative_basis == "standing_dice":
        keys = {id: key_of(standing(round.participants[id])) for id in pending}
        groups: Sequence[Sequence[str]] = grouped(keys)
    else:
        ordered = round.groups or ()
        strays = [id for id in pending if not any(id in group for group in ordered)]
        groups = [*ordered, strays]
    for group in groups:
        here = [id for id in group if id in pending]
        if here:
            return draft.in_name_order(here)
    return ()


def decided(round: Round, tied: Sequence[str]) -> str | None:
    """Who goes first of the tied by the latest decision that ranked all of them; None when there is none."""
    for ranking in reversed(round.rankings):
        if set(tied) <= set(ranking):
            return next(id for id in ranking if id in tied)
    return None


def check_turn(draft: Draft, round: Round, char: str, rule: str) -> Participant:
    """intensity.order.turn. Refuses `not-in-round`, `wrong-stage`, `tie-open`, `not-your-turn`, `attack-open`."""
    participant = the_participant(round, char, rule)
    if round.groups is None:
        raise Refused(rule, "wrong-stage", round=round.id)
    tied = front(draft, round)
    following = tied[0] if len(tied) == 1 else decided(round, tied) if tied else None
    if following is None and tied:
        raise Refused("intensity.order.full-tie", "tie-open", tied=list(tied))
    if following != char:
        raise Refused("intensity.order.turn", "not-your-turn", char=char, next=following)
    if round.attack is not None:
        raise Refused("intensity.order.turn", "attack-open", attack=round.attack.id)
    return participant


def explain_turn(draft: Draft, round: Round, char: str) -> None:
    """Why it is this participant's turn: the keys, or a decision among the tied."""
    tied = front(draft, round)
    draft.by("intensity.order.basis", list(tied), basis=draft.dials.initiative_basis)
    if len(tied) > 1:
        draft.by("intensity.order.full-tie", char, tied=list(tied))
    draft.by("intensity.order.turn", char)


def pass_turn(draft: Draft, do: Pass) -> None:
    """The own turn is given up; the dice are free to defend with."""
    rule = "intensity.order.pass"
    draft.known(do.char)
    place = the_scene(draft, rule)
    round = the_round(place, rule)
    check_turn(draft, round, do.char, rule)
    explain_turn(draft, round, do.char)
    draft.tell(place.subject, ActionPassed(round.id, do.char, do.text))
    draft.by(rule, "passed", char=do.char)


# --- ties ---------------------------------------------------------------------------------------------------------


def settle_tie(draft: Draft, do: SettleTie) -> Asking[None]:
    """The fully tied at the front are put into an order: by the table, or by rolling their dice again."""
    rule = "intensity.order.full-tie"
    for id in (*do.ranking, *(entry.char for throw in do.faces for entry in throw)):
        draft.known(id)
    place = the_scene(draft, rule)
    round = the_round(place, rule)
    if round.groups is None:
        raise Refused(rule, "wrong-stage", round=round.id)
    tied = front(draft, round)
    if len(tied) < 2 or decided(round, tied) is not None:
        raise Refused(rule, "no-tie", front=list(tied))
    if draft.dials.full_tie == "table_choice":
        _settle_by_choice(draft, place, round, tied, do)
    elif do.ranking:
        raise Refused(rule, "tie-by-roll-off", tied=list(tied))
    else:
        yield from _settle_by_roll_off(draft, place, round, tied, do)


def _settle_by_choice(draft: Draft, place: Place, round: Round, tied: tuple[str, ...], do: SettleTie) -> None:
    rule = "intensity.order.full-tie"
    if do.faces:
        raise Refused(rule, "tie-by-table-choice", tied=list(tied))
    if sorted(do.ranking) != sorted(tied):
        raise Refused(rule, "tie-ranking", tied=list(tied), ranking=list(do.ranking))
    draft.tell(place.subject, TieSettled(round.id, do.ranking, "table_choice", ()))
    draft.by(rule, list(do.ranking), tied=list(tied))


def _settle_by_roll_off(draft: Draft, place: Place, round: Round, tied: tuple[str, ...], do: SettleTie) -> Asking[None]:
    """All dice of the start roll again, for order only; who is still equal rolls again."""
    rule = "intensity.order.full-tie"
    dice = {id: {die: rolled.size for die, rolled in round.participants[id].dice.items()} for id in tied}
    if not all(dice.values()):  # the roll they made was struck: they have nothing to roll again
        raise Refused(rule, "roll-dice", tied=list(tied))
    groups: list[list[str]] = [list(tied)]
    throws: list[tuple[Thrown, ...]] = []
    while any(len(group) > 1 for group in groups):
        equal = [id for group in groups if len(group) > 1 for id in group]
        if do.faces:
            throw = _typed_throw(do.faces, len(throws), {id: dice[id] for id in equal})
        else:
            throw = yield from _asked_throw({id: dice[id] for id in equal})
        keys = {id: key_of_faces(faces.values()) for id, faces in throw.items()}
        for id, key in keys.items():
            draft.by("intensity.order.key", list(key), char=id, throw=len(throws) + 1)
        groups = [part for group in groups for part in _split(group, keys)]
        throws.append(tuple(Thrown(id, faces.get("intensity", 0), faces.get("trait")) for id, faces in throw.items()))
    if do.faces and len(do.faces) > len(throws):
        raise Refused(rule, "roll-off-long", throws=len(do.faces), needed=len(throws))
    ranking = tuple(id for group in groups for id in group)
    draft.tell(place.subject, TieSettled(round.id, ranking, "roll_off", tuple(throws)))
    draft.by(rule, list(ranking), tied=list(tied), throws=len(throws))


def _split(group: list[str], keys: Mapping[str, Key]) -> list[list[str]]:
    return [group] if len(group) == 1 else grouped({id: keys[id] for id in group})


Throw: TypeAlias = dict[str, dict[DieName, int]]


def _typed_throw(faces: tuple[tuple[Faces, ...], ...], index: int, dice: Throw) -> Throw:
    """Refuses `roll-off-short`, `roll-off-names`, `roll-dice`, `face-range`."""
    rule = "intensity.order.full-tie"
    if index >= len(faces):
        raise Refused(rule, "roll-off-short", equal=list(dice))
    named = [entry.char for entry in faces[index]]
    if sorted(named) != sorted(dice):
        raise Refused(rule, "roll-off-names", equal=list(dice), named=named)
    entries = {entry.char: entry for entry in faces[index]}
    return {id: check_faces(entries[id], sizes, rule) for id, sizes in dice.items()}


def _asked_throw(dice: Throw) -> Asking[Throw]:
    throw: Throw = {}
    for id, sizes in dice.items():
        throw[id] = yield from ask_faces(id, sizes, "roll-off", "a roll-off for order", "intensity.order.full-tie")
    return throw
