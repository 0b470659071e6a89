"""Automatic steps: if a request leads to a step without a choice, the ledger carries out that step, too."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from dataclasses import dataclass, replace

from ledger.application.book import Book
from ledger.application.calls import Act, Call, Done, Reply
from ledger.application.commands.consenting import DecisionResult, find_concerned_seats
from ledger.application.commands.declaring import Dice, find_scene, get_dice_source, make_declaring
from ledger.application.reading.repeating import is_waiting_for_anybody
from ledger.application.reading.shown import Present, ShownPending, ShownRuling, ShownStep
from ledger.application.save import Save
from ledger.application.saves import Saves
from ledger.errors import LedgerError
from ledger.rules.kernel.failures import describe_failure_wordlessly
from ledger.rules.kernel.offers import EVERYBODY, Step, find_step
from ledger.rules.kernel.refusals import Refused
from ledger.rules.kernel.subjects import Viewer

#: The maximum number of steps that follow from one request.
MOST_STEPS = 16
log = logging.getLogger("ledger.following")


class NothingFollows(LedgerError):
    """No step follows automatically. Nothing is saved, and nobody is notified."""


class NotYourDice(LedgerError):
    """The step would ask another seat for dice, so it does not follow automatically. Another step may still follow."""

    def __init__(self, step: Step) -> None:
        super().__init__("Another seat would have to roll the dice for this step.")
        self.step = step


@dataclass(frozen=True, slots=True)
class NextStep:
    """The next step. `declarer`: the seat that declares it. `first`: the ruling that it follows from."""

    step: Step
    declarer: Viewer
    first: int


def post_with_steps(
    saves: Saves, call: Call, act: Act, present: Present, *, dice: Dice | None = None, waiting_id: str | None = None
) -> Reply:
    """Post the act, and then each step that follows from it. Each step has its own save.

    A step's receipt has the request's key and the step's number, so a repeated request continues after the last saved
    step. Return the act's reply, with the steps as `followed`. `dice`: who rolls. `waiting_id`: the declaration that
    the act answers.
    """
    first_reply = reply = saves.post(call, act)
    step_replies: list[Reply] = []
    left_out: list[Step] = []
    while len(step_replies) < MOST_STEPS and (reply.is_repeated or _may_follow(saves, call.campaign, reply.position)):
        step_call = replace(call, route=f"{call.route}#{len(step_replies) + 1}", expects=None, position=None)
        try:
            reply = saves.post(step_call, _make_step(reply.position, dice, waiting_id, present, left_out))
        except NotYourDice as refusal:
            left_out.append(refusal.step)
            continue
        except NothingFollows:
            break
        except Exception as problem:  # noqa: BLE001  (the reply to the act is sent even if a step fails)
            failure = describe_failure_wordlessly(problem.__cause__ or problem)
            log.warning("The next automatic step failed in campaign %s: %s", call.campaign, failure)
            break
        step_replies.append(reply)
    return _add_followed_replies(first_reply, step_replies)


def _may_follow(saves: Saves, campaign: str, position: int) -> bool:
    """Return whether a step may follow from the save at this position. Nothing is read from the database."""
    book = saves.get_book(campaign)
    with book.lock:
        return _is_last_ruling(book, position) and _do_steps_follow(book)


def _is_last_ruling(book: Book, position: int) -> bool:
    """Return whether the campaign's last save is at this position and made a ruling."""
    positions = book.campaign.ruling_positions
    return book.campaign.position == position and len(positions) > 0 and positions[-1] == position


def _do_steps_follow(book: Book) -> bool:
    return book.load_kernel_dials().forced_steps == "by_ledger"


def _make_step(
    position: int, dice: Dice | None, waiting_id: str | None, present: Present, left_out: Sequence[Step]
) -> Act:
    def act(save: Save) -> Done:
        book, requester = save.book, save.viewer
        next_step = _find_next_step(book, position, left_out)
        if next_step is None:
            raise NothingFollows("No step follows.")
        pending = book.load_pending(waiting_id) if waiting_id is not None else None
        dice_source = get_dice_source(book, pending) if pending is not None else dice
        make_decision = make_declaring(next_step.step.do, next_step.step.scene, (), dice_source)
        save.follows = next_step.first
        try:
            with save.act_as(next_step.declarer):
                result = make_decision(save)
                concerned_seats = find_concerned_seats(save, result)
        except (Refused, LedgerError) as refusal:
            raise NothingFollows("The step is refused.") from refusal
        if concerned_seats:
            raise NothingFollows("The step needs consent.")
        if dice_source == "table" and book.load_kernel_dials().dice != "table":
            chooser = requester if pending is None else book.load_viewer(pending.seat)
            if not _are_own_dice(result, next_step.declarer, chooser):
                raise NotYourDice(next_step.step)
        assert isinstance(result.shown, ShownRuling | ShownPending)
        return Done(result.status, present(book, requester, ShownStep(result.shown)))

    return act


def _are_own_dice(result: DecisionResult, declarer: Viewer, chooser: Viewer | None) -> bool:
    """Return whether the step needs no dice, or only dice of the seat that chose to enter dice."""
    question = result.shown.pending.question if isinstance(result.shown, ShownPending) else None
    if question is None or question["ask"] == "choice":
        return True
    kind, _, id = (question.get("who") or f"seat:{declarer.seat}").partition(":")
    return chooser is not None and (id in chooser.characters if kind == "character" else id == chooser.seat)


def _find_next_step(book: Book, position: int, left_out: Sequence[Step]) -> NextStep | None:
    """Return the step that follows from the ruling in the save at this position, or None if that is not the last save.

    No step follows from a secret ruling, because it would reveal the ruling.
    """
    if not _is_last_ruling(book, position) or not _do_steps_follow(book):
        return None
    ruling = book.load_ruling(book.campaign.rulings)
    if ruling.audience is not None:
        return None
    declarer = book.load_viewer(ruling.ruled.seat) or EVERYBODY  # the seat was removed
    step = find_step(book.ruleset, book, declarer, lambda step: step in left_out or _is_waiting(book, step))
    step_declarer = book.load_viewer(step.seat) if step is not None else None
    if step is None or step_declarer is None:
        return None
    return NextStep(step, step_declarer, ruling.ruled.follows or ruling.number)


def _is_waiting(book: Book, step: Step) -> bool:
    """Return whether the step is already waiting for an answer, whichever seat declared it."""
    declarer = book.load_viewer(step.seat)
    return declarer is not None and is_waiting_for_anybody(book, step, declarer, find_scene(book, step.scene))


def _add_followed_replies(reply: Reply, step_replies: Sequence[Reply]) -> Reply:
    if not step_replies:
        return reply
    followed_json = ",".join(step_reply.body for step_reply in step_replies)
    return replace(reply, body=f'{reply.body[:-1]},"followed":[{followed_json}]}}', position=step_replies[-1].position)
