"""The chapter Impact, on fatal impacts: holding one, using it, the effects of a use, and giving it up."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import fields as fields_of
from typing import Annotated

from ledger.rules.intensity import impact, out_of_play
from ledger.rules.intensity.advantage_points import AdvantageGained, gain_points
from ledger.rules.intensity.draft import (
    NO_SUCH_FATAL,
    NO_TRAIT_HERE,
    SUBJECT_GONE,
    CurrentScene,
    Draft,
    ask_consent,
    check_once,
    check_reason,
    group_by_asked_seat,
    make_reason_domain,
    name_fatals_account,
    require_scene,
)
from ledger.rules.intensity.opponents import ConflictLinked
from ledger.rules.intensity.state import (
    IMPACTS,
    AttackId,
    Fatal,
    FatalId,
    InWords,
    Out,
    Scene,
    TraitName,
    Use,
    find_scene,
    is_out,
    is_use,
    join_sentences,
    quote,
    word_name,
)
from ledger.rules.intensity.turns import OrderEstablished
from ledger.rules.kernel.kit import (
    Among,
    Asking,
    CharacterId,
    Move,
    Names,
    Question,
    Reason,
    Refusal,
    Refused,
    Says,
    Seen,
    Story,
    Table,
    ask_all,
    changed,
    changes,
    character,
    decides,
    declares,
    either,
    fact,
    means,
    offers,
    require,
    rule,
)

# --- holding a fatal impact ------------------------------------------------------------------------------------------

ACHIEVE = rule(
    "intensity.fatal.achieve",
    "A fatal impact gives the attacker total control over the defender's fate. The attacker may use it at"
    " once, or hold it and use it later in the scene.",
    "Impact",
    step="{holder} holds a fatal impact on {subject}.",
    outcome="id",
)
HOLD = rule(
    "intensity.fatal.hold",
    "Until the scene ends, the holder of a fatal impact may use it or give it up at any time, even when it is"
    " somebody else's turn.",
    "Impact",
)
NOT_FATAL = Refusal(
    ACHIEVE, "no-such-fatal", "Only a fatal impact can be used at once, and you chose {impact}. Leave out `at_once`."
)
NOT_THE_HOLDER = Refusal(
    HOLD, "not-the-holder", "{holder} holds that fatal impact. Only {holder} can use it or give it up."
)


def say_fatal_held(fact: FatalHeld, names: Names) -> str:
    return f"{word_name(names, fact.holder)} gains a fatal impact on {word_name(names, fact.subject)}."


@fact("fatal-held", says=say_fatal_held, headline=13, kw_only=True)
class FatalHeld:
    """A character got a fatal impact against the `subject`, to use later."""

    fatal: FatalId
    holder: CharacterId
    subject: CharacterId
    trait_used: TraitName | None
    attack: AttackId


@changes
def hold_fatal(state: Scene, fact: FatalHeld) -> Scene:
    fatal = Fatal(fact.holder, fact.subject, fact.trait_used, fact.attack)
    return changed(state, fatals={**state.fatals, fact.fatal: fatal})


def require_fatal(open_scene: CurrentScene, fatal_id: str) -> Fatal:
    """Return a held fatal impact. Refuses `no-such-fatal`."""
    if fatal_id not in open_scene.scene.fatals:
        raise NO_SUCH_FATAL.under(HOLD, fatal=fatal_id)
    return open_scene.scene.fatals[fatal_id]


# --- the effects of a use --------------------------------------------------------------------------------------------

USE = rule(
    "intensity.fatal.use",
    "Only the holder can use a fatal impact. The holder says what happens to the victim, or chooses a lower"
    " impact instead. The fatal impact is then used up. Others may answer at the same moment with fatal"
    " impacts of their own. If the first one is not used after all, neither are those that answer it.",
    "Impact",
)


def say_used(fact: FatalUsed, names: Names) -> str:
    use_words = f" as {IMPACTS[fact.use_as]}" if fact.use_as != "fate" else ""
    return quote(f"The fatal impact is used{use_words}", fact.fate)


@fact("fatal-used", says=say_used, headline=11)
class FatalUsed:
    """A held fatal impact was used."""

    fatal: FatalId
    use_as: Use
    fate: Story
    out: Out | None


@changes
def spend_fatal(state: Scene, fact: FatalUsed) -> Scene | None:
    return out_of_play.remove_fatal(state, fact.fatal)


#: The facts that a use can record after an attack (`BEFALLEN`) or at any time (`HAPPENED`).
BEFALLEN = (
    FatalUsed,
    out_of_play.FatalLapsed,
    out_of_play.CharacterTakenOut,
    impact.TraitMutilated,
    out_of_play.ActionLapsed,
    AdvantageGained,
    *impact.INFLICTED,
)
HAPPENED = (*BEFALLEN, out_of_play.AttackLapsed, out_of_play.RoundLeft, OrderEstablished, ConflictLinked)


def carry_out_uses(
    draft: Draft, open_scene: CurrentScene, uses: list[out_of_play.CheckedUse], given_up: out_of_play.GivenUp
) -> None:
    """Carry out all uses of one moment. Then remove the fatal impacts and actions that are lost because characters go
    out of play.
    """
    outs_by_char: dict[str, Out] = {}
    for use in uses:
        _apply_use(draft, open_scene, use)
        if use.out is not None:
            is_gone = "permanent" in (use.out, outs_by_char.get(use.held.subject))
            outs_by_char[use.held.subject] = "permanent" if is_gone else use.out
    if outs_by_char:
        used_ids = {use.id for use in uses}
        out_of_play.lose_fatals(draft, open_scene, outs_by_char, used_ids | given_up.released)
        out_of_play.go_on_without(draft, open_scene, set(outs_by_char), given_up)


def _apply_use(draft: Draft, open_scene: CurrentScene, use: out_of_play.CheckedUse) -> None:
    fatal = use.held
    posting = draft.make_posting_from(name_fatals_account(open_scene.subject, fatal.holder), 1)
    draft.tell(open_scene.subject, FatalUsed(use.id, use.use_as, use.text, use.out), posting)
    draft.by(USE, use.use_as, fatal=use.id, holder=fatal.holder, subject=fatal.subject)
    cause = f"fatal:{use.id}"
    if use.use_as == "advantage":
        gain_points(draft, fatal.holder, fatal.subject, 1, cause)
    elif use.use_as != "fate":
        impact.inflict(draft, use.use_as, fatal.holder, fatal.subject, use.trait, cause)
    for trait, base in use.mutilated:
        draft.about(fatal.subject, impact.TraitMutilated(fatal.subject, trait, base, cause))
        draft.by(impact.MUTILATION, base, char=fatal.subject, trait=trait)
    if use.out is not None:
        draft.about(fatal.subject, out_of_play.CharacterTakenOut(fatal.subject, use.out, cause, use.out_for))
        draft.by(out_of_play.OUT, use.out, char=fatal.subject)


# --- using a fatal impact --------------------------------------------------------------------------------------------

UNKNOWN_USE = Refusal(
    USE,
    "unknown-use",
    "A fatal impact cannot be used as {use_as}. Choose “fate”, “tax”, “advantage”, “damage” or “wound”.",
)
UNKNOWN_OUT = Refusal(
    USE, "unknown-out", "{out} is not a way to be out of play. Choose “none”, “scene”, “time” or “permanent”."
)
OUT_FOR = Refusal(
    out_of_play.OUT,
    "out-for",
    "If a character is out of play for a time, say for how long. Otherwise give no duration.",
)
FATAL_TWICE = Refusal(USE, "fatal-twice", "The same fatal impact is named twice. Name it once.")
HOLDER_IS_OUT = Refusal(USE, "holder-out", "{holder} is out of play and cannot use a fatal impact.")
FATE_TEXT = Refusal(USE, "fate-text", "Describe what happens to the character.")
NO_ANSWER = Refusal(
    out_of_play.HOLDER_OUT,
    "no-answer",
    "At this table, {char} loses every fatal impact when going out of play, so {char} cannot answer with one.",
)
ASK_USE = Question("use", "{purpose}")


@fact("fatal-withheld", says="The fatal impact is not used. It is still held.", headline=12)
class FatalWithheld:
    """A fatal impact was not used, because the holder's player declined, or because the fatal impact that it was meant
    to answer was not used. The holder keeps it.
    """

    fatal: FatalId


@changes
def withhold_fatal(state: Scene, fact: FatalWithheld) -> Scene | None:
    return state if fact.fatal in state.fatals else None


def say_uses(do: UseFatal, names: Names) -> str:
    return join_sentences(out_of_play.say_fatal_use(use, names) for use in do.uses) or "No fatal impact is used."


def _find_first_user(table: Table[object], do: UseFatal) -> str | None:
    scene_state = find_scene(table)
    if not do.uses or do.uses[0].by is not None:
        return do.uses[0].by if do.uses else None
    fatal = scene_state.fatals.get(do.uses[0].fatal) if scene_state else None
    return fatal.holder if fatal else None


@declares(
    "use-fatal",
    either(_find_first_user, "the player of the holder"),
    says=say_uses,
    records=(*HAPPENED, FatalWithheld),
)
class UseFatal:
    """Use one or more held fatal impacts at the same moment: a first fatal impact, and others in answer to it.

    The players of the other holders are asked whether they agree. If one declines, that fatal impact is not used. If
    the first fatal impact is not used, neither are the others. `reason`: for a game master only, the reason why no
    player needs to be asked.
    """

    uses: Annotated[tuple[out_of_play.FatalUse, ...], Says("Fatal impacts to use")]
    reason: Annotated[Reason, Says("Why nobody is asked")] = ""


def may_use_fatal(draft: Draft, fatal: Fatal, fatal_id: str) -> Refused | None:
    if draft.dials.held_fatal_when_holder_out != "survive" and draft.is_out(fatal.holder):
        return HOLDER_IS_OUT(fatal=fatal_id, holder=fatal.holder)
    return SUBJECT_GONE.under(USE, fatal=fatal_id, subject=fatal.subject) if draft.is_gone(fatal.subject) else None


@means
def fill_in_holders(table: Table[object], do: UseFatal) -> UseFatal:
    """Return the declaration with the current holder for every use that names no holder."""
    completed_declaration: UseFatal = changed(do, uses=name_holders(table, do.uses))
    return completed_declaration


def name_holders(table: Table[object], uses: tuple[out_of_play.FatalUse, ...]) -> tuple[out_of_play.FatalUse, ...]:
    scene_subject = table.scene
    if scene_subject is None or not table.has(scene_subject):
        return uses
    fatals = table.get(scene_subject, Scene).fatals
    return tuple(
        changed(use, by=fatals[use.fatal].holder) if use.by is None and use.fatal in fatals else use for use in uses
    )


@decides
def use_fatal(draft: Draft, do: UseFatal) -> Asking[None]:
    """Use fatal impacts at the same moment. All of them are checked against the state before that moment, and then all
    take effect.
    """
    for declared_use in do.uses:
        check_use_fields(declared_use)
    check_no_fatal_twice(use.fatal for use in do.uses)
    for declared_use in do.uses:
        if declared_use.by is not None:
            draft.check_character(declared_use.by)
    is_spoken_for = check_reason(draft, USE, do.reason)
    open_scene = require_scene(draft, USE)
    if not do.uses:
        raise NO_SUCH_FATAL.under(USE)
    uses = [check_use(draft, open_scene, use) for use in do.uses]
    require(may_use_together(draft, uses))
    withheld_ids: frozenset[str] = frozenset()
    if is_spoken_for:
        draft.by(USE, "agreed", spoken_for=do.reason)
    else:
        withheld_ids = yield from _ask_players(draft, uses)
    for use in uses:
        if use.id in withheld_ids:
            draft.tell(open_scene.subject, FatalWithheld(use.id))
    carry_out_uses(draft, open_scene, [use for use in uses if use.id not in withheld_ids], out_of_play.GivenUp())


def _ask_players(draft: Draft, uses: list[out_of_play.CheckedUse]) -> Asking[frozenset[str]]:
    """Return the ids of the fatal impacts that are not used. Each player is asked once, for all fatal impacts of their
    characters.

    All uses after the first are in answer to it. If the player of the first fatal impact declines, no other player is
    asked, and none of the uses happens.
    """
    holders_by_seat = group_by_asked_seat(draft, (use.held.holder for use in uses))
    answers = yield from ask_all(
        (_ask_player(draft, uses, asked_seat, holders) for asked_seat, holders in holders_by_seat.items()),
        is_final=lambda withheld_ids: uses[0].id in withheld_ids,
    )
    withheld_ids = {fatal_id for answer in answers for fatal_id in answer}
    for use in uses:
        if uses[0].id in withheld_ids and use.id not in withheld_ids:
            draft.by(USE, "withheld", fatal=use.id, answers=uses[0].id)
            withheld_ids.add(use.id)
    return frozenset(withheld_ids)


def _ask_player(
    draft: Draft, uses: list[out_of_play.CheckedUse], asked_seat: str, holders: list[str]
) -> Asking[frozenset[str]]:
    """Return the ids of these holders' fatal impacts if their player declines, or an empty set."""
    own_uses = [use for use in uses if use.held.holder in holders]
    slot = ASK_USE("+".join(f"{use.id}:{use.held.holder}" for use in own_uses))
    sentences = [out_of_play.word_uses(draft, own_uses)]
    if other_words := out_of_play.word_uses(draft, [use for use in uses if use not in own_uses]):
        sentences.append(f"At the same time: {other_words}")
    purpose = join_sentences([*sentences, "Do you agree?"])
    is_agreed = yield from ask_consent(draft, USE, asked_seat, holders, slot, purpose)
    return frozenset() if is_agreed else frozenset(use.id for use in own_uses)


