"""The page of findings: what each finding means, and the three ways to resolve it."""

from __future__ import annotations

from dataclasses import dataclass
from urllib.parse import urlencode

from fastapi import APIRouter, Request, Response
from fastapi.responses import RedirectResponse

from api.table import forms
from api.table.client import Json, Rejection
from api.table.continuing import list_ways_on
from api.table.deciding import POSSIBLE, collect_field_errors
from api.table.form_tokens import make_key, must_be_ours, must_be_shown, read_key
from api.table.pages import Desk, PageRoute, Sitting, may_decide

router = APIRouter(prefix="/table/{campaign}/{seat}", include_in_schema=False, route_class=PageRoute)
WAYS = ("let-stand", "amended", "overturned")
#: Why each kind of finding needs attention.
MEANING = {
    "changes": "The ruling keeps its result, although the same dice would give a different result now.",
    "loses support": "The ruling keeps its result, although something it depends on no longer counts.",
    "needs dice": "The ruling keeps its result. The new result is unknown, because it needs new dice.",
    "overdrawn": "More was spent than the account held, because earlier income no longer counts.",
    "adrift": "This part no longer has an effect, because the thing it changed no longer exists.",
    "held twice": "There can be only one, so one of the two records must be wrong.",
}


@dataclass(frozen=True, slots=True)
class ShownFinding:
    """A finding on the page. `ruling`: the ruling that it is about, if any. `cause`: the decision that caused it.
    `key`, `token`: the key and the token of its form.
    """

    finding: Json
    meaning: str
    ruling: Json | None
    cause: str
    token: str
    key: str

    @property
    def id(self) -> str:
        return str(self.finding["id"])

    @property
    def text(self) -> str:
        """Return the finding's sentence. If it does not name its subject, add the name of the character or scene."""
        text, name = str(self.finding["text"]), self.finding["name"]
        return text if not name or name in text else f"{name}: {text[:1].lower()}{text[1:]}"

    @property
    def overturns(self) -> bool:
        return self.ruling is not None and "overturn" in POSSIBLE.get(self.ruling["status"], ())


@router.get("/findings")
async def show_findings(desk: Sitting, after: int | None = None, settled: str | None = None) -> Response:
    """Show the open findings. `after`: the ruling that was just decided about."""
    return await _show_findings(desk, after=after, settled_id=settled)


async def _show_findings(
    desk: Desk,
    *,
    after: int | None = None,
    settled_id: str | None = None,
    form: forms.Form | None = None,
    rejected_id: str = "",
    problem: Json | None = None,
) -> Response:
    """Show the findings.

    `settled_id`: the finding just resolved. `form`: a rejected form. `rejected_id`: the finding of that form.
    """
    document, state = (reply.json for reply in await desk.client.read_together("/findings", "/state"))
    rulings_by_number: dict[int, Json] = {}
    for number in {
        finding[field] for finding in document["findings"] for field in ("ruling", "cause") if finding[field]
    }:
        rulings_by_number[number] = await desk.client.get(f"/rulings/{number}")
    decided_ruling = await desk.client.get(f"/rulings/{after}") if after is not None else None
    decides = may_decide(state, desk.session.seat)
    ways_on = await list_ways_on(desk, decided_ruling, decides=decides) if decided_ruling is not None else []
    just_settled = await _describe_settled_finding(desk, settled_id) if settled_id is not None else None
    findings = [
        ShownFinding(
            finding,
            MEANING.get(finding["kind"], ""),
            rulings_by_number.get(finding["ruling"]),
            _find_cause(rulings_by_number[finding["cause"]]),
            desk.make_token(_name_purpose(finding["id"])),
            make_key(),
        )
        for finding in document["findings"]
    ]
    return desk.render_page(
        "findings.html.jinja",
        422 if problem is not None else 200,
        findings=findings,
        name=state["campaign"]["name"],
        decides=decides,
        decided=decided_ruling,
        ways_on=ways_on,
        settled=just_settled,
        wrong=rejected_id,
        problem=problem,
        errors=collect_field_errors(problem, {}),
        reason=forms.get_field_text(form or {}, "reason"),
        how=forms.get_field_text(form or {}, "how"),
    )


async def _describe_settled_finding(desk: Desk, id: str) -> Json:
    """Return `about`: the number of the ruling that caused this resolved finding."""
    settled_findings = (await desk.client.get("/findings", settled="true"))["findings"]
    return {"about": next((finding["cause"] for finding in settled_findings if finding["id"] == id), None)}


def _find_cause(ruling: Json) -> str:
    """Return the text of the last decision that changed a ruling."""
    texts = [
        decision["text"]
        for decision in ruling["decisions"]
        if decision["decision"] not in ("disputed", "witnessed", "upheld")
    ]
    return str(texts[-1]) if texts else str(ruling["text"])


def _name_purpose(id: str) -> str:
    return f"settle {id}"


@router.post("/findings/{finding}")
async def settle_finding(request: Request, desk: Sitting, finding: str) -> Response:
    """Resolve a finding. If the choice is to overturn its ruling, redirect to the ruling's own form, with a preview."""
    must_be_ours(request)
    form = await forms.read_form(request)
    must_be_shown(desk.ledger.keys, desk.session, _name_purpose(finding), forms.get_field_text(form, "token"))
    how, reason = forms.get_field_text(form, "how"), forms.get_field_text(form, "reason")
    number_text = forms.get_field_text(form, "ruling")
    if how == "overturned" and number_text.isascii() and number_text.isdecimal():
        return RedirectResponse(
            f"{desk.session.path}/rulings/{number_text}/overturn?{urlencode({'reason': reason})}", 303
        )
    if how not in WAYS:
        problem = {"detail": "Choose one of the three options."}
        return await _show_findings(desk, form=form, rejected_id=finding, problem=problem)
    body, key = {"how": how, "reason": reason}, read_key(forms.get_field_text(form, "key"))
    reply = await desk.client.post(f"/findings/{finding}/settle", body, key)
    if reply.status == 200:
        return RedirectResponse(f"{desk.session.path}/findings?settled={finding}", 303)
    if reply.status in (401, 404):
        raise Rejection(reply.status, reply.json)
    return await _show_findings(desk, form=form, rejected_id=finding, problem=reply.json)
