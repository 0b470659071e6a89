"""Declaring, answering, withdrawing: from a request to a numbered ruling, or to a declaration that waits."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Literal, TypeAlias

from ledger.aggregates.ruling import Pending
from ledger.application import json_form
from ledger.application.book import Book
from ledger.application.calls import Act, Done
from ledger.application.commands.adjudicating import Adjudication, is_by_ledger, mark_as_typed, must_be_rolled
from ledger.application.commands.consenting import DecisionMaker, DecisionResult, Request, carry_out_or_ask
from ledger.application.commands.lapsing import find_rolled_before, put_lapsed
from ledger.application.commands.recording import record
from ledger.application.commands.repeating import must_be_new
from ledger.application.commands.rights import find_audience, may_decide, must_be_asked, must_be_declarer
from ledger.application.reading.asking import ask_anew
from ledger.application.reading.shown import Present, ShownPending
from ledger.application.reading.veiling import must_see_balance
from ledger.application.save import Save
from ledger.errors import Malformed, NotYours
from ledger.events import records
from ledger.events.records import Answered, Declared, Given, Lapsed, Unsupported, Withdrawn
from ledger.rules.kernel.answers import asks_the_same
from ledger.rules.kernel.declarations import can_outlive_scene
from ledger.rules.kernel.questions import Answer, Drawn
from ledger.rules.kernel.refusals import Declined, Refused
from ledger.rules.kernel.subjects import Subject, Viewer, scene
from ledger.rules.kernel.table import RulingTable

Dice: TypeAlias = Literal["ledger", "table"]


def declare(do: object, scene_id: str | None, answers: Sequence[Answer], dice: Dice | None, present: Present) -> Act:
    """Adjudicate a declaration. A verdict becomes the next ruling (201); with an open question the declaration waits
    (202).
    """
    content = {
        "declare": json_form.declaration_to_json(do),
        "scene": scene_id,
        "answers": [json_form.answer_to_json(mark_as_typed(answer)) for answer in answers],
        "dice": dice,
    }
    request = Request("declare", None, getattr(do, "reason", ""), content)
    return lambda save: carry_out_or_ask(save, request, make_declaring(do, scene_id, answers, dice), present)


def make_declaring(do: object, scene_id: str | None, answers: Sequence[Answer], dice: Dice | None) -> DecisionMaker:
    def make_decision(save: Save) -> DecisionResult:
        viewer = _get_viewer(save)
        named_scene = find_scene(save.book, scene_id)
        is_unsure = must_be_declarer(save.book, do, viewer, named_scene)
        table = RulingTable(save.book.ruleset, save.book, save.book.campaign.rulings + 1, viewer, named_scene)
        intended = save.book.ruleset.meant(table, do)
        must_be_new(save.book, intended, viewer, named_scene)
        must_be_rolled(save.book, intended, *map(mark_as_typed, answers))
        default = save.book.load_kernel_dials().dice
        if dice == "table" and default == "ledger_only":
            raise Refused("ledger.dice", "typed-dice")
        earlier = find_rolled_before(save.book, intended, viewer, named_scene) if save.book.campaign.lapsed else None
        adjudication = _start_adjudication(save, intended, viewer, named_scene, earlier)
        for answer in answers:
            adjudication.take_answer_from_seat(answer)
        if is_unsure:
            raise NotYours("Your seat can't declare that.")
        dice_source: Dice = dice or ("table" if default == "table" else "ledger")
        adjudication.roll(only_cards_dealt=dice_source == "table")
        if adjudication.conversation.verdict is not None:
            shown = record(adjudication, adjudication.conversation.verdict, earlier, adjudication.answers_set_aside)
            return DecisionResult(201, shown, do=intended, known_to=shown.ruling.audience)
        assert adjudication.question is not None
        pending = _store_waiting(adjudication, dice_source == "ledger", earlier)
        return DecisionResult(202, ShownPending(pending), do=intended)

    return make_decision


def _start_adjudication(
    save: Save, do: object, viewer: Viewer, named_scene: Subject | None, earlier: Pending | None
) -> Adjudication:
    """Begin the adjudication. `earlier`: a lapsed declaration of the same kind, whose dice it must use."""
    recorded = (earlier.id, earlier.answers) if earlier is not None else ()
    try:
        adjudication = Adjudication(save, do, viewer, named_scene, *recorded)
    except Refused as refusal:
        if refusal.code == "overdrawn":
            must_see_balance(save.book, viewer, do)
        raise
    must_see_balance(save.book, viewer, do)
    return adjudication


def answer_waiting(id: str, answer: Answer, present: Present) -> Act:
    """Answer a waiting declaration. It is adjudicated again on the table as it stands; answers that no longer fit are
    set aside.

    A no that ends the declaration is kept, and ends the wait (200).
    """

    def act(save: Save) -> Done:
        viewer = _get_viewer(save)
        pending = ask_anew(save.book, _load_visible_pending(save.book, id, viewer))
        pending.check_still_waiting()
        must_be_asked(save.book, pending.question or {}, pending.seat, viewer)  # before the rules are asked
        must_be_rolled(save.book, mark_as_typed(answer))
        try:
            adjudication, is_same_question = _resume_adjudication(save, pending)
        except Refused as lapse_refusal:
            if not pending.of_earlier_edition:
                raise
            return Done(200, present(save.book, viewer, ShownPending(_let_lapse(save, pending, lapse_refusal))))
        unfit: list[Given] = []
        if is_same_question:
            try:
                adjudication.take_answer_from_seat(answer)
            except Declined as refusal:
                ended = _decline(save, pending, answer, refusal)
                return Done(200, present(save.book, viewer, ShownPending(ended)))
        elif mark_as_typed(answer) != Drawn(()):  # the instruction for the ledger to deal
            unfit.append(_make_answer_set_aside(pending, mark_as_typed(answer), viewer.seat, save.at))
        adjudication.roll(only_cards_dealt=_is_rolled_by_hand(save.book, pending))
        set_aside = [*adjudication.answers_set_aside, *unfit]
        if adjudication.conversation.verdict is not None:
            shown = record(adjudication, adjudication.conversation.verdict, pending, set_aside)
            return Done(201, present(save.book, viewer, shown))
        assert adjudication.question is not None
        waiting = _store_next_question(adjudication, pending, set_aside)
        return Done(202, present(save.book, viewer, ShownPending(waiting)))

    return act


def withdraw(id: str, reason: str, present: Present) -> Act:
    """Withdraw a waiting declaration, with a reason: its declarer, if the ledger has rolled nothing for it, or a seat
    that decides.

    Otherwise one could get another roll by declaring the same thing again.
    """

    def act(save: Save) -> Done:
        viewer = _get_viewer(save)
        pending = _load_visible_pending(save.book, id, viewer)
        if not may_decide(save.book, viewer):
            if viewer.seat != pending.seat:
                raise NotYours("Only the declaring seat or a game master can withdraw it.")
            if pending.status == "waiting" and any(map(is_by_ledger, pending.answers)):
                raise NotYours(
                    "The dice have been rolled, so only a game master can withdraw it now.", code="dice-rolled"
                )
        pending.check_still_waiting()
        check_not_blank("reason", reason)
        stream = f"{save.book.id}/waiting/{id}"
        save.put(stream, pending.version, Withdrawn(reason), audience=pending.audience)
        save.note("withdrawn", waiting=id)
        withdrawn = replace(pending.finish(), status="withdrawn", reason=reason, version=pending.version + 1)
        return Done(200, present(save.book, viewer, ShownPending(withdrawn)))

    return act


def _is_rolled_by_hand(book: Book, pending: Pending) -> bool:
    """Return whether its dice are typed in. Under ledger-only dice they never are, even if it was declared before."""
    return pending.dice == "table" and book.load_kernel_dials().dice != "ledger_only"


# --- what it is about ----------------------------------------------------------------------------------------------


def _get_viewer(save: Save) -> Viewer:
    assert save.viewer is not None
    return save.viewer


def _load_visible_pending(book: Book, id: str, viewer: Viewer) -> Pending:
    pending = book.load_pending(id)
    if not viewer.may_see(pending.audience) and viewer.seat != pending.seat:
        book.load_pending("")
    return pending


def find_scene(book: Book, id: str | None) -> Subject | None:
    """Return the scene named, else the only open one. Refused `unknown-scene`, `scene-closed`."""
    if id is None:
        return scene(book.entry.scenes[0]) if len(book.entry.scenes) == 1 else None
    if id not in book.entry.scenes:
        folded = book.find(scene(id))
        exists = folded is not None and folded.entry is not None
        raise Refused("ledger.scene", "scene-closed" if exists else "unknown-scene", scene=id, given=id)
    return scene(id)


def check_not_blank(name: str, text: str) -> None:
    if not text.strip():
        raise Malformed(f"A {name} is needed.", code=f"{name}-blank")


# --- waiting --------------------------------------------------------------------------------------------------------


def _make_answer_set_aside(pending: Pending, answer: Answer, by: str, at: str) -> Given:
    """Return an answer to a question that is no longer asked: set aside, and as secret as the question was."""
    question = pending.question or {}
    return Given(question, json_form.answer_to_json(answer), by, at, find_audience(question), set_aside=True)


def _store_waiting(
    adjudication: Adjudication, by_ledger: bool, earlier: Pending | None, set_aside: Sequence[Given] | None = None
) -> Pending:
    """Store the wait. `earlier`: a lapsed declaration that this continues, or one of an earlier edition."""
    save = adjudication.save
    id, version = (earlier.id, earlier.version) if earlier is not None else (f"w{save.position}", 0)
    question = json_form.question_json(adjudication.question)
    scene_id = adjudication.named_scene.id if adjudication.named_scene is not None else None
    dice: Dice = "ledger" if by_ledger else "table"
    declared = Declared(
        json_form.declaration_to_json(adjudication.do),
        adjudication.declarer.seat,
        scene_id,
        dice,
        question,
        (*adjudication.given, *(adjudication.answers_set_aside if set_aside is None else set_aside)),
    )
    save.put(f"{save.book.id}/waiting/{id}", version, declared)
    save.note("declared", waiting=id)
    return Pending(
        id,
        version + 1,
        save.at,
        declared.declared,
        declared.seat,
        scene_id,
        dice,
        declared.answers,
        question,
        "waiting",
        None,
    )


def _decline(save: Save, pending: Pending, answer: Answer, refusal: Declined) -> Pending:
    """Store the no. If the ledger rolled for it, only a seat that decides may end it this way, as with withdrawing."""
    viewer, question = _get_viewer(save), pending.question or {}
    if any(map(is_by_ledger, pending.answers)) and not may_decide(save.book, viewer):
        raise refusal
    given = Given(
        question, json_form.answer_to_json(mark_as_typed(answer)), viewer.seat, save.at, find_audience(question)
    )
    refused = Unsupported(refusal.rule, refusal.code, json_form.to_json(refusal.context), refusal.audience)
    declined = records.Declined((*pending.answers, given), refused)
    save.put(f"{save.book.id}/waiting/{pending.id}", pending.version, declined, audience=pending.audience)
    save.note("withdrawn", waiting=pending.id)
    withdrawn = replace(pending.finish(), status="withdrawn", version=pending.version + 1)
    return replace(withdrawn, answers=declined.answers, declined=declined)


def _let_lapse(save: Save, pending: Pending, refusal: Refused) -> Pending:
    """End a declaration of an earlier edition that today's rules refuse."""
    context = json_form.to_json(refusal.context)
    refused = Unsupported(refusal.rule, refusal.code, context, refusal.audience)
    lapsed = put_lapsed(save, pending, Lapsed(save.book.campaign.rulings, refused))
    save.note("withdrawn", waiting=pending.id)
    return lapsed


