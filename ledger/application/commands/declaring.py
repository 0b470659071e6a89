"""Declare, answer and withdraw. Each request makes a numbered ruling or a waiting declaration."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Literal, TypeAlias

from ledger.aggregates.ruling import Pending
from ledger.application import json_form
from ledger.application.book import Book
from ledger.application.calls import Act, Done
from ledger.application.commands.adjudicating import Adjudication, mark_as_typed, refuse_typed_dice
from ledger.application.commands.consenting import DecisionMaker, DecisionResult, Request, carry_out_or_ask
from ledger.application.commands.lapsing import find_rolled_declaration, record_lapse
from ledger.application.commands.recording import record_ruling
from ledger.application.reading.asking import list_answerable_questions, update_question
from ledger.application.reading.repeating import must_be_new
from ledger.application.reading.rights import find_question_audience, may_decide, must_be_asked, must_be_declarer
from ledger.application.reading.shown import Present, ShownPending
from ledger.application.reading.veiling import must_see_balance
from ledger.application.reading.waiting import is_answered_by_ledger
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
    """Return the act that adjudicates a declaration. A verdict becomes the next ruling (201). If a question is open,
    the declaration waits (202).
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
        completed_declaration = save.book.ruleset.meant(table, do)
        must_be_new(save.book, completed_declaration, viewer, named_scene)
        refuse_typed_dice(save.book, completed_declaration, *map(mark_as_typed, answers))
        default_dice = save.book.load_kernel_dials().dice
        if dice == "table" and default_dice == "ledger_only":
            raise Refused("ledger.dice", "typed-dice")
        lapsed_declaration = (
            find_rolled_declaration(save.book, completed_declaration, viewer, named_scene)
            if save.book.campaign.lapsed_ids
            else None
        )
        adjudication = _start_adjudication(save, completed_declaration, viewer, named_scene, lapsed_declaration)
        for answer in answers:
            adjudication.take_answer_from_seat(answer, _find_question_place(adjudication, viewer))
        if is_unsure:
            raise NotYours("Your seat can't declare that.")
        dice_source: Dice = dice or ("table" if default_dice == "table" else "ledger")
        adjudication.roll(only_cards_dealt=dice_source == "table")
        if adjudication.conversation.verdict is not None:
            shown_ruling = record_ruling(
                adjudication, adjudication.conversation.verdict, lapsed_declaration, adjudication.answers_set_aside
            )
            return DecisionResult(201, shown_ruling, do=completed_declaration, known_to=shown_ruling.ruling.audience)
        assert adjudication.question is not None
        pending = _store_waiting_declaration(adjudication, dice_source == "ledger", lapsed_declaration)
        return DecisionResult(202, ShownPending(pending), do=completed_declaration)

    return make_decision


def _start_adjudication(
    save: Save, do: object, viewer: Viewer, named_scene: Subject | None, lapsed_declaration: Pending | None
) -> Adjudication:
    """Return a new adjudication. `lapsed_declaration`: a lapsed declaration with the same content, if its dice must be
    used again.
    """
    id_and_answers = (lapsed_declaration.id, lapsed_declaration.answers) if lapsed_declaration is not None else ()
    try:
        adjudication = Adjudication(save, do, viewer, named_scene, *id_and_answers)
    except Refused as refusal:
        if refusal.code == "overdrawn":
            must_see_balance(save.book, viewer, do)
        raise
    must_see_balance(save.book, viewer, do)
    return adjudication


