"""Options: the seats that may set them, the values that other options allow, and the facts recorded."""

from __future__ import annotations

import dataclasses

from ledger.rules.kernel.kit import (
    CAMPAIGN,
    Refused,
    RuleId,
    SetDial,
    SharedRefusal,
    decides,
    guards,
    json_types,
    list_dial_fields,
    require,
    seat,
)
from ledger.rules.mnemonic import ladders
from ledger.rules.mnemonic.dials import Dials
from ledger.rules.mnemonic.draft import Draft
from ledger.rules.mnemonic.immunity import record_shown_as
from ledger.rules.mnemonic.referee import may_rule
from ledger.rules.mnemonic.state import Campaign
from ledger.rules.mnemonic.status import may_be_names

BAD_OPTION = SharedRefusal("bad-dial", "The option {dial} cannot have that value.")


@guards
def may_set_option(draft: Draft) -> Refused | None:
    """Refuse an option from anybody except the referee. Game masters may also set options while a player is the referee
    or the chair is empty.
    """
    table = draft.table
    referee_seat = table.get(CAMPAIGN, Campaign).referee
    is_player = referee_seat is not None and table.has(seat(referee_seat)) and table.role(seat(referee_seat)) != "gm"
    return None if table.by.role == "gm" and (is_player or referee_seat is None) else may_rule(draft)


@decides
def set_option(draft: Draft, do: SetDial) -> None:
    """Set an option to a value that the other options allow. A new ladder is recorded with its rows. For each
    character, record how it is shown from now on.
    """
    field = list_dial_fields(Dials).get(do.name)
    if field is None:
        return
    require(may_set_option(draft))
    rule = field.metadata["rule"]
    try:
        value = json_types.convert(do.value, json_types.load_hints(Dials)[field.name])
    except json_types.Misshapen as problem:
        raise BAD_OPTION.under(rule, dial=do.name, problem=str(problem)) from None
    dials = dataclasses.replace(draft.dials, **{field.name: value})
    check_option(dials, do.name, rule)
    match do.name:
        case "traits.ladder":
            draft.campaign_wide(ladders.LadderSet("traits", ladders.read_ratings(dials)))
        case "chances.ladder":
            draft.campaign_wide(ladders.LadderSet("chances", ladders.read_chances(dials)))
        case "status.names" | "dramatic.visible" | "dramatic.seen_by_gm":
            for subject in draft.table.subjects("character"):
                record_shown_as(draft, dials, subject.id, draft.character(subject.id).known_to)


def check_option(dials: Dials, name: str, rule: RuleId) -> None:
    """Check the value of an option beyond its type: ranges, and conflicts with other options."""
    match name:
        case "traits.ladder":
            ladders.read_ratings(dials)
        case "chances.ladder":
            ladders.read_chances(dials)
        case "status.names":
            require(may_be_names(dials.status_names))
        case _:
            if not _is_allowed(dials, name):
                raise BAD_OPTION.under(rule, dial=name)


def _is_allowed(dials: Dials, name: str) -> bool:
    match name:
        case "traits.primary_rating":
            return _is_known(dials, dials.traits_primary_rating)
        case "traits.unrated":
            return dials.traits_unrated == "refuse" or _is_known(dials, dials.traits_unrated)
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


def _is_known(dials: Dials, rating: str) -> bool:
    return ladders.has_rating(ladders.read_rows(dials), rating)
