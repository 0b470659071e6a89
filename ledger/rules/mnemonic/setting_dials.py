"""Dials set: who may, which values the other dials allow, and what is on record of it. Headings: all."""

from __future__ import annotations

import dataclasses

from ledger.rules.kernel import json_types
from ledger.rules.kernel.commands import SetDial
from ledger.rules.kernel.dials import list_dial_fields
from ledger.rules.kernel.refusals import Refused
from ledger.rules.kernel.subjects import CAMPAIGN, seat
from ledger.rules.mnemonic import ladders
from ledger.rules.mnemonic.dials import Dials
from ledger.rules.mnemonic.draft import Draft
from ledger.rules.mnemonic.drama import show
from ledger.rules.mnemonic.facts import LadderSet
from ledger.rules.mnemonic.guards import must_be_referee
from ledger.rules.mnemonic.state import Campaign
from ledger.rules.mnemonic.terms import MNEMONIC, same_name

NAMES = "mnemonic.status.names"


def set_dial(draft: Draft, do: SetDial) -> None:
    """A value that the others allow. A new ladder is on record with its rows; characters learn how they are shown."""
    field = list_dial_fields(Dials).get(do.name)
    if field is None:
        return
    _must_set_dials(draft)
    try:
        value = json_types.convert(do.value, json_types.hints(Dials)[field.name])
    except json_types.Misshapen as problem:
        raise Refused(field.metadata["rule"], "bad-dial", dial=do.name, problem=str(problem)) from None
    dials = dataclasses.replace(draft.dials, **{field.name: value})
    check_dials(dials, do.name, field.metadata["rule"])
    match do.name:
        case "traits.ladder":
            draft.campaign_wide(LadderSet("traits", ladders.ratings(dials)))
        case "chances.ladder":
            draft.campaign_wide(LadderSet("chances", ladders.chances(dials)))
        case "status.names" | "dramatic.visible" | "dramatic.seen_by_gm":
            for one in draft.table.subjects("character"):
                show(draft, dials, one.id, draft.character(one.id).known_to)


def _must_set_dials(draft: Draft) -> None:
    """The referee; while that is a player, who may not by the chair alone, or nobody, the game masters."""
    table = draft.table
    seated = table.get(CAMPAIGN, Campaign).referee
    a_player = seated is not None and table.has(seat(seated)) and table.role(seat(seated)) != "gm"
    if not (table.by.role == "gm" and (a_player or seated is None)):
        must_be_referee(draft)


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


def _check_names(names: tuple[str, ...]) -> None:
    """Six, all different, each with the initial of its word."""
    if len(names) != len(MNEMONIC):
        raise Refused(NAMES, "six-names-needed", given=len(names))
    if len(set(map(same_name, names))) != len(names):
        raise Refused(NAMES, "status-duplicate-name")
    for name, word in zip(names, MNEMONIC, strict=True):
        if same_name(name)[:1] != same_name(word)[:1]:
            raise Refused(NAMES, "status-initial", name=name, word=word)
