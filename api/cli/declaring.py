"""Commands that play: open a campaign, take a seat, declare something, answer a question."""

from __future__ import annotations

from typing import Annotated, Literal

import typer

from api.cli.asking import (
    HERE,
    PLAY,
    Address,
    Answer,
    Connection,
    Json,
    Key,
    Preview,
    Token,
    Yes,
    confirm,
    connect,
    must_be_answerable,
    parse_fields,
    parse_object,
    send,
)
from api.cli.deciding import Later
from api.cli.rulings import show_ruling
from api.cli.what_if import show_comparison
from api.run.failures import explain_failures
from api.run.terminal import MOST, AsJson, Campaign, Data, err, print_envelope, say

app = typer.Typer()
Scene = Annotated[str | None, typer.Option("--scene", metavar="SCENE", help="The scene, if several are open.")]
Roller = Annotated[
    Literal["ledger", "table"] | None, typer.Option("--dice", help="Who rolls: the ledger, or the table.")
]
After = Annotated[
    int | None,
    typer.Option(
        "--after", min=1, max=MOST, metavar="NUMBER", help="Enter the declaration late, right after this ruling."
    ),
]
Answers = Annotated[
    list[str] | None,
    typer.Option(
        "--answer",
        metavar="JSON",
        help="An answer that you already have. Repeat this option for each answer, in order.",
    ),
]


@app.command("open", rich_help_panel=PLAY)
def open_campaign(
    name: Annotated[str, typer.Argument(metavar="NAME", help="The campaign's name.")],
    system: Annotated[str, typer.Option("--system", metavar="SYSTEM", help="The game's name, as in /systems.")],
    gm: Annotated[str, typer.Option("--gm", metavar="NAME", help="The game master's name.")],
    dial: Annotated[
        list[str] | None,
        typer.Option("--dial", metavar="NAME=VALUE", help="An option to set. You can repeat this option."),
    ] = None,
    address: Address = HERE,
    key: Annotated[
        str | None,
        typer.Option("--key", metavar="UUID", help="An idempotency key. The same UUID starts only one campaign."),
    ] = None,
    data: Data = None,
    as_json: AsJson = False,
) -> None:
    """Start a campaign, and print its game master's token.

    If only the operator can start campaigns, the command sends LEDGER_OPERATOR_TOKEN, or the token in the ledger's
    folder.

    Example: campaign-ledger open "The Long Winter" --system SYSTEM --gm Ann
    """
    import httpx

    from api.cli.asking import PATIENCE

    body = {"name": name, "system": system, "gm": {"name": gm}, "dials": parse_fields(dial or [])}
    with explain_failures(), httpx.Client(base_url=address, timeout=PATIENCE) as client:
        response = send(client, "POST", "/campaigns", _find_operator_token(data), body, key=key)
    document = response.document
    if as_json:
        print_envelope("open", document, document["id"], response.position)
        return
    err.print(
        f"The campaign “{document['name']}” has the id {document['id']}. The token of {gm}, game master:", markup=False
    )
    print(document["seat"]["token"])
    err.print(f"Invite people: campaign-ledger invite {document['id']} --name NAME", markup=False)


def _find_operator_token(data: Data) -> str | None:
    """Return the operator's token, if there is one on this machine."""
    from api.embedded import find_data_folder
    from api.service.database import OPERATOR_TOKEN
    from api.service.environment import ServiceSettings, read_settings

    token_in_settings = read_settings(ServiceSettings).operator_token
    path = (data or find_data_folder()).resolve() / OPERATOR_TOKEN
    return token_in_settings or (path.read_text(encoding="utf-8").strip() if path.is_file() else None)


@app.command(rich_help_panel=PLAY)
def join(
    invite: Annotated[str, typer.Argument(metavar="INVITE", help="The link or the code.")],
    address: Address = HERE,
    key: Key = None,
    as_json: AsJson = False,
) -> None:
    """Join a campaign with an invite, and print your seat's token.

    Example: campaign-ledger join 7K3M-9QXT
    """
    import httpx

    from api.cli.asking import PATIENCE

    body = {"secret" if "#" in invite or "." in invite else "code": invite}
    with explain_failures(), httpx.Client(base_url=address, timeout=PATIENCE) as client:
        document = send(client, "POST", "/invites/use", None, body, key=key).document
    if as_json:
        print_envelope("join", document)
        return
    err.print(
        f"{document['seat']['name']} joined {document['campaign']} as {document['seat']['role']}. The token:",
        markup=False,
    )
    print(document["token"])


