"""What happens to characters over time: wounds, Infernal Resolve, rest, Vows, words, awards and what is raised."""

from __future__ import annotations

from collections.abc import Iterator

from ledger.rules.kernel.moves import OPEN, Among, Between, Move, Some
from ledger.rules.kernel.refusals import Refused
from ledger.rules.mongrel import accounts
from ledger.rules.mongrel.awards import owed, session_of
from ledger.rules.mongrel.damage import healable
from ledger.rules.mongrel.inputs import (
    AnswerTerminal,
    Heal,
    Recover,
    RefreshResolve,
    RefreshResolveByVow,
    Rest,
    SetClock,
    SpendResolve,
)
from ledger.rules.mongrel.inputs_of_dealings import (
    AllocatePower,
    AwardSession,
    AwardVow,
    Describe,
    EndVow,
    MakeVow,
    MarkFeatures,
    NotePresent,
    RaiseFeature,
    Reveal,
    SetStatus,
)
from ledger.rules.mongrel.points import (
    attribute_faults,
    cost_of,
    expertise_faults,
    identity_faults,
    level_of,
)
from ledger.rules.mongrel.recovery import gain
from ledger.rules.mongrel.sight import NONE, Fields, Sight, grouped
from ledger.rules.mongrel.state import power_of
from ledger.rules.mongrel.tables import HOUR, OPTIONS, QUIET
from ledger.rules.mongrel.terms import HOUSES, IDENTITIES, is_attribute, is_identity

#: What takes no action.
RESTFUL = tuple(activity for activity in QUIET if activity != "simple-tasks")


def answers(sight: Sight) -> Iterator[Move]:
    """`mongrel.damage.terminal`: whoever is dying spends a point, or dies."""
    rule = "mongrel.damage.terminal"
    for id, who in sight.people.items():
        if who.dying and not who.dead:
            spend = (False, True) if sight.resolve(id) > 0 else (False,)
            fields: Fields = {"character": Among((id,)), "spend": Among(spend), "recover": OPEN}
            yield Move(AnswerTerminal, fields, awaits=rule)


def over_time(sight: Sight) -> Iterator[Move]:
    """Action Points and Infernal Resolve come back, wounds heal, the tired rest."""
    for limit, those in grouped(sight.alive, lambda id: _for_ap(sight, id)):
        yield Move(SpendResolve, {"character": those, "amount": Between(1, limit)})
    clock = sight.draft.clock()
    for in_turn, those in grouped(sight.alive, lambda id: _recovers(sight, id)):
        awaits = "mongrel.conflict.queue" if in_turn else None
        yield Move(Recover, {"character": those, "minute": Between(clock, usual=clock)}, awaits)
    yield Move(SetClock, {"minute": Between(0, usual=clock)})
    if sight.free:
        free = Among(sight.free)
        for activities, those in grouped(sight.free, lambda id: QUIET if sight.stands(id) else RESTFUL):
            yield Move(
                RefreshResolve,
                {"character": those, "activity": Among(activities), "minutes": Between(HOUR), **sight.since()},
            )
        yield Move(Rest, {"character": free, "hours": OPEN, "required": OPEN, **sight.since()})
    for lost, those in grouped(sight.alive, lambda id: _lost(sight, id)):
        damage, physique, beauty = (Between(0, one) for one in lost)
        healed: Fields = {"damage": damage, "physique": physique, "beauty": beauty, "end_terminal": OPEN}
        yield Move(Heal, {"character": those, **healed})


def _for_ap(sight: Sight, id: str) -> int | None:
    """`mongrel.resolve.for-ap`: how many points at most."""
    strife, draft = sight.strife.get(id), sight.draft
    if strife is not None and not sight.settled(strife):
        return None
    most = sight.resolve(id)
    if not draft.dials.resolve_ap_may_exceed_max:
        most = min(most, draft.maximum(id) - draft.ap(id))
    return most if most > 0 else None


def _recovers(sight: Sight, id: str) -> bool | None:
    """`mongrel.ap.recover`: whether it takes a turn; in a conflict only then."""
    strife = sight.strife.get(id)
    if strife is not None and not sight.has_turn(id):
        return None
    try:
        gain(sight.draft, id)
    except Refused:
        return None
    return strife is not None


def _lost(sight: Sight, id: str) -> tuple[int, ...] | None:
    """What there is to heal: damage, Physique, Beauty."""
    lost = healable(sight.draft, id)
    return lost if any(lost) or sight.people[id].terminal else None


# --- Vows and words --------------------------------------------------------------------------------------------------


