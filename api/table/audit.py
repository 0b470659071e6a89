"""The audit of the record, and ways to check the record without this service: seals, exports and file checks."""

from __future__ import annotations

import json
import math
import re

from fastapi import APIRouter, Request, Response
from markupsafe import Markup

from api.inviting.links import draw_qr_svg
from api.table import forms
from api.table.client import Json, Rejection
from api.table.form_tokens import must_be_ours, must_be_shown
from api.table.pages import Desk, PageRoute, Sitting
from api.table.plain_forms import find_refusal, read_fields
from api.table.presentations import say_many
from ledger.application import format_judged
from ledger.application.checks.audit_report import Judged
from ledger.application.reading.seals import BadSeal, verify_seal
from ledger.events.merkle import verify_consistency

router = APIRouter(prefix="/table/{campaign}/{seat}/audit", include_in_schema=False, route_class=PageRoute)
A_SECOND = 1500  # rulings checked
MOST_FILE = 50_000_000  # bytes; the command line checks larger files
TOO_LARGE = {
    "title": "File too large",
    "detail": f"Files can be up to {MOST_FILE // 1_000_000} MB. For larger files, use `campaign-ledger verify`.",
}


@router.get("")
async def show_audit(desk: Sitting) -> Response:
    return await _show_audit_page(desk)


async def _show_audit_page(desk: Desk, **shown_results: object) -> Response:
    seal, campaign = (reply.json for reply in await desk.client.read_together("/seal", ""))
    values = {"result": None, "held": None, "pasted": "", "handed": None, **shown_results}
    return desk.render_page(
        "audit/audit.html.jinja",
        200,
        name=campaign["name"],
        campaign=campaign,
        seal=seal,
        qr=Markup(draw_qr_svg(seal["checkpoint"])),
        seconds=max(1, math.ceil(campaign["rulings"] / A_SECOND)),
        open_to_all=desk.request.app.state.operator_token is None,
        **values,
    )


@router.get("/run")
async def run_audit(request: Request, desk: Sitting) -> Response:
    """Run the audit."""
    result = await desk.client.get("/audit")
    if request.headers.get("HX-Request-Type") == "partial":
        return desk.render_page("audit/result.html.jinja", result=result)
    return await _show_audit_page(desk, result=result)


@router.get("/export")
async def download_export(desk: Sitting) -> Response:
    """Download the whole record, as this seat sees it."""
    await desk.client.get("")  # a seat that may not export gets a page that says so
    return desk.client.make_download("/export", "application/octet-stream", f"{desk.session.campaign}.jsonl")


# --- earlier seals ---


@router.post("/compare")
async def compare_seal(request: Request, desk: Sitting) -> Response:
    """Compare a saved seal with the record as it is now."""
    form, _ = await read_fields(request, desk, "compare")
    text = forms.get_field_text(form, "seal").strip()[:20_000]
    return await _show_audit_page(desk, held=await _compare_with_seal(desk, text), pasted=text)


async def _compare_with_seal(desk: Desk, text: str) -> Json:
    """Return the result of the comparison. `good`: whether the record begins with the sealed events. `says`: the result
    in words.
    """
    seal = await desk.client.get("/seal")
    checkpoint, key = _find_checkpoint(text), seal["public_key"]
    try:
        kept_seal = verify_seal(checkpoint, bytes.fromhex(key))
    except BadSeal as error:
        return _make_failure(
            f"That is not a seal from this service: {error}. Paste the whole seal, including its last line."
        )
    if kept_seal.campaign != desk.session.campaign:
        return _make_failure(f"That seal is valid, but it belongs to another campaign, {kept_seal.campaign}.")
    if kept_seal.count > seal["count"]:
        return _make_failure(
            f"The seal covers {kept_seal.count} events, but the record has only {seal['count']}. Some are missing."
        )
    proof_of_growth = await desk.client.get(f"/seal/since/{kept_seal.count}")
    proof = [bytes.fromhex(digest) for digest in proof_of_growth["proof"]]
    roots = (bytes.fromhex(proof_of_growth["first_root"]), bytes.fromhex(proof_of_growth["second_root"]))
    if roots[0] != kept_seal.root or not verify_consistency(kept_seal.count, proof_of_growth["second"], proof, *roots):
        return _make_failure(
            f"The first {kept_seal.count} events differ from the sealed events. The record was changed."
        )
    added_count = proof_of_growth["second"] - kept_seal.count
    added = "1 event has" if added_count == 1 else f"{added_count} events have"
    growth = f"{added} been added since then" if added_count else "nothing has been added since then"
    return {"good": True, "says": f"The first {kept_seal.count} events of the record match that seal; {growth}."}


