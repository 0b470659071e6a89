"""What facts of a round change: its participants, their declarations, dice and turns."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Protocol, TypeVar

from ledger.rules.intensity import facts_of_rounds as facts
from ledger.rules.intensity.state import Die, Participant, Round, Scene
from ledger.rules.intensity.terms import UNTOUCHED, DieName, Level, Turn
from ledger.rules.kernel.frozen import changed, changing


class OfARound(Protocol):
    """A fact that names its round."""

    @property
    def round(self) -> str: ...


F = TypeVar("F", bound=OfARound)
in_round = changing(Scene, "round")
_taking_part = changing(Round, "participants")
_rolling = changing(Participant, "dice")


def in_its_round(change: Callable[[Round, F], Round | None]) -> Callable[[Scene, F], Scene | None]:
    """The scene after what changes its open round, if that is still the one the fact is of."""

    @wraps(change)
    def after(was: Scene, done: F) -> Scene | None:
        round = was.round
        if round is None or round.id != done.round:
            return None
        then = change(round, done)
        return in_round(was, then) if then is not None else None

    after.__annotations__ = {**change.__annotations__, "was": Scene, "return": Scene | None}
    return after


def opened(was: Scene, done: facts.RoundOpened) -> Scene:
    return changed(was, round=Round(done.round, {id: Participant() for id in done.participants}))


def over(was: Scene, done: facts.RoundClosed | facts.RoundAbandoned) -> Scene | None:
    return changed(was, round=None) if was.round is not None and was.round.id == done.round else None


# --- declarations -------------------------------------------------------------------------------------------------


def declared(was: Scene, done: facts.ActionDeclared) -> Scene | None:
    return _last_level(_declaration(was, done), done.char, done.level)


def raised(was: Scene, done: facts.IntensityRaised) -> Scene | None:
    return _last_level(_higher(was, done), done.char, done.to_level)


def _last_level(after: Scene | None, char: str, level: Level) -> Scene | None:
    """The scene keeps the last level of everybody, beyond the round."""
    return changed(after, levels={**after.levels, char: level}) if after is not None else None


@in_its_round
def _declaration(was: Round, done: facts.ActionDeclared) -> Round | None:
    one = was.participants.get(done.char)
    if one is None:
        return None
    after = changed(one, level=done.level, target=done.target, trait=done.trait, text=done.text)
    return with_participant(was, done.char, after)


@in_its_round
def _higher(was: Round, done: facts.IntensityRaised) -> Round | None:
    one = was.participants.get(done.char)
    return with_participant(was, done.char, changed(one, level=done.to_level)) if one is not None else None


@in_its_round
def amended(was: Round, done: facts.DeclarationAmended) -> Round | None:
    one = was.participants.get(done.char)
    if one is None:
        return None
    target = one.target if done.after.target == UNTOUCHED else done.after.target
    trait = one.trait if done.after.trait == UNTOUCHED else done.after.trait
    after = changed(one, target=target, trait=trait, text=done.after.text or one.text)
    return with_participant(was, done.char, after)


# --- dice and turns -----------------------------------------------------------------------------------------------


@in_its_round
def rolled(was: Round, done: facts.DiceRolled) -> Round | None:
    one = was.participants.get(done.char)
    if one is None:
        return None
    dice: dict[DieName, Die] = {"intensity": Die(done.intensity.size, done.intensity.face)}
    if done.trait is not None:
        dice["trait"] = Die(done.trait.size, done.trait.face)
    return changed(was, participants={**was.participants, done.char: _rolling(one, dice)}, begun=True)


@in_its_round
def left(was: Round, done: facts.RoundLeft) -> Round | None:
    """Gone from the round, and nobody's target any more."""
    if done.char not in was.participants:
        return None
    others = {
        id: changed(one, target=None) if one.target == done.char else one
        for id, one in was.participants.items()
        if id != done.char
    }
    return changed(was, participants=others)


@in_its_round
def ordered(was: Round, done: facts.OrderEstablished) -> Round:
    participants = {
        id: changed(one, turn="none" if one.target is None else "pending") for id, one in was.participants.items()
    }
    return changed(was, participants=participants, groups=done.groups)


@in_its_round
def tie_settled(was: Round, done: facts.TieSettled) -> Round:
    return changed(was, rankings=(*was.rankings, done.ranking))


@in_its_round
def passed(was: Round, done: facts.ActionPassed) -> Round | None:
    return _turned(was, done.char, "passed")


@in_its_round
def forfeited(was: Round, done: facts.ActionForfeited) -> Round | None:
    return _turned(was, done.char, "forfeited")


@in_its_round
def lapsed(was: Round, done: facts.ActionLapsed) -> Round | None:
    return _turned(was, done.char, "lapsed")


def _turned(was: Round, char: str, turn: Turn) -> Round | None:
    one = was.participants.get(char)
    return with_participant(was, char, changed(one, turn=turn)) if one is not None else None


def with_participant(was: Round, char: str, after: Participant) -> Round:
    return _taking_part(was, {**was.participants, char: after})
