"""Levels of Intensity: each player states how much their character cares; then everybody rolls at once, and uses two
dice to attack and to defend.

Each chapter of the source is a module. `RULESET` combines them, in the order in which you would read them. This module
also says which chapter shows each kind of state (in full, because nothing is secret in this game) and which numbers are
stored twice.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import assert_never

from ledger.rules.intensity import (
    advantage_points,
    attacks,
    defence,
    draft,
    fatals,
    healing,
    impact,
    levels_and_traits,
    negotiation,
    opponents,
    out_of_play,
    rolling,
    rounds,
    scenes_and_rest,
    turns,
)
from ledger.rules.intensity.dials import Dials
from ledger.rules.intensity.state import (
    CHARACTERS_IN,
    NAMED,
    REFERENCES,
    REFERS,
    Campaign,
    Character,
    Scene,
    Seat,
    State,
)
from ledger.rules.kernel.kit import Adjust, AnyRuleset, Places, Subject, Twice, Viewer, describe_transfers, ruleset

__all__ = ["RULESET"]

#: Parts of rule ids, or whole ids, in the order in which the guide prints the rules. The first match decides a rule's
#: place.
READING_ORDER = """
level.dice level.raise-only level.scope trait round.open round.join round.declare round.amend round.abandon
round.roll order round action.attack defence.pick-up defence action.success level impact.rating impact.ladder
impact.immediate impact step fatal.achieve fatal.hold fatal.use fatal.mutilation fatal.out action fatal negotiate ap
scene rest heal.when heal.moment heal
"""


def view(subject: Subject, state: State, viewer: Viewer) -> Mapping[str, object]:
    dials = viewer.dials if isinstance(viewer.dials, Dials) else Dials()
    match state:
        case Character():
            return levels_and_traits.view_character(state, dials)
        case Scene():
            return scenes_and_rest.view_scene(state, dials)
        case Campaign():
            return opponents.view_campaign(state)
        case Seat():
            return {}
        case _:
            assert_never(state)


def list_kept_twice(subject: Subject, places: Places) -> Iterator[Twice]:
    """Yield the values that are both in a state and in an account, or twice in a state."""
    state = places.state(subject)
    if isinstance(state, Character):
        yield Twice("impacts", len(state.impacts), places.balance(subject, "impact"), account="impact")
    if isinstance(state, Scene):
        fatal_counts = Counter(fatal.holder for fatal in state.fatals.values())
        yield Twice("fatals", dict(fatal_counts), dict(places.balances(subject, "fatal")), account="fatal")
        die_counts = scenes_and_rest.count_dice_on_the_table(state.round)
        yield Twice("dice", die_counts, dict(places.balances(subject, "die")), account="die")
        declared_levels = scenes_and_rest.list_declared_levels(state.round)
        yield Twice("levels", declared_levels, {char: state.levels.get(char) for char in declared_levels})


RULESET: AnyRuleset = ruleset(
    "intensity",
    title="Levels of Intensity",
    source="An untitled game whose first heading is “Levels of Intensity”",
    edition=3,
    chapters=(
        draft,
        levels_and_traits,
        rounds,
        rolling,
        turns,
        attacks,
        defence,
        impact,
        advantage_points,
        fatals,
        out_of_play,
        negotiation,
        scenes_and_rest,
        healing,
        opponents,
    ),
    draft=draft.Draft,
    states={"campaign": Campaign, "seat": Seat, "character": Character, "scene": Scene},
    dials=Dials,
    sheet=levels_and_traits.Sheet,
    accounts=draft.ACCOUNTS,
    view=view,
    reading_order=READING_ORDER,
    kept_twice=list_kept_twice,
    references=REFERENCES,
    people=levels_and_traits.PEOPLE,
    maker=levels_and_traits.MAKER,
    says={Adjust: describe_transfers({"ap": "{amount:advantage point|advantage points} against {who}"})},
    labels={
        **levels_and_traits.LABELS,
        **scenes_and_rest.LABELS,
        **advantage_points.LABELS,
        **healing.LABELS,
        **opponents.LABELS,
        "char": "Character",
    },
    refers=REFERS,
    named=NAMED,
    characters_in=CHARACTERS_IN,
)
