"""The documentation's pages about the kinds of problems: what happened, why, and what to do.

`python -m api.http.problem_pages FOLDER` writes the pages; `scripts/docs` calls it.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass
from pathlib import Path

from api.http.problem_kinds import (
    CHANGED,
    DENIED,
    FAULT,
    GAME_AT_FAULT,
    KEY_REUSED,
    KINDS,
    MALFORMED,
    NEWER,
    NO_METHOD,
    NOT_ACCEPTABLE,
    NOT_FOUND,
    NOT_JSON,
    NOT_YOURS,
    OF_ERRORS,
    REFUSED,
    STALE,
    TOO_LARGE,
    TOO_MANY,
    UNAVAILABLE,
    VIEWS_BEHIND,
    WRONG_STATUS,
    Kind,
)


@dataclass(frozen=True, slots=True)
class Help:
    """The help on a kind of problem. Each field has one or more sentences of Markdown."""

    happened: str
    why: str
    do: str


HELP: dict[str, Help] = {
    DENIED.name: Help(
        "The service did not recognise you, so it did nothing.",
        "The request had no token, or its token is not valid for this campaign: the token was mistyped, was replaced"
        " by a new one, belongs to another campaign, or belongs to a seat that was removed.",
        "Send `Authorization: Bearer TOKEN` with the token of your seat. If you lost it, ask your game master"
        " for an invite. If you are the game master, ask the operator for a new token: `campaign-ledger token ID"
        " SEAT`.",
    ),
    NOT_YOURS.name: Help(
        "Your seat may not do this. Nothing changed.",
        "What a seat may do depends on its role and on the characters it plays. Observers can only look. Players"
        " act for their own characters. Most decisions about rulings belong to game masters.",
        "Ask a game master to do it, or to change the role of your seat. `GET .../moves` lists what your seat"
        " can do now.",
    ),
    NOT_FOUND.name: Help(
        "There is nothing at this address that your seat can see.",
        "The address is mistyped, or it names something that never existed or that is hidden from you. The"
        " answer is the same in all of these cases, so that it reveals nothing hidden.",
        "Check the address against [the API's description](/docs/api). The lists (`/rulings`, `/characters`,"
        " `/scenes`) show the numbers and ids that your seat can see.",
    ),
    NO_METHOD.name: Help(
        "The address exists, but it does not support this HTTP method.",
        "For example, you cannot DELETE a ruling: the record only grows.",
        "The answer's `Allow` header names the methods that work. To cancel a ruling, overturn it.",
    ),
    NOT_ACCEPTABLE.name: Help(
        "The service cannot answer in the media type that you asked for.",
        "The `Accept` header of the request excludes every media type that this address offers.",
        "Leave out `Accept`, or send the media type that `detail` names.",
    ),
    WRONG_STATUS.name: Help(
        "The status of the ruling, question or finding does not allow this. Nothing changed.",
        "Somebody may have acted first: a ruling that is already overturned cannot be overturned again, and a"
        " question can be answered only once.",
        "`detail` names the current status. Load the ruling, question or finding again, then decide what to do.",
    ),
    STALE.name: Help(
        "Somebody else saved first, and your request no longer fits what they saved. Nothing was saved.",
        "The service tried three times, and each time another save came first. Or you sent the position at which"
        " you last loaded the campaign, and the campaign has changed since.",
        "Load the campaign again. Then send the request again, if it is still useful.",
    ),
    CHANGED.name: Help(
        "You asked to change one particular version (`If-Match`), but there is a newer one. Nothing changed.",
        "Something was recorded after you loaded this version.",
        "Load the newer version, and repeat the request with its `ETag`.",
    ),
    TOO_LARGE.name: Help(
        "The request has more bytes than the service accepts.",
        "Every request has a limit, so that one client cannot fill the service's memory. `detail` names the limit.",
        "Send a smaller request. For an import, ask the operator, or use `campaign-ledger import` on the server.",
    ),
    NOT_JSON.name: Help(
        "The service cannot read the body, because it is not sent as JSON.",
        "The `Content-Type` header is missing or has the wrong type, or the body is compressed.",
        "Send `Content-Type: application/json` and an uncompressed body. An import takes JSON Lines: `detail`"
        " names the type.",
    ),
    MALFORMED.name: Help(
        "The request is incomplete or has a mistake. Nothing was done.",
        "A field is missing, unknown or of the wrong kind, a value is out of range, or the body is not valid JSON.",
        "Look at `errors`: each entry has a `pointer` to the place in the body and a `message`. `more_errors`"
        " counts those that are not shown. `GET /systems/<system>` lists every field of a game, with examples.",
    ),
    KEY_REUSED.name: Help(
        "The `Idempotency-Key` was used before, for a different request. Nothing was done.",
        "A key identifies one request, so repeating that request never does anything twice.",
        "Use a new key for a new request. To repeat a request, send exactly the same one.",
    ),
    REFUSED.name: Help(
        "The rules of the game do not allow this request. Nothing was recorded.",
        "`rule` is the id of the rule, and `statement` is its text. `context` has the numbers and names involved.",
        "Read `detail`: it says what is wrong. `GET .../moves?blocked=true` lists what you can declare now,"
        " and why other moves are not possible. The guide of the game (`/systems/<system>/guide`) explains"
        " each rule. For a sheet, `errors` lists every mistake in it.",
    ),
    TOO_MANY.name: Help(
        "You, or somebody at the same address, sent more requests than the service allows.",
        "Each seat has a limit, and so has each address for requests without a valid token. Invite codes have a"
        " limit of their own, so that nobody can guess them.",
        "Wait for the number of seconds in `Retry-After`, then try again. `RateLimit` says how many requests are"
        " left. The"
        " operator sets the limits: [LEDGER_RATE_LIMIT](../operating.md#settings).",
    ),
    FAULT.name: Help(
        "The service had an internal error. Nothing in your request was saved.",
        "Either the ledger has a bug, or the record of this campaign does not match its journal. Other"
        " campaigns are not affected.",
        "You can send the request again, with the same `Idempotency-Key`. If it fails again, give the operator the"
        " answer's `X-Request-ID`: the details are in the log, with this id.",
    ),
    GAME_AT_FAULT.name: Help(
        "The game's code failed on this request or on a ruling that is already recorded. Nothing was saved.",
        "The mistake is in the game, not in your request. `context` names the game and, if one is recorded,"
        " the ruling.",
        "Tell the operator, who can find the details in the log. If a recorded ruling blocks the campaign,"
        " `campaign-ledger repair ID RULING --reason TEXT` sets it aside.",
    ),
    UNAVAILABLE.name: Help(
        "The database does not respond, or it cannot save anything at the moment.",
        "The database may be restarting or out of disk space, another server may be taking over, or the connection"
        " was cut. If the service knows the reason, `detail` says so.",
        "Wait for the number of seconds in `Retry-After`, then send the request again with the same"
        " `Idempotency-Key`. If it was saved the first time, you get the first answer. If you are the"
        " operator, look at `/readyz`.",
    ),
    VIEWS_BEHIND.name: Help(
        "The record contains the requested data, but the views (the tables for fast reading) do not contain it yet.",
        "The views usually follow the record within a second. After an upgrade they are rebuilt, which takes longer.",
        "Wait for the number of seconds in `Retry-After`, then try again. If this continues, ask the operator to"
        " check `/readyz` and the process that updates the views.",
    ),
    NEWER.name: Help(
        "A later version of the ledger recorded something in this campaign that this version cannot read.",
        "The service was upgraded and then downgraded, or two versions use the same database.",
        "Ask the operator to install the version that `detail` names, or a newer one. Other campaigns are not"
        " affected.",
    ),
}


def write_pages(folder: Path) -> None:
    """Write one page for each kind, and a list of the pages."""
    folder.mkdir(parents=True, exist_ok=True)
    for kind in KINDS:
        (folder / f"{kind.name}.md").write_text(write_page(kind), encoding="utf-8")
    (folder / "index.md").write_text(write_index(), encoding="utf-8")


def write_page(kind: Kind) -> str:
    """Return the Markdown about one kind."""
    advice = HELP[kind.name]
    lines = [f"# {kind.title}", f"Status **{kind.status}**, type `/problems/{kind.name}`."]
    lines += ["## What happened", advice.happened, "## Why", advice.why, "## What to do", advice.do]
    codes = sorted(error.code for error, its_kind in OF_ERRORS.items() if its_kind is kind)
    if codes:
        quoted_codes = " or ".join(f"`{code}`" for code in codes)
        lines.append(f"The usual `code` is {quoted_codes}. A problem can have a more specific code instead.")
    return "\n\n".join(lines) + "\n"


def write_index() -> str:
    """Return the Markdown that lists all kinds."""
    rows = [f"| {kind.status} | [{kind.title}]({kind.name}.md) | `/problems/{kind.name}` |" for kind in KINDS]
    introduction = (
        "Every error is a problem document (RFC 9457). Its `type` is the address of one of these pages. `detail` is"
        " a sentence for people. `code` is for programs; `type` and `code` do not change between versions."
    )
    return "\n".join(["# Problems", "", introduction, "", "| status | problem | type |", "|---|---|---|", *rows, ""])


if __name__ == "__main__":
    write_pages(Path(sys.argv[1]))
