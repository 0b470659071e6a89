"""Deciding about a ruling: first the preview, then the button. What was previewed is what is saved."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from fastapi import APIRouter, Request, Response
from fastapi.responses import RedirectResponse

from api.table import forms
from api.table.acts import MORE, MOVED, Act, Continuation, Preview, Shown, carry_out, preview
from api.table.client import Answer, Json, Turned
from api.table.foreseeing import describe_foreseen
from api.table.form_tokens import make_key, must_be_ours, must_be_shown
from api.table.forms import Form
from api.table.pages import Desk, Paged, Sitting, may_decide

router = APIRouter(prefix="/table/{campaign}/{seat}", include_in_schema=False, route_class=Paged)
#: What can be decided about a ruling, by what has become of it.
POSSIBLE: Mapping[str, tuple[str, ...]] = {
    "standing": ("overturn", "revise"),
    "disputed": ("overturn", "revise", "uphold"),
    "upheld": ("overturn", "revise"),
    "revised": ("overturn", "revise"),
    "overturned": ("reinstate",),
}
MOST_REASON = 4000  # characters
NUMBERS = "Enter ruling numbers, for example 12, 15."


# --- about whom, by whom ---


@dataclass(frozen=True, slots=True)
class Matter:
    """A ruling to decide about, and what the reader may do. `claims`: disputes that nobody has decided yet."""

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
    ruling, state = (reply.json for reply in await desk.client.get_together(f"/rulings/{number}", "/state"))
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


# --- overturning, putting back, letting stand ---


@dataclass(frozen=True, slots=True)
class Choices:
    """The choices made in the form. `others`: further rulings, as they were typed."""

    reason: str = ""
    settle: str = "flag"
    ticked: tuple[int, ...] = ()
    others: str = ""

    @property
    def also(self) -> list[int]:
        typed = [int(digits) for digits in re.findall(r"[0-9]+", self.others) if len(digits) < 10]
        return list(dict.fromkeys([*self.ticked, *typed]))

    @property
    def wrong(self) -> str | None:
        """Return what is wrong with the typed numbers, or None."""
        return None if re.fullmatch(r"[0-9]{1,9}([\s,;]+[0-9]{1,9})*", self.others) or not self.others else NUMBERS


def parse_choices(form: Form) -> Choices:
    ticked = [int(text) for text in form.get("also", ()) if text.isascii() and text.isdecimal() and len(text) < 10]
    settle = "rerule" if forms.get_field_text(form, "settle") == "rerule" else "flag"
    return Choices(
        forms.get_field_text(form, "reason"), settle, tuple(ticked), forms.get_field_text(form, "others").strip()
    )


def make_act(number: int, what: str, chosen: Choices) -> Act:
    body: Json = {"reason": chosen.reason}
    if what in ("overturn", "reinstate"):
        body["settle"] = chosen.settle
    if what == "overturn":
        body["also"] = chosen.also
    return Act(f"/rulings/{number}/{what}", body, looks=what != "uphold")


@router.get("/rulings/{number}/overturn")
@router.get("/rulings/{number}/reinstate")
@router.get("/rulings/{number}/uphold")
async def show_decision_form(request: Request, desk: Sitting, number: int, reason: str = "") -> Response:
    """Show the preview and the form; to a seat that may not decide, only the preview."""
    what = request.url.path.rpartition("/")[2]
    matter = await load_matter(desk, number)
    if what == "overturn" and not matter.decides:
        return await _show_what_if(desk, matter)
    suggested = suggest_reason(matter) if what == "overturn" else ""
    return await _show_deciding(desk, matter, what, Choices(reason or suggested))


def suggest_reason(matter: Matter) -> str:
    """Return a reason to overturn the ruling, for the game master to keep or change."""
    if not matter.claims:
        return "The ruling was wrong."
    claim = matter.claims[-1]
    return f"{claim['by']['name']} is right: {claim['reason']}"[:MOST_REASON]


async def _show_what_if(desk: Desk, matter: Matter) -> Response:
    """Show what would be different without the ruling. Everybody may see this."""
    foreseen, problem = None, None
    try:
        comparison = await desk.client.get("/what-if", without=matter.number)
        foreseen = describe_foreseen(comparison, desk.make_words(matter.state))
    except Turned as turned:
        problem = turned.problem
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
async def show_further(
    request: Request, desk: Sitting, number: int, also: str = "", after: int = 0, shown: Shown = 0
) -> Response:
    """Show more of the affected rulings after a number, and everybody affected.

    `shown`: how many rulings were shown before. A partial request gets only the rulings.
    """
    matter = await load_matter(desk, number)
    others = [int(digits) for digits in re.findall(r"[0-9]{1,9}", also)]
    without = ",".join(map(str, dict.fromkeys([number, *others])))
    answer = await desk.client.get("/what-if", without=without, after=max(0, after), limit=MORE)
    values: Json = {
        "look": Preview("", describe_foreseen(answer, desk.make_words(matter.state)), None),
        "matter": matter,
        "before": max(0, shown),
        "more_at": _make_address_of_rest(desk, number, others),
    }
    if request.headers.get("HX-Request-Type") == "partial":
        return desk.render_page("further.html.jinja", may_also=matter.decides, **values)
    return desk.render_page("what_if.html.jinja", name=_find_campaign_name(matter), **values)


def _find_campaign_name(matter: Matter) -> str:
    name: str = matter.state["campaign"]["name"]
    return name


async def _show_deciding(
    desk: Desk,
    matter: Matter,
    what: str,
    chosen: Choices,
    *,
    key: str = "",
    notice: str | None = None,
    problem: Json | None = None,
    continuation: Continuation | None = None,
) -> Response:
    act = make_act(matter.number, what, chosen)
    errors = list_field_errors(problem, {"others": chosen.wrong})
    look = Preview("", None, None) if "others" in errors else await preview(desk, act, matter.state, continuation)
    if look.problem is not None and problem is None:
        errors |= list_field_errors(look.problem, {})
        problem = look.problem
    action = f"{desk.session.path}/rulings/{matter.number}/{what}"
    values: Json = {
        "matter": matter,
        "what": what,
        "chosen": chosen,
        "look": look,
        "errors": errors,
        "action": action,
        "on_at": action,
        "before": continuation.shown if continuation is not None else 0,
        "notice": notice,
        "problem": problem if problem is not None and not errors else None,
    }
    partial = desk.request.headers.get("HX-Request-Type") == "partial"
    if partial and continuation is not None and continuation.after and look.foreseen is not None:
        return desk.render_page("further.html.jinja", may_also=what == "overturn", **values)
    if partial:
        return desk.render_page("decide_looked.html.jinja", partial=True, **values)
    status = 422 if problem is not None else 409 if notice == MOVED else 200
    return desk.render_page(
        "decide.html.jinja",
        status,
        token=desk.make_token(f"{what} {matter.number}"),
        key=key or make_key(),
        name=_find_campaign_name(matter),
        **values,
    )


def list_field_errors(problem: Json | None, known: Mapping[str, str | None]) -> dict[str, str]:
    """Return the errors by field."""
    errors = {name: text for name, text in known.items() if text}
    if problem is None:
        return errors
    for error in problem.get("errors") or ():
        field = str(error["pointer"]).strip("/").partition("/")[0]
        if field in ("reason", "also"):
            errors.setdefault({"also": "others"}.get(field, field), str(error.get("message") or error.get("text")))
    if problem.get("code") == "reason-blank":
        errors["reason"] = str(problem["detail"])
    return errors


@router.post("/rulings/{number}/overturn")
@router.post("/rulings/{number}/reinstate")
@router.post("/rulings/{number}/uphold")
async def submit_decision(request: Request, desk: Sitting, number: int) -> Response:
    """Preview again with these choices, or save if this preview was seen."""
    must_be_ours(request)
    what = request.url.path.rpartition("/")[2]
    form = await forms.read_form(request)
    must_be_shown(desk.ledger.keys, desk.session, f"{what} {number}", forms.get_field_text(form, "token"))
    chosen, key = parse_choices(form), forms.get_field_text(form, "key")
    continuation = Continuation.parse(form)
    looks = "look" in form or continuation is not None or chosen.wrong is not None
    act = make_act(number, what, chosen)
    answer = None if looks else await carry_out(desk, act, key, forms.get_field_text(form, "seen"))
    if isinstance(answer, Answer) and answer.status in (200, 202):
        return RedirectResponse(f"{desk.session.path}{find_next_path(number, answer)}", 303)
    matter = await load_matter(desk, number)
    notice = answer if isinstance(answer, str) else None
    problem = answer.json if isinstance(answer, Answer) else None
    if isinstance(answer, Answer) and answer.status == 401:
        raise Turned(401, answer.json)
    return await _show_deciding(
        desk, matter, what, chosen, key=key, notice=notice, problem=problem, continuation=continuation
    )


def find_next_path(number: int, answer: Answer) -> str:
    """Return the path that follows: the proposal, the findings that the decision left, or the ruling."""
    document = answer.json
    if answer.status == 202:
        return f"/proposals/{document['id']}"
    changed = document.get("changed")
    return f"/findings?after={number}" if changed and changed["findings"] else f"/rulings/{number}?decided=1"