def use_fatal_at_once(
    draft: Draft, open_scene: CurrentScene, fatal_id: str, fatal: Fatal, fate: out_of_play.Fate
) -> None:
    """Use a fatal impact in the ruling that achieved it. The attack has already been closed."""
    fields = {field.name: getattr(fate, field.name) for field in fields_of(fate)}
    use = out_of_play.FatalUse(fatal_id, **fields)
    check_use_fields(use)
    carry_out_uses(draft, open_scene, [_check_details(draft, use, fatal)], out_of_play.GivenUp(attack_closed=True))


def check_use_fields(use: out_of_play.FatalUse) -> None:
    """Check the fields of a use against each other. Refuses `unknown-use`, `unknown-out`,
    `out-for`, `no-trait-here`.
    """
    if not is_use(use.use_as):
        raise UNKNOWN_USE(use_as=use.use_as)
    if use.out is not None and use.out != "none" and not is_out(use.out):
        raise UNKNOWN_OUT(out=use.out)
    if not use.out_for.strip() if use.out == "time" else use.out_for:
        raise OUT_FOR(field="out_for")
    if use.trait is not None and use.use_as not in ("tax", "damage"):
        raise NO_TRAIT_HERE.under(USE, use_as=use.use_as)


def may_use_together(draft: Draft, uses: Iterable[out_of_play.CheckedUse]) -> Refused | None:
    """Refuse to take out a holder who uses a fatal impact at the same moment, if characters who go out of play lose
    their fatal impacts.
    """
    if draft.dials.held_fatal_when_holder_out != "lapse":
        return None
    uses = list(uses)
    for other_use in uses:
        answering_ids = [use.id for use in uses if use.held.holder == other_use.held.subject]
        if other_use.out is not None and answering_ids:
            return NO_ANSWER(char=other_use.held.subject, fatals=answering_ids)
    return None


