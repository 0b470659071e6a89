"""What the kernel's own inputs mean here: characters, sessions, scenes, dials and ladders. Headings: all."""

from __future__ import annotations

import dataclasses
from typing import Any

from ledger.rules.kernel import json_types
from ledger.rules.kernel.commands import CloseScene, CloseSession, Enrol, OpenScene, SetDial
from ledger.rules.kernel.contract import About, Table, Verdict, step
from ledger.rules.kernel.dials import dial_fields
from ledger.rules.kernel.questions import Asking
from ledger.rules.kernel.refusals import Refused
from ledger.rules.kernel.subjects import CAMPAIGN, character, seat
from ledger.rules.mnemonic import ladders
from ledger.rules.mnemonic.authority import AUTHORITY, is_referee, must_be_referee
from ledger.rules.mnemonic.dials import Dials
from ledger.rules.mnemonic.drama import rated_at_enrolment, shown_as
from ledger.rules.mnemonic.facts import (
    CharacterCreated,
    Fact,
    LadderSet,
    RefereeRose,
    RefereeSeated,
    SceneLeft,
    TookPart,
)
from ledger.rules.mnemonic.inputs import SeatReferee, Sheet, TakePart
from ledger.rules.mnemonic.state import Campaign, Character, Seat
from ledger.rules.mnemonic.terms import MNEMONIC, collapsed, same_name

NAMES = "mnemonic.status.names"


def enrol(table: Table[Dials], do: Enrol[Sheet]) -> Asking[Verdict[Fact]]:
    """A new character is Fine (`mnemonic.status.default`); the referee may be asked how important it is."""
    sheet, id = do.sheet, str(table.number)
    talent = collapsed(sheet.resist_talent) if sheet.resist_talent and sheet.resist_talent.strip() else None
    created: About[Fact] = About(character(id), CharacterCreated(sheet.kind, do.seat, sheet.primary_role, talent))
    facts, because = (created, shown_as(table.dials, id, None)), (step("mnemonic.status.default", 6),)
    if not sheet.rate_importance:
        return Verdict(facts, because)
    rated, more = yield from rated_at_enrolment(table, id, do.name)
    return Verdict((*facts, *rated), (*because, *more))


def seat_referee(table: Table[Dials], do: SeatReferee) -> Verdict[Fact]:
    """Another seat rules until the session is over; the referee or a game master hands over the chair."""
    if table.by.role != "gm":
        must_be_referee(table)
    table.get(seat(do.seat), Seat)
    if not table.is_open(seat(do.seat)):
        raise Refused(AUTHORITY, "seat-removed", seat=do.seat)
    if table.role(seat(do.seat)) == "observer":
        raise Refused(AUTHORITY, "observer-seat", seat=do.seat)
    seated: About[Fact] = About(CAMPAIGN, RefereeSeated(do.seat))
    return Verdict((seated,), (step(AUTHORITY, do.seat),))


def close_session(table: Table[Dials], do: CloseSession) -> Verdict[Fact]:
    """Nobody is the referee for longer than a session."""
    return Verdict((About(CAMPAIGN, RefereeRose()),))


def take_part(table: Table[Dials], do: TakePart) -> Verdict[Fact]:
    """Characters in the open session. Who is in it already is not counted twice, and stays in it by this too."""
    must_be_referee(table)
    if table.session is None or do.session not in (None, table.session):
        raise Refused("mnemonic.feather.assign", "bad-session", session=do.session)
    named = (character(id) for id in dict.fromkeys(do.characters))
    joining: list[About[Fact]] = []
    for one in named:
        table.get(one, Character)
        joining.append(About(one, TookPart(table.session)))
    return Verdict(tuple(joining), (step("mnemonic.feather.assign", table.session),))


def open_scene(table: Table[Dials], do: OpenScene) -> Verdict[Fact]:
    """Who is in a scene is in the session."""
    session = table.session
    return Verdict(_joining(table, do.cast, session) if session is not None else ())


