"""Impact: fatal impacts, which their holder keeps until the scene ends, uses or gives up."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from dataclasses import fields as fields_of
from typing import Annotated, TypeAlias

from ledger.rules.intensity.draft import (
    NO_SUCH_FATAL,
    SUBJECT_GONE,
    Draft,
    Place,
    check_once,
    check_reason,
    consents,
    held_fatals,
    reason_of,
    scene_or_none,
    the_scene,
    who_is_asked,
)
from ledger.rules.intensity.impact import trait_hit
from ledger.rules.intensity.out_of_play import (
    HAPPENED,
    HOLDER_OUT,
    MUTILATION,
    OUT,
    OUTS,
    STAYS,
    USE,
    CheckedUse,
    Fields,
    GivenUp,
    Mutilation,
    happen,
    in_words,
    mutilated,
    say_out_of_play,
    say_trait_left,
    say_use,
    ways_to_use,
)
from ledger.rules.intensity.state import (
    AttackId,
    Fatal,
    FatalId,
    SaidOut,
    SaidUse,
    Scene,
    TraitName,
    is_out,
    is_use,
    name,
    quote,
    scene_of,
    together,
    without,
)
from ledger.rules.kernel.chapters import (
    Question,
    Refusal,
    changes,
    decides,
    declares,
    fact,
    means,
    offers,
    require,
    rule,
)
from ledger.rules.kernel.contract import Table
from ledger.rules.kernel.declarations import either
from ledger.rules.kernel.domains import CharacterId, Reason, Says, Story
from ledger.rules.kernel.frozen import changed
from ledger.rules.kernel.moves import Among, Either, Move, Shape, Some
from ledger.rules.kernel.phrases import Names
from ledger.rules.kernel.questions import Asking
from ledger.rules.kernel.refusals import Refused
from ledger.rules.kernel.seen import Seen
from ledger.rules.kernel.subjects import character

# --- holding ---------------------------------------------------------------------------------------------------------

ACHIEVE = rule(
    "intensity.fatal.achieve",
    "A fatal impact gives the attacker total control over the defender's fate. The attacker may hold it and use"
    " it later.",
    "Impact",
    step="{holder} holds a fatal impact on {subject}.",
    outcome="id",
)
HOLD = rule(
    "intensity.fatal.hold",
    "The holder keeps a fatal impact until the scene ends, and may use it or give it up at any time.",
    "Impact",
)
SCENE_END = rule(
    "intensity.fatal.scene-end",
    "Not in the source: a scene cannot close while anybody holds a fatal impact. A table may decide that fatal"
    " impacts still held are lost when the scene closes.",
)
NOT_FATAL = Refusal(
    ACHIEVE, "no-such-fatal", "Only a fatal impact can be used at once, and you chose {impact}. Leave out `at_once`."
)
NOT_THE_HOLDER = Refusal(
    HOLD, "not-the-holder", "{holder} holds that fatal impact. Only {holder} can use it or give it up."
)
HELD_FATAL_OPEN = Refusal(
    SCENE_END,
    "held-fatal-open",
    "{holder} must use or give up every held fatal impact before the scene ends.",
)


def say_held(fact: FatalHeld, names: Names) -> str:
    return f"{name(names, fact.holder)} holds a fatal impact on {name(names, fact.subject)}."


@fact("fatal-held", says=say_held, headline=13, kw_only=True)
class FatalHeld:
    fatal: FatalId
    holder: CharacterId
    subject: CharacterId
    trait_used: TraitName | None
    attack: AttackId


@changes
def hold_fatal(state: Scene, fact: FatalHeld) -> Scene:
    held = Fatal(fact.holder, fact.subject, fact.trait_used, fact.attack)
    return changed(state, fatals={**state.fatals, fact.fatal: held})


def say_given_up(fact: FatalReleased, names: Names) -> str:
    return quote("The fatal impact is given up", fact.text)


@fact("fatal-released", says=say_given_up)
class FatalReleased:
    fatal: FatalId
    text: Story = ""


@changes
def release_fatal(state: Scene, fact: FatalReleased) -> Scene | None:
    return changed(state, fatals=without(state.fatals, fact.fatal)) if fact.fatal in state.fatals else None


def the_fatal(place: Place, id: str) -> Fatal:
    """A held fatal. Refuses `no-such-fatal`."""
    if id not in place.scene.fatals:
        raise NO_SUCH_FATAL.under(HOLD, fatal=id)
    return place.scene.fatals[id]


def give_up(draft: Draft, place: Place, id: str, held: Fatal, text: str = "") -> None:
    draft.tell(place.subject, FatalReleased(id, text), draft.taken(held_fatals(place.subject, held.holder), 1))
    draft.by(HOLD, "released", fatal=id, holder=held.holder)


# --- what a use says -------------------------------------------------------------------------------------------------

OutFor: TypeAlias = Annotated[Story, Says("Out for", "How long, in words, if the character is out for a `time`.")]


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
    by: Annotated[
        CharacterId | None, Says("Holder", "Who uses the fatal impact. Leave it out for the present holder.")
    ] = None
    mutilation: Mutilation | None = None
    out_for: OutFor = ""
    mutilations: tuple[Mutilation, ...] = ()


def say_fatal_use(use: FatalUse, names: Names) -> str:
    who = name(names, use.by) if use.by else "The holder"
    parts = [quote(f"{who} uses a fatal impact{say_use(use.use_as, use.trait)}", use.text)]
    mutilations = (*((use.mutilation,) if use.mutilation is not None else ()), *use.mutilations)
    parts += [say_trait_left("The victim", mutilation.trait, mutilation.base) for mutilation in mutilations]
    if use.out is not None and use.out != "none":
        parts.append(say_out_of_play("The victim", use.out, use.out_for))
    return together(parts)


# --- using -----------------------------------------------------------------------------------------------------------

UNKNOWN_USE = Refusal(
    USE, "unknown-use", "A fatal impact cannot be used as {use_as}. Choose fate, tax, advantage, damage or wound."
)
UNKNOWN_OUT = Refusal(
    USE, "unknown-out", "{out} is not a way to be out of play. Choose none, scene, time or permanent."
)
OUT_FOR = Refusal(OUT, "out-for", "If a character is out of play for a time, say for how long. Otherwise leave it out.")
NO_TRAIT_HERE = Refusal(USE, "no-trait-here", "Only a tax or damage names a trait. Leave out the trait.")
FATAL_TWICE = Refusal(USE, "fatal-twice", "The same fatal impact is named twice. Name it once.")
HOLDER_IS_OUT = Refusal(USE, "holder-out", "{holder} is out of play and cannot use a fatal impact.")
FATE_TEXT = Refusal(USE, "fate-text", "Describe what happens to the character.")
NO_ANSWER = Refusal(
    HOLDER_OUT,
    "no-answer",
    "At this table, {char} loses every fatal impact when going out of play, so {char} cannot answer with one.",
)
ASK_USE = Question("use", "{purpose}")


@fact("fatal-withheld", says="The fatal impact is not used. It is still held.", headline=12)
class FatalWithheld:
    """The holder's player declined the use, or the use that it answers was declined. The fatal impact is still held."""

    fatal: FatalId


