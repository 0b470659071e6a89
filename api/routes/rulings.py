"""Routes to make declarations, answer questions and decide about rulings."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Annotated, TypeAlias

from fastapi import APIRouter, Body, Response

from api.http import schemas
from api.http.answers import LOCATION, POSITION, RECEIPT, TAG, describe_acting_answers, describe_answer
from api.http.bodies import Bodied
from api.http.forms import Forms
from api.http.parameters import Number
from api.http.problems import make_bad_request
from api.http.request import Acting
from ledger.application import Present, merging
from ledger.application.commands.entering_late import LateDeclaration
from ledger.application.commands.revising import Correction
from ledger.rules.kernel.questions import Answer
from projections.documents.comparisons import Comparison, Decided, Selection
from projections.documents.findings import Finding
from projections.documents.foreseen import Preview
from projections.documents.presenting import make_presenter, present
from projections.documents.proposals import Proposal
from projections.documents.rulings import Ruling
from projections.documents.waiting import Waiting

router = APIRouter(prefix="/campaigns/{campaign}", route_class=Bodied)
WAITS = "Waiting for the consent that the table requires (option `consent`)."
RULED = describe_acting_answers(
    {
        201: describe_answer(Ruling, "The ruling.", POSITION, RECEIPT, TAG, LOCATION),
        202: describe_answer(Waiting | Proposal, "Waiting for an answer or for consent.", POSITION, RECEIPT),
    }
)
PREVIEWED = (
    describe_acting_answers(
        {200: describe_answer(Preview | Comparison, "The preview. Nothing is saved.", POSITION, RECEIPT)}
    )
    | RULED
)
ANSWERED = (
    describe_acting_answers(
        {200: describe_answer(Waiting, "Somebody declined. The question is no longer waiting.", POSITION, RECEIPT)}
    )
    | RULED
)
add_ruling_route = partial(router.post, tags=["rulings"], status_code=201, response_model=Ruling, responses=RULED)
add_decision_route = partial(
    router.post,
    tags=["decisions"],
    response_model=Decided,
    responses=describe_acting_answers(
        {
            200: describe_answer(Decided, "The ruling after the decision.", POSITION, RECEIPT, TAG),
            202: describe_answer(Proposal, WAITS, POSITION, RECEIPT),
        }
    ),
)

add_previewed_decision_route = partial(
    router.post,
    tags=["decisions"],
    response_model=Decided | Comparison,
    responses=describe_acting_answers(
        {
            200: describe_answer(
                Decided | Comparison, "The ruling after the decision, or the preview.", POSITION, RECEIPT, TAG
            ),
            202: describe_answer(Proposal, WAITS, POSITION, RECEIPT),
        }
    ),
)


def _make_location(document: Mapping[str, object]) -> str:
    return f"/rulings/{document['number']}"


@add_ruling_route("/rulings", operation_id="declare_ruling", responses=PREVIEWED)
def declare_ruling(body: schemas.Declare, caller: Acting) -> Response:
    """Declare an action of the campaign's game.

    201: the ruling. 202: the declaration is waiting for an answer, such as a choice or dice that a player enters.

    With `preview`, nothing is saved or rolled. The answer is the result or the first question. If the result depends
    on information hidden from this seat, the answer says only that. Repeating a preview under the same key runs it
    again.

    With `after`, the declaration is entered late: it is ruled right after that ruling in play, on the state at that
    point as it is known today. The new ruling gets the next number, and a `place` such as `12a`. Later rulings with a
    different result become findings, or are ruled again (`settle`). Only a seat that may decide about rulings can do
    this, and only if it could make the declaration then. `preview` returns what would change. A late entry is refused
    with:

    - 403 `not-then`: the seat was not at the table then, or could not make the declaration.
    - 403 `rests-on-hidden`: the ruling depends on information hidden from you.
    - 409 `not-last-there`: `after` names a ruling that was entered late, but not the last one at its place.
    - 422 `not-late`: the ruling opens or closes a session, changes who plays, or sets an option.
    - 422 `late-incomplete`: an answer or dice are missing. The ledger rolls no dice for a late entry.
    - 422 `late-cards`: the ruling draws, adds or shuffles cards.
    - 422 `late-secret`: not everybody may see the ruling.
    """

    def parse(forms: Forms) -> tuple[object, list[Answer]]:
        answers = [forms.parse_answer(answer, f"/answers/{index}") for index, answer in enumerate(body.answers)]
        return forms.parse_input(body.declare), answers

    declaration, answers = caller.parse_body(parse)
    if body.after is not None:
        late_declaration = LateDeclaration(declaration, body.scene, answers, body.after, body.settle)
        if body.preview:
            return caller.answer(caller.ledger.preview_entering_late(caller.call, late_declaration, present))
        return caller.answer(caller.ledger.enter_late(caller.call, late_declaration, present), _make_location)
    if body.preview:
        if answers:
            raise make_bad_request(
                [{"pointer": "/answers", "message": "A preview can't include answers.", "type": "preview"}]
            )
        return caller.answer(caller.ledger.preview_declaration(caller.call, declaration, present, scene=body.scene))
    reply = caller.ledger.declare(caller.call, declaration, present, scene=body.scene, answers=answers, dice=body.dice)
    return caller.answer(reply, _make_location)


@add_ruling_route("/waiting/{waiting}/answers", operation_id="answer_question", responses=ANSWERED)
def answer_question(waiting: str, body: schemas.GiveAnswer, caller: Acting) -> Response:
    """Answer a waiting question. The player asked can answer. The rolling seat, the declaring seat and game masters can
    enter dice. A game master can also answer for a player where the question allows it.

    If several seats are asked at the same time, `slot` and `asked` name the question. By default, you answer
    your own question. You can change your answer until the last seat has answered.

    201: the ruling. 202: the next question. An answer that no longer applies is not used (`set_aside`). 200: somebody
    declined, so there is no ruling. The question is no longer waiting, and the answer says who declined.
    """
    answer = caller.parse_body(lambda forms: forms.parse_answer(body.answer, "/answer"))
    return caller.answer(
        caller.ledger.answer_waiting_declaration(caller.call, waiting, answer, present, body.slot, body.asked),
        _make_location,
    )


@router.post(
    "/waiting/{waiting}/withdraw",
    operation_id="withdraw_declaration",
    tags=["rulings"],
    response_model=Waiting | Proposal,
    responses=describe_acting_answers(
        {200: describe_answer(Waiting | Proposal, "It was withdrawn.", POSITION, RECEIPT)}
    ),
)
def withdraw_declaration(waiting: str, body: schemas.Reason, caller: Acting) -> Response:
    """Withdraw a waiting declaration or decision. Only the seat that made it or a game master can do this."""
    return caller.answer(caller.ledger.withdraw(caller.call, waiting, body.reason, present))


@router.post(
    "/waiting/{waiting}/consent",
    operation_id="give_consent",
    tags=["decisions"],
    response_model=Proposal,
    responses=describe_acting_answers(
        {200: describe_answer(Proposal, "The answer and its effect.", POSITION, RECEIPT)}
    ),
)
def give_consent(waiting: str, body: schemas.GiveConsent, caller: Acting) -> Response:
    """Give or refuse consent to a waiting decision. Only the seats asked can do this. You can change your answer while
    the decision is waiting.

    The decision takes effect with the last consent it needs. Before that, its changes are worked out again. If they now
    affect other seats, those seats are asked too.
    """
    return caller.answer(caller.ledger.answer_consent_request(caller.call, waiting, body.consent, body.reason, present))


@router.post(
    "/waiting/{waiting}/go-on",
    operation_id="go_on_without_consent",
    tags=["decisions"],
    response_model=Proposal,
    responses=describe_acting_answers(
        {
            200: describe_answer(Proposal, "The decision took effect.", POSITION, RECEIPT),
            202: describe_answer(
                Proposal, "The decision now affects other seats, which are asked first.", POSITION, RECEIPT
            ),
        }
    ),
)
def go_on_without_consent(waiting: str, body: schemas.Reason, caller: Acting) -> Response:
    """Carry out a decision without the missing consent, once the time in the option `consent_hours` is over.

    Game masters only. The record shows who overrode consent, and why.
    """
    return caller.answer(caller.ledger.override_missing_consent(caller.call, waiting, body.reason, present))


# --- decisions ---


@add_decision_route("/rulings/{number}/dispute", operation_id="dispute_ruling")
def dispute_ruling(number: Number, body: schemas.Reason, caller: Acting) -> Response:
    """Dispute a ruling. Any seat can do this. Disputing an upheld ruling is an appeal."""
    return caller.answer(caller.ledger.dispute(caller.call, number, body.reason, present, caller.expected_version))


@add_decision_route("/rulings/{number}/uphold", operation_id="uphold_ruling")
def uphold_ruling(number: Number, body: schemas.Reason, caller: Acting) -> Response:
    """Uphold a disputed ruling: it stays as it is. Game masters only."""
    return caller.answer(caller.ledger.uphold(caller.call, number, body.reason, present, caller.expected_version))


@add_decision_route("/rulings/{number}/witness", operation_id="witness_dice")
def witness_dice(number: Number, caller: Acting, body: Annotated[schemas.Nothing | None, Body()] = None) -> Response:
    """Confirm that you saw the dice that another seat entered. You can do this once for each revision of the ruling.
    Nothing else changes."""
    return caller.answer(caller.ledger.witness_dice(caller.call, number, present, caller.expected_version))


@add_previewed_decision_route("/rulings/{number}/overturn", operation_id="overturn_ruling")
def overturn_ruling(number: Number, body: schemas.Overturn, caller: Acting) -> Response:
    """Overturn a ruling, and the rulings in `also`. Later rulings with a different result become findings (something
    that needs attention), or are ruled again.

    Game masters only.

    With `preview`, nothing is saved. The answer shows what would change. Repeating a preview under the same key runs
    it again.
    """
    ledger, call = caller.ledger, caller.call
    if body.preview:
        presenter = _choose_presenter(body)
        return caller.answer(
            ledger.preview_overturning(
                call, number, body.reason, presenter, body.also, caller.expected_version, body.settle
            )
        )
    reply = ledger.overturn(
        call, number, body.reason, present, also=body.also, settle=body.settle, if_match=caller.expected_version
    )
    return caller.answer(reply)


@add_previewed_decision_route("/rulings/{number}/take-back", operation_id="take_back_ruling")
def take_back_ruling(
    number: Number, caller: Acting, body: Annotated[schemas.TakeBack | None, Body()] = None
) -> Response:
    """Take back your own ruling, with the steps that followed from it automatically. It is overturned.

    Only the seat that declared it can do this, and only as long as nobody could have used the mistake. Otherwise
    nothing changes, and the answer says why:

    - 403 `not-declarer`: somebody else declared it.
    - 403 `rests-on-hidden`: the result may have revealed something hidden from you.
    - 403 `concerns-others`: the table requires consent (option `consent`), and taking the ruling back would change
      something that belongs to another player.
    - 409 `followed-automatically`: it followed automatically from another ruling. Take back that one: `first`.
    - 409 `played-on`: something else was saved after it.
    - 409 `ended-declarations`: a declaration that was waiting ended because of it.
    - 409 `answers-revealed`: it revealed answers that were hidden until the last one came.
    - 409 `dice-rolled`: the ledger rolled dice or dealt cards for it.

    In these cases you can dispute the ruling. With `preview`, nothing is saved.
    """
    ledger, sent = caller.ledger, body or schemas.TakeBack()
    decide = ledger.preview_taking_back if sent.preview else ledger.take_back
    return caller.answer(decide(caller.call, number, sent.reason, _choose_presenter(sent), caller.expected_version))


@add_previewed_decision_route("/rulings/{number}/rewind", operation_id="rewind_to_ruling")
def rewind_to_ruling(number: Number, body: schemas.Rewind, caller: Acting) -> Response:
    """Rewind the game to before a ruling: this ruling and every later one are overturned in one decision. The game
    continues from there. Declarations made since then that are still waiting are withdrawn. Game masters only.

    Reinstating the ruling reinstates all of them. 409 `rewind-hidden`: not everybody can see the ruling.

    With `preview`, nothing is saved.
    """
    decide = caller.ledger.preview_rewinding if body.preview else caller.ledger.rewind
    return caller.answer(decide(caller.call, number, body.reason, _choose_presenter(body), caller.expected_version))


@add_previewed_decision_route("/rulings/{number}/reinstate", operation_id="reinstate_ruling")
def reinstate_ruling(number: Number, body: schemas.Reinstate, caller: Acting) -> Response:
    """Reinstate an overturned ruling. If a rewind overturned it together with later ones, all of them are reinstated.
    409 `rewound-together`: the ruling is one of those later ones. Game masters only. With `preview`, nothing is saved.
    """
    decide = caller.ledger.preview_reinstating if body.preview else caller.ledger.reinstate
    return caller.answer(
        decide(caller.call, number, body.reason, _choose_presenter(body), caller.expected_version, body.settle)
    )


@add_previewed_decision_route("/rulings/{number}/revise", operation_id="revise_ruling")
def revise_ruling(number: Number, body: schemas.Revise, caller: Acting) -> Response:
    """Correct the declaration or an answer of a past ruling. It is ruled again at the same point in play. Game masters
    only.

    `patch` has only the fields that change (`{"patch": {"armour": 2}}`); `declare` is the whole declaration.

    The other answers and the declaring seat stay the same. 422 if the rules refuse the correction, or if it needs more
    dice than were recorded (`needs-dice`, with the question). With `preview`, nothing is saved.
    """

    def parse(forms: Forms) -> tuple[object, list[Answer | None]]:
        answers = [
            forms.parse_answer(answer, f"/answers/{index}") if answer is not None else None
            for index, answer in enumerate(body.answers)
        ]
        if body.patch is not None:
            if body.declare is not None:
                message = "Send either the whole declaration or a patch, not both."
                raise make_bad_request([{"pointer": merging.AT, "message": message, "type": "both"}])
            merging.must_keep_kind(body.patch)
        return forms.parse_input(body.declare) if body.declare is not None else None, answers

    caller.declaration_pointer = merging.AT if body.patch is not None else "/declare"
    declaration, answers = caller.parse_body(parse)
    correction = Correction(
        body.reason, body.code, declaration, answers, body.settle, caller.expected_version, body.patch
    )
    decide = caller.ledger.preview_revising if body.preview else caller.ledger.revise
    return caller.answer(decide(caller.call, number, correction, _choose_presenter(body)))


Previewable: TypeAlias = schemas.Overturn | schemas.TakeBack | schemas.Rewind | schemas.Reinstate | schemas.Revise


def _choose_presenter(body: Previewable) -> Present:
    """Return the function that presents the answer. A preview shows only the part that the body asks for."""
    return make_presenter(Selection(after=body.after, limit=body.limit)) if body.preview else present


@router.post(
    "/findings/{finding}/settle",
    operation_id="settle_finding",
    tags=["decisions"],
    response_model=Finding,
    responses=describe_acting_answers({200: describe_answer(Finding, "The finding is resolved.", POSITION, RECEIPT)}),
)
def settle_finding(finding: str, body: schemas.Settle, caller: Acting) -> Response:
    """Resolve a finding: it was fixed, or it is left as it is. Game masters only."""
    return caller.answer(caller.ledger.settle_finding(caller.call, finding, body.how, body.reason, present))