@app.command(rich_help_panel=PLAY)
def declare(  # noqa: PLR0913, PLR0917
    campaign: Campaign,
    kind: Annotated[
        str, typer.Argument(metavar="KIND", help="The kind of action, as `campaign-ledger moves` lists it, or JSON.")
    ],
    fields: Annotated[list[str] | None, typer.Argument(metavar="[FIELD=VALUE]...", help="The action's fields.")] = None,
    scene: Scene = None,
    dice: Roller = None,
    after: After = None,
    answer_texts: Answers = None,
    settle: Later = "flag",
    yes: Yes = False,
    preview: Preview = False,
    token: Token = None,
    address: Address = HERE,
    key: Key = None,
    data: Data = None,
    as_json: AsJson = False,
) -> None:
    """Declare an action. The command shows a preview and asks you to confirm. Then it prints the ruling, or the
    question that has to be answered first.

    Example: campaign-ledger declare k3v7q2mzt5a4c open-scene title="A reception" 'cast=["1", "2"]'

    Example: campaign-ledger declare k3v7q2mzt5a4c '{"kind": "open-scene", "title": "A reception"}' --yes

    With `--after`, a forgotten action is ruled at its place in play. It needs all its answers.

    Example: campaign-ledger declare k3v7q2mzt5a4c open-scene title="A reception" --after 12 --preview
    """
    must_be_answerable(as_json, yes, preview)
    declaration = parse_object(kind, "KIND") if kind.startswith("{") else {"kind": kind}
    body: Json = {"declare": {**declaration, **parse_fields(fields or [])}}
    if scene is not None:
        body["scene"] = scene
    if dice is not None:
        body["dice"] = dice
    if answer_texts:
        body["answers"] = [parse_object(text, "--answer") for text in answer_texts]
    if after is not None:
        body |= {"after": after, "settle": settle}
    with explain_failures(), connect(campaign, token, address, data) as connection:
        if not yes:
            preview_answer = connection.post_fields(
                "/rulings", {**body, "preview": True}, "declare", fields or [], None
            )
            if preview and as_json:
                print_envelope("declare", preview_answer.document, campaign, preview_answer.position)
                return
            if after is not None:
                show_comparison(preview_answer.document)  # type: ignore[arg-type]
            else:
                _show_preview(preview_answer.document)
            if preview:
                return
            confirm("Declare this?", yes)
        _print_result(
            connection, "declare", connection.post_fields("/rulings", body, "declare", fields or [], key), as_json
        )


def _show_preview(document: Json) -> None:
    question = document["question"]
    if question is not None:
        say(f"This would ask {question['asked']['name']}: {question['text']}")
    else:
        say(document["text"])
        for fact in (document["verdict"] or {}).get("facts", ()):
            say(f"  {fact['text']}")
    for cancelled_question in document["ends"]:
        say(f"This would cancel a waiting question: {cancelled_question['text']}")