def answer_waiting_declaration(
    id: str, answer: Answer, present: Present, slot: str | None = None, asked_seat: str | None = None
) -> Act:
    """Return the act that answers a waiting declaration. The declaration is adjudicated again on the current campaign,
    and answers that no longer fit are set aside.

    `slot`, `asked_seat`: name the question and the seat asked, if several questions are open at the same time. Answers
    to such questions can be changed until the last one is answered. An answer can also end the declaration
    (`Declined`): the refusal is stored, and the declaration no longer waits (200).
    """

    def act(save: Save) -> Done:
        viewer = _get_viewer(save)
        pending = update_question(save.book, _load_visible_pending(save.book, id, viewer))
        pending.check_still_waiting()
        # check this before applying the rules
        question_asked = choose_question(save.book, pending, viewer, slot, asked_seat)
        refuse_typed_dice(save.book, mark_as_typed(answer))
        try:
            adjudication, place = _resume_adjudication(save, pending, question_asked)
        except Refused as lapse_refusal:
            if not pending.of_earlier_edition:
                raise
            return Done(200, present(save.book, viewer, ShownPending(_let_lapse(save, pending, lapse_refusal))))
        unfit_answers: list[Given] = []
        if place is not None:
            try:
                adjudication.take_answer_from_seat(answer, place)
            except Declined as refusal:
                ended_declaration = _store_decline(save, pending, question_asked, answer, refusal)
                return Done(200, present(save.book, viewer, ShownPending(ended_declaration)))
        elif mark_as_typed(answer) != Drawn(()):  # an answer without cards tells the ledger to deal
            unfit_answers.append(_make_answer_set_aside(pending, question_asked, mark_as_typed(answer), save))
        adjudication.roll(only_cards_dealt=get_dice_source(save.book, pending) == "table")
        answers_set_aside = [*adjudication.answers_set_aside, *unfit_answers]
        if adjudication.conversation.verdict is not None:
            shown_ruling = record_ruling(
                adjudication, adjudication.conversation.verdict, pending, answers_set_aside, question_asked
            )
            return Done(201, present(save.book, viewer, shown_ruling))
        assert adjudication.question is not None
        waiting_declaration = _store_next_question(adjudication, pending, question_asked, answers_set_aside)
        return Done(202, present(save.book, viewer, ShownPending(waiting_declaration)))

    return act


def withdraw_declaration(id: str, reason: str, present: Present) -> Act:
    """Return the act that withdraws a waiting declaration, with a reason.

    A seat that may make decisions can always withdraw it. The declarer can't withdraw it once the ledger has rolled for
    it, because declaring it again would give another roll.
    """

    def act(save: Save) -> Done:
        viewer = _get_viewer(save)
        pending = _load_visible_pending(save.book, id, viewer)
        if not may_decide(save.book, viewer):
            if viewer.seat != pending.seat:
                raise NotYours("Only the declaring seat or a game master can withdraw this declaration.")
            if pending.status == "waiting" and any(map(is_answered_by_ledger, pending.answers)):
                raise NotYours(
                    "The dice have been rolled, so now only a game master can withdraw this declaration.",
                    code="dice-rolled",
                )
        pending.check_still_waiting()
        check_not_blank("reason", reason)
        stream = f"{save.book.id}/waiting/{id}"
        save.put(stream, pending.version, Withdrawn(reason), audience=pending.audience)
        save.note_for_journal("withdrawn", waiting=id)
        withdrawn_declaration = replace(
            pending.finish(), status="withdrawn", reason=reason, version=pending.version + 1
        )
        return Done(200, present(save.book, viewer, ShownPending(withdrawn_declaration)))

    return act


def get_dice_source(book: Book, pending: Pending) -> Dice:
    """Return who rolls the declaration's dice. This is always the ledger if the option `dice` says so, even for a
    declaration made before the option was set.
    """
    return "table" if pending.dice == "table" and book.load_kernel_dials().dice != "ledger_only" else "ledger"


# --- questions and scenes ---------------------------------------------------------------------------------------------


def _get_viewer(save: Save) -> Viewer:
    assert save.viewer is not None
    return save.viewer


def _load_visible_pending(book: Book, id: str, viewer: Viewer) -> Pending:
    pending = book.load_pending(id)
    if not viewer.may_see(pending.audience) and viewer.seat != pending.seat:
        book.load_pending("")
    return pending


def choose_question(
    book: Book, pending: Pending, viewer: Viewer, slot: str | None, asked_seat: str | None
) -> json_form.Json:
    """Return the question that the seat answers, with this slot and asked seat if they are given. The seat's own open
    questions come first, then other open questions, then questions with an answer that the seat can change.

    Raise NotYours if the seat may answer no question. Raise Malformed: `unknown-slot` if no question has that slot;
    `slot-missing` if the seat could change several answers.
    """
    open_questions, changeable_questions = list_answerable_questions(book, pending, viewer)
    questions = [*open_questions, *changeable_questions]
    if not questions:
        must_be_asked(book, pending.question or {}, pending.seat, viewer)
        raise NotYours("This question is not for your seat.")
    known = [{"slot": question.get("slot"), "asked": question.get("seat")} for question in questions]
    if slot is None and asked_seat is None:
        if not open_questions and len(changeable_questions) > 1:
            detail = "You have answered several questions here. Name the `slot` of the one to answer again."
            raise Malformed(detail, code="slot-missing", known=known)
        return questions[0]
    for question in questions:
        if slot in (None, question.get("slot")) and asked_seat in (None, question.get("seat")):
            return question
    raise Malformed("You can't answer any question with this `slot` and `asked`.", code="unknown-slot", known=known)


