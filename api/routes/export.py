"""Export and import of a campaign: JSON Lines with every event, its hash, and the seal."""

from __future__ import annotations

import contextlib
import hashlib
import hmac
import tempfile
import uuid
from collections.abc import Iterator
from typing import IO, Annotated

from fastapi import APIRouter, Query, Request, Response
from fastapi.concurrency import run_in_threadpool
from fastapi.responses import StreamingResponse

from api.http import problem_kinds
from api.http.admission import get_ledger, must_be_operator, must_have_any_token
from api.http.answers import ANYWHERE, LOCATION, POSITION, READING, RECEIPT, SENDING, describe_answer, describe_answers
from api.http.lines import AS_FILE, FILE, LINES, choose_media_type, describe_lines
from api.http.parameters import OperatorToken, UuidKey
from api.http.problems import BadRequest
from api.http.queries import Asked
from api.http.request import Asking, Caller
from ledger.application import Call, Ledger, open_book
from ledger.application.commands.importing import check_export, replay_export
from ledger.application.reading.export_reader import Forked, read_export
from ledger.application.reading.exports import BadExport
from ledger.errors import NotFound
from ledger.events.bookmarks import BookmarkStore
from ledger.events.read_transaction import ReadTransaction
from projections.documents import campaigns, exports
from projections.documents.audits import OfEdition, count_by_edition
from projections.documents.campaigns import OpenedCampaign
from projections.documents.shape import Document, give_example
from projections.redaction import LiveLens, to_text

router = APIRouter(prefix="/campaigns", route_class=Asked)
IN_MEMORY = 8_000_000  # bytes; larger files are kept on disk
MOST_BYTES = 4_000_000_000
MOST_VERIFIED = 200_000_000  # bytes of a file to be verified
MOST_TOLD = 50  # differences
CHUNK = 64 * 1024
EXAMPLE = (
    '{"format":"campaign-ledger/export","version":1,"campaign":"k3v7q2mzt5a4c","name":"The Long Winter",'
    '"system":"toy","position":12,"seat":"s2"}\n'
)


class ProvedOrigin(Document):
    """A campaign that a fork continues. `proved`: whether this ledger has the campaign's record and the first `count`
    events of that record have this root.

    If the record is in another ledger, only a saved seal can prove it.
    """

    campaign: str
    name: str
    at: int
    count: int
    root: str
    proved: bool


@give_example(
    id="k3v7q2mzt5a4c", name="The Long Winter", system="toy", position=12, events=57, rulings=9, older=[], origins=[]
)
class Admitted(Document):
    """The result of a dry run; nothing was imported. `older`: rulings of earlier editions, which the installed rules
    can't check.

    `origins`: the campaigns that a fork continues, oldest first.
    """

    id: str
    name: str
    system: str
    position: int
    events: int
    rulings: int
    older: list[int]
    origins: list[ProvedOrigin]


@give_example(
    sound=True,
    detail=None,
    line=None,
    id="k3v7q2mzt5a4c",
    name="The Long Winter",
    system="toy",
    seat=None,
    position=12,
    events=57,
    root="b7" * 32,
    public_key="0c" * 32,
    withheld=0,
    rulings=9,
    judged=[{"edition": 1, "judged": 9, "of": 9}],
    older=[],
    differences=[],
    set_aside=[],
)
class Verified(Document):
    """The result of verifying an export; nothing was stored. If it is not `sound`, `detail` and `line` show why.

    `withheld`: how many events are included only as hashes; if there are any, rulings are not checked (`rulings`:
    null). `judged`: how many rulings the installed rules could check, by edition; `older`: the rulings that they could
    not check. `differences`: rulings whose result differs from the record. `set_aside`: rulings that the operator set
    aside because the game's rules fail on them.
    """

    sound: bool
    detail: str | None
    line: int | None
    id: str | None
    name: str | None
    system: str | None
    seat: str | None
    position: int | None
    events: int | None
    root: str | None
    public_key: str | None
    withheld: int
    rulings: int | None
    judged: list[OfEdition]
    older: list[int]
    differences: list[str]
    set_aside: list[int]


