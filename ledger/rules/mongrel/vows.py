"""Vows, what is said of a character in words, and status. Headings: The Vow; The Seven Houses."""

from __future__ import annotations

from ledger.rules.kernel.refusals import Refused, must_say
from ledger.rules.mongrel.draft import Draft
from ledger.rules.mongrel.facts import Described, Revealed, StatusSet, VowEnded, VowMade
from ledger.rules.mongrel.guards import check_alive
from ledger.rules.mongrel.inputs_of_dealings import Describe, EndVow, MakeVow, Reveal, SetStatus
from ledger.rules.mongrel.sheet import VowLine
from ledger.rules.mongrel.terms import is_house, is_natural, is_vow_end, is_vow_kind


def check_vow(id: str, vow: VowLine) -> VowMade:
    """`mongrel.vow.make`: one object, a person, a House or a goal. Refuses `vow-object`, `house-unknown`."""
    if not vow.object.strip() or not is_vow_kind(vow.about):
        raise Refused("mongrel.vow.make", "vow-object", object=vow.object, about=vow.about)
    if vow.about == "house" and not is_house(vow.object):
        raise Refused("mongrel.vow.make", "house-unknown", house=vow.object)
    return VowMade(id, vow.object, vow.about)


def make_vow(draft: Draft, do: MakeVow) -> None:
    check_alive(draft, do.character)
    vow = check_vow(do.character, VowLine(do.object, do.about))
    draft.about(do.character, vow)
    draft.by("mongrel.vow.make", vow.object, about=vow.about)


def end_vow(draft: Draft, do: EndVow) -> None:
    """`mongrel.vow.end`. Refuses `no-vow`, `outcome-unknown`, `reason-blank`."""
    rule = "mongrel.vow.end"
    who = check_alive(draft, do.character)
    if do.vow not in [vow.object for vow in who.vows if vow.ended is None]:
        raise Refused(rule, "no-vow", character=do.character, vow=do.vow)
    if not is_vow_end(do.outcome):
        raise Refused(rule, "outcome-unknown", outcome=do.outcome)
    must_say(rule, reason=do.reason)
    session = draft.table.session or draft.campaign().last_session
    draft.about(do.character, VowEnded(do.character, do.vow, do.outcome, session, do.reason))
    draft.by(rule, do.outcome, vow=do.vow, reason=do.reason)


def describe(draft: Draft, do: Describe) -> None:
    """Words only, in place of those before."""
    who = draft.who(do.character)
    draft.about(do.character, Described(do.character, do.text))
    draft.by("mongrel.identity.body", who.body, description=do.text)


def reveal(draft: Draft, do: Reveal) -> None:
    """`mongrel.sorcery.know`: the answer is the game master's. Refuses `text-blank`."""
    draft.who(do.character)
    must_say("mongrel.sorcery.know", text=do.text)
    draft.about(do.character, Revealed(do.character, do.text, do.ruling))
    draft.by("mongrel.sorcery.know", do.text, ruling=do.ruling)


def set_status(draft: Draft, do: SetStatus) -> None:
    """Only where the table keeps status. Refuses `no-house-status`, `bad-score`."""
    rule = "mongrel.house.membership"
    check_alive(draft, do.character)
    if not draft.dials.house_status:
        raise Refused(rule, "no-house-status", character=do.character)
    if not is_natural(do.status):
        raise Refused(rule, "bad-score", status=repr(do.status))
    draft.about(do.character, StatusSet(do.character, do.status, do.reason))
    draft.by(rule, do.status, reason=do.reason)