@changes
def withhold_fatal(state: Scene, fact: FatalWithheld) -> Scene | None:
    return state if fact.fatal in state.fatals else None


def say_uses(do: UseFatal, names: Names) -> str:
    return together(say_fatal_use(use, names) for use in do.uses) or "No fatal impact is used."


def _first_user(table: Table[object], do: UseFatal) -> str | None:
    """Return the holder of the first fatal impact used."""
    here = scene_of(table)
    if not do.uses or do.uses[0].by is not None:
        return do.uses[0].by if do.uses else None
    held = here.fatals.get(do.uses[0].fatal) if here else None
    return held.holder if held else None


@declares(
    "use-fatal",
    either(_first_user, "the player of the holder"),
    says=say_uses,
    records=(*HAPPENED, FatalWithheld),
)
class UseFatal:
    """Use held fatal impacts at the same moment: a first use, and uses that answer it.

    Each holder's player is asked once, except the declaring one. A use that is declined does not happen. If the first
    one is declined, none of them happens. `reason`: why a game master agrees in the holders' place without asking.
    """

    uses: tuple[FatalUse, ...]
    reason: Reason = ""


def may_use_fatal(draft: Draft, held: Fatal, id: str) -> Refused | None:
    if draft.dials.held_fatal_when_holder_out != "survive" and draft.is_out(held.holder):
        return HOLDER_IS_OUT(fatal=id, holder=held.holder)
    return SUBJECT_GONE.under(USE, fatal=id, subject=held.subject) if draft.is_gone(held.subject) else None


@means
def named_holders(table: Table[object], do: UseFatal) -> UseFatal:
    """Where no holder is named it is the one who holds the fatal now, whoever may hold it else."""
    uses: UseFatal = changed(do, uses=with_holders(table, do.uses))
    return uses


