"""The game and its modes of Play: 3.1."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from ledger.rules.kernel import json_types
from ledger.rules.kernel.commands import CloseScene, CloseSession, OpenSession, SetDial
from ledger.rules.kernel.contract import Posting
from ledger.rules.kernel.dials import list_dial_fields
from ledger.rules.kernel.questions import Asking
from ledger.rules.scattershot import accounts
from ledger.rules.scattershot.agreement import Claiming, claimed, who_declines
from ledger.rules.scattershot.chart import facet, rounded
from ledger.rules.scattershot.dials import Dials, check_dials
from ledger.rules.scattershot.draft import Draft
from ledger.rules.scattershot.facts_of_characters import OffGuardSet, PenaltyTookEffect, ResidualEnded
from ledger.rules.scattershot.facts_of_fights import MechanicalPlayEnded, MechanicalPlayGoesOn
from ledger.rules.scattershot.facts_of_play import (
    AttendanceNoted,
    ChartAdopted,
    ChartRead,
    ConsensusFailed,
    ConsensusReached,
    GameBegun,
    GenreExpectationListed,
    PlayersSeated,
    PlayModeShifted,
    RulingMade,
    SpeakerChanged,
)
from ledger.rules.scattershot.guards import no
from ledger.rules.scattershot.handover import loaners_expire, loaners_go_back
from ledger.rules.scattershot.inputs_of_play import (
    Attend,
    BeginGame,
    ListExpectation,
    MakeRuling,
    PassWord,
    ReadChart,
    SeatPlayers,
    SeekConsensus,
    ShiftMode,
)
from ledger.rules.scattershot.state import Fight
from ledger.rules.scattershot.terms import is_natural, is_without_turns

FIXED = ("critical-juncture", "epic-index")


def set_dial(draft: Draft, do: SetDial) -> None:
    """`game.numbers`: two dials stay as they are once the Game began."""
    field = list_dial_fields(Dials).get(do.name)
    if field is None:
        return
    if do.name in FIXED and draft.campaign().begun:
        raise no("game.numbers", "game-has-begun", dial=do.name)
    value = json_types.convert(do.value, json_types.hints(Dials)[field.name])
    check_dials(replace(draft.dials, **{field.name: value}), do.name, str(field.metadata["rule"]))
    if do.name == "ue-chart":
        draft.campaign_wide(ChartAdopted(tuple(value or ())))
        draft.by("chart.band", len(value or ()))


def begin(draft: Draft, do: BeginGame) -> None:
    if draft.campaign().begun:
        raise no("game.numbers", "game-has-begun")
    _begin(draft)


def _begin(draft: Draft) -> None:
    dials = draft.dials
    draft.campaign_wide(GameBegun(dials.critical_juncture, dials.epic_index))
    draft.by("game.numbers", dials.critical_juncture + dials.epic_index, index=dials.epic_index)


def list_expectation(draft: Draft, do: ListExpectation) -> None:
    if not is_natural(do.value) or do.value > 10**9:
        raise no("xd.gimme-genre", "bad-number", value=str(do.value))
    draft.campaign_wide(GenreExpectationListed(do.name, do.expectation, do.value, do.scope))


def seat_players(draft: Draft, do: SeatPlayers) -> None:
    players = draft.players()
    if sorted(do.clockwise) != sorted(set(do.clockwise)) or not set(do.clockwise) <= set(players):
        raise no("mech.order", "not-at-the-table", clockwise=list(do.clockwise))
    draft.campaign_wide(PlayersSeated(do.clockwise))


def attend(draft: Draft, do: Attend) -> None:
    session = draft.table.session
    for id in do.present:
        if id not in draft.players():
            raise no("mib.experience", "not-at-the-table", player=id)
    draft.campaign_wide(AttendanceNoted(session or "", do.present))


def open_session(draft: Draft, do: OpenSession) -> None:
    """Play begins the Game, if nobody said so before."""
    if not draft.campaign().begun:
        _begin(draft)


def close_session(draft: Draft, do: CloseSession) -> None:
    """`xd.loaner`, `xd.loaner-expiry`, and Residual modifiers that were to last as long as the Session."""
    loaners_go_back(draft)
    loaners_expire(draft)
    _end_residuals(draft, "session")


# --- modes -----------------------------------------------------------------------------------------------------------


def shift_mode(draft: Draft, do: ShiftMode) -> Asking[None]:
    """`play.lull`: leaving Mechanical Play."""
    scene = draft.scene()
    if not is_without_turns(do.mode):
        raise no("play.mechanical", "not-in-mechanical-play", mode=do.mode)
    fights = tuple(draft.fights().values())
    if not (yield from may_end(draft, fights, do)):
        return
    for fight in fights:
        end_fight(draft, fight)
    draft.here(PlayModeShifted(scene.mode, do.mode, do.reason))
    draft.by(f"play.{do.mode}", do.mode, before=scene.mode)


def may_end(draft: Draft, fights: Iterable[Fight], do: Claiming) -> Asking[bool]:
    """`mech.end`: whoever called it ends it; else the Group, so the others are asked. A Gamemaster may
    record what they said."""
    by = draft.table.by
    others = [fight for fight in fights if fight.caller != by.seat]
    if claimed(draft, "mech.end", do) or not others:
        return True
    against = yield from who_declines(draft, draft.group(), "mech.end", "end", "The end of Mechanical Play")
    if against is None:
        return True
    for fight in others:
        draft.here(MechanicalPlayGoesOn(fight.scope, by.seat, against))
    draft.by("mech.end", False, by=by.seat, against=against)
    return False


def end_fight(draft: Draft, fight: Fight) -> None:
    """`mech.end`: Turns, forfeits, Free Actions and Advantages end; pending penalties take effect."""
    ids = tuple(fight.standing)
    draft.here(MechanicalPlayEnded(fight.round, fight.scope), *counted(draft, ids, ids))
    for id, one in fight.standing.items():
        if one.all_out == "focusing":
            draft.about(id, OffGuardSet((), None))
    draft.by("mech.end", fight.round)
    draft.by("play.lull", fight.round)
    for subject in draft.table.subjects("character"):
        goes_on = any(subject.id in other.standing for other in draft.scene().fights.values())
        if subject.id in ids or (draft.table.is_open(subject) and not goes_on):
            lull(draft, subject.id)


def counted(draft: Draft, ids: Sequence[str], others: Sequence[str]) -> list[Posting | None]:
    """Actions left to these, and Advantages between them and the others: all of it goes."""
    place = draft.place().id
    pairs = {(a, b) for one in ids for other in others if one != other for a, b in ((one, other), (other, one))}
    accounts_of = [
        *(accounts.actions(place, id) for id in ids),
        *(accounts.advantage(place, holder, foe) for holder, foe in sorted(pairs)),
    ]
    return [accounts.lost(account, draft.balance(account)) for account in accounts_of]


def lull(draft: Draft, id: str) -> None:
    """`play.lull`: what waited for it counts."""
    waiting = draft.who(id).pending
    if waiting:
        draft.about(id, PenaltyTookEffect(id, waiting, True))
        draft.by("play.lull", waiting, character=id)


def close_scene(draft: Draft, do: CloseScene) -> None:
    """No die is left on the table, and Mechanical Play ends with the scene."""
    if draft.table.scene is None or draft.table.scene.id != do.scene:
        return
    if dice := sum(len(one.dice) for one in draft.scene().resolutions.values()):
        raise no("resolve.phases", "wrong-phase", scene=do.scene, dice=dice)
    for fight in draft.scene().fights.values():
        end_fight(draft, fight)
    _end_residuals(draft, "scene")


def _end_residuals(draft: Draft, until: str) -> None:
    for one in draft.table.subjects("character"):
        for residual in draft.who(one.id).residuals:
            if residual.until == until:
                draft.about(one.id, ResidualEnded(residual.residual))


def pass_word(draft: Draft, do: PassWord) -> None:
    scene = draft.scene()
    if scene.mode == "mechanical":
        raise no("play.mechanical", "not-in-mechanical-play")
    if do.to not in draft.players():
        raise no("play.general", "not-at-the-table", player=do.to)
    draft.here(SpeakerChanged(scene.speaker, do.to))
    draft.by("play.general", do.to)


def read_chart(draft: Draft, do: ReadChart) -> None:
    found = facet(draft.dials, do.rating, do.facet, do.amount)
    number = rounded(found)
    draft.campaign_wide(ChartRead(do.rating, do.facet, found.numerator, found.denominator, number))
    rule = {"multiplier": "chart.multiplier", "bonus": "chart.bonus", "points": "chart.points"}
    draft.by(rule.get(do.facet, "chart.quantity"), number, rating=do.rating)
    draft.by("result.rounding", number, numerator=found.numerator, denominator=found.denominator)


def seek_consensus(draft: Draft, do: SeekConsensus) -> Asking[None]:
    """`play.consensus`: everybody present, or a Gamemaster who records what they said. Refuses `no-agreement`."""
    rule, text = "play.consensus", do.text.strip()
    if not do.subject.strip() or not text:
        raise no(rule, "no-agreement")
    against = None
    if not claimed(draft, rule, do):
        purpose = f"About {do.subject.strip()}: “{text}”"
        against = yield from who_declines(draft, draft.group(), rule, "consensus", purpose)
    if against is None:
        reason = do.reason.strip() if do.claimed else ""
        draft.campaign_wide(ConsensusReached(do.subject.strip(), text, reason))
    else:
        draft.campaign_wide(ConsensusFailed(do.subject.strip(), text, against))
    draft.by(rule, against is None, subject=do.subject.strip())


def make_ruling(draft: Draft, do: MakeRuling) -> None:
    draft.campaign_wide(RulingMade(do.subject, do.text))
