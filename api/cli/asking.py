"""Requests from the command line to a running service: the seat, the key, and the answer."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, TypeAlias

import typer

from api.run.terminal import err
from api.run.up import PORT
from ledger.errors import Fault, LedgerError

if TYPE_CHECKING:
    import httpx

Json: TypeAlias = dict[str, Any]
PLAY = "Play and decide"  # the panel in the help text
TRIES = 4  # attempts to send a request whose answer was lost, all with the same key
TEXTUAL = ("string_type", "union_type")  # mistakes reported for a number that may have been meant as text
LATER = (429, 503)  # too many requests: the answer says when to ask again
PATIENCE = 60  # seconds to wait for an answer
DECLINED = 1  # the exit code

Address = Annotated[
    str,
    typer.Option("--address", envvar="LEDGER_ADDRESS", metavar="ADDRESS", help="Address of a running service."),
]
HERE = f"http://127.0.0.1:{PORT}"
Token = Annotated[
    str | None,
    typer.Option(
        "--token",
        envvar="LEDGER_TOKEN",
        metavar="TOKEN",
        show_envvar=True,
        help="Your seat's token. Default, on the ledger's own machine: you act as the campaign's first game master.",
    ),
]
Key = Annotated[
    str | None,
    typer.Option(
        "--key", metavar="KEY", help="An idempotency key. Repeating a command with the same key has no further effect."
    ),
]
Yes = Annotated[bool, typer.Option("--yes", "-y", help="Don't ask for confirmation.")]
Preview = Annotated[bool, typer.Option("--preview", help="Show what would change. Nothing is saved.")]
Reason = Annotated[
    str, typer.Option("--reason", "-r", metavar="TEXT", show_default=False, help="The reason. It is recorded.")
]


@dataclass(frozen=True, slots=True)
class Answer:
    """The service's answer, and the position of the campaign that it shows."""

    status: int
    document: Json
    position: int


@dataclass(frozen=True, slots=True)
class Connection:
    """A connection to a running service as a seat of a campaign. `get` and `post` take paths below the campaign."""

    client: httpx.Client
    campaign: str
    token: str

    def get(self, path: str = "", **query: str) -> Answer:
        return send(self.client, "GET", f"/campaigns/{self.campaign}{path}", self.token, None, query or None)

    def post(self, path: str, body: Json, key: str | None) -> Answer:
        return send(self.client, "POST", f"/campaigns/{self.campaign}{path}", self.token, body, key=key)

    def patch(self, path: str, body: Json, key: str | None) -> Answer:
        return send(self.client, "PATCH", f"/campaigns/{self.campaign}{path}", self.token, body, key=key)

    def post_fields(self, path: str, body: Json, record_path: str, pairs: list[str], key: str | None) -> Answer:
        """Post as `post` does. If the service refuses a number because it expected a text, post again with the text
        that was typed.

        `pairs`: the fields as they were typed. `record_path`: the path in the body to the record with the fields.
        """
        try:
            return self.post(path, body, key)
        except Fault as refusal:
            from ledger.rules.kernel.json_types import split_pointer

            value_by_name = dict(pair.split("=", 1) for pair in pairs)
            texts = {
                name: value_by_name[name]
                for error in refusal.context.get("errors", ())
                if error.get("type") in TEXTUAL and (name := split_pointer(error["pointer"])[-1]) in value_by_name
            }
            if not texts:
                raise
        return self.post(path, _merge_fields(body, record_path.split("/"), texts), key)


def _merge_fields(body: Json, field_path: list[str], fields: Json) -> Json:
    """Return the body with the fields added to the record at `field_path`."""
    if not field_path:
        return {**body, **fields}
    return {**body, field_path[0]: _merge_fields(body[field_path[0]], field_path[1:], fields)}


@contextmanager
def connect(campaign: str, token: str | None, address: str, data: Path | None) -> Iterator[Connection]:
    """Connect to the service with the token. Without a token, connect as the first game master."""
    import httpx

    token = token or _find_first_masters_token(campaign, data)
    with httpx.Client(base_url=address, timeout=PATIENCE) as client:
        yield Connection(client, campaign, token)


def _find_first_masters_token(campaign: str, data: Path | None) -> str:
    """Return the token of the first game master. Raise a Fault if the ledger is on another machine."""
    from api.run.terminal import find_key, open_campaign_reading
    from ledger.application import Keys
    from ledger.application.commands.importing import list_gm_seats
    from ledger.application.commands.seating import find_token_generation
    from ledger.errors import NotFound

    try:
        with open_campaign_reading(campaign, None, data, allow_unusable_rules=True) as reading:
            book = reading.lens.book
            seat = next(iter(list_gm_seats(book)), None)
            if seat is None:
                raise NotFound("This campaign has no game master. Use --token.", code="seat-not-found")
            err.print(f"Acting as {reading.lens.find_seat_name(seat)} ({seat}), game master.", markup=False)
            return Keys(find_key(data)).make_token(campaign, seat, find_token_generation(book, seat))
    except NotFound:
        raise
    except LedgerError as problem:
        message = "Use --token or LEDGER_TOKEN. The ledger's own key can't be used"
        raise Fault(f"{message}: {problem}", code="no-token") from problem


