"""Fatal impacts: holding, using, giving up; and what goes with a character taken out of play."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, fields

from ledger.rules.intensity import accounts
from ledger.rules.intensity.consent import check_reason, consents, who_is_asked
from ledger.rules.intensity.draft import Draft
from ledger.rules.intensity.facts_of_attacks import AttackLapsed
from ledger.rules.intensity.facts_of_fatals import (
    BroughtBack,
    CharacterTakenOut,
    FatalLapsed,
    FatalReleased,
    FatalUsed,
    FatalWithheld,
    TraitMutilated,
)
from ledger.rules.intensity.facts_of_rounds import ActionLapsed, RoundLeft
from ledger.rules.intensity.guards import Place, check_once, check_text, the_scene
from ledger.rules.intensity.impact import inflict, trait_hit
from ledger.rules.intensity.inputs_of_fatals import (
    BringBack,
    FatalUse,
    Fate,
    Mutilation,
    Negotiate,
    ReleaseFatal,
    UseFatal,
)
from ledger.rules.intensity.rolling import establish_order
from ledger.rules.intensity.sayings import as_what, out_of_play, said, together, trait_left
from ledger.rules.intensity.state import Fatal, Round, Scene
from ledger.rules.intensity.tables import STEPS
from ledger.rules.intensity.terms import Out, TraitSize, Use, is_base, is_out, is_use
from ledger.rules.kernel.contract import Table
from ledger.rules.kernel.frozen import changed
from ledger.rules.kernel.questions import Asking
from ledger.rules.kernel.refusals import Refused
from ledger.rules.kernel.subjects import character


@dataclass(frozen=True, slots=True)
class Doom:
    """A use of a held fatal that was checked and is to happen."""

    id: str
    held: Fatal
    use_as: Use
    trait: str | None
    out: Out | None
    text: str
    out_for: str = ""
    mutilated: tuple[tuple[str, TraitSize], ...] = ()


@dataclass(frozen=True, slots=True)
class Settled:
    """What the same ruling has already settled: tokens and actions given up, whether the open attack is closed."""

    released: frozenset[str] = frozenset()
    passed: frozenset[str] = frozenset()
    attack_closed: bool = False


def use_fatal(draft: Draft, do: UseFatal) -> Asking[None]:
    """Fatals used in one instant, each by its holder: checked as things stand before it, then all happen."""
    rule = "intensity.fatal.use"
    for use in do.uses:
        check_words(use)
    check_no_token_twice(use.fatal for use in do.uses)
    for use in do.uses:
        if use.by is not None:
            draft.known(use.by)
    spoken_for = check_reason(draft, rule, do.reason)
    place = the_scene(draft, rule)
    if not do.uses:
        raise Refused(rule, "no-such-fatal")
    dooms = [checked(draft, place, use) for use in do.uses]
    check_no_answers(draft, dooms)
    withheld: frozenset[str] = frozenset()
    if spoken_for:
        draft.by(rule, "agreed", spoken_for=do.reason)
    else:
        withheld = yield from _withheld(draft, dooms)
    for doom in dooms:
        if doom.id in withheld:
            draft.tell(place.subject, FatalWithheld(doom.id))
    happen(draft, place, [doom for doom in dooms if doom.id not in withheld], Settled())


def _withheld(draft: Draft, dooms: list[Doom]) -> Asking[frozenset[str]]:
    """The fatals that are not used: each player is asked once, for all the fatals the player's characters hold.

    The uses after the first answer it: when its player declines, nobody else is asked, and none of them happens.
    """
    rule = "intensity.fatal.use"
    withheld: set[str] = set()
    for asked, holders in who_is_asked(draft, (doom.held.holder for doom in dooms)).items():
        own = [doom for doom in dooms if doom.held.holder in holders]
        slot = "use:" + "+".join(f"{doom.id}:{doom.held.holder}" for doom in own)
        purpose = f"Do you agree? {in_words(draft, own)}"
        if others := in_words(draft, [doom for doom in dooms if doom not in own]):
            purpose = together([purpose, f"At the same time: {others}"])
        if not (yield from consents(draft, rule, asked, holders, slot, purpose)):
            withheld |= {doom.id for doom in own}
        if dooms[0].id in withheld:
            break
    for doom in dooms:
        if dooms[0].id in withheld and doom.id not in withheld:
            draft.by(rule, "withheld", fatal=doom.id, answers=dooms[0].id)
            withheld.add(doom.id)
    return frozenset(withheld)


def meant(table: Table[object], do: UseFatal | Negotiate) -> UseFatal | Negotiate:
    """intensity.fatal.use: where no holder is said it is the one who holds the fatal now, whoever may hold it else."""
    here = table.scene
    if here is None or not table.has(here):
        return do
    fatals = table.get(here, Scene).fatals
    uses = (
        changed(use, by=fatals[use.fatal].holder) if use.by is None and use.fatal in fatals else use for use in do.uses
    )
    return changed(do, uses=tuple(uses))


def use_at_once(draft: Draft, place: Place, id: str, held: Fatal, fate: Fate) -> None:
    """intensity.fatal.achieve: a fatal used in the ruling that achieved it. The attack is closed by then."""
    as_said = {one.name: getattr(fate, one.name) for one in fields(fate)}
    use = FatalUse(id, **as_said)
    check_words(use)
    happen(draft, place, [_doom(draft, use, held)], Settled(attack_closed=True))


def release(draft: Draft, do: ReleaseFatal) -> None:
    """The holder gives a fatal up."""
    rule = "intensity.fatal.hold"
    draft.known(do.by)
    place = the_scene(draft, rule)
    held = the_token(place, do.fatal)
    if held.holder != do.by:
        raise Refused(rule, "not-the-holder", fatal=do.fatal, holder=held.holder)
    give_up(draft, place, do.fatal, held, do.text)


def bring_back(draft: Draft, do: BringBack) -> None:
    """A game master rules that the time is over for which somebody was out. Refuses `not-out-for-a-time`."""
    rule = "intensity.fatal.out"
    who = draft.known(do.char)
    if who.out != "time":
        raise Refused(rule, "not-out-for-a-time", char=do.char)
    check_text(rule, "reason", do.reason)
    draft.about(do.char, BroughtBack(do.char, do.reason))
    draft.by(rule, "brought-back", char=do.char, out_for=who.out_for)


def give_up(draft: Draft, place: Place, id: str, held: Fatal, text: str = "") -> None:
    draft.tell(place.subject, FatalReleased(id, text), draft.taken(accounts.fatals(place.subject, held.holder), 1))
    draft.by("intensity.fatal.hold", "released", fatal=id, holder=held.holder)


# --- checks -------------------------------------------------------------------------------------------------------


def check_words(use: FatalUse) -> None:
    """Refuses `unknown-use`, `unknown-out`, `out-for`, `no-trait-here`."""
    rule = "intensity.fatal.use"
    if not is_use(use.use_as):
        raise Refused(rule, "unknown-use", use_as=use.use_as)
    if use.out is not None and use.out != "none" and not is_out(use.out):
        raise Refused(rule, "unknown-out", out=use.out)
    if not use.out_for.strip() if use.out == "time" else use.out_for:
        raise Refused("intensity.fatal.out", "out-for")
    if use.trait is not None and use.use_as not in ("tax", "damage"):
        raise Refused(rule, "no-trait-here", use_as=use.use_as)


def check_no_answers(draft: Draft, dooms: Iterable[Doom]) -> None:
    """intensity.fatal.holder-out: where what a holder has lapses at once, no use takes out who uses one too."""
    if draft.dials.held_fatal_when_holder_out != "lapse":
        return
    dooms = list(dooms)
    for out in dooms:
        answers = [one.id for one in dooms if one.held.holder == out.held.subject]
        if out.out is not None and answers:
            raise Refused("intensity.fatal.holder-out", "no-answer", char=out.held.subject, fatals=answers)


def check_no_token_twice(fatals: Iterable[str]) -> None:
    seen: set[str] = set()
    for id in fatals:
        if id in seen:
            raise Refused("intensity.fatal.use", "fatal-twice", fatal=id)
        seen.add(id)


def the_token(place: Place, id: str) -> Fatal:
    """A held fatal. Refuses `no-such-fatal`."""
    if id not in place.scene.fatals:
        raise Refused("intensity.fatal.hold", "no-such-fatal", fatal=id)
    return place.scene.fatals[id]


def checked(draft: Draft, place: Place, use: FatalUse) -> Doom:
    """Refuses `no-such-fatal`, `not-the-holder`, `holder-out`, `subject-gone`, and what `_doom` refuses."""
    rule = "intensity.fatal.use"
    held = the_token(place, use.fatal)
    if use.by is not None and use.by != held.holder:
        raise Refused(rule, "not-the-holder", fatal=use.fatal, holder=held.holder)
    if draft.dials.held_fatal_when_holder_out != "survive" and draft.is_out(held.holder):
        raise Refused(rule, "holder-out", fatal=use.fatal, holder=held.holder)
    if draft.is_gone(held.subject):
        raise Refused(rule, "subject-gone", fatal=use.fatal, subject=held.subject)
    return _doom(draft, use, held)


def _doom(draft: Draft, use: FatalUse, held: Fatal) -> Doom:
    """Refuses `unknown-trait`, `not-the-trait-used`, `trait-base`, `duplicate`, `fate-text`."""
    assert is_use(use.use_as)
    trait = trait_hit(draft, use.use_as, held.subject, use.trait, held.trait_used)
    mutilations = (*((use.mutilation,) if use.mutilation is not None else ()), *use.mutilations)
    mutilated = tuple(_mutilated(draft, one, held.subject) for one in mutilations)
    check_once([trait for trait, _ in mutilated], "intensity.fatal.mutilation")
    if use.use_as == "fate" and not use.text.strip():
        raise Refused("intensity.fatal.use", "fate-text", fatal=use.fatal)
    out = use.out if is_out(use.out) else None
    return Doom(use.fatal, held, use.use_as, trait, out, use.text, use.out_for, mutilated)


def _mutilated(draft: Draft, mutilation: Mutilation, char: str) -> tuple[str, TraitSize]:
    """Refuses `unknown-trait`, `trait-base`."""
    rule, base = "intensity.fatal.mutilation", mutilation.base
    if mutilation.trait not in [trait.name for trait in draft.known(char).traits]:
        raise Refused(rule, "unknown-trait", trait=mutilation.trait, char=char)
    if not is_base(base):
        raise Refused(rule, "trait-base", base=repr(base), allowed=list(STEPS))
    return mutilation.trait, base


# --- what a player is asked to agree to --------------------------------------------------------------------------


def in_words(draft: Draft, dooms: Iterable[Doom]) -> str:
    """Who uses which fatal on whom, with which words, and what comes of it."""
    return together(_in_words(draft, doom) for doom in dooms)


def _in_words(draft: Draft, doom: Doom) -> str:
    holder, subject = (draft.name(character(id)) for id in (doom.held.holder, doom.held.subject))
    use_as = as_what(doom.use_as, doom.trait)
    parts = [said(f"{holder} uses the fatal impact on {subject}{use_as}", doom.text)]
    parts += [trait_left(subject, trait, base) for trait, base in doom.mutilated]
    parts.append(out_of_play(subject, doom.out, doom.out_for) if doom.out is not None else f"{subject} stays in play.")
    return together(parts)


# --- what happens -------------------------------------------------------------------------------------------------


def happen(draft: Draft, place: Place, dooms: list[Doom], settled: Settled) -> None:
    """All uses of one instant, then all that goes with the characters taken out."""
    out: dict[str, Out] = {}
    for doom in dooms:
        _one(draft, place, doom)
        if doom.out is not None:
            gone = "permanent" in (doom.out, out.get(doom.held.subject))
            out[doom.held.subject] = "permanent" if gone else doom.out
    if out:
        used = {doom.id for doom in dooms}
        _tokens_lapse(draft, place, out, used | settled.released)
        _round_goes_on_without(draft, place, set(out), settled)


def _one(draft: Draft, place: Place, doom: Doom) -> None:
    held = doom.held
    spent = draft.taken(accounts.fatals(place.subject, held.holder), 1)
    draft.tell(place.subject, FatalUsed(doom.id, doom.use_as, doom.text, doom.out), spent)
    draft.by("intensity.fatal.use", doom.use_as, fatal=doom.id, holder=held.holder, subject=held.subject)
    if doom.use_as != "fate":
        inflict(draft, doom.use_as, held.holder, held.subject, doom.trait, f"fatal:{doom.id}")
    for trait, base in doom.mutilated:
        draft.about(held.subject, TraitMutilated(held.subject, trait, base, f"fatal:{doom.id}"))
        draft.by("intensity.fatal.mutilation", base, char=held.subject, trait=trait)
    if doom.out is not None:
        draft.about(held.subject, CharacterTakenOut(held.subject, doom.out, f"fatal:{doom.id}", doom.out_for))
        draft.by("intensity.fatal.out", doom.out, char=held.subject)


def _tokens_lapse(draft: Draft, place: Place, out: dict[str, Out], settled: set[str] | frozenset[str]) -> None:
    """intensity.fatal.holder-out: what somebody out still holds, and every token on somebody permanently out."""
    survive = draft.dials.held_fatal_when_holder_out == "survive"
    for id, held in place.scene.fatals.items():
        subject_gone = out.get(held.subject) == "permanent"
        if id not in settled and (subject_gone or (held.holder in out and not survive)):
            lapse(draft, place, id, held, "intensity.fatal.holder-out")


def lapse(draft: Draft, place: Place, id: str, held: Fatal, rule: str) -> None:
    draft.tell(place.subject, FatalLapsed(id), draft.taken(accounts.fatals(place.subject, held.holder), 1))
    draft.by(rule, "lapsed", fatal=id, holder=held.holder)


def _round_goes_on_without(draft: Draft, place: Place, out: set[str], settled: Settled) -> None:
    """intensity.action.target-gone: actions by and, where they lapse, against those who are out; the open attack."""
    round = place.scene.round
    if round is None:
        return
    if round.groups is None:
        _leave_before_the_roll(draft, place, round, out)
        return
    rule = "intensity.action.target-gone"
    lapses = draft.dials.retarget_when_target_gone == "lapse"
    for id, one in round.participants.items():
        if one.turn != "pending" or id in settled.passed:
            continue
        if id in out or (lapses and one.target in out):
            draft.tell(place.subject, ActionLapsed(round.id, id))
            draft.by(rule, "lapsed", char=id, target=one.target)
    attack = round.attack
    if attack is not None and not settled.attack_closed and {attack.attacker, attack.defender} & out:
        draft.tell(place.subject, AttackLapsed(attack.id))
        draft.by(rule, "lapsed", attack=attack.id)


def _leave_before_the_roll(draft: Draft, place: Place, round: Round, out: set[str]) -> None:
    """Who is out leaves the round, dice and all. If everybody else has rolled, that completes the roll."""
    leaving = [id for id in round.participants if id in out]
    for id in leaving:
        draft.tell(place.subject, RoundLeft(round.id, id), draft.taken(accounts.standing(place.subject, id)))
        draft.by("intensity.action.target-gone", "left", char=id)
    if leaving and any(one.dice for one in round.participants.values()):
        establish_order(draft, place)
