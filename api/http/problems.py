"""Errors as RFC 9457 problems: one stable type for each kind, and one sentence that a player understands."""

from __future__ import annotations

import json
import logging
from collections.abc import Iterable, Mapping, Sequence
from typing import Annotated, NotRequired

from eventsourcing.persistence import PersistenceError
from fastapi import FastAPI, Request, Response
from fastapi.exceptions import RequestValidationError
from pydantic import Field
from starlette.exceptions import HTTPException

from api.http.mistakes import TOO_LONG, Mistake, describe_mistake, list_request_mistakes
from api.http.problem_kinds import (
    CHANGED,
    FAULT,
    MALFORMED,
    NO_METHOD,
    NOT_FOUND,
    OF_ERRORS,
    REFUSED,
    UNAVAILABLE,
    VIEWS_BEHIND,
    Kind,
)
from api.service.logs import TOKEN, describe_without_message
from ledger.application import Call, Ledger
from ledger.application.parser import Mistaken
from ledger.application.saves import AWAY
from ledger.errors import Denied, Fault, GameAtFault, LedgerError, Malformed, Newer, NotFound, Unavailable, Unsound
from ledger.events.away import describe_trouble, is_away
from ledger.rules.kernel.json_types import split_pointer
from ledger.rules.kernel.refusals import Refused
from projections.documents.refusals import Refusal, describe_refusal, describe_refusal_without_seat
from projections.documents.shape import Document, give_example
from projections.redaction import LiveLens

MEDIA_TYPE = "application/problem+json"
UNSOUND = (
    "This campaign's record does not match its journal, so the campaign is not available."
    " The service's log has the details. Other campaigns are not affected."
)
LONGEST = 400  # the most characters of any text in a problem
MARGIN = 64  # the further characters that are read, because the cut may be within a token
MOST_ERRORS = 50  # the most mistakes of one request that are reported
MISTAKEN = "The request is not valid."
#: The routes that take sheets, and the enrolment's place in their bodies.
SHEETS = {"/characters": "", "/rulings": "/declare", "/revise": "/declare"}
#: The kinds of problems with a single code, by that code.
OWN = {kind.name: kind for kind in (CHANGED, VIEWS_BEHIND)}
log = logging.getLogger("ledger.api")


class SheetFault(Document):
    """One thing that is wrong with a sheet. `pointer`: its place in the body. `text`: what is wrong, with names and
    numbers."""

    pointer: str
    code: str
    rule: str
    text: str


#: Fields that a problem may leave out.
UNSAID = Field(json_schema_extra={"default": None})


@give_example(
    type="/problems/refused",
    title="The rules do not allow it",
    status=422,
    detail="A session is already open.",
    code="session-open",
    rule="ledger.session",
    statement="Only one session can be open at a time.",
    context={"session": "3"},
)
class Problem(Document):
    """A problem (RFC 9457). `rule`, `statement`, `context`: for a refusal by the rules. `errors`: each mistake of an
    invalid request, or each fault of a refused sheet.

    `more_errors`: how many more mistakes there are.
    """

    type: str
    title: str
    status: int
    detail: str
    code: str
    rule: NotRequired[Annotated[str | None, UNSAID]]
    statement: NotRequired[Annotated[str | None, UNSAID]]
    context: NotRequired[Annotated[dict[str, object] | None, UNSAID]]
    errors: NotRequired[Annotated[list[Mistake | SheetFault] | None, UNSAID]]
    more_errors: NotRequired[Annotated[int | None, UNSAID]]


class BadRequest(Exception):
    """A request that is refused before it reaches the ledger. `more_count`: how many mistakes are not in `errors`."""

    def __init__(self, kind: Kind, code: str, detail: str, errors: Iterable[Mistake] = (), more_count: int = 0) -> None:
        super().__init__(detail)
        self.kind = kind
        self.code = code
        self.detail = detail
        self.errors = list(errors)
        self.more_count = more_count


