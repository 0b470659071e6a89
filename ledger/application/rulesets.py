"""Find the game that a campaign plays."""

from __future__ import annotations

from ledger.aggregates.campaign import name_subject_stream
from ledger.errors import Fault, NotFound
from ledger.events.codec import Codec
from ledger.events.journal_check import Misfit, make_unreadable_error
from ledger.events.recorder import LedgerRecorder
from ledger.rules import list_unfit_systems, systems
from ledger.rules.kernel.contract import AnyRuleset
from ledger.rules.kernel.facts import CampaignOpened
from ledger.rules.kernel.subjects import CAMPAIGN


def find_ruleset(recorder: LedgerRecorder, codec: Codec, campaign_id: str) -> AnyRuleset:
    """Return the campaign's game. Raise NotFound if there is no such campaign, Fault if its game is not installed."""
    rows = recorder.select_at([(name_subject_stream(campaign_id, CAMPAIGN), 1)])
    if not rows:
        raise NotFound("There is no campaign with this id.", code="campaign-not-found")
    stream, version, topic, state = rows[0]
    try:
        opening_fact = codec.decode(topic, state).fact
    except Fault as problem:
        raise make_unreadable_error(stream, version, problem) from problem
    if not isinstance(opening_fact, CampaignOpened):
        raise Misfit(version, "unnamed", 1).make_unsound(stream)
    if opening_fact.system not in systems():
        detail = f"This campaign's game, {opening_fact.system!r}, is not installed."
        if opening_fact.system in list_unfit_systems():
            detail = (
                f"This campaign's game, {opening_fact.system!r}, has errors and is"
                " not available. The service's log has the details."
            )
        raise Fault(detail, code="system-missing", system=opening_fact.system)
    return systems()[opening_fact.system]
