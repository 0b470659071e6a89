"""Whose the dice are that were typed in with an input."""

from __future__ import annotations

from collections.abc import Iterator

from ledger.rules.kernel.subjects import character
from ledger.rules.kernel.thrown import Thrown, Told, made
from ledger.rules.moc.facts_of_dice import DamageRolled, HitScored
from ledger.rules.moc.facts_of_scenes import ActionDeclared, DiceRolled
from ledger.rules.moc.inputs import Heal
from ledger.rules.moc.inputs_of_actions import RollDice
from ledger.rules.moc.inputs_of_combat import ResistDamage, RollDamage, RollInitiative, SetLocation
from ledger.rules.moc.numbers import check_faces
from ledger.rules.moc.state_of_actions import Action
from ledger.rules.moc.state_of_combat import Hit

SIDES = 10


def thrown(do: object, told: Told) -> Iterator[Thrown]:
    """A pool with what its 10s opened, as one throw."""
    match do:
        case RollDice() if do.faces is not None:
            action = _action(told, do.action)
            for about in told.facts:
                if isinstance(about.fact, DiceRolled) and action is not None:
                    who = character(action.character)
                    yield Thrown(who, SIDES, (*about.fact.faces, *about.fact.bonus), about.audience)
        case RollInitiative():
            for id, faces in do.faces.items():
                yield Thrown(character(id), SIDES, check_faces((*faces, *do.bonus.get(id, ())), SIDES))
        case SetLocation() if do.face is not None and (hit := _hit(told, do.hit)) is not None:
            if do.location is None:
                yield Thrown(character(hit.attacker), SIDES, check_faces((do.face,), SIDES))
        case RollDamage() if do.faces is not None and (hit := _hit(told, do.hit)) is not None:
            for about in told.facts:
                if isinstance(about.fact, DamageRolled):
                    fell = about.fact
                    dice = (*fell.faces, *fell.bonus, *fell.raise_faces, *fell.raise_bonus)
                    yield Thrown(character(hit.attacker), hit.sides, dice)
        case ResistDamage() if do.faces is not None and (hit := _hit(told, do.hit)) is not None:
            yield Thrown(character(hit.target), SIDES, check_faces((*do.faces, *do.bonus), SIDES))
        case Heal() if do.faces is not None:
            yield Thrown(character(do.character), SIDES, check_faces((*do.faces, *do.bonus), SIDES))
        case _:
            pass


def _action(told: Told, id: str) -> Action | None:
    declared = (about.fact for about in made(told, id))
    return next((fact.what for fact in declared if isinstance(fact, ActionDeclared) and fact.action == id), None)


def _hit(told: Told, id: str) -> Hit | None:
    scored = (about.fact for about in made(told, id))
    return next((fact.what for fact in scored if isinstance(fact, HitScored) and fact.hit == id), None)
