"""Making a character step by step: the choices and the points of each step, and default values for the rest.

This module does not decide which choices are possible. The default values are found with the same checks that a sheet
must pass.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import partial
from itertools import chain, product
from operator import itemgetter
from typing import Any, get_args

from ledger.rules.kernel.kit import Budget, Maker, Making, Option, words
from ledger.rules.mongrel import identities, powers
from ledger.rules.mongrel.tables import (
    ABOUT_EXPERTISE,
    ABOUT_OPTIONS,
    AREA_OF,
    EXPERTISE,
    GOVERNED_BY,
    OPTIONS,
    POWERS,
    STEREOTYPES,
)
from ledger.rules.mongrel.terms import (
    ATTRIBUTES,
    HOUSES,
    IDENTITIES,
    Age,
    Identity,
    Sex,
    VowKind,
    is_identity,
    read_naturals,
    write_word,
)

PAIRS = (("size", "spirit"), ("physique", "beauty"), ("speed", "social"))
PLAIN_AGE = "adult"  # the age that does not limit scores
UNNATURAL = "Something unnatural"
SPACE = "\N{NO-BREAK SPACE}"  # keeps words on one line
Chosen = Mapping[str, Any]


# --- default values --------------------------------------------------------------------------------------------------


def complete_sheet(making: Making) -> Chosen:
    """Return the sheet with default values for everything that is still missing."""
    sheet: dict[str, Any] = {"house": HOUSES[0], "sex": get_args(Sex)[0], "age": PLAIN_AGE, **making.sheet}
    sheet |= _complete_identity(sheet)
    sheet |= _complete_body(sheet)
    sheet["attributes"] = _complete_attributes(making, sheet)
    if "lowered" in sheet:
        sheet["lowered"] = {**sheet["attributes"], **sheet["lowered"]}
    return sheet | _complete_picks(sheet)


def _read_scores(sheet: Chosen) -> dict[str, int]:
    return {name: sheet.get(name, 0) for name in IDENTITIES}


def _complete_identity(sheet: Chosen) -> dict[str, Any]:
    """Return the chosen scores, raised if necessary, and a primary Identity: the chosen one, if there is one.

    A score below 0 is not changed.
    """
    scores = _read_scores(sheet)
    missing_points = identities.POINTS - sum(scores.values()) if read_naturals(scores, IDENTITIES) is not None else 0
    most_rise = min(identities.POINTS, max(0, missing_points))
    possible_rises = sorted(product(range(most_rise + 1), repeat=len(IDENTITIES)), key=max)
    chosen_primaries = [sheet["primary"]] if "primary" in sheet else []
    for rises, primary in (*product(possible_rises, chosen_primaries), *product(possible_rises, IDENTITIES)):
        raised_scores = {name: score + rise for (name, score), rise in zip(scores.items(), rises, strict=True)}
        if not identities.list_identity_faults(raised_scores, primary):
            return {**raised_scores, "primary": sheet.get("primary", primary)}
    return {**scores, "primary": sheet.get("primary", IDENTITIES[0])}


def _complete_body(sheet: Chosen) -> dict[str, Any]:
    scores, primary = _read_scores(sheet), sheet["primary"]
    body = sheet.get("body") or next(iter(identities.list_forms(scores, primary)), "")
    unnatural = sheet.get("unnatural", [])
    if identities.list_body_faults(scores, primary, body, unnatural):
        unnatural = unnatural or [UNNATURAL]
    return {"body": body, "unnatural": unnatural} if unnatural else {"body": body}


def _complete_attributes(making: Making, sheet: Chosen) -> dict[str, int]:
    """Return the first complete set of scores that includes the chosen scores and has no fault. If every set has
    faults, return the one with the fewest, so that the reasons shown are only about chosen scores.
    """
    chosen: Mapping[str, int] = sheet.get("attributes", {})
    scores_by_pair = [_list_pairs(pair, chosen) for pair in PAIRS]
    faulty_scores: list[tuple[int, dict[str, int]]] = []
    for values in product(*scores_by_pair):
        scores = _join_pairs(values)
        if not identities.list_unusable_attributes(scores, making.table.dials):
            faults = identities.list_attribute_faults(sheet["primary"], sheet["sex"], sheet["age"], scores)
            if not faults:
                return scores
            faulty_scores.append((len(faults), scores))
    _, scores = min(faulty_scores, key=itemgetter(0), default=(0, _join_pairs(pair[0] for pair in scores_by_pair)))
    return scores


def _join_pairs(values: Iterable[tuple[int, int]]) -> dict[str, int]:
    return dict(zip(ATTRIBUTES, chain.from_iterable(values), strict=True))


def _list_pairs(pair: tuple[str, str], chosen: Mapping[str, int]) -> list[tuple[int, int]]:
    """Return the scores that two attributes can have together, the most balanced first, or only the chosen scores."""
    first, second = pair
    if first in chosen and second in chosen:
        return [(chosen[first], chosen[second])]
    scores = range(identities.LEAST, identities.MOST + 1)
    usual_pairs = [(score, identities.SUM - score) for score in scores]
    rare_pairs = [(score, identities.SOCIAL_WHEN_IGNORED) for score in scores] if pair == PAIRS[-1] else []
    extra_pairs = [rare_pair for rare_pair in rare_pairs if rare_pair not in usual_pairs]
    return sorted(usual_pairs, key=lambda scores: abs(scores[0] - scores[1])) + extra_pairs


def _complete_picks(sheet: Chosen) -> dict[str, list[str]]:
    picks = {step: list(sheet.get(step, ())) for step in powers.STEPS}
    taken_names = [name for names in picks.values() for name in names]
    free_names = (name for name in EXPERTISE if name not in taken_names and name not in OPTIONS)
    for names in picks.values():
        names += [next(free_names) for _ in range(powers.PER_STEP - len(names))]
    return picks


# --- possible choices ------------------------------------------------------------------------------------------------


def list_houses(making: Making) -> Iterator[Option]:
    for house, (kind, region) in STEREOTYPES.items():
        yield Option(write_word(house), {"house": house}, f"{kind.capitalize()}. Where: {region}")


def list_identities(making: Making) -> Iterator[Option]:
    for name in IDENTITIES:
        governed_words = [write_word(expertise) for expertise in EXPERTISE if GOVERNED_BY[expertise] == name]
        yield Option(write_word(name), {name: 0}, ", ".join(governed_words))


def list_primaries(making: Making) -> Iterator[Option]:
    for name in IDENTITIES:
        yield Option(write_word(name), {"primary": name}, f"Power: {write_word(POWERS[name])}")


def list_bodies(making: Making) -> Iterator[Option]:
    """Yield the forms of the body that the Identity allows."""
    sheet = complete_sheet(making)
    for form in identities.list_forms(_read_scores(sheet), sheet["primary"]):
        yield Option(words(form).capitalize(), {"body": form})


def list_sexes(making: Making) -> Iterator[Option]:
    about_by_sex = {"male": "Usually more Physique than Beauty", "female": "Usually more Beauty than Physique"}
    return (Option(write_word(sex), {"sex": sex}, about_by_sex[sex]) for sex in get_args(Sex))


def list_ages(making: Making) -> Iterator[Option]:
    about_by_age = {
        "young": "More Speed than Social",
        "adult": "Speed and Social as you like",
        "old": "More Social than Speed",
    }
    return (Option(write_word(age), {"age": age}, about_by_age[age]) for age in get_args(Age))


def list_attributes(making: Making, pair: tuple[str, str]) -> Iterator[Option]:
    """Yield the scores that two attributes can have together: all pairs with the right sum, and any other pair that the
    rules allow with the current choices.
    """
    first, second = pair
    other_scores = {name: score for name, score in making.sheet.get("attributes", {}).items() if name not in pair}
    sheet = complete_sheet(making)
    for first_score, second_score in sorted(_list_pairs(pair, {})):
        scores = {**sheet["attributes"], **other_scores, first: first_score, second: second_score}
        faults = identities.list_attribute_faults(sheet["primary"], sheet["sex"], sheet["age"], scores)
        if first_score + second_score == identities.SUM or not faults:
            chosen_fields = {f"attributes/{first}": first_score, f"attributes/{second}": second_score}
            yield Option(f"{write_word(first)} {first_score}, {write_word(second)} {second_score}", chosen_fields)


def list_lowered(making: Making) -> Iterator[Option]:
    for name, score in complete_sheet(making)["attributes"].items():
        yield Option(write_word(name), {f"lowered/{name}": score}, f"Chosen: {score}")


def _read_picks(sheet: Chosen) -> powers.Picks:
    plus_three, plus_two, plus_one = (tuple(sheet.get(step, ())) for step in powers.STEPS)
    return plus_three, plus_two, plus_one


def _count_levels(making: Making) -> tuple[Identity, Mapping[str, int]]:
    """Return the primary Identity, and the level of each Expertise with the picks made so far."""
    primary = complete_sheet(making)["primary"]
    assert is_identity(primary)
    return primary, powers.work_out_levels(primary, _read_picks(making.sheet))


def list_expertise(making: Making, step: str) -> Iterator[Option]:
    """Yield every Expertise that the primary Identity can pick, with its Area, its current level, its level if picked,
    and why that adds less than the step says.
    """
    primary, levels = _count_levels(making)
    rise = powers.RISES[powers.STEPS.index(step)]
    for name in EXPERTISE:
        if name not in OPTIONS or name == POWERS[primary]:
            area = AREA_OF[name].capitalize() if name in AREA_OF else "Power"
            picks = making.sheet.get(step, ())
            new_picks = _read_picks({**making.sheet, step: [*picks, *([] if name in picks else [name])]})
            old_level, new_level = levels.get(name, 0), powers.work_out_levels(primary, new_picks)[name]
            level_phrase = f"{old_level}{SPACE}→{SPACE}{new_level}" if new_level != old_level else old_level
            is_less_than_rise = old_level < new_level < old_level + rise
            reason = f", because the {rise} replaces the 1 from its Area" if is_less_than_rise else ""
            about = f"{ABOUT_EXPERTISE[name]}. {area}:{SPACE}{level_phrase}{reason}"
            yield Option(write_word(name), {step: name}, about)


def list_power_options(making: Making) -> Iterator[Option]:
    primary, _ = _count_levels(making)
    return (
        Option(words(option).capitalize(), {f"power/{option}": 0}, ABOUT_OPTIONS[option])
        for option in OPTIONS[POWERS[primary]]
    )


def list_vow_kinds(making: Making) -> Iterator[Option]:
    return (Option(write_word(kind), {"about": kind}) for kind in get_args(VowKind))


# --- points ----------------------------------------------------------------------------------------------------------


def count_identity(making: Making) -> Budget:
    return Budget("Identity points", sum(_read_scores(making.sheet).values()), identities.POINTS)


def count_picks(making: Making, step: str) -> Budget:
    return Budget("Expertises picked", len(making.sheet.get(step, ())), powers.PER_STEP)


def count_power(making: Making) -> Budget:
    primary, levels = _count_levels(making)
    power = POWERS[primary]
    return Budget(f"points of {write_word(power)}", sum(making.sheet.get("power", {}).values()), levels.get(power, 0))


MAKER = Maker(
    complete_sheet,
    {
        "houses": list_houses,
        "identities": list_identities,
        "primaries": list_primaries,
        "bodies": list_bodies,
        "sexes": list_sexes,
        "ages": list_ages,
        **{" and ".join(pair): partial(list_attributes, pair=pair) for pair in PAIRS},
        "lowered": list_lowered,
        **{step: partial(list_expertise, step=step) for step in powers.STEPS},
        "power options": list_power_options,
        "kinds of Vow": list_vow_kinds,
    },
    {
        "identity": count_identity,
        **{step: partial(count_picks, step=step) for step in powers.STEPS},
        "power": count_power,
    },
)