def check_no_fatal_twice(fatal_ids: Iterable[str]) -> None:
    seen_ids: set[str] = set()
    for fatal_id in fatal_ids:
        if fatal_id in seen_ids:
            raise FATAL_TWICE(fatal=fatal_id)
        seen_ids.add(fatal_id)


def check_use(draft: Draft, open_scene: CurrentScene, use: out_of_play.FatalUse) -> out_of_play.CheckedUse:
    """Return the use after checking it. Refuses `no-such-fatal`, `not-the-holder`, `holder-out`, `subject-gone`, and
    the codes of `_check_details`.
    """
    fatal = require_fatal(open_scene, use.fatal)
    if use.by is not None and use.by != fatal.holder:
        raise NOT_THE_HOLDER.under(USE, fatal=use.fatal, holder=fatal.holder)
    require(may_use_fatal(draft, fatal, use.fatal))
    return _check_details(draft, use, fatal)


def _check_details(draft: Draft, use: out_of_play.FatalUse, fatal: Fatal) -> out_of_play.CheckedUse:
    """Return the use after checking its details. Refuses `unknown-trait`, `not-the-trait-used`, `trait-base`,
    `duplicate`, `fate-text`.
    """
    assert is_use(use.use_as)
    trait = impact.find_hit_trait(draft, use.use_as, fatal.subject, use.trait, fatal.trait_used)
    mutilations = (*((use.mutilation,) if use.mutilation is not None else ()), *use.mutilations)
    mutilated_traits = tuple(impact.check_mutilation(draft, mutilation, fatal.subject) for mutilation in mutilations)
    check_once([trait for trait, _ in mutilated_traits], impact.MUTILATION)
    if use.use_as == "fate" and not use.text.strip():
        raise FATE_TEXT(fatal=use.fatal, field="text")
    out = use.out if is_out(use.out) else None
    return out_of_play.CheckedUse(use.fatal, fatal, use.use_as, trait, out, use.text, use.out_for, mutilated_traits)