def make_problem(
    kind: Kind,
    code: str,
    detail: str,
    *,
    refusal: Refusal | None = None,
    context: Mapping[str, object] | None = None,
    errors: Sequence[Mistake | SheetFault] = (),
    more_count: int = 0,
) -> Response:
    """Return the answer that reports a problem. `refusal`: the rules' refusal. `more_count`: how many errors are not
    listed.

    Tokens are removed from all texts, and long texts are cut.
    """
    document: Problem = {
        "type": f"/problems/{kind.name}",
        "title": kind.title,
        "status": kind.status,
        "detail": detail,
        "code": code,
    }
    if refusal is not None:
        document["rule"], document["statement"], context = refusal["rule"], refusal["statement"], refusal["context"]
    if context is not None:
        document["context"] = dict(context)
    if errors:
        document["errors"] = list(errors[:MOST_ERRORS])
    if more_count := more_count + len(errors[MOST_ERRORS:]):
        document["more_errors"] = more_count
    body = json.dumps(_hide_tokens(document), ensure_ascii=False, separators=(",", ":"))
    return Response(body, kind.status, dict(kind.headers), MEDIA_TYPE)


def _hide_tokens(value: object) -> object:
    if isinstance(value, str):
        return _hide_tokens_and_shorten(value)
    if isinstance(value, Mapping):
        return {_hide_tokens(str(name)): _hide_tokens(part) for name, part in value.items()}
    return [_hide_tokens(part) for part in value] if isinstance(value, list | tuple) else value


def _hide_tokens_and_shorten(text: str) -> str:
    """Replace tokens, and cut the text to LONGEST characters. MARGIN more characters are searched, so that no part of a
    token remains.
    """
    clean_text = TOKEN.sub("(a token)", text[: LONGEST + MARGIN])
    if len(text) > LONGEST + MARGIN:
        clean_text = f"{clean_text[:-MARGIN]}…"
    return clean_text if len(clean_text) <= LONGEST + 1 else f"{clean_text[:LONGEST]}…"


def answer_bad_request(error: BadRequest) -> Response:
    return make_problem(error.kind, error.code, error.detail, errors=error.errors, more_count=error.more_count)


def answer_fault(error: BaseException) -> Response:
    """Return the answer to an unforeseen error. Only the log has the error's type and place."""
    log.error("Unexpected error while handling a request.\n%s", describe_without_message(error))
    return make_problem(FAULT, "fault", "An internal error occurred. The service's log has the details.")


def add_error_handlers(app: FastAPI) -> None:
    """Make the application answer every error with a problem."""

    @app.exception_handler(LedgerError)
    def handle_ledger_error(request: Request, error: LedgerError) -> Response:
        if isinstance(error, Unavailable) and error.__cause__ is not None:
            log.warning("The database is not responding (%s).", describe_trouble(error.__cause__))
        return _add_position(request, error, _answer_ledger_error(error))

    @app.exception_handler(PersistenceError)
    def handle_store_error(request: Request, error: PersistenceError) -> Response:
        """Return the problem for an error of the views' database."""
        if not is_away(error):
            return answer_fault(error)
        ledger: Ledger = request.app.state.ledger
        detail = ledger.disk.sentence if ledger.disk.note_failed_save(error) else None
        return make_problem(UNAVAILABLE, Unavailable.code, detail or AWAY)

    @app.exception_handler(Refused)
    def handle_refusal(request: Request, error: Refused) -> Response:
        return _add_position(request, error, _answer_refusal(request, error))

    @app.exception_handler(BadRequest)
    def handle_bad_request(request: Request, error: BadRequest) -> Response:
        return answer_bad_request(error)

    @app.exception_handler(RequestValidationError)
    def handle_invalid_form(request: Request, error: RequestValidationError) -> Response:
        body_field = getattr(request.scope.get("route"), "body_field", None)
        errors = error.errors()
        mistakes = list_request_mistakes(
            errors[:MOST_ERRORS], body_field.field_info.annotation if body_field is not None else None
        )
        return answer_bad_request(make_bad_request(mistakes, len(errors)))

    @app.exception_handler(HTTPException)
    def handle_route_error(request: Request, error: HTTPException) -> Response:
        kind = {404: NOT_FOUND, 405: NO_METHOD}.get(error.status_code, MALFORMED)
        answer = make_problem(kind, kind.name, f"You can't use {request.method} here.")
        answer.headers.update(error.headers or {})
        return answer


def make_bad_request(errors: Sequence[Mistake], count: int = 0) -> BadRequest:
    """Return the problem of an invalid request. `count`: the number of all mistakes, if `errors` has only the first
    ones.
    """
    code = TOO_LONG if errors and errors[0]["type"] == TOO_LONG else "malformed"
    more_count = max(0, count - len(errors))
    return BadRequest(MALFORMED, code, _summarize(errors, more_count), errors, more_count)