def with_holders(table: Table[object], uses: tuple[FatalUse, ...]) -> tuple[FatalUse, ...]:
    here = table.scene
    if here is None or not table.has(here):
        return uses
    fatals = table.get(here, Scene).fatals
    return tuple(
        changed(use, by=fatals[use.fatal].holder) if use.by is None and use.fatal in fatals else use for use in uses
    )


@decides
def use_fatal(draft: Draft, do: UseFatal) -> Asking[None]:
    """Fatals used in one instant, each by its holder: checked as things stand before it, then all happen."""
    for said in do.uses:
        check_words(said)
    check_no_fatal_twice(use.fatal for use in do.uses)
    for said in do.uses:
        if said.by is not None:
            draft.known(said.by)
    spoken_for = check_reason(draft, USE, do.reason)
    place = the_scene(draft, USE)
    if not do.uses:
        raise NO_SUCH_FATAL.under(USE)
    uses = [check_use(draft, place, use) for use in do.uses]
    require(may_answer(draft, uses))
    withheld: frozenset[str] = frozenset()
    if spoken_for:
        draft.by(USE, "agreed", spoken_for=do.reason)
    else:
        withheld = yield from _withheld(draft, uses)
    for use in uses:
        if use.id in withheld:
            draft.tell(place.subject, FatalWithheld(use.id))
    happen(draft, place, [use for use in uses if use.id not in withheld], GivenUp())


def _withheld(draft: Draft, uses: list[CheckedUse]) -> Asking[frozenset[str]]:
    """The fatals that are not used: each player is asked once, for all the fatals the player's characters hold.

    The uses after the first answer it: when its player declines, nobody else is asked, and none of them happens.
    """
    withheld: set[str] = set()
    for asked, holders in who_is_asked(draft, (use.held.holder for use in uses)).items():
        own = [use for use in uses if use.held.holder in holders]
        slot = ASK_USE("+".join(f"{use.id}:{use.held.holder}" for use in own))
        purpose = f"Do you agree? {in_words(draft, own)}"
        if others := in_words(draft, [use for use in uses if use not in own]):
            purpose = together([purpose, f"At the same time: {others}"])
        if not (yield from consents(draft, USE, asked, holders, slot, purpose)):
            withheld |= {use.id for use in own}
        if uses[0].id in withheld:
            break
    for use in uses:
        if uses[0].id in withheld and use.id not in withheld:
            draft.by(USE, "withheld", fatal=use.id, answers=uses[0].id)
            withheld.add(use.id)
    return frozenset(withheld)


def use_at_once(draft: Draft, place: Place, id: str, held: Fatal, fate: Fate) -> None:
    """A fatal used in the ruling that achieved it. The attack is closed by then."""
    as_said = {field.name: getattr(fate, field.name) for field in fields_of(fate)}
    use = FatalUse(id, **as_said)
    check_words(use)
    happen(draft, place, [_checked(draft, use, held)], GivenUp(attack_closed=True))


def check_words(use: FatalUse) -> None:
    """Refuses `unknown-use`, `unknown-out`, `out-for`, `no-trait-here`."""
    if not is_use(use.use_as):
        raise UNKNOWN_USE(use_as=use.use_as)
    if use.out is not None and use.out != "none" and not is_out(use.out):
        raise UNKNOWN_OUT(out=use.out)
    if not use.out_for.strip() if use.out == "time" else use.out_for:
        raise OUT_FOR()
    if use.trait is not None and use.use_as not in ("tax", "damage"):
        raise NO_TRAIT_HERE(use_as=use.use_as)


def may_answer(draft: Draft, uses: Iterable[CheckedUse]) -> Refused | None:
    """Where what a holder has lapses at once, no use takes out who uses one too."""
    if draft.dials.held_fatal_when_holder_out != "lapse":
        return None
    uses = list(uses)
    for out in uses:
        answers = [use.id for use in uses if use.held.holder == out.held.subject]
        if out.out is not None and answers:
            return NO_ANSWER(char=out.held.subject, fatals=answers)
    return None


def check_no_fatal_twice(fatals: Iterable[str]) -> None:
    seen: set[str] = set()
    for id in fatals:
        if id in seen:
            raise FATAL_TWICE(fatal=id)
        seen.add(id)


def check_use(draft: Draft, place: Place, use: FatalUse) -> CheckedUse:
    """Refuses `no-such-fatal`, `not-the-holder`, `holder-out`, `subject-gone`, and what `_checked` refuses."""
    held = the_fatal(place, use.fatal)
    if use.by is not None and use.by != held.holder:
        raise NOT_THE_HOLDER.under(USE, fatal=use.fatal, holder=held.holder)
    require(may_use_fatal(draft, held, use.fatal))
    return _checked(draft, use, held)