def words(sight: Sight) -> Iterator[Move]:
    """`mongrel.vow.make`, `mongrel.vow.end`, `mongrel.resolve.refresh-vow`"""
    if sight.roster:
        yield Move(Describe, {"character": Among(sight.roster)})
        for latest, those in grouped(sight.roster, sight.tasks_of):
            yield Move(Reveal, {"character": those, "ruling": Among((None, *latest))})
    if not sight.alive:
        return
    everybody = Among(sight.alive)
    yield Move(MakeVow, {"character": everybody, "about": Among(("person", "goal"))})
    yield Move(MakeVow, {"character": everybody, "about": Among(("house",)), "object": Among(HOUSES)})
    for kept, those in grouped(sight.alive, lambda id: _kept(sight, id)):
        yield Move(EndVow, {"character": those, "vow": Among(kept), "outcome": OPEN})
        yield Move(RefreshResolveByVow, {"character": those, "vow": Among((None, *kept))})
    if sight.draft.dials.house_status:
        yield Move(SetStatus, {"character": everybody, "status": Between(0)})


def _kept(sight: Sight, id: str) -> tuple[str, ...] | None:
    return tuple(dict.fromkeys(vow.object for vow in sight.people[id].vows if vow.ended is None)) or None


# --- awards ----------------------------------------------------------------------------------------------------------


def awards(sight: Sight) -> Iterator[Move]:
    """`mongrel.cp.session`, `mongrel.cp.vow`: for the open session, or the last."""
    sessions = _sessions(sight)
    if sessions and sight.roster:
        everybody = Some(Among(sight.roster), 1)
        yield Move(NotePresent, {"characters": everybody, "session": Among(tuple(sessions))})
    for named, session in sessions.items():
        awarded = dict(sight.draft.campaign().awards).get(session)
        if owed(sight.draft, session)[1]:
            points = Between(1, 2) if awarded is None else Among((awarded,))
            yield Move(AwardSession, {"points": points, "session": Among((named,))})
        if keeps := tuple(id for id in sight.roster if _kept_in(sight, id, session)):
            conforming = OPEN if sight.draft.dials.vow_award == "addressing" else Among((True,))
            yield Move(AwardVow, {"character": Among(keeps), "conforming": conforming, "session": Among((named,))})


def _sessions(sight: Sight) -> dict[str | None, str]:
    """What can be named, or left out, and which session that is."""
    named = dict.fromkeys((None, sight.seen.session, sight.draft.campaign().last_session))
    found = {}
    for one in named:
        try:
            found[one] = session_of(sight.draft, one)
        except Refused:
            continue
    return found


def _kept_in(sight: Sight, id: str, session: str) -> bool:
    who = sight.people[id]
    kept = any(vow.ended is None or vow.session == session for vow in who.vows)
    return kept and ("vow", session) not in who.awarded


# --- raising ---------------------------------------------------------------------------------------------------------


def raising(sight: Sight) -> Iterator[Move]:
    """`mongrel.cp.used-only`, `mongrel.power.allocate`"""
    last, open_ = sight.draft.campaign().last_session, sight.seen.table.session
    sessions = (*((None, open_) if open_ is not None else ()), *((last,) if last is not None else ()))
    if sight.alive and sessions:
        yield Move(MarkFeatures, {"character": Among(sight.alive), "features": OPEN, "session": Among(sessions)})
    for (options, free), those in grouped(sight.alive, lambda id: _unallocated(sight, id)):
        yield Move(AllocatePower, {"character": those, "option": Among(options), "points": Between(1, free)})
    previous = sight.draft.campaign().closed
    for id in sight.alive:
        used = [name for one in sight.people[id].used if one.session == previous for name in one.features]
        if used:
            yield from _raised(sight, id, tuple(dict.fromkeys(used)))


def _unallocated(sight: Sight, id: str) -> tuple[tuple[str, ...], int] | None:
    who = sight.people[id]
    power = power_of(who)
    free = who.expertise.get(power, 0) - sum(who.power.values())
    return (OPTIONS[power], free) if free > 0 else None


def _raised(sight: Sight, id: str, used: tuple[str, ...]) -> Iterator[Move]:
    """What was used, can rise, and can be paid for."""
    own = Among((id,))
    plain = []
    for name in used:
        if is_identity(name):
            ways = tuple(one for one in (None, *IDENTITIES) if _can_rise(sight, id, name, one))
            if ways:
                yield Move(RaiseFeature, {"character": own, "feature": Among((name,)), "reduce": Among(ways)})
        elif not _can_rise(sight, id, name, None):
            continue
        elif name in OPTIONS:
            option = Among((None, *OPTIONS[name]))
            yield Move(RaiseFeature, {"character": own, "feature": Among((name,)), "option": option})
        else:
            plain.append(name)
    if plain:
        yield Move(RaiseFeature, {"character": own, "feature": Among(tuple(plain)), "reduce": NONE})


def _can_rise(sight: Sight, id: str, name: str, reduce: str | None) -> bool:
    who, dials = sight.people[id], sight.draft.dials
    if cost_of(level_of(who, name), reduce, dials) > sight.draft.balance(accounts.cp(id)):
        return False
    if is_identity(name):
        return not identity_faults(who, name, reduce, dials)
    return not (attribute_faults if is_attribute(name) else expertise_faults)(who, name, dials)
