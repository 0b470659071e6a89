"""What people at the table do: all of it. Characters, seats and resolutions are named by id.

What each field can say stands in its type (`terms`). Numbers are `Unchecked` all the same: a rule that is driven
directly refuses for itself what is none. Faces that were typed in with an input are taken; where they are left out, the
ruling asks for them. `player`: for whom a Gamemaster records it; left out, whoever declares. Values a rule leaves to
judgement are fields, with their reason.
"""

from __future__ import annotations

from typing import TypeAlias, get_args

from ledger.rules.scattershot import (
    inputs_of_characters,
    inputs_of_deeds,
    inputs_of_fights,
    inputs_of_outcomes,
    inputs_of_play,
    inputs_of_rewards,
)

Input: TypeAlias = (
    inputs_of_play.Input
    | inputs_of_characters.Input
    | inputs_of_rewards.Input
    | inputs_of_deeds.Input
    | inputs_of_outcomes.Input
    | inputs_of_fights.Input
)
INPUTS: tuple[type[Input], ...] = get_args(Input)
