"""What people agree on, and do with fatals they hold. Ids are those of characters, attacks and held fatals."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, TypeAlias

from ledger.rules.intensity.state import scene_of
from ledger.rules.intensity.terms import AttackId, Base, Char, FatalId, SaidOut, SaidUse, TraitName
from ledger.rules.kernel.contract import Table
from ledger.rules.kernel.declarations import GM, declares, either
from ledger.rules.kernel.domains import CharacterId, Reason, Says, Story

OutFor: TypeAlias = Annotated[Story, Says("Out for", "How long, in words, where somebody is out for a `time`.")]


@dataclass(frozen=True, slots=True)
class Mutilation:
    """A trait that is never again what it was, and its new die: 10, 8, 6, 4, or 0 for none."""

    trait: TraitName
    base: Base


@dataclass(frozen=True, slots=True)
class Fate:
    """What a fatal does. `use_as`: `fate`, which needs words, or a lower impact: `tax`, `advantage`, `damage`, `wound`.

    `out`: when it takes the subject out of play: for the `scene`, for a `time` that is put in words (`out_for`: "three
    weeks of coma") and ends when a game master says so, or `permanent`. `trait`: for a tax, or a damage. `mutilations`:
    what it does to traits for good, each once; `mutilation`: the same, of one trait.
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
    """One held fatal used, as in `Fate`. `by`: who uses it (left out: who holds it when this is declared)."""

    fatal: FatalId
    text: Story = ""
    use_as: Annotated[SaidUse, Says("Used as")] = "fate"
    trait: TraitName | None = None
    out: SaidOut | None = None
    by: Annotated[CharacterId | None, Says("Holder", "Who uses it: left out, whoever holds it.")] = None
    mutilation: Mutilation | None = None
    out_for: OutFor = ""
    mutilations: tuple[Mutilation, ...] = ()


def _party(table: Table[object], do: Negotiate) -> str | None:
    """A party the declaring seat plays; else the first."""
    return next((id for id in do.parties if id in table.by.characters), do.parties[0] if do.parties else None)


def _first_user(table: Table[object], do: UseFatal) -> str | None:
    """Who uses the first fatal of the bundle."""
    here = scene_of(table)
    if not do.uses or do.uses[0].by is not None:
        return do.uses[0].by if do.uses else None
    held = here.fatals.get(do.uses[0].fatal) if here else None
    return held.holder if held else None


@declares(
    "negotiate",
    either(_party, "who plays a party"),
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
    """What the parties agree on: each party's player is asked once, but for who declares it; one who declines ends it.

    `attack`: the successful attack whose impact it replaces. `uses`, `releases`: held fatals used or given up as part
    of it; `passes`: characters that give up a pending action. `reason`: a game master's, for saying that all agree
    without asking.
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
    either(_first_user, "who plays the holder"),
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
    """Held fatals used in one instant: the first use, and those that answer it.

    The player of each holder is asked once, but for who declares it; a use that is declined does not happen. When the
    first is declined, none of them happens. `reason`: a game master's, for saying it for the holders without asking.
    """

    uses: tuple[FatalUse, ...]
    reason: Reason = ""


@declares("release-fatal", either("by"), records=("fatal-released",))
class ReleaseFatal:
    """A held fatal is given up."""

    fatal: FatalId
    by: Annotated[CharacterId, Says("Holder")]
    text: Story = ""


@declares("bring-back", GM, records=("brought-back",))
class BringBack:
    """The time is over for which somebody was out of play."""

    char: Char
    reason: Reason


FatalInput: TypeAlias = Negotiate | UseFatal | ReleaseFatal | BringBack
