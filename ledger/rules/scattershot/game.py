"""The game, its modes of Play, proprietorship: 3.1."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any

from ledger.rules.kernel import json_types
from ledger.rules.kernel.commands import CloseScene, CloseSession, HandOver, OpenSession, SetDial
from ledger.rules.kernel.contract import Posting
from ledger.rules.kernel.dials import dial_fields
from ledger.rules.kernel.questions import Asking
from ledger.rules.kernel.subjects import character, seat
from ledger.rules.scattershot import accounts
from ledger.rules.scattershot.agreement import Claiming, all_agree, claimed, who_declines
from ledger.rules.scattershot.chart import facet, rounded
from ledger.rules.scattershot.dials import Dials, check_dials
from ledger.rules.scattershot.facts_of_characters import (
    LimitDeclined,
    OffGuardSet,
    PenaltyTookEffect,
    PointLimitSet,
    ResidualEnded,
)
from ledger.rules.scattershot.facts_of_fights import MechanicalPlayEnded, MechanicalPlayGoesOn
from ledger.rules.scattershot.facts_of_play import (
    AttendanceNoted,
    ChartAdopted,
    ChartRead,
    ConsentAsked,
    ConsentGiven,
    ConsentRefused,
    ElementChanged,
    ElementIntroduced,
    GameBegun,
    GenreExpectationListed,
    PlayersSeated,
    PlayModeShifted,
    ProprietorshipTransferred,
    RulingMade,
    SpeakerChanged,
)
from ledger.rules.scattershot.ground import Ruling, check_whole, no
from ledger.rules.scattershot.handover import loaners_expire, loaners_go_back
from ledger.rules.scattershot.inputs_of_characters import LimitPoints
from ledger.rules.scattershot.inputs_of_play import (
    AnswerConsent,
    AskConsent,
    Attend,
    ChangeElement,
    IntroduceElement,
    ListExpectation,
    MakeRuling,
    PassWord,
    ReadChart,
    SeatPlayers,
    ShiftMode,
    TransferProprietorship,
)
from ledger.rules.scattershot.state import Fight, element_of
from ledger.rules.scattershot.terms import is_natural

FIXED = ("critical-juncture", "epic-index")


def set_dial(ruling: Ruling, do: SetDial) -> None:
    """`game.numbers`: two dials stay as they are once the Game began."""
    field = dial_fields(Dials).get(do.name)
    if field is None:
        return
    if do.name in FIXED and ruling.campaign().begun:
        raise no("game.numbers", "game-has-begun", dial=do.name)
    value = json_types.convert(do.value, json_types.hints(Dials)[field.name])
    check_dials(replace(ruling.dials, **{field.name: value}), do.name, str(field.metadata["rule"]))
    if do.name == "ue-chart":
        ruling.campaign_wide(ChartAdopted(tuple(value or ())))
        ruling.by("chart.band", len(value or ()))


def begin(ruling: Ruling) -> None:
    if ruling.campaign().begun:
        raise no("game.numbers", "game-has-begun")
    _begin(ruling)


def _begin(ruling: Ruling) -> None:
    dials = ruling.dials
    ruling.campaign_wide(GameBegun(dials.critical_juncture, dials.epic_index))
    ruling.by("game.numbers", dials.critical_juncture + dials.epic_index, index=dials.epic_index)


def list_expectation(ruling: Ruling, do: ListExpectation) -> None:
    if not is_natural(do.value) or do.value > 10**9:
        raise no("xd.gimme-genre", "bad-number", value=str(do.value))
    ruling.campaign_wide(GenreExpectationListed(do.name, do.expectation, do.value, do.scope))


def seat_players(ruling: Ruling, do: SeatPlayers) -> None:
    players = ruling.players()
    if sorted(do.clockwise) != sorted(set(do.clockwise)) or not set(do.clockwise) <= set(players):
        raise no("mech.order", "not-at-the-table", clockwise=list(do.clockwise))
    ruling.campaign_wide(PlayersSeated(do.clockwise))


def attend(ruling: Ruling, do: Attend) -> None:
    session = ruling.table.session
    for id in do.present:
        if id not in ruling.players():
            raise no("mib.experience", "not-at-the-table", player=id)
    ruling.campaign_wide(AttendanceNoted(session or "", do.present))


def open_session(ruling: Ruling, do: OpenSession) -> None:
    """Play begins the Game, if nobody said so before."""
    if not ruling.campaign().begun:
        _begin(ruling)


def close_session(ruling: Ruling, do: CloseSession) -> None:
    """`xd.loaner`, `xd.loaner-expiry`, and Residual modifiers that were to last as long as the Session."""
    loaners_go_back(ruling)
    loaners_expire(ruling)
    _end_residuals(ruling, "session")


# --- modes -----------------------------------------------------------------------------------------------------------


def shift_mode(ruling: Ruling, do: ShiftMode) -> Asking[None]:
    """`play.lull`: leaving Mechanical Play."""
    scene = ruling.scene()
    if do.mode not in ("solo", "general", "specific"):
        raise no("play.mechanical", "not-in-mechanical-play", mode=do.mode)
    fights = tuple(ruling.fights().values())
    if not (yield from may_end(ruling, fights, do)):
        return
    for fight in fights:
        end_fight(ruling, fight)
    mode: Any = do.mode
    ruling.here(PlayModeShifted(scene.mode, mode, do.reason))
    ruling.by(f"play.{mode}", mode, before=scene.mode)


def may_end(ruling: Ruling, fights: Iterable[Fight], do: Claiming) -> Asking[bool]:
    """`mech.end`: whoever called it ends it; else the Group, so the others are asked. A Gamemaster may
    record what they said."""
    by = ruling.table.by
    others = [fight for fight in fights if fight.caller != by.seat]
    if claimed(ruling, "mech.end", do) or not others:
        return True
    against = yield from who_declines(ruling, ruling.group(), "mech.end", "end", "The end of Mechanical Play")
    if against is None:
        return True
    for fight in others:
        ruling.here(MechanicalPlayGoesOn(fight.scope, by.seat, against))
    ruling.by("mech.end", False, by=by.seat, against=against)
    return False


def end_fight(ruling: Ruling, fight: Fight) -> None:
    """`mech.end`: Turns, forfeits, Free Actions and Advantages end; pending penalties take effect."""
    ids = tuple(fight.standing)
    ruling.here(MechanicalPlayEnded(fight.round, fight.scope), *counted(ruling, ids, ids))
    for id, one in fight.standing.items():
        if one.all_out == "focusing":
            ruling.about(id, OffGuardSet((), None))
    ruling.by("mech.end", fight.round)
    ruling.by("play.lull", fight.round)
    for subject in ruling.table.subjects("character"):
        goes_on = any(subject.id in other.standing for other in ruling.scene().fights.values())
        if subject.id in ids or (ruling.table.is_open(subject) and not goes_on):
            lull(ruling, subject.id)


def counted(ruling: Ruling, ids: Sequence[str], others: Sequence[str]) -> list[Posting | None]:
    """Actions left to these, and Advantages between them and the others: all of it goes."""
    place = ruling.place().id
    pairs = {(a, b) for one in ids for other in others if one != other for a, b in ((one, other), (other, one))}
    accounts_of = [
        *(accounts.actions(place, id) for id in ids),
        *(accounts.advantage(place, holder, foe) for holder, foe in sorted(pairs)),
    ]
    return [accounts.lost(account, ruling.balance(account)) for account in accounts_of]


def lull(ruling: Ruling, id: str) -> None:
    """`play.lull`: what waited for it counts."""
    waiting = ruling.who(id).pending
    if waiting:
        ruling.about(id, PenaltyTookEffect(id, waiting, True))
        ruling.by("play.lull", waiting, character=id)


def close_scene(ruling: Ruling, do: CloseScene) -> None:
    """No die is left on the table, and Mechanical Play ends with the scene."""
    if ruling.table.scene is None or ruling.table.scene.id != do.scene:
        return
    if any(one.dice for one in ruling.scene().resolutions.values()):
        raise no("resolve.phases", "wrong-phase", scene=do.scene)
    for fight in ruling.scene().fights.values():
        end_fight(ruling, fight)
    _end_residuals(ruling, "scene")


def _end_residuals(ruling: Ruling, until: str) -> None:
    for one in ruling.table.subjects("character"):
        for residual in ruling.who(one.id).residuals:
            if residual.until == until:
                ruling.about(one.id, ResidualEnded(residual.residual))


def pass_word(ruling: Ruling, do: PassWord) -> None:
    scene = ruling.scene()
    if scene.mode == "mechanical":
        raise no("play.mechanical", "not-in-mechanical-play")
    if do.to not in ruling.players():
        raise no("play.general", "not-at-the-table", player=do.to)
    ruling.here(SpeakerChanged(scene.speaker, do.to))
    ruling.by("play.general", do.to)


def read_chart(ruling: Ruling, do: ReadChart) -> None:
    found = facet(ruling.dials, do.rating, do.facet, do.amount)
    number = rounded(found)
    ruling.campaign_wide(ChartRead(do.rating, do.facet, found.numerator, found.denominator, number))
    rule = {"multiplier": "chart.multiplier", "bonus": "chart.bonus", "points": "chart.points"}
    ruling.by(rule.get(do.facet, "chart.quantity"), number, rating=do.rating)
    ruling.by("result.rounding", number, numerator=found.numerator, denominator=found.denominator)


def make_ruling(ruling: Ruling, do: MakeRuling) -> None:
    ruling.campaign_wide(RulingMade(do.subject, do.text))


# --- proprietorship --------------------------------------------------------------------------------------------------


def introduce(ruling: Ruling, do: IntroduceElement) -> None:
    """`proprietor.own`: of a Persona's things its Player; of the world's and Regular Characters' the Gamemaster; else
    who is first to introduce it. To ask for consent to something is not to introduce it."""
    known = element_of(ruling.campaign(), do.element)
    if (known is not None and known.proprietor is not None) or ruling.table.has(character(do.element)):
        raise no("proprietor.own", "not-proprietor", element=do.element)
    who = ruling.player(do.player)
    if do.world:
        owner = ruling.gm()
    elif do.persona is not None:
        regular = ruling.who(do.persona).kind == "regular"
        owner = ruling.gm() if regular else ruling.owner(do.persona)
    else:
        owner = who
    ruling.campaign_wide(ElementIntroduced(do.element, owner))
    ruling.by("proprietor.own", owner, element=do.element)


def transfer(ruling: Ruling, do: TransferProprietorship) -> None:
    owner = ruling.proprietor(do.element)
    if ruling.table.has(character(do.element)) or owner != ruling.table.by.seat:
        raise no("proprietor.transfer", "not-proprietor", element=do.element)
    if do.to not in ruling.players():
        raise no("proprietor.transfer", "not-at-the-table", player=do.to)
    ruling.campaign_wide(ProprietorshipTransferred(do.element, owner, do.to))
    ruling.by("proprietor.transfer", do.to, element=do.element)


def hand_over(ruling: Ruling, do: HandOver) -> None:
    """A Character is handed over by who plays it; by a Gamemaster only where that seat is gone."""
    owner = ruling.owner(do.character)
    if ruling.table.by.seat != owner and ruling.table.is_open(seat(owner)):
        raise no("proprietor.transfer", "not-proprietor", character=do.character)
    ruling.campaign_wide(ProprietorshipTransferred(do.character, owner, do.seat))
    ruling.by("proprietor.transfer", do.seat, character=do.character)


def ask_consent(ruling: Ruling, do: AskConsent) -> None:
    ruling.campaign_wide(ConsentAsked(do.element, do.change, ruling.table.by.seat))
    ruling.by("proprietor.consent", "asked", element=do.element)


def answer_consent(ruling: Ruling, do: AnswerConsent) -> None:
    """`explicit` or `refused` by the Proprietor; `tacit` where it was asked or is present, and did not object."""
    if do.consent not in ("explicit", "tacit", "refused"):
        raise no("proprietor.consent", "bad-consent", consent=do.consent)
    owner = ruling.proprietor(do.element)
    said = _consent(ruling, do.element, do.change)
    if do.consent == "tacit":
        if said == "refused":
            raise no("proprietor.consent", "proprietor-refused", element=do.element)
        if said is None and not (ruling.table.session is not None and ruling.present(owner or "")):
            raise no("proprietor.consent", "proprietor-not-asked", element=do.element)
    elif ruling.table.by.seat != owner and not claimed(ruling, "proprietor.consent", do):
        raise no("proprietor.consent", "not-proprietor", element=do.element)
    if do.consent == "refused":
        ruling.campaign_wide(ConsentRefused(do.element, do.change))
    else:
        ruling.campaign_wide(ConsentGiven(do.element, do.change, do.consent))
    ruling.by("proprietor.consent", do.consent, element=do.element, reason=do.reason)


def _consent(ruling: Ruling, element: str, change: str) -> str | None:
    known = element_of(ruling.campaign(), element)
    return known.consents.get(change) if known is not None else None


def change_element(ruling: Ruling, do: ChangeElement) -> None:
    """`play.solo`: alone, one changes one's own; else `proprietor.consent`."""
    by = ruling.table.by.seat
    if ruling.proprietor(do.element) != by:
        if ruling.mode() == "solo":
            raise no("play.solo", "not-proprietor", element=do.element)
        said = _consent(ruling, do.element, do.change)
        if said == "refused":
            raise no("proprietor.consent", "proprietor-refused", element=do.element)
        if said not in ("explicit", "tacit"):
            raise no("proprietor.consent", "proprietor-not-asked", element=do.element)
        ruling.by("proprietor.consent", said, element=do.element)
    ruling.campaign_wide(ElementChanged(do.element, do.change, by))


def limit_points(ruling: Ruling, do: LimitPoints) -> Asking[None]:
    """`persona.no-cap`: a Player on themself, the Group on who agrees; the Gamemaster on Regular Characters only."""
    rule, by = "persona.no-cap", ruling.table.by
    limit = check_whole(do.limit, rule)
    player = do.player if do.player is not None else by.seat
    if player not in ruling.players():
        raise no(rule, "not-at-the-table", player=player)
    if player != by.seat and not do.agreed:
        code = "gm-may-not-cap" if by.role == "gm" else "not-proprietor"
        raise no(rule, code, player=player)
    bound = ruling.players() if do.agreed and do.player is None else (player,)
    said = do.reason.strip() if claimed(ruling, rule, do) else ""
    for one in bound:
        agrees = bool(said) or (yield from all_agree(ruling, (one,), rule, "limit", f"At most {limit} starting points"))
        if agrees:
            ruling.of(one, PointLimitSet(one, limit, do.agreed, said))
        else:
            ruling.of(one, LimitDeclined(one, limit))
        ruling.by(rule, limit if agrees else None, player=one)