def _find_question_place(adjudication: Adjudication, viewer: Viewer) -> int:
    """Return the index of this seat's first open question, or 0 if it has none."""
    places = (
        n for n, question in enumerate(adjudication.open_questions) if getattr(question, "seat", None) == viewer.seat
    )
    return next(places, 0)


def find_scene(book: Book, id: str | None) -> Subject | None:
    """Return the named scene. Without a name, return the only open scene, or None if no scene or several are open.
    Raise Refused `unknown-scene` or `scene-closed`.
    """
    if id is None:
        return scene(book.entry.scenes[0]) if len(book.entry.scenes) == 1 else None
    if id not in book.entry.scenes:
        folded = book.find(scene(id))
        has_existed = folded is not None and folded.entry is not None
        raise Refused("ledger.scene", "scene-closed" if has_existed else "unknown-scene", scene=id, given=id)
    return scene(id)


def check_not_blank(name: str, text: str) -> None:
    if not text.strip():
        raise Malformed(f"A {name} is needed.", code=f"{name}-blank")


# --- waiting --------------------------------------------------------------------------------------------------------


def _make_answer_set_aside(pending: Pending, question: json_form.Json, answer: Answer, save: Save) -> Given:
    """Return the answer to a question that is no longer asked, marked as set aside, with the question's audience."""
    answer_given = Given(
        question, json_form.answer_to_json(answer), save.by, save.at, find_question_audience(question), set_aside=True
    )
    return _withhold_answer(answer_given) if pending.beside or pending.changeable else answer_given


def _store_waiting_declaration(
    adjudication: Adjudication,
    is_rolled_by_ledger: bool,
    earlier_declaration: Pending | None,
    answers_set_aside: Sequence[Given] | None = None,
) -> Pending:
    """Store the waiting declaration and return it. `earlier_declaration`: a declaration to continue, either lapsed or
    of an earlier edition.
    """
    save = adjudication.save
    id, version = (
        (earlier_declaration.id, earlier_declaration.version)
        if earlier_declaration is not None
        else (f"w{save.position}", 0)
    )
    question, questions_beside, changeable_questions = json_form.list_open_questions(adjudication.question)
    scene_id = adjudication.named_scene.id if adjudication.named_scene is not None else None
    dice: Dice = "ledger" if is_rolled_by_ledger else "table"
    record = Declared(
        json_form.declaration_to_json(adjudication.do),
        adjudication.declarer.seat,
        scene_id,
        dice,
        question,
        (
            *_list_answers_given(adjudication),
            *(adjudication.answers_set_aside if answers_set_aside is None else answers_set_aside),
        ),
        questions_beside,
        changeable_questions,
        earlier_declaration.follows if earlier_declaration is not None else save.follows,
    )
    save.put(f"{save.book.id}/waiting/{id}", version, record)
    save.note_for_journal("declared", waiting=id)
    return Pending(
        id,
        version + 1,
        save.at,
        record.declared,
        record.seat,
        scene_id,
        dice,
        record.answers,
        question,
        "waiting",
        None,
        beside=questions_beside,
        changeable=changeable_questions,
        follows=record.follows,
    )


def _list_answers_given(adjudication: Adjudication) -> list[Given]:
    """Return the answers given. An answer that can still be changed is withheld from the other seats asked."""
    _, _, changeable_questions = json_form.list_open_questions(adjudication.question)
    return [
        _withhold_answer(answer) if answer.question in changeable_questions else answer
        for answer in adjudication.answers_given
    ]


