"""Actions: the simultaneous roll, and the order it establishes."""

from __future__ import annotations

from itertools import combinations

from ledger.rules.intensity import accounts
from ledger.rules.intensity.draft import Draft
from ledger.rules.intensity.faces import ask_faces, check_faces
from ledger.rules.intensity.facts_of_rounds import ConflictLinked, DiceRolled, OrderEstablished, RolledDie, RolledTrait
from ledger.rules.intensity.guards import Place, check_once, the_round, the_scene
from ledger.rules.intensity.inputs_of_rounds import RollDice
from ledger.rules.intensity.order import grouped, key_of
from ledger.rules.intensity.state import Participant, Round, Scene
from ledger.rules.intensity.tables import INTENSITY
from ledger.rules.intensity.terms import DieName
from ledger.rules.intensity.traits import explain_size, sizes_of
from ledger.rules.kernel.questions import Asking
from ledger.rules.kernel.refusals import Refused

RULE = "intensity.round.roll"


def roll_dice(draft: Draft, do: RollDice) -> Asking[None]:
    """Everybody rolls the declared dice; entered one by one or together. When all are in, the order is established."""
    typed_for = [entry.char for entry in do.faces]
    for id in (*typed_for, *do.participants):
        draft.known(id)
    check_once(typed_for, RULE)
    check_once(do.participants, RULE)
    place = the_scene(draft, RULE)
    round = the_round(place, RULE)
    for id in round.participants:
        draft.known(id)
    _check_ready(round)
    names = _who_rolls(round, do)
    sizes = {id: _dice_of(draft, id, round.participants[id]) for id in _yet_to_roll(round)}
    typed = {entry.char: check_faces(entry, sizes[entry.char], RULE) for entry in do.faces}
    for id in names:
        faces = typed[id] if do.faces else (yield from ask_faces(id, sizes[id], "round", "the roll of the round", RULE))
        done = _rolled(round.id, id, round.participants[id], sizes[id], faces)
        account = accounts.standing(place.subject, id)
        draft.tell(place.subject, done, accounts.from_bank(account, "die", len(faces)))
        if done.trait is not None:
            explain_size(draft, id, done.trait.name)
        draft.by(RULE, list(faces.values()), char=id, sizes=list(sizes[id].values()))
    establish_order(draft, place)


def establish_order(draft: Draft, place: Place) -> None:
    """Once every participant's dice are in: the order, and who is in conflict by this round."""
    round = draft.state(place.subject, Scene).round
    if round is None or not round.participants or _yet_to_roll(round):
        return
    keys = {id: key_of(one.dice.values()) for id, one in round.participants.items()}
    groups = tuple(draft.in_name_order(group) for group in grouped(keys))
    draft.tell(place.subject, OrderEstablished(round.id, groups))
    for group in groups:
        for id in group:
            draft.by("intensity.order.key", list(keys[id]), char=id)
    for a, b in _conflicts(draft, round):
        draft.campaign_wide(ConflictLinked(a, b, round.id))
        draft.by("intensity.heal.conflict", [a, b], link=draft.dials.conflict_link)


def _check_ready(round: Round) -> None:
    if round.groups is not None:
        raise Refused(RULE, "wrong-stage", round=round.id)
    undeclared = [id for id, one in round.participants.items() if one.level is None]
    if undeclared:
        raise Refused(RULE, "undeclared", undeclared=undeclared)
    if all(one.target is None for one in round.participants.values()):
        raise Refused(RULE, "nobody-acts", round=round.id)


def _yet_to_roll(round: Round) -> list[str]:
    return [id for id, one in round.participants.items() if not one.dice]


def _who_rolls(round: Round, do: RollDice) -> list[str]:
    """The named ones (else all), in the round's order. Refuses `roll-names` for who is not in it or has rolled."""
    typed = [entry.char for entry in do.faces]
    waiting = _yet_to_roll(round)
    named = set(typed or do.participants or waiting)
    if not named <= set(waiting) or (typed and do.participants and named != set(do.participants)):
        raise Refused(RULE, "roll-names", named=sorted(named), to_roll=waiting)
    return [id for id in waiting if id in named]


def _dice_of(draft: Draft, id: str, one: Participant) -> dict[DieName, int]:
    """The declared dice: intensity by level, the trait at its current size. Refuses `trait-unusable`."""
    assert one.level is not None
    dice: dict[DieName, int] = {"intensity": INTENSITY[one.level]}
    if one.trait is not None:
        dice["trait"] = sizes_of(draft, id).get(one.trait, 0)
        if dice["trait"] == 0:
            raise Refused("intensity.round.roll", "trait-unusable", char=id, trait=one.trait)
    return dice


def _rolled(round: str, id: str, one: Participant, sizes: dict[DieName, int], faces: dict[DieName, int]) -> DiceRolled:
    trait = None
    if one.trait is not None:
        trait = RolledTrait(one.trait, sizes["trait"], faces["trait"])
    return DiceRolled(round, id, RolledDie(sizes["intensity"], faces["intensity"]), trait)


def _conflicts(draft: Draft, round: Round) -> list[tuple[str, str]]:
    """intensity.heal.conflict: who declared whom as target, or everybody with everybody; each pair once."""
    if draft.dials.conflict_link == "shared_round":
        return list(combinations(draft.in_name_order(round.participants), 2))
    pairs: dict[tuple[str, ...], None] = {}
    for id, one in round.participants.items():
        if one.target is not None:
            pairs[draft.in_name_order((id, one.target))] = None
    return [(a, b) for a, b in pairs]
