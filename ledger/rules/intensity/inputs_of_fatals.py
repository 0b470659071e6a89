"""Bargains and held fatal impacts. Ids are those of characters, attacks and held fatal impacts."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, TypeAlias

from ledger.rules.intensity.state import scene_of
from ledger.rules.intensity.terms import AttackId, Base, Char, FatalId, SaidOut, SaidUse, TraitName
from ledger.rules.kernel.contract import Table
from ledger.rules.kernel.declarations import GM, declares, either
from ledger.rules.kernel.domains import CharacterId, Reason, Says, Story

OutFor: TypeAlias = Annotated[Story, Says("Out for", "How long, in words, if the character is out for a `time`.")]


@dataclass(frozen=True, slots=True)
class Mutilation:
    """A trait that changes for good, and its new die: 10, 8, 6, 4, or 0 for none."""

    trait: TraitName
    base: Base


@dataclass(frozen=True, slots=True)
class Fate:
    """What a fatal impact does. `use_as`: `fate` (then `text` is needed), `tax`, `advantage`, `damage` or `wound`.

    `out`: whether it takes the subject out of play: for the `scene`, for a `time`, or `permanent`. `out_for`: the time
    in words ("three weeks of coma"); it ends when a game master says so. `trait`: for a tax or damage. `mutilations`:
    traits that change for good, each named once. `mutilation`: the same, for one trait.
    """

    text: Story = ""
    use_as: Annotated[SaidUse, Says("Used as")] = "fate"
    trait: TraitName | None = None
    out: SaidOut | None = None
    mutilation: Mutilation | None = None
    out_for: OutFor = ""
    mutilations: tuple[Mutilation, ...] = ()


@dataclass(frozen=True, slots=True)
class FatalUse:
    """The use of a held fatal impact; see `Fate`. `by`: who uses it. Default: its holder when you declare this."""

    fatal: FatalId
    text: Story = ""
    use_as: Annotated[SaidUse, Says("Used as")] = "fate"
    trait: TraitName | None = None
    out: SaidOut | None = None
    by: Annotated[CharacterId | None, Says("Holder", "Who uses it. If you leave it out, its present holder.")] = None
    mutilation: Mutilation | None = None
    out_for: OutFor = ""
    mutilations: tuple[Mutilation, ...] = ()


def _party(table: Table[object], do: Negotiate) -> str | None:
    """Return a party that the declaring seat plays, or else the first."""
    return next((id for id in do.parties if id in table.by.characters), do.parties[0] if do.parties else None)


def _first_user(table: Table[object], do: UseFatal) -> str | None:
    """Return the holder of the first fatal impact used."""
    here = scene_of(table)
    if not do.uses or do.uses[0].by is not None:
        return do.uses[0].by if do.uses else None
    held = here.fatals.get(do.uses[0].fatal) if here else None
    return held.holder if held else None


@declares(
    "negotiate",
    either(_party, "the player of a party"),
    records=(
        "outcome-negotiated",
        "bargain-declined",
        "trait-mutilated",
        "fatal-used",
        "fatal-released",
        "fatal-lapsed",
        "action-passed",
        "action-lapsed",
        "attack-lapsed",
        "round-left",
        "order-established",
        "conflict-linked",
        "trait-taxed",
        "trait-damaged",
        "character-wounded",
        "character-taken-out",
        "advantage-gained",
    ),
)
class Negotiate:
    """Propose a bargain. Each party's player is asked once, except the declaring one. If one declines, it fails.

    `attack`: the successful attack whose impact it replaces. `uses`, `releases`: held fatal impacts used or given up as
    part of it. `passes`: characters who give up their action. `reason`: a game master's reason for saying that all
    agree, without asking them.
    """

    parties: tuple[CharacterId, ...]
    text: Story
    attack: AttackId | None = None
    uses: tuple[FatalUse, ...] = ()
    releases: tuple[FatalId, ...] = ()
    passes: tuple[CharacterId, ...] = ()
    reason: Reason = ""


@declares(
    "use-fatal",
    either(_first_user, "the player of the holder"),
    records=(
        "round-left",
        "order-established",
        "conflict-linked",
        "action-lapsed",
        "attack-lapsed",
        "trait-taxed",
        "trait-damaged",
        "character-wounded",
        "advantage-gained",
        "fatal-used",
        "fatal-withheld",
        "fatal-lapsed",
        "trait-mutilated",
        "character-taken-out",
    ),
)
class UseFatal:
    """Use held fatal impacts at the same moment: a first use, and uses that answer it.

    Each holder's player is asked once, except the declaring one. A use that is declined does not happen. If the first
    one is declined, none of them happens. `reason`: a game master's reason for agreeing for the holders without asking.
    """

    uses: tuple[FatalUse, ...]
    reason: Reason = ""


@declares("release-fatal", either("by"), records=("fatal-released",))
class ReleaseFatal:
    """Give up a held fatal impact."""

    fatal: FatalId
    by: Annotated[CharacterId, Says("Holder")]
    text: Story = ""


@declares("bring-back", GM, records=("brought-back",))
class BringBack:
    """Bring back a character who was out of play for a time."""

    char: Char
    reason: Reason


FatalInput: TypeAlias = Negotiate | UseFatal | ReleaseFatal | BringBack