@app.command(rich_help_panel=PLAY)
def answer(  # noqa: PLR0913, PLR0917
    campaign: Campaign,
    waiting: Annotated[
        str,
        typer.Argument(
            metavar="WAITING", help="The id of the waiting question. `campaign-ledger state` lists the ids."
        ),
    ],
    answer_words: Annotated[
        list[str],
        typer.Argument(metavar="ANSWER...", help="The dice faces, or a choice with FIELD=VALUE, or JSON."),
    ],
    slot: Annotated[
        str | None,
        typer.Option(help="The slot of the question, if several are open. Default: the first question for you."),
    ] = None,
    asked: Annotated[
        str | None,
        typer.Option(metavar="SEAT", help="The seat asked, if several seats are asked in the same slot."),
    ] = None,
    yes: Yes = False,
    preview: Preview = False,
    token: Token = None,
    address: Address = HERE,
    key: Key = None,
    data: Data = None,
    as_json: AsJson = False,
) -> None:
    """Answer a waiting question with dice, with a choice, or as JSON.

    Example: campaign-ledger answer k3v7q2mzt5a4c w9 4 3

    Example: campaign-ledger answer k3v7q2mzt5a4c w9 dodge

    Example: campaign-ledger answer k3v7q2mzt5a4c w9 '{"dice": {"sides": 6, "faces": [4, 3]}}'
    """
    must_be_answerable(as_json, yes, preview)
    with explain_failures(), connect(campaign, token, address, data) as connection:
        listing = connection.get("/waiting")
        row = next((row for row in listing.document["waiting"] if row["id"] == waiting), None)
        question = _find_question(row, slot, asked) if row is not None else None
        body: Json = {"answer": _make_answer(answer_words, question)}
        body |= {name: value for name, value in (("slot", slot), ("asked", asked)) if value is not None}
        if not yes:
            if preview and as_json:
                print_envelope("answer", {"question": question, **body}, campaign, listing.position)
                return
            if question is not None:
                say(f"{question['asked']['name']} has to answer: {question['text']}")
            say(f"The answer: {' '.join(answer_words)}")
            if preview:
                return
            confirm("Answer this?", yes)
        pairs = answer_words[1:] if "choice" in body["answer"] else []
        reply = connection.post_fields(f"/waiting/{waiting}/answers", body, "answer/choice", pairs, key)
        _print_result(connection, "answer", reply, as_json)


@app.command(rich_help_panel=PLAY)
def hold(
    campaign: Campaign,
    *,
    off: Annotated[bool, typer.Option("--off", help="Resume automatic steps.")] = False,
    token: Token = None,
    address: Address = HERE,
    data: Data = None,
    key: Key = None,
    as_json: AsJson = False,
) -> None:
    """Pause automatic steps. The ledger takes none until you resume them (option `forced_steps`).

    Example: campaign-ledger hold k3v7q2mzt5a4c
    """
    with explain_failures(), connect(campaign, token, address, data) as connection:
        reply = connection.patch(f"/seats/{connection.token.split('.')[1]}", {"holds": not off}, key)
    if as_json:
        print_envelope("hold", reply.document, campaign, reply.position)
    else:
        holds = reply.document["holds"]
        say(f"{reply.document['name']} {'pauses' if holds else 'resumes'} automatic steps.")


def _find_question(row: Json, slot: str | None, asked_seat: str | None) -> Json | None:
    """Return the first question with this slot for this seat, or None. If the slot or the seat is None, it is
    ignored.
    """
    questions: list[Json] = [entry["question"] for entry in (row, *row["others"]) if entry["question"] is not None]
    for question in questions:
        if slot in (None, question.get("slot")) and asked_seat in (None, question.get("seat")):
            return question
    return None


def _make_answer(words: list[str], question: Json | None) -> Json:
    """Return the answer that these words of the command line give. Raise BadParameter for dice if the question doesn't
    ask for any.
    """
    first_word = words[0]
    if first_word.startswith("{"):
        return parse_object(first_word, "ANSWER")
    if all(face.isdecimal() for face in words):
        sides = (question or {}).get("sides")
        if sides is None:
            raise typer.BadParameter("This question doesn't ask for dice.")
        return {"dice": {"sides": sides, "faces": [int(face) for face in words]}}
    return {"choice": {"kind": first_word, **parse_fields(words[1:])}}


def _print_result(connection: Connection, verb: str, reply: Answer, as_json: bool) -> None:
    document = reply.document
    if as_json:
        print_envelope(verb, document, connection.campaign, reply.position)
    elif reply.status == 201:
        show_ruling(document)  # type: ignore[arg-type]
    else:
        say(f"{document['id']}: {document['text']}")
        question = document.get("question")
        if question is not None:
            say(f"{question['asked']['name']} has to answer: {question['text']}")
            choices = [choice["kind"] for choice in question.get("choices", ())]
            example = "|".join(choices) if choices else "FACE..." if question.get("sides") else "ANSWER"
            err.print(
                f"Answer the question: campaign-ledger answer {connection.campaign} {document['id']} {example}",
                markup=False,
            )
        elif reply.status == 202:
            say("It is waiting for consent.")
