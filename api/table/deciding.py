"""Decide about a ruling. A preview comes first, and only the previewed result is saved."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from fastapi import APIRouter, Request, Response
from fastapi.responses import RedirectResponse

from api.table import forms
from api.table.acts import CAMPAIGN_CHANGED, MORE, Act, Continuation, Preview, ShownCount, carry_out, preview
from api.table.client import Answer, Json, Rejection
from api.table.foreseeing import describe_comparison
from api.table.form_tokens import make_key, must_be_ours, must_be_shown
from api.table.forms import Form
from api.table.pages import Desk, PageRoute, Sitting, may_decide
from ledger.rules.kernel.json_types import split_pointer

router = APIRouter(prefix="/table/{campaign}/{seat}", include_in_schema=False, route_class=PageRoute)
#: The possible decisions about a ruling, by its status.
POSSIBLE: Mapping[str, tuple[str, ...]] = {
    "standing": ("overturn", "rewind", "revise"),
    "disputed": ("overturn", "rewind", "revise", "uphold"),
    "upheld": ("overturn", "rewind", "revise"),
    "revised": ("overturn", "rewind", "revise"),
    "overturned": ("reinstate", "revise"),
}
MOST_REASON = 4000  # characters
NUMBERS = "Enter ruling numbers, for example 12, 15."


# --- the ruling and its reader ---


@dataclass(frozen=True, slots=True)
class Matter:
    """A ruling to decide about, and what the reader may do. `claims`: the disputes that are still open."""

    ruling: Json
    state: Json
    decides: bool
    claims: list[Json]

    @property
    def number(self) -> int:
        return int(self.ruling["number"])

    @property
    def possible(self) -> tuple[str, ...]:
        return POSSIBLE.get(self.ruling["status"], ()) if self.decides else ()


async def load_matter(desk: Desk, number: int) -> Matter:
    ruling, state = (reply.json for reply in await desk.client.read_together(f"/rulings/{number}", "/state"))
    claims: list[Json] = []
    for decision in ruling["decisions"]:
        claims = (
            [*claims, decision]
            if decision["decision"] == "disputed"
            else claims
            if decision["decision"] == "witnessed"
            else []
        )
    return Matter(ruling, state, may_decide(state, desk.session.seat), claims)


# --- overturning, reinstating, upholding ---


@dataclass(frozen=True, slots=True)
class Choices:
    """The choices made in the form. `others`: the numbers of further rulings, as typed."""

    reason: str = ""
    settle: str = "flag"
    ticked: tuple[int, ...] = ()
    others: str = ""

    @property
    def also(self) -> list[int]:
        typed_numbers = [int(digits) for digits in re.findall(r"[0-9]+", self.others) if len(digits) < 10]
        return list(dict.fromkeys([*self.ticked, *typed_numbers]))

    @property
    def numbers_error(self) -> str | None:
        """Return an error message about the typed numbers, or None if they are valid."""
        return None if re.fullmatch(r"[0-9]{1,9}([\s,;]+[0-9]{1,9})*", self.others) or not self.others else NUMBERS


def parse_choices(form: Form) -> Choices:
    ticked_numbers = [
        int(text) for text in form.get("also", ()) if text.isascii() and text.isdecimal() and len(text) < 10
    ]
    settle = "rerule" if forms.get_field_text(form, "settle") == "rerule" else "flag"
    return Choices(
        forms.get_field_text(form, "reason"),
        settle,
        tuple(ticked_numbers),
        forms.get_field_text(form, "others").strip(),
    )


def make_act(number: int, decision: str, choices: Choices) -> Act:
    body: Json = {"reason": choices.reason}
    if decision in ("overturn", "reinstate"):
        body["settle"] = choices.settle
    if decision == "overturn":
        body["also"] = choices.also
    return Act(f"/rulings/{number}/{decision}", body, has_preview=decision != "uphold")


@router.get("/rulings/{number}/overturn")
@router.get("/rulings/{number}/rewind")
@router.get("/rulings/{number}/reinstate")
@router.get("/rulings/{number}/uphold")
async def show_decision_form(request: Request, desk: Sitting, number: int, reason: str = "") -> Response:
    """Show the preview and the form. A seat that may not decide sees only the preview."""
    decision = request.url.path.rpartition("/")[2]
    matter = await load_matter(desk, number)
    if decision == "overturn" and not matter.decides:
        return await _show_what_if(desk, matter)
    suggested_reason = suggest_reason(matter) if decision == "overturn" else ""
    followers = await _list_followers(desk, matter) if decision == "overturn" else ()
    return await _show_decision_form(desk, matter, decision, Choices(reason or suggested_reason, ticked=followers))


async def _list_followers(desk: Desk, matter: Matter) -> tuple[int, ...]:
    """Return the rulings that followed automatically from this one. They are overturned with it, unless they are
    unticked.
    """
    dials_then, dials_now = matter.ruling["dials"], matter.state["campaign"]["dials"]
    if "by_ledger" not in (dials_then.get("forced_steps"), dials_now["forced_steps"]):
        return ()
    return tuple((await desk.client.get("/what-if", without=matter.number, limit=1))["followers"])


def suggest_reason(matter: Matter) -> str:
    """Return a suggested reason to overturn the ruling. The game master can change it."""
    if not matter.claims:
        return "The ruling was wrong."
    claim = matter.claims[-1]
    return f"{claim['by']['name']} is right: “{claim['reason'][: MOST_REASON - 300]}”"


async def _show_what_if(desk: Desk, matter: Matter) -> Response:
    """Show what would be different without the ruling. Everybody may see this."""
    foreseen, problem = None, None
    try:
        comparison = await desk.client.get("/what-if", without=matter.number)
        foreseen = describe_comparison(comparison, desk.make_words(matter.state))
    except Rejection as rejection:
        problem = rejection.problem
    return desk.render_page(
        "what_if.html.jinja",
        matter=matter,
        look=Preview("", foreseen, problem),
        name=_find_campaign_name(matter),
        more_at=_make_address_of_rest(desk, matter.number),
    )


def _make_address_of_rest(desk: Desk, number: int, also: Sequence[int] = ()) -> str:
    """Return the address of the rest of the preview."""
    return f"{desk.session.path}/rulings/{number}/what-if?also={','.join(map(str, also))}"


@router.get("/rulings/{number}/what-if")
async def show_further_rulings(
    request: Request, desk: Sitting, number: int, also: str = "", after: int = 0, shown_count: ShownCount = 0
) -> Response:
    """Show the affected rulings after a given number, and every affected character and scene.

    `shown_count`: how many rulings were already shown. A partial request gets only the rulings.
    """
    matter = await load_matter(desk, number)
    other_numbers = [int(digits) for digits in re.findall(r"[0-9]{1,9}", also)]
    excluded_numbers = ",".join(map(str, dict.fromkeys([number, *other_numbers])))
    answer = await desk.client.get("/what-if", without=excluded_numbers, after=max(0, after), limit=MORE)
    values: Json = {
        "look": Preview("", describe_comparison(answer, desk.make_words(matter.state)), None),
        "matter": matter,
        "before": max(0, shown_count),
        "more_at": _make_address_of_rest(desk, number, other_numbers),
    }
    if request.headers.get("HX-Request-Type") == "partial":
        return desk.render_page("further.html.jinja", may_also=matter.decides, **values)
    return desk.render_page("what_if.html.jinja", name=_find_campaign_name(matter), **values)


def _find_campaign_name(matter: Matter) -> str:
    name: str = matter.state["campaign"]["name"]
    return name


async def _show_decision_form(
    desk: Desk,
    matter: Matter,
    decision: str,
    choices: Choices,
    *,
    key: str = "",
    notice: str | None = None,
    problem: Json | None = None,
    continuation: Continuation | None = None,
) -> Response:
    act = make_act(matter.number, decision, choices)
    errors = collect_field_errors(problem, {"others": choices.numbers_error})
    shown_preview = (
        Preview("", None, None) if "others" in errors else await preview(desk, act, matter.state, continuation)
    )
    if shown_preview.problem is not None and problem is None:
        errors |= collect_field_errors(shown_preview.problem, {})
        problem = shown_preview.problem
    action = f"{desk.session.path}/rulings/{matter.number}/{decision}"
    values: Json = {
        "matter": matter,
        "what": decision,
        "chosen": choices,
        "look": shown_preview,
        "errors": errors,
        "action": action,
        "on_at": action,
        "before": continuation.shown_count if continuation is not None else 0,
        "notice": notice,
        "problem": problem if problem is not None and not errors else None,
    }
    is_partial = desk.request.headers.get("HX-Request-Type") == "partial"
    if is_partial and continuation is not None and continuation.after and shown_preview.foreseen is not None:
        return desk.render_page("further.html.jinja", may_also=decision == "overturn", **values)
    if is_partial:
        return desk.render_page("decide_looked.html.jinja", partial=True, **values)
    status = 422 if problem is not None else 409 if notice == CAMPAIGN_CHANGED else 200
    return desk.render_page(
        "decide.html.jinja",
        status,
        token=desk.make_token(f"{decision} {matter.number}"),
        key=key or make_key(),
        name=_find_campaign_name(matter),
        **values,
    )


def collect_field_errors(problem: Json | None, known_errors: Mapping[str, str | None]) -> dict[str, str]:
    """Return the error texts by field: the known errors and those in the problem."""
    errors = {name: text for name, text in known_errors.items() if text}
    if problem is None:
        return errors
    for error in problem.get("errors") or ():
        field = split_pointer(str(error["pointer"]))[0]
        if field in ("reason", "also"):
            errors.setdefault({"also": "others"}.get(field, field), str(error.get("message") or error.get("text")))
    if problem.get("code") == "reason-blank":
        errors["reason"] = str(problem["detail"])
    return errors


@router.post("/rulings/{number}/overturn")
@router.post("/rulings/{number}/rewind")
@router.post("/rulings/{number}/reinstate")
@router.post("/rulings/{number}/uphold")
async def submit_decision(request: Request, desk: Sitting, number: int) -> Response:
    """Save the decision if its preview was already shown with these choices. Otherwise, preview it again."""
    must_be_ours(request)
    decision = request.url.path.rpartition("/")[2]
    form = await forms.read_form(request)
    must_be_shown(desk.ledger.keys, desk.session, f"{decision} {number}", forms.get_field_text(form, "token"))
    choices, key = parse_choices(form), forms.get_field_text(form, "key")
    continuation = Continuation.parse(form)
    is_preview = "look" in form or continuation is not None or choices.numbers_error is not None
    act = make_act(number, decision, choices)
    answer = None if is_preview else await carry_out(desk, act, key, forms.get_field_text(form, "seen"))
    if isinstance(answer, Answer) and answer.status in (200, 202):
        return RedirectResponse(f"{desk.session.path}{find_next_path(number, answer)}", 303)
    matter = await load_matter(desk, number)
    notice = answer if isinstance(answer, str) else None
    problem = answer.json if isinstance(answer, Answer) else None
    if isinstance(answer, Answer) and answer.status == 401:
        raise Rejection(401, answer.json)
    return await _show_decision_form(
        desk, matter, decision, choices, key=key, notice=notice, problem=problem, continuation=continuation
    )


def find_next_path(number: int, answer: Answer) -> str:
    """Return the path of the next page: the proposal, the open findings, or the ruling."""
    document = answer.json
    if answer.status == 202:
        return f"/proposals/{document['id']}"
    changes = document.get("changed")
    return f"/findings?after={number}" if changes and changes["findings"] else f"/rulings/{number}?decided=1"
