"""A small game of two chapters, as a game is written: its ruleset names the chapters and nothing that is in them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from ledger.rules.kernel.kit import SUBJECT_KINDS, AnyRuleset, Secret, Subject, Viewer, dial, ruleset
from tests.rules.lanterns import dark, oil
from tests.rules.lanterns.state import Draft, Lamp, owner_of


@dataclass(frozen=True, slots=True)
class Dials:
    bright: bool = dial(True, dark.LIGHT)


@dataclass(frozen=True, slots=True)
class Sheet:
    pass


def view(subject: Subject, state: Lamp, viewer: Viewer) -> Mapping[str, Any]:
    oil = state.oil if viewer.may_see(owner_of(subject, state)) else None
    return {"oil": oil, "is_lit": state.is_lit, "lit_by": state.lit_by}


def game(*chapters: Any, reading_order: str = "") -> AnyRuleset:
    return ruleset(
        "lanterns",
        title="Lanterns",
        source="tests",
        edition=1,
        chapters=chapters,
        draft=Draft,
        states=dict.fromkeys(SUBJECT_KINDS, Lamp),
        dials=Dials,
        sheet=Sheet,
        accounts=(),
        view=view,
        reading_order=reading_order,
        named={"char": "character"},
        characters_in=("char",),
        secrets=(Secret("How much oil is left", "Who holds the lamp.", "Whether it burns."),),
    )


RULESET = game(oil, dark)