UNSOUND: Verified = {
    "sound": False,
    "detail": None,
    "line": None,
    "id": None,
    "name": None,
    "system": None,
    "seat": None,
    "position": None,
    "events": None,
    "root": None,
    "public_key": None,
    "withheld": 0,
    "rulings": None,
    "judged": [],
    "older": [],
    "differences": [],
    "set_aside": [],
}


@router.get(
    "/{campaign}/export",
    operation_id="export_campaign",
    tags=["campaigns"],
    response_class=Response,
    responses=describe_answers(
        READING,
        {
            200: {
                "description": "JSON Lines: a header, every event or only its hash, and a sealed trailer.",
                "headers": POSITION,
                "content": describe_lines(EXAMPLE),
            }
        },
    ),
)
def export_campaign(request: Request, caller: Asking) -> Response:
    """Export the whole record as a file that anyone can verify, and that can be imported if it is complete.

    Events hidden from this seat are only included as hashes; `seat` in the first line names the seat. The export is
    complete (`seat` is null) for the operator, and for a game master who can see everything.
    """
    ledger, operator_token = caller.ledger, request.app.state.operator_token
    with (
        contextlib.ExitStack() as exit_stack,
        ReadTransaction(ledger.shelves.get_shelf_of(caller.campaign)) as transaction,
    ):
        file = exit_stack.enter_context(tempfile.SpooledTemporaryFile(max_size=IN_MEMORY))
        if operator_token is not None and hmac.compare_digest(caller.call.token.encode(), operator_token.encode()):
            book = open_book(ledger.store.bind_to(transaction), ledger.codec, caller.campaign)
            with ledger.translate_failures(book):
                book.catch_up()
                if not book.campaign.position:
                    raise NotFound("There is no campaign with this id.", code="campaign-not-found")
                file.writelines(exports.export_everything(book, ledger.sealer))
        else:
            with ledger.open_on_own_book(caller.call, transaction=transaction) as (book, viewer):
                bookmarks = BookmarkStore(transaction).list_of_seat(book.id, viewer.seat)
                file.writelines(exports.export_for_viewer(LiveLens(book, viewer), ledger.sealer, bookmarks))
        headers = {
            "Ledger-Position": str(book.campaign.position),
            "Content-Length": str(file.tell()),
            "Content-Disposition": f'attachment; filename="{caller.campaign}.jsonl"',
        }
        open_files = exit_stack.pop_all()
    return StreamingResponse(_send_file(file, open_files), media_type=choose_media_type(request), headers=headers)


def _send_file(file: IO[bytes], open_files: contextlib.ExitStack) -> Iterator[bytes]:
    with open_files:
        file.seek(0)
        while chunk := file.read(CHUNK):
            yield chunk


@router.post(
    "/import",
    operation_id="import_campaign",
    tags=["campaigns"],
    status_code=201,
    response_model=OpenedCampaign,
    responses=describe_answers(
        (*SENDING, problem_kinds.WRONG_STATUS, problem_kinds.STALE, problem_kinds.KEY_REUSED),
        {
            201: describe_answer(
                OpenedCampaign,
                "The campaign was imported, with a new token for its game master.",
                POSITION,
                RECEIPT,
                LOCATION,
            ),
            200: describe_answer(Admitted, "A dry run: the file can be imported.", POSITION),
        },
    ),
    openapi_extra={"requestBody": {"required": True, "content": {FILE: AS_FILE}}},
)
async def import_campaign(
    request: Request,
    token: OperatorToken,
    key: UuidKey = None,
    dry_run: Annotated[
        bool, Query(alias="dry-run", description="Only check whether the file can be imported.")
    ] = False,
) -> Response:
    """Import a campaign from a complete export of any ledger. 409 if the campaign already exists here.

    The file is not trusted: hashes, order and seal are checked, every ruling is made again with its recorded answers,
    and every balance is added up. Old tokens don't work here. If an import is interrupted, sending the same file
    continues it. The content type may also be `application/jsonl`.
    """
    must_be_operator(request, token)
    with tempfile.SpooledTemporaryFile(max_size=IN_MEMORY) as file:
        digest = await _receive_file(request, file)
        return await run_in_threadpool(_import_file, request, file, digest, key, dry_run)