def _make_failure(sentence: str) -> Json:
    return {"good": False, "says": sentence}


def _find_checkpoint(text: str) -> str:
    """Return the signed note in the text. Accept a note without its blank line, because some programs remove that
    line.
    """
    if text.startswith("{"):
        try:
            document = json.loads(text)
        except ValueError:
            return text
        text = str(document.get("checkpoint", "")) if isinstance(document, dict) else text
    lines = [line.strip() for line in text.strip().splitlines() if line.strip()]
    signature_index = next((index for index, line in enumerate(lines) if line.startswith("—")), len(lines))
    return "\n".join(lines[:signature_index]) + "\n\n" + "\n".join(lines[signature_index:]) + "\n"


# --- files ---


@router.post("/file")
async def check_file(request: Request, desk: Sitting) -> Response:
    """Verify an export, or try to import it. Nothing is stored."""
    must_be_ours(request)
    fields, content = await _parse_multipart(request)
    must_be_shown(desk.ledger.keys, desk.session, "file", fields.get("token", ""))
    if not content.strip():
        return await _show_audit_page(desk, handed=_make_failure("Choose an export file."))
    if fields.get("do") != "try":
        return await _show_audit_page(
            desk, handed=_describe_verification((await desk.client.post_file("/campaigns/verify", content)).json)
        )
    return await _show_audit_page(desk, handed=await _try_import(desk, content, fields.get("operator", "").strip()))


def _describe_verification(report: Json) -> Json:
    if not report["sound"]:
        line_prefix = f"Line {report['line']}: " if report.get("line") and "Line" not in str(report["detail"]) else ""
        return _make_failure(f"The file is not valid. {line_prefix}{report['detail']}")
    sentence = f"“{report['name']}” ({report['id']}), {report['events']} events. None has changed since it was sealed."
    if report["withheld"]:
        return {
            "good": True,
            "says": f"{sentence} This export shows only what one seat can see; {report['withheld']} events are hidden.",
        }
    judged_text = format_judged([Judged(**row) for row in report["judged"]])
    set_aside_text = "".join(f" The operator set ruling {number} aside." for number in report["set_aside"])
    return {
        "good": True,
        "says": f"{sentence} The record is healthy. The ledger {judged_text}, and all dice.{set_aside_text}",
    }


async def _try_import(desk: Desk, content: bytes, operator_token: str) -> Json:
    """Return the result of a dry run of an import."""
    answer = await desk.client.post_file("/campaigns/import", content, operator_token, **{"dry-run": "true"})
    if answer.status == 401:
        return _make_failure("Only the operator can import campaigns. Enter the operator’s token.")
    if problem := find_refusal(answer):
        return _make_failure(f"This file can’t be imported: {problem}")
    summary = answer.json
    size = say_many(summary["rulings"], "ruling")
    sentence = f"This file can be imported: “{summary['name']}” ({summary['id']}), {size}."
    return {"good": True, "says": f"{sentence} Nothing was imported. To import it, run `campaign-ledger import`."}


async def _parse_multipart(request: Request) -> tuple[dict[str, str], bytes]:
    """Return the fields and the file of a multipart form (RFC 7578).

    Raise Rejection (413) if the file is too large.
    """
    body = bytearray()
    async for chunk in request.stream():
        body += chunk
        if len(body) > MOST_FILE:
            raise Rejection(413, TOO_LARGE)
    boundary_match = re.search(r'boundary="?([^";]{1,200})', request.headers.get("content-type", ""))
    fields: dict[str, str] = {}
    content = b""
    for part in bytes(body).split(b"--" + boundary_match[1].encode())[1:-1] if boundary_match else ():
        head, _, value = part.partition(b"\r\n\r\n")
        name_match = re.search(rb'name="([a-z]{1,20})"', head)
        if name_match is not None and name_match[1] == b"file":
            content = value.removesuffix(b"\r\n")
        elif name_match is not None:
            fields[name_match[1].decode()] = value.removesuffix(b"\r\n").decode(errors="replace")
    return fields, content