def send(
    client: httpx.Client,
    method: str,
    path: str,
    token: str | None,
    body: Json | None,
    query: Mapping[str, str] | None = None,
    key: str | None = None,
) -> Answer:
    """Send a request and return the answer. Raise a Fault if the service refuses. If no answer arrives, send the
    request again with the same key.
    """
    import uuid

    import httpx

    headers = {"Authorization": f"Bearer {token}"} if token else {}
    if method == "POST":
        headers["Idempotency-Key"] = key = key or str(uuid.uuid4())
    last_error: Exception | None = None
    for _ in range(TRIES):
        try:
            answer = client.request(method, path, headers=headers, json=body, params=query)
        except (httpx.InvalidURL, httpx.UnsupportedProtocol):
            raise Fault(
                f"{client.base_url} is not a valid address. An example is http://127.0.0.1:{PORT}.", code="bad-address"
            ) from None
        except httpx.ConnectError as problem:
            last_error = problem
            break
        except httpx.TransportError as problem:
            last_error = problem
            continue
        if answer.status_code not in LATER:
            return _read_answer(answer)
        time.sleep(int(answer.headers.get("Retry-After", 1)))
    else:
        if last_error is None:
            return _read_answer(answer)
    hint = f" You can safely repeat the command with --key {key}." if key else ""
    message = f"The service at {client.base_url} is not responding: {last_error}."
    raise Fault(f"{message}{hint} `campaign-ledger up` starts a service.", code="no-service")


def _read_answer(answer: httpx.Response) -> Answer:
    try:
        document = answer.json()
    except ValueError:
        raise Fault(f"There is no ledger at {answer.request.url}: {answer.status_code}.", code="no-service") from None
    if answer.status_code >= 400:
        errors = document.get("errors") or ()
        raise Fault(_write_refusal(document), code=str(document.get("code") or "refused"), errors=errors)
    return Answer(answer.status_code, document, int(answer.headers.get("Ledger-Position", 0)))


def _write_refusal(problem: Json) -> str:
    """Return the sentences of the problem, each one once."""
    sentences = [str(problem.get("detail") or problem.get("title")), problem.get("statement") or ""]
    sentences += [error.get("message") or error["text"] for error in problem.get("errors") or ()]
    distinct_sentences: list[str] = []
    for sentence in sentences:
        if sentence and not any(sentence in earlier_sentence for earlier_sentence in distinct_sentences):
            distinct_sentences.append(sentence)
    return " ".join(distinct_sentences)


# --- confirmation ---


def must_be_answerable(as_json: bool, is_confirmed: bool, is_preview: bool) -> None:
    """Raise BadParameter for --json without --yes or --preview, and for --yes with --preview."""
    if as_json and not (is_confirmed or is_preview):
        raise typer.BadParameter("With --json you must use --yes to confirm, or --preview.")
    if is_confirmed and is_preview:
        raise typer.BadParameter("Use --yes or --preview, not both.")


def confirm(question: str, is_confirmed: bool) -> None:
    """Ask on the terminal, and end the program unless the answer is yes."""
    if is_confirmed:
        return
    err.print(f"{question} [y/N] ", end="", markup=False)
    answer = sys.stdin.readline()
    if answer.strip().lower() not in {"y", "yes"}:
        hint = "" if answer else " There was no answer. Use --yes to confirm."
        err.print(f"Nothing was saved.{hint}", markup=False)
        raise SystemExit(DECLINED)


def parse_fields(pairs: list[str]) -> Json:
    """Return the values of `name=value` pairs by name. A value that is not valid JSON is a text. Raise BadParameter if
    a pair has no name or no `=`.
    """
    import json

    fields: Json = {}
    for pair in pairs:
        name, equals, value = pair.partition("=")
        if not equals or not name:
            raise typer.BadParameter(f"{pair!r} is not a field. Use NAME=VALUE.")
        try:
            fields[name] = json.loads(value)
        except ValueError:
            fields[name] = value
    return fields


def parse_object(text: str, label: str) -> Json:
    """Return the JSON object in the text. Raise BadParameter for anything else."""
    import json

    try:
        value = json.loads(text)
    except ValueError as problem:
        raise typer.BadParameter(f"{label} is not JSON: {problem}.") from None
    if not isinstance(value, dict):
        raise typer.BadParameter(f"{label} must be a JSON object.")
    return value