# --- offers ----------------------------------------------------------------------------------------------------------


def select_usable_fatals(draft: Draft, open_scene: CurrentScene) -> dict[str, Fatal]:
    """Return the fatal impacts that can be used now: both the holder and the subject must be in play."""
    present = draft.present
    return {
        fatal_id: fatal
        for fatal_id, fatal in open_scene.scene.fatals.items()
        if fatal.holder in present and fatal.subject in present and may_use_fatal(draft, fatal, fatal_id) is None
    }


@offers
def offer_fatals(seen: Seen, draft: Draft) -> Iterator[Move]:
    open_scene = draft.open_scene
    if open_scene is None:
        return
    usable_fatals, reason_domain = select_usable_fatals(draft, open_scene), make_reason_domain(seen)
    for fatal_id, fatal in open_scene.scene.fatals.items():
        if draft.table.has(character(fatal.holder)):
            yield Move(ReleaseFatal, {"fatal": Among((fatal_id,)), "by": Among((fatal.holder,))})
    for fatal_id, fatal in usable_fatals.items():
        yield Move(
            UseFatal,
            {"uses": out_of_play.make_domain_of_one_use(draft, fatal_id, fatal), "reason": reason_domain},
            of=fatal.holder,
        )
        if len(usable_fatals) > 1:
            yield Move(
                UseFatal,
                {"uses": out_of_play.make_domain_of_uses(draft, usable_fatals, fatal_id), "reason": reason_domain},
                of=fatal.holder,
            )