def close_scene(table: Table[Dials], do: CloseScene) -> Verdict[Fact]:
    """Where the scene's checks are found afterwards: they can still be finished."""
    return Verdict((About(CAMPAIGN, SceneLeft(do.scene, table.number)),))


def _joining(table: Table[Dials], ids: tuple[str, ...], session: str) -> tuple[About[Fact], ...]:
    """A fact for each that was not in the session yet."""
    new = [id for id in dict.fromkeys(ids) if table.get(character(id), Character).session != session]
    return tuple(About(character(id), TookPart(session)) for id in new)


# --- dials --------------------------------------------------------------------------------------------------------


def set_dial(table: Table[Dials], do: SetDial) -> Verdict[Fact]:
    """A value that the others allow. A new ladder is on record with its rows; characters learn how they are shown."""
    field = dial_fields(Dials).get(do.name)
    if field is None:
        return Verdict(())
    _must_set_dials(table)
    try:
        value = json_types.convert(do.value, json_types.hints(Dials)[field.name])
    except json_types.Misshapen as problem:
        raise Refused(field.metadata["rule"], "bad-dial", dial=do.name, problem=str(problem)) from None
    dials = dataclasses.replace(table.dials, **{field.name: value})
    check_dials(dials, do.name, field.metadata["rule"])
    match do.name:
        case "traits.ladder":
            return Verdict((About(CAMPAIGN, LadderSet("traits", ladders.ratings(dials))),))
        case "chances.ladder":
            return Verdict((About(CAMPAIGN, LadderSet("chances", ladders.chances(dials))),))
        case "status.names" | "dramatic.visible":
            people = table.subjects("character")
            return Verdict(tuple(shown_as(dials, one.id, table.get(one, Character).known_to) for one in people))
        case _:
            return Verdict(())


def _must_set_dials(table: Table[Dials]) -> None:
    """The referee; while that is a player, who may not by the chair alone, dials stay with the game masters."""
    seated = table.get(CAMPAIGN, Campaign).referee
    a_player = seated is not None and table.has(seat(seated)) and table.role(seat(seated)) != "gm"
    if not is_referee(table) and not (a_player and table.by.role == "gm"):
        raise Refused(AUTHORITY, "not-referee")


def check_dials(dials: Dials, name: str, rule: str) -> None:
    """What a dial's type cannot say: ranges, and how dials depend on each other."""
    match name:
        case "traits.ladder":
            ladders.ratings(dials)
        case "chances.ladder":
            ladders.chances(dials)
        case "status.names":
            _check_names(dials.status_names)
        case _:
            if not _fits(dials, name):
                raise Refused(rule, "bad-dial", dial=name)


def _fits(dials: Dials, name: str) -> bool:
    def known(rating: str) -> bool:
        return ladders.has_rating(ladders.rows_of(dials), rating)

    match name:
        case "traits.primary_rating":
            return known(dials.traits_primary_rating)
        case "traits.unrated":
            return dials.traits_unrated == "refuse" or known(dials.traits_unrated)
        case "resist.talent":
            return bool(dials.resist_talent.strip())
        case "dramatic.label":
            return bool(dials.dramatic_label.strip())
        case "random.ways" | "random.default":
            return dials.random_default in dials.random_ways
        case "flukes.solid" | "flukes.spectacular":
            return 1 <= dials.flukes_solid < dials.flukes_spectacular and dials.flukes_spectacular >= 6
        case "feather.calibration_sessions":
            return dials.feather_calibration_sessions >= 0
        case "feather.similarity":
            return dials.feather_similarity >= 0
        case "feather.drift_tolerance":
            return dials.feather_drift_tolerance >= 0
        case _:
            return True


def _check_names(names: tuple[Any, ...]) -> None:
    """Six, all different, each with the initial of its word."""
    if len(names) != len(MNEMONIC):
        raise Refused(NAMES, "six-names-needed", given=len(names))
    if len(set(map(same_name, names))) != len(names):
        raise Refused(NAMES, "status-duplicate-name")
    for name, word in zip(names, MNEMONIC, strict=True):
        if same_name(name)[:1] != same_name(word)[:1]:
            raise Refused(NAMES, "status-initial", name=name, word=word)