@router.post(
    "/verify",
    operation_id="verify_export",
    tags=["campaigns"],
    response_model=Verified,
    responses=describe_answers(
        (*ANYWHERE, problem_kinds.DENIED, problem_kinds.TOO_LARGE, problem_kinds.NOT_JSON),
        {200: describe_answer(Verified, "The result of the check.")},
    ),
    openapi_extra={"requestBody": {"required": True, "content": {FILE: AS_FILE}}},
)
async def verify_export(request: Request) -> Response:
    """Verify an export of any ledger: every byte, the order and the seal, and for a complete export also every ruling
    and all dice.

    Nothing is stored. Any seat and the operator can do this. The content type may also be `application/jsonl`.
    """
    await must_have_any_token(request)
    with tempfile.SpooledTemporaryFile(max_size=IN_MEMORY) as file:
        await _receive_file(request, file, MOST_VERIFIED)
        return Response(to_text(await run_in_threadpool(_verify_file, request, file)), media_type="application/json")


def _verify_file(request: Request, file: IO[bytes]) -> Verified:
    try:
        export = read_export(file)
        audit = replay_export(export, get_ledger(request).codec)[1] if export.is_complete else None
    except BadExport as problem:
        return {**UNSOUND, "detail": problem.detail, "line": problem.line or None}
    differences = [difference.detail for difference in audit.differences] if audit is not None else []
    header, trailer = export.header, export.trailer
    return {
        "sound": not differences,
        "detail": differences[0] if differences else None,
        "line": None,
        "id": header.campaign,
        "name": header.name,
        "system": header.system,
        "seat": header.seat,
        "position": header.position,
        "events": trailer.count,
        "root": trailer.root,
        "public_key": trailer.public_key,
        "withheld": len(export.leaves) - len(export.rows),
        "rulings": audit.ruling_count if audit is not None else None,
        "judged": count_by_edition(audit) if audit is not None else [],
        "older": audit.older_rulings if audit is not None else [],
        "differences": differences[:MOST_TOLD],
        "set_aside": [ruling_set_aside.ruling for ruling_set_aside in audit.set_aside] if audit is not None else [],
    }


async def _receive_file(request: Request, file: IO[bytes], most_bytes: int = MOST_BYTES) -> str:
    """Write the body into the file, and return the body's digest."""
    media_type = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if media_type not in (LINES, FILE):
        raise BadRequest(problem_kinds.NOT_JSON, "not-json-lines", f"Send JSON Lines with Content-Type: {LINES}.")
    digest = hashlib.sha256()
    async for chunk in request.stream():
        digest.update(chunk)
        if file.tell() + len(chunk) > most_bytes:
            raise BadRequest(problem_kinds.TOO_LARGE, "too-large", f"An export can have at most {most_bytes} bytes.")
        await run_in_threadpool(file.write, chunk)
    file.seek(0)
    return digest.hexdigest()


def _make_origin(origin: Forked, is_proved: bool) -> ProvedOrigin:
    return {
        "campaign": origin.campaign,
        "name": origin.campaign_name,
        "at": origin.at,
        "count": origin.events,
        "root": origin.root,
        "proved": is_proved,
    }


def _import_file(request: Request, file: IO[bytes], digest: str, key: str | None, dry_run: bool) -> Response:
    ledger: Ledger = get_ledger(request)
    export = read_export(file)
    book, audit = check_export(export, ledger.codec)
    proved_flags = ledger.prove_origins(export)
    id, header = export.header.campaign, export.header
    if dry_run:
        ledger.must_be_importable(export)
        document: Admitted = {
            "id": id,
            "name": header.name,
            "system": header.system,
            "position": header.position,
            "events": len(export.rows),
            "rulings": audit.ruling_count,
            "older": audit.older_rulings,
            "origins": [
                _make_origin(origin, is_proved) for origin, is_proved in zip(export.origins, proved_flags, strict=True)
            ],
        }
        return Response(
            to_text(document), media_type="application/json", headers={"Ledger-Position": str(header.position)}
        )
    call = Call(id, "", "POST /campaigns/import", (key or str(uuid.uuid4())).lower(), digest)
    caller = Caller(ledger, call, request.app.state.systems)
    return caller.answer(
        ledger.import_campaign(call, export, book, campaigns.present_imported_campaign), lambda document: ""
    )
