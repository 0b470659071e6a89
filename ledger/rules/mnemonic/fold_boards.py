"""The fold of boards: what facts change of the actions and checks of a scene, or of the campaign outside any scene."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Protocol, TypeVar

from ledger.rules.kernel.fold import Change
from ledger.rules.kernel.frozen import changed, changing
from ledger.rules.mnemonic import facts, facts_of_injuries
from ledger.rules.mnemonic.facts import Fact
from ledger.rules.mnemonic.parts import Rolled
from ledger.rules.mnemonic.rolls import came_out, the_roll
from ledger.rules.mnemonic.state import Action, Board, Campaign, Check, Scene
from ledger.rules.mnemonic.terms import ActionStage


class OfCheck(Protocol):
    """A fact about a check."""

    @property
    def check(self) -> str: ...


F = TypeVar("F", bound=Fact)
C = TypeVar("C", bound=OfCheck)
_in_scene = changing(Scene, "board")
_acted = changing(Board, "actions")
_checked = changing(Board, "checks")
_staged = changing(Action, "stage")


def on_its_board(change: Callable[[Board, F], Board | None]) -> Change:
    """The change of a board as one of the scene, or of the campaign, whose board it is."""

    @wraps(change)
    def after(was: Scene | Campaign, done: F) -> Scene | Campaign | None:
        board = change(was.board, done)
        if board is None:
            return None
        return _in_scene(was, board) if type(was) is Scene else changed(was, board=board)

    after.__annotations__ = {**change.__annotations__, "was": Scene | Campaign}
    return after


def of_its_check(change: Callable[[Check, C], Check | None]) -> Callable[[Board, C], Board | None]:
    """The change of a check as one of the board it stands on."""

    @wraps(change)
    def after(was: Board, done: C) -> Board | None:
        check = was.checks.find(done.check)
        further = change(check, done) if check is not None else None
        return _check(was, done.check, further) if further is not None else None

    return after


# --- actions ------------------------------------------------------------------------------------------------------


def action_declared(was: Board, done: facts.ActionDeclared) -> Board:
    action = Action(done.action, done.character, done.text, done.physical)
    return _acted(was, was.actions.put(done.action, action))


def order_ruled(was: Board, done: facts.ActionOrderRuled) -> Board:
    return changed(was, order=done.order)


def ruled_impossible(was: Board, done: facts.ActionRuledImpossible) -> Board | None:
    return _action(was, done.action, "impossible")


def ruled_certain(was: Board, done: facts.ActionRuledCertain) -> Board | None:
    return _action(was, done.action, "certain")


def _action(was: Board, id: str, stage: ActionStage) -> Board | None:
    action = was.actions.find(id)
    return _acted(was, was.actions.put(id, _staged(action, stage))) if action is not None else None


# --- checks -------------------------------------------------------------------------------------------------------
# Each step is taken once, and counts for the roll it was decided about: with another roll it goes adrift.


def check_ruled(was: Board, done: facts.CheckRuled) -> Board:
    ruled = _checked(was, was.checks.put(done.check, Check(done)))
    if done.action is None:
        return ruled
    return _action(ruled, done.action, "ruled") or ruled


def check_rolled(was: Check, done: facts.CheckRolled) -> Check | None:
    return changed(was, rolled=done) if was.rolled is None else None


def fluke_ruled(was: Check, done: facts.FlukeRuled) -> Check | None:
    rolled = was.rolled
    fits = rolled is not None and (rolled.fluke, rolled.run) == (done.kind, done.run) and _is_of(was, done.rolled)
    return changed(was, fluke=done) if fits and was.fluke is None and was.resolved is None else None


def check_resolved(was: Check, done: facts.CheckResolved) -> Check | None:
    rolled = was.rolled
    fits = rolled is not None and (rolled.roll, rolled.fluke) == (done.roll, done.fluke_rolled)
    fits = fits and _is_of(was, done.rolled)
    counts = was.fluke.kind if was.fluke is not None and was.fluke.possible else None
    ruled = done.fluke_rolled is None or was.fluke is not None
    return changed(was, resolved=done) if fits and ruled and counts == done.fluke and not was.resolved else None


def consequence_narrated(was: Check, done: facts.ConsequenceNarrated) -> Check | None:
    if was.resolved is None or not (was.resolved.fluke or "").startswith("spectacular") or not _is_of(was, done.rolled):
        return None
    return changed(was, injured=(*was.injured, done.death)) if done.death is not None else was


def recovery_ruled(was: Board, done: facts_of_injuries.RecoveryRuled) -> Board:
    return changed(was, recoveries=was.recoveries.put(done.check, done))


def recovery_named(was: Check, done: facts_of_injuries.RecoveryNamed) -> Check | None:
    if was.resolved is None or not was.resolved.success or was.recovered:
        return None
    fits = done.result is None or done.result.is_same(came_out(was.resolved))
    return changed(was, recovered=True) if fits else None


def _is_of(check: Check, rolled: Rolled | None) -> bool:
    """Whether a decision about this roll is about the check's own; in edition 1 decisions named none."""
    return rolled is None or (check.rolled is not None and rolled.is_same(the_roll(check.rolled)))


def injury_ruled(was: Board, done: facts_of_injuries.InjuryRuled) -> Board:
    """The injury, noted at its cause. Where the cause stands no more, the injury still does: that is for people."""
    after = changed(was, injuries=was.injuries.put(done.injury, done))
    cause = done.cause_check
    if cause is None:
        return after
    check, action = after.checks.find(cause), after.actions.find(cause)
    if check is not None:
        return _check(after, cause, changed(check, injured=(*check.injured, done.victim)))
    if action is not None:
        noted = changed(action, injured=(*action.injured, done.victim))
        return changed(after, actions=after.actions.put(cause, noted))
    return after


def _check(was: Board, id: str, check: Check) -> Board:
    return _checked(was, was.checks.put(id, check))


#: What each fact changes where it was recorded: of a scene, or of the campaign.
BOARD: dict[type[Fact], Change] = {
    facts.ActionDeclared: on_its_board(action_declared),
    facts.ActionOrderRuled: on_its_board(order_ruled),
    facts.ActionRuledImpossible: on_its_board(ruled_impossible),
    facts.ActionRuledCertain: on_its_board(ruled_certain),
    facts.CheckRuled: on_its_board(check_ruled),
    facts.CheckRolled: on_its_board(of_its_check(check_rolled)),
    facts.FlukeRuled: on_its_board(of_its_check(fluke_ruled)),
    facts.CheckResolved: on_its_board(of_its_check(check_resolved)),
    facts.ConsequenceNarrated: on_its_board(of_its_check(consequence_narrated)),
    facts_of_injuries.InjuryRuled: on_its_board(injury_ruled),
    facts_of_injuries.RecoveryRuled: on_its_board(recovery_ruled),
    facts_of_injuries.RecoveryNamed: on_its_board(of_its_check(recovery_named)),
}