def _checked(draft: Draft, use: FatalUse, held: Fatal) -> CheckedUse:
    """Refuses `unknown-trait`, `not-the-trait-used`, `trait-base`, `duplicate`, `fate-text`."""
    assert is_use(use.use_as)
    trait = trait_hit(draft, use.use_as, held.subject, use.trait, held.trait_used)
    mutilations = (*((use.mutilation,) if use.mutilation is not None else ()), *use.mutilations)
    lost = tuple(mutilated(draft, mutilation, held.subject) for mutilation in mutilations)
    check_once([trait for trait, _ in lost], MUTILATION)
    if use.use_as == "fate" and not use.text.strip():
        raise FATE_TEXT(fatal=use.fatal)
    out = use.out if is_out(use.out) else None
    return CheckedUse(use.fatal, held, use.use_as, trait, out, use.text, use.out_for, lost)


# --- what can be done with fatals ------------------------------------------------------------------------------------


def usable_fatals(draft: Draft, place: Place) -> dict[str, Fatal]:
    """What a holder can use against somebody; both must be there."""
    present = draft.present
    return {
        id: held
        for id, held in place.scene.fatals.items()
        if held.holder in present and held.subject in present and may_use_fatal(draft, held, id) is None
    }


def use_alone(draft: Draft, id: str, held: Fatal) -> Some:
    return Some(Either(_uses_of(draft, id, held, [held])), 1, 1)


def use_together(draft: Draft, fatals: Mapping[str, Fatal], first: str | None = None) -> Some:
    """Several of these, the first one perhaps given."""
    others = list(fatals.values())
    shapes = tuple(shape for id, held in fatals.items() for shape in _uses_of(draft, id, held, others))
    begins = Either(_uses_of(draft, first, fatals[first], others)) if first is not None else None
    return Some(Either(shapes), 2, len(fatals), key="fatal", first=begins)


def _uses_of(draft: Draft, id: str, held: Fatal, used: Collection[Fatal]) -> tuple[Shape, ...]:
    """Where what a holder has lapses at once, nobody is taken out who uses one too."""
    answers = any(other.holder == held.subject for other in used)
    outs = (STAYS,) if answers and draft.dials.held_fatal_when_holder_out == "lapse" else OUTS
    whose: Fields = {"fatal": Among((id,)), "by": Among((None, held.holder))}
    return tuple(Shape(FatalUse, {**whose, **way}) for way in ways_to_use(draft, held.subject, held.trait_used, outs))


@offers
def offer_fatals(seen: Seen, draft: Draft) -> Iterator[Move]:
    place = scene_or_none(draft)
    if place is None:
        return
    usable, reason = usable_fatals(draft, place), reason_of(seen)
    for id, held in place.scene.fatals.items():
        if draft.table.has(character(held.holder)):
            yield Move(ReleaseFatal, {"fatal": Among((id,)), "by": Among((held.holder,))})
    for id, held in usable.items():
        yield Move(UseFatal, {"uses": use_alone(draft, id, held), "reason": reason}, of=held.holder)
        if len(usable) > 1:
            yield Move(UseFatal, {"uses": use_together(draft, usable, id), "reason": reason}, of=held.holder)


# --- giving up -------------------------------------------------------------------------------------------------------


def say_gives_up(do: ReleaseFatal, names: Names) -> str:
    return quote(f"{name(names, do.by)} gives up a fatal impact", do.text)


@declares("release-fatal", either("by"), says=say_gives_up, records=(FatalReleased,))
class ReleaseFatal:
    """Give up a held fatal impact."""

    fatal: FatalId
    by: Annotated[CharacterId, Says("Holder")]
    text: Story = ""


@decides
def release(draft: Draft, do: ReleaseFatal) -> None:
    """The holder gives a fatal up."""
    draft.known(do.by)
    place = the_scene(draft, HOLD)
    held = the_fatal(place, do.fatal)
    if held.holder != do.by:
        raise NOT_THE_HOLDER(fatal=do.fatal, holder=held.holder)
    give_up(draft, place, do.fatal, held, do.text)


# --- what is shown ---------------------------------------------------------------------------------------------------


def view_fatals(scene: Scene) -> list[dict[str, object]]:
    return [
        {
            "fatal": id,
            "holder": held.holder,
            "subject": held.subject,
            "trait_used": held.trait_used,
            "attack": held.attack,
        }
        for id, held in scene.fatals.items()
    ]