# --- giving up a fatal impact ----------------------------------------------------------------------------------------


def say_given_up(fact: FatalReleased, names: Names) -> str:
    return quote("The fatal impact is given up", fact.text)


@fact("fatal-released", says=say_given_up)
class FatalReleased:
    """A held fatal impact was given up."""

    fatal: FatalId
    text: Story = ""


@changes
def remove_released_fatal(state: Scene, fact: FatalReleased) -> Scene | None:
    return out_of_play.remove_fatal(state, fact.fatal)


def record_release(draft: Draft, open_scene: CurrentScene, fatal_id: str, fatal: Fatal, text: str = "") -> None:
    draft.tell(
        open_scene.subject,
        FatalReleased(fatal_id, text),
        draft.make_posting_from(name_fatals_account(open_scene.subject, fatal.holder), 1),
    )
    draft.by(HOLD, "released", fatal=fatal_id, holder=fatal.holder)


def say_gives_up(do: ReleaseFatal, names: Names) -> str:
    return quote(f"{word_name(names, do.by)} gives up a fatal impact", do.text)


@declares("release-fatal", either("by"), says=say_gives_up, records=(FatalReleased,))
class ReleaseFatal:
    """Give up a held fatal impact."""

    fatal: FatalId
    by: Annotated[CharacterId, Says("Holder")]
    text: InWords = ""


@decides
def release_fatal(draft: Draft, do: ReleaseFatal) -> None:
    """Give up a fatal impact, as its holder."""
    draft.check_character(do.by)
    open_scene = require_scene(draft, HOLD)
    fatal = require_fatal(open_scene, do.fatal)
    if fatal.holder != do.by:
        raise NOT_THE_HOLDER(fatal=do.fatal, holder=fatal.holder)
    record_release(draft, open_scene, do.fatal, fatal, do.text)