def _store_next_question(adjudication: Adjudication, pending: Pending, set_aside: Sequence[Given]) -> Pending:
    save = adjudication.save
    if pending.of_earlier_edition:
        return _store_waiting(adjudication, pending.dice == "ledger", pending, set_aside)
    answered = Answered((*adjudication.given, *set_aside), json_form.question_json(adjudication.question))
    save.put(f"{save.book.id}/waiting/{pending.id}", pending.version, answered, audience=pending.audience)
    save.note("answered", waiting=pending.id)
    return pending.add_answer(answered.answers, answered.question)


def _resume_adjudication(save: Save, pending: Pending) -> tuple[Adjudication, bool]:
    """Return the adjudication on the answers so far, and whether it still asks the same question.

    NotYours if the declarer may no longer declare it: a removed seat, or a character handed over.
    """
    if pending.unreadable:
        raise Refused("ledger.edition", "unreadable-today")
    book = save.book
    declarer = book.load_viewer(pending.seat) or Viewer(pending.seat, "player")
    do = json_form.declaration_from_json(book.ruleset, pending.declared)
    outlives_scene = pending.scene is not None and can_outlive_scene(do)
    named_scene = scene(pending.scene or "") if outlives_scene else find_scene(book, pending.scene)
    is_unsure = must_be_declarer(book, do, declarer, named_scene)
    adjudication = Adjudication(save, do, declarer, named_scene, pending.id, pending.answers)
    if is_unsure:
        raise NotYours("The declaring seat can no longer do this.")
    # in place of answers that no longer fit, so that the same question may still be asked
    adjudication.roll(only_cards_dealt=_is_rolled_by_hand(save.book, pending))
    is_same_question = adjudication.question is not None and asks_the_same(
        json_form.question_json(adjudication.question), pending.question or {}
    )
    return adjudication, is_same_question
