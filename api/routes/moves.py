"""What a seat can declare now: everything, or how one declaration can continue."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, TypeVar

from fastapi import APIRouter, Query, Response

from api.http import schemas
from api.http.answers import POSITION, READING, SENDING, describe_answer, describe_answers
from api.http.bodies import Bodied
from api.http.filters import index_subjects_of_kind, make_unknown_value_mistake
from api.http.forms import Forms, load_forms
from api.http.mistakes import Mistake, describe_mistake
from api.http.problem_kinds import NOT_YOURS
from api.http.problems import make_bad_request
from api.http.request import Asking
from ledger.application import json_form
from ledger.application.reading.repeating import Repeats
from ledger.errors import NotFound, NotYours
from ledger.rules.kernel import json_types
from ledger.rules.kernel.moves import narrow_moves as narrow_offered_moves
from ledger.rules.kernel.offers import Offer, list_offers
from ledger.rules.kernel.seen import Seen
from ledger.rules.kernel.subjects import scene as scene_
from projections.documents import moves as documents
from projections.documents.moves import Moves
from projections.redaction import LiveLens

router = APIRouter(prefix="/campaigns/{campaign}", route_class=Bodied)
Scene = Annotated[str | None, Query(description="The scene, if several are open.")]
OfSeat = Annotated[
    str | None, Query(description="List the moves of this seat, as game masters see them. Game masters only.")
]


def _look_as_seat(lens: LiveLens, scene_id: str | None, seat_id: str | None) -> Seen:
    """Return what the seat with this id can see; None means the caller. Raise NotYours for another seat, unless the
    caller is a game master.
    """
    scene = scene_(scene_id) if scene_id is not None else None
    if seat_id is None or seat_id == lens.viewer.seat:
        return documents.make_seen(lens, scene)
    if lens.viewer.role != "gm":
        raise NotYours("Only a game master can list the moves of another seat.")
    other_viewer = lens.book.load_viewer(seat_id)
    if other_viewer is None:
        names_by_seat = {
            id: name
            for id, name in index_subjects_of_kind(lens, "seat").items()
            if lens.book.load_viewer(id) is not None
        }
        raise make_bad_request([describe_mistake(make_unknown_value_mistake("seat", seat_id, names_by_seat))])
    return documents.make_seen(lens, scene, other_viewer)


@router.get(
    "/moves",
    operation_id="list_moves",
    tags=["rulings"],
    response_model=Moves,
    responses=describe_answers((*READING, NOT_YOURS), {200: describe_answer(Moves, "The moves.", POSITION)}),
)
def list_moves(
    caller: Asking,
    seat: OfSeat = None,
    scene: Scene = None,
    blocked: Annotated[bool, Query(description="Also list what is not possible now, and why.")] = False,
) -> Response:
    """List what the seat can declare now, based on what the caller sees. Each move is accepted with any values its
    schema allows.

    The schema does not contain conditions that only people can judge. For `amend`, `adjust`, `enrol` and `set-dial`, it
    describes only the form of the values: the rules can still refuse them.
    """

    def describe(lens: LiveLens) -> Moves:
        make_reference = load_forms(lens.book.ruleset.name).make_reference
        if scene is not None and scene not in lens.book.entry.scenes:
            names_by_scene = {
                id: name for id, name in index_subjects_of_kind(lens, "scene").items() if id in lens.book.entry.scenes
            }
            raise make_bad_request([describe_mistake(make_unknown_value_mistake("scene", scene, names_by_scene))])
        return documents.list_moves(lens, _look_as_seat(lens, scene, seat), make_reference, with_blocked=blocked)

    return caller.read(describe)


@router.post(
    "/moves",
    operation_id="narrow_moves",
    tags=["rulings"],
    response_model=Moves,
    responses=describe_answers((*SENDING, NOT_YOURS), {200: describe_answer(Moves, "The remaining moves.", POSITION)}),
)
def narrow_moves(body: schemas.NarrowMoves, caller: Asking, seat: OfSeat = None) -> Response:
    """Return how a declaration can continue once some fields are chosen. Nothing is saved.

    An empty list means that this declaration is not possible.
    """

    def parse(forms: Forms) -> tuple[type[object], Mapping[str, object]]:
        cls = json_form.find_record_class(
            json_form.index_declaration_classes(forms.ruleset), {"kind": body.kind}, "input"
        )
        return cls, _parse_given_fields(cls, body.given)

    input_class, given_fields = caller.parse_body(parse)

    def describe(lens: LiveLens) -> Moves:
        if body.scene is not None and body.scene not in lens.book.entry.scenes:
            raise NotFound(f"There is no open scene {body.scene!r}.", code="scene-not-found", scene=body.scene)
        seat_view = _look_as_seat(lens, body.scene, seat)
        offers = (offer for offer in list_offers(lens.book.ruleset, seat_view) if offer.move.do is input_class)
        make_reference = load_forms(lens.book.ruleset.name).make_reference
        repeats = Repeats(lens.book, seat_view)
        narrowed_offers = (
            Offer(move, offer.scene) for offer in offers for move in narrow_offered_moves([offer.move], given_fields)
        )
        remaining_moves = documents.describe_offers(
            lens, (offer for offer in narrowed_offers if repeats.find_refusal(offer) is None), make_reference
        )
        return {"seat": lens.name_person(seat_view.seat.seat), "moves": remaining_moves, "blocked": None}

    return caller.read(describe)


def _parse_given_fields(cls: type[object], given_fields: Mapping[str, object]) -> Mapping[str, object]:
    """Return the fields, converted to the declaration's types. Raise BadRequest for unknown fields and invalid
    values.
    """
    hints = json_types.load_hints(cls)
    converted_fields: dict[str, object] = {}
    mistakes: list[Mistake] = []
    for name, value in given_fields.items():
        try:
            if name not in hints:
                raise json_types.Misshapen("this field is unknown")
            converted_fields[name] = (
                value if isinstance(hints[name], TypeVar) else json_types.convert(value, hints[name])
            )
        except json_types.Misshapen as problem:
            mistake_type = "value" if name in hints else "extra"
            mistakes.append(
                {
                    "pointer": json_types.join_pointer(["given", name]),
                    "message": f"{str(problem).capitalize()}.",
                    "type": mistake_type,
                }
            )
    if mistakes:
        raise make_bad_request(mistakes)
    return converted_fields