def make_bad_request_from_parser(error: Mistaken) -> BadRequest:
    """Return the problem of an invalid request, for mistakes that the parser found."""
    return make_bad_request([describe_mistake(mistake) for mistake in error.mistakes], error.mistake_count)


def _summarize(errors: Sequence[Mistake], more_count: int) -> str:
    if not errors:
        return MISTAKEN
    field_name, message = split_pointer(errors[0]["pointer"])[-1], errors[0]["message"]
    has_field_name = errors[0]["type"] == "extra_forbidden" or repr(field_name) in message
    sentence = f"{field_name}: {message}" if field_name and not has_field_name else message
    more_count += len(errors) - 1
    remaining_text = {0: "", 1: " There is one more mistake."}.get(
        more_count, f" There are {more_count} more mistakes."
    )
    return f"{sentence}{'' if sentence.endswith(('.', '?')) else '.'}{remaining_text}"


def _answer_ledger_error(error: LedgerError) -> Response:
    kind = next((OF_ERRORS[cls] for cls in type(error).__mro__ if cls in OF_ERRORS), FAULT)
    if error.code in OWN:
        kind = OWN[error.code]
    if isinstance(error, Mistaken):
        return answer_bad_request(make_bad_request_from_parser(error))
    if isinstance(error, Unsound) and not isinstance(error, Newer):
        log.error("A campaign is not available: %s", error.detail)
        return make_problem(FAULT, error.code, UNSOUND)
    if isinstance(error, GameAtFault):
        log.error(
            "The rules of the game %s failed: %s.\n%s",
            error.context["system"],
            error.place,
            describe_without_message(error),
        )
        return make_problem(kind, error.code, error.detail, context=error.context)
    if error.code == "system-missing":
        return make_problem(FAULT, error.code, error.detail)
    if kind is FAULT:
        return answer_fault(error)
    return make_problem(kind, error.code, error.detail, context=error.context or None)


def _answer_refusal(request: Request, error: Refused) -> Response:
    """Return the answer to a refusal. It names a subject only if the caller may know the subject."""
    call: Call | None = getattr(request.state, "call", None)
    refusals = (error, *error.others[: MOST_ERRORS - 1])
    if call is None or not call.token:  # nobody has a seat yet
        documents = [describe_refusal_without_seat(refusal) for refusal in refusals]
    else:
        ledger: Ledger = request.app.state.ledger
        with ledger.open_for_seat(call) as (book, viewer):
            lens = LiveLens(book, viewer)
            documents = [describe_refusal(lens, refusal) for refusal in refusals]
    document = documents[0]
    detail = f"{document['text']} {document['statement']}".rstrip()
    errors = _list_sheet_faults(request, refusals, documents)
    more_count = 1 + len(error.others) - len(refusals) if errors else 0
    return make_problem(REFUSED, document["code"], detail, refusal=document, errors=errors, more_count=more_count)


def _list_sheet_faults(request: Request, refusals: Sequence[Refused], documents: Sequence[Refusal]) -> list[SheetFault]:
    """Return the faults of a sheet, each with its place in the body."""
    pointer = next(
        (body_pointer for path, body_pointer in SHEETS.items() if request.scope["route"].path.endswith(path)), None
    )
    if pointer:
        pointer = request.state.caller.declaration_pointer
    if pointer is None or (pointer and refusals[0].pointer is None):
        return []
    return [
        {
            "pointer": pointer + (refusal.pointer or ""),
            "code": document["code"],
            "rule": document["rule"],
            "text": document["text"],
        }
        for refusal, document in zip(refusals, documents, strict=True)
    ]


def _add_position(request: Request, error: Exception, answer: Response) -> Response:
    """Add the campaign's position to the answer if the caller's token has been checked."""
    may_show_position = not isinstance(error, Denied | Unavailable | Fault | Malformed | NotFound)
    call: Call | None = getattr(request.state, "call", None)
    if may_show_position and call is not None and call.token:
        ledger: Ledger = request.app.state.ledger
        answer.headers["Ledger-Position"] = str(ledger.get_book(call.campaign).campaign.position)
    return answer