def _withhold_answer(answer: Given) -> Given:
    """Return the answer, visible only to the seat that gave it and the seat asked."""
    seats = dict.fromkeys(seat for seat in (answer.by, answer.question.get("seat")) if seat and seat != "gm")
    return replace(answer, audience=tuple(seats), withheld=True)


def _store_decline(
    save: Save, pending: Pending, question: json_form.Json, answer: Answer, refusal: Declined
) -> Pending:
    """Store the refusal that ends the declaration. If the ledger rolled for it, raise the refusal instead, unless the
    seat may make decisions.

    Withheld answers stay withheld, so that nobody can read them by declining.
    """
    viewer = _get_viewer(save)
    if any(map(is_answered_by_ledger, pending.answers)) and not may_decide(save.book, viewer):
        raise refusal
    answer_given = Given(
        question,
        json_form.answer_to_json(mark_as_typed(answer)),
        viewer.seat,
        save.at,
        find_question_audience(question),
    )
    refusal_record = Unsupported(refusal.rule, refusal.code, json_form.to_json(refusal.context), refusal.audience)
    decline_record = records.Declined((*pending.answers, answer_given), refusal_record)
    save.put(f"{save.book.id}/waiting/{pending.id}", pending.version, decline_record, audience=pending.audience)
    save.note_for_journal("withdrawn", waiting=pending.id)
    withdrawn_declaration = replace(pending.finish(), status="withdrawn", version=pending.version + 1)
    return replace(withdrawn_declaration, answers=decline_record.answers, declined=decline_record)


def _let_lapse(save: Save, pending: Pending, refusal: Refused) -> Pending:
    """Let a declaration of an earlier edition lapse, because the installed rules refuse it."""
    context = json_form.to_json(refusal.context)
    refusal_record = Unsupported(refusal.rule, refusal.code, context, refusal.audience)
    lapsed_declaration = record_lapse(save, pending, Lapsed(save.book.campaign.rulings, refusal_record))
    save.note_for_journal("withdrawn", waiting=pending.id)
    return lapsed_declaration


def _store_next_question(
    adjudication: Adjudication, pending: Pending, question_asked: json_form.Json, answers_set_aside: Sequence[Given]
) -> Pending:
    save = adjudication.save
    if pending.of_earlier_edition:
        return _store_waiting_declaration(adjudication, pending.dice == "ledger", pending, answers_set_aside)
    answers = (*_list_answers_given(adjudication), *answers_set_aside)
    questions = json_form.list_open_questions(adjudication.question)
    answer_record = Answered(answers, *questions, question_asked if question_asked != pending.question else None)
    save.put(f"{save.book.id}/waiting/{pending.id}", pending.version, answer_record, audience=pending.audience)
    save.note_for_journal("answered", waiting=pending.id)
    return pending.add_answer(answer_record)


def _resume_adjudication(
    save: Save, pending: Pending, question_asked: json_form.Json
) -> tuple[Adjudication, int | None]:
    """Return the adjudication with the answers so far, and the index of `question_asked` among the open questions, or
    None if it is no longer asked.

    Raise NotYours if the declarer may no longer declare this, for example because the character was handed over.
    """
    if pending.unreadable:
        raise Refused("ledger.edition", "unreadable-today")
    book = save.book
    declarer = book.load_viewer(pending.seat) or Viewer(pending.seat, "player")
    do = json_form.declaration_from_json(book.ruleset, pending.declared)
    outlives_scene = pending.scene is not None and can_outlive_scene(do)
    named_scene = scene(pending.scene or "") if outlives_scene else find_scene(book, pending.scene)
    is_unsure = must_be_declarer(book, do, declarer, named_scene)
    answers = tuple(
        replace(answer, set_aside=True) if answer.withheld and answer.question == question_asked else answer
        for answer in pending.answers
    )
    adjudication = Adjudication(save, do, declarer, named_scene, pending.id, answers)
    if is_unsure:
        raise NotYours("The declaring seat can no longer do this.")
    # the ledger rolls where an answer no longer fits, so that the asked question can be reached again
    adjudication.roll(only_cards_dealt=get_dice_source(save.book, pending) == "table")
    places = (
        n
        for n, question in enumerate(adjudication.open_questions)
        if asks_the_same(json_form.question_json(question), question_asked)
    )
    return adjudication, next(places, None)
