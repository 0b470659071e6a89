"""Recovering fatigue, tokens, pain and damage (headings "Recovery", "Recovering Damage")."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import field
from typing import Annotated

from ledger.rules.kernel.kit import (
    GM,
    Among,
    Asking,
    Between,
    CharacterId,
    Domain,
    Move,
    Names,
    Reason,
    RecordedFacts,
    Refusal,
    Refused,
    Roll,
    Says,
    Seen,
    Thrown,
    changed,
    changes,
    changing,
    character,
    decides,
    declares,
    either,
    fact,
    format_count,
    guards,
    listed,
    offers,
    reports,
    require,
    rule,
    throws,
)
from ledger.rules.moc import cards_on_dice, hands, own_dice, piles, turns
from ledger.rules.moc.cards import (
    NO_DICE,
    LaidCard,
    make_cards_domain,
    make_floating_dice_domain,
    make_typed_dice_domain,
)
from ledger.rules.moc.dice import check_faces, show_dice
from ledger.rules.moc.draft import DAZED, Draft, acts, nobody_acts
from ledger.rules.moc.pools import FatigueGained, TokenSpent, may_spend_token, pay_token, read_token_primary
from ledger.rules.moc.shown import LEFT_OUT, fix, get_offering, group_ids
from ledger.rules.moc.state import Character, Healing
from ledger.rules.moc.types import BonusFaces, Days, Faces, FloatingCounts, PrimaryName, RulingNumber
from ledger.rules.moc.words import (
    PRIMARIES,
    SETTLED,
    STANDARD_TN,
    TIME_NOT_POSITIVE,
    read_whole,
    say_count,
    say_subject,
)

NO_RECOVERY_DUE = Refusal(turns.SCENE_RECOVERY, "no-recovery-due", "{character} has no recoveries left.")
RECOVERY_NO_SPLIT = Refusal(turns.REST, "recovery-no-split", "{character} cannot split the pool while recovering.")
ALREADY_RECOVERING = Refusal(turns.REST, "already-recovering", "{character} is already recovering.")
NOT_RECOVERING = Refusal(turns.REST, "not-recovering", "{character} is not recovering.")
TURN_NOT_OVER = Refusal(turns.REST, "turn-not-over", "{character} can complete the recovery only in a later turn.")
NOT_DAZED = Refusal(DAZED, "not-dazed", "{character} is not dazed.")


@acts("character")
@declares("recover-scene", either("character"), says="{character} recovers.", records=(turns.SceneRecoveryTaken,))
class RecoverScene:
    """Take one step of recovery at the end of a scene.

    `primary`: the Primary whose token comes back, if the character has no fatigue.
    """

    character: CharacterId
    primary: Annotated[
        PrimaryName | None, Says("Token", "The Primary whose token comes back, if there is no fatigue.")
    ] = None


@guards
def may_recover(draft: Draft, char_id: str) -> Refused | None:
    return NO_RECOVERY_DUE(character=char_id) if draft.get_character(char_id).due < 1 else None


@decides
def recover_scene(draft: Draft, do: RecoverScene) -> None:
    """Remove a level of fatigue or, if the character has none, give a token back."""
    require(may_recover(draft, do.character))
    turns.take_recovery_step(draft, do.character, do.primary)


@nobody_acts
@declares(
    "grant-recovery",
    GM,
    says="The game master lets {character} recover during the scene[: {reason}].",
    records=(turns.SceneRecoveryDue,),
)
class GrantRecovery:
    """Grant a character one step of recovery during a long scene, once for each day that passes in the story."""

    character: CharacterId
    reason: Reason = ""


@decides
def grant_recovery(draft: Draft, do: GrantRecovery) -> None:
    """Grant the character one step of recovery for a day in a long scene."""
    draft.about(do.character, turns.SceneRecoveryDue(draft.get_character(do.character).due + 1))
    draft.by(turns.SCENE_RECOVERY, 1, reason=do.reason)


@acts("character")
@declares(
    "declare-recovery",
    either("character"),
    says="{character} spends the action recovering.",
    records=(turns.RecoveryDeclared, turns.ActionTaken),
)
class DeclareRecovery:
    """Rest for a full action, until the character's next action.

    `split`: whether resting is one part of a split pool. This is not allowed, so leave it out.
    """

    character: CharacterId
    split: bool = False


@guards
def may_rest(draft: Draft, char_id: str) -> Refused | None:
    """Refuse a rest for a character who does not have a full action, or is already resting."""
    if (refusal := turns.may_try_action(draft, char_id)) is not None:
        return refusal
    if draft.get_character(char_id).recovering:
        return ALREADY_RECOVERING(character=char_id)
    return turns.may_spend_action(draft, char_id, turns.FULL)


@decides
def declare_recovery(draft: Draft, do: DeclareRecovery) -> None:
    draft.get_character(do.character)
    if do.split:
        raise RECOVERY_NO_SPLIT(character=do.character)
    require(may_rest(draft, do.character))
    turns.declare_rest(draft, do.character)


@acts("character")
@declares(
    "complete-recovery",
    either("character"),
    says="{character} recovers.",
    records=(turns.RecoveryCompleted, turns.SceneRecoveryDue, turns.SceneRecoveryTaken),
)
class CompleteRecovery:
    """Complete a recovery that nothing interrupted. This is the character's next action, in a later turn.

    `primary`: the Primary whose token comes back, if an option of the campaign also gives a step of recovery here.
    """

    character: CharacterId
    primary: Annotated[
        PrimaryName | None, Says("Token", "The Primary whose token comes back, if there is no fatigue.")
    ] = None


@guards
def may_finish_rest(draft: Draft, char_id: str) -> Refused | None:
    """Refuse to complete a rest before the character's next action."""
    if not draft.get_character(char_id).recovering:
        return NOT_RECOVERING(character=char_id)
    return None if turns.is_rest_over(draft, char_id) else TURN_NOT_OVER(character=char_id)


@decides
def complete_recovery(draft: Draft, do: CompleteRecovery) -> None:
    require(may_finish_rest(draft, do.character))
    turns.finish_rest(draft, do.character, do.primary)


@fact("daze-ended", says="{subject} is no longer dazed.")
class DazeEnded:
    """A character is no longer dazed."""

    reason: Reason


@changes
def end_daze(state: Character, fact: DazeEnded) -> Character:
    return changed(state, dazed=False, harm=None)


@acts("character")
@declares(
    "lose-action",
    either("character"),
    says="{character} is dazed and loses the action.",
    records=(DazeEnded, turns.ActionTaken),
)
class LoseAction:
    """Record that a dazed character loses an action. Then the daze ends."""

    character: CharacterId


@guards
def may_lose_action(draft: Draft, char_id: str) -> Refused | None:
    if not draft.get_character(char_id).dazed:
        return NOT_DAZED(character=char_id)
    return turns.may_spend_action(draft, char_id, turns.FULL)


@decides
def lose_action(draft: Draft, do: LoseAction) -> None:
    """Spend the dazed character's next action, which ends the daze."""
    require(may_lose_action(draft, do.character))
    turns.spend_action(draft, do.character, turns.FULL)
    draft.about(do.character, DazeEnded("an action lost"))
    draft.by(DAZED, "ended", character=do.character)


@offers
def offer_rests(seen: Seen, draft: Draft) -> Iterator[Move]:
    offering = get_offering(seen, draft)
    primary_choices: tuple[str | None, ...] = (None, *PRIMARIES)
    due_ids = (char_id for char_id in offering.active_ids if may_recover(draft, char_id) is None)
    pairs = (
        (
            char_id,
            primary_choices if offering.get_character(char_id).fatigue else _list_refillable_primaries(draft, char_id),
        )
        for char_id in due_ids
    )
    for primaries, ids in group_ids(pairs).items():
        if primaries:
            yield Move(RecoverScene, {"character": Among(ids), "primary": Among(primaries)})
    can_restore = offering.dials.action_recovery_also_restores
    rested_ids = (char_id for char_id in offering.active_ids if may_finish_rest(draft, char_id) is None)
    pairs = (
        (
            char_id,
            primary_choices
            if not can_restore or offering.get_character(char_id).fatigue
            else (None, *_list_refillable_primaries(draft, char_id)),
        )
        for char_id in rested_ids
    )
    for primaries, ids in group_ids(pairs).items():
        yield Move(CompleteRecovery, {"character": Among(ids), "primary": Among(primaries)})
    if resting_ids := tuple(char_id for char_id in offering.active_ids if may_rest(draft, char_id) is None):
        yield Move(DeclareRecovery, {"character": Among(resting_ids)})
    if dazed_ids := tuple(char_id for char_id in offering.active_ids if may_lose_action(draft, char_id) is None):
        yield Move(LoseAction, {"character": Among(dazed_ids)})


def _list_refillable_primaries(draft: Draft, char_id: str) -> tuple[str, ...]:
    """Return the Primaries whose pools are not full."""
    return tuple(primary for primary in PRIMARIES if turns.may_regain_token(draft, char_id, primary) is None)


# --- healing ----------------------------------------------------------------------------------------------------------


HEALING_RULE = rule(
    "moc.recover.damage",
    "When the healing period for the highest point of damage is over, the character rolls Spirit, plus Luck"
    " if a token is spent. One success heals that point.",
    "Recovering Damage",
)
NO_DAMAGE_TO_HEAL = Refusal(HEALING_RULE, "no-damage-to-heal", "{character} has no damage to heal.")
HEALING_PERIOD_NOT_OVER = Refusal(
    HEALING_RULE,
    "healing-period-not-over",
    "Only {days:day has|days have} passed. {character} needs {period:day|days} to heal.",
)


def say_healed(fact: DamageHealed, names: Names) -> str:
    dice_words = f" ({listed(map(str, (*fact.faces, *fact.bonus)))} against TN {fact.tn})" if fact.faces else ""
    return f"{say_subject(names)} heals a point of damage{dice_words}."


@fact("damage-healed", says=say_healed, headline=14)
class DamageHealed:
    """A point of damage healed. `heal`: the ruling in which the dice were rolled. If this fact belongs to a later
    ruling, a trump changed the result.
    """

    successes: int
    heal: RulingNumber = ""
    period: int = 0
    tn: int = 0
    faces: tuple[int, ...] = ()
    bonus: tuple[int, ...] = ()


@changes
def heal_point(state: Character, fact: DamageHealed) -> Character:
    healing = _make_healing(state, fact, is_healed=True)
    return _with_healing(state, max(0, healing.damage - 1), (), None, healing, _count_used_days(state, fact))


def say_not_healed(fact: HealingFailed, names: Names) -> str:
    dice_words = f" ({listed(map(str, (*fact.faces, *fact.bonus)))} against TN {fact.tn})" if fact.faces else ""
    return (
        f"{say_subject(names)} does not heal{dice_words}; the next try is in {say_count(fact.period, 'day', 'days')}."
    )


@fact("healing-failed", says=say_not_healed, headline=15)
class HealingFailed:
    """A healing roll failed. `period`: how many days until the next try. The other fields are as in `damage-healed`."""

    period: int
    heal: RulingNumber = ""
    tn: int = 0
    faces: tuple[int, ...] = ()
    bonus: tuple[int, ...] = ()


@changes
def fail_to_heal(state: Character, fact: HealingFailed) -> Character:
    healing = _make_healing(state, fact, is_healed=False)
    return _with_healing(state, healing.damage, (), None, healing, _count_used_days(state, fact))


def _make_healing(state: Character, fact: DamageHealed | HealingFailed, *, is_healed: bool) -> Healing:
    """Return the healing roll. If the roll is recorded again, it starts from the damage that the character had before
    it was first recorded.
    """
    healing = state.healing
    if healing is not None and _is_same_try(state, fact):
        return changed(healing, healed=is_healed)
    return Healing(fact.heal, state.damage, fact.period, fact.tn, fact.faces, fact.bonus, state.laid, is_healed)


def _is_same_try(state: Character, fact: DamageHealed | HealingFailed) -> bool:
    return state.healing is not None and bool(fact.heal) and state.healing.id == fact.heal


def _count_used_days(state: Character, fact: DamageHealed | HealingFailed) -> int:
    """Return how many days healing rolls have used. A roll uses its period once, even if it is recorded again."""
    return state.healing_days if _is_same_try(state, fact) else state.healing_days + fact.period


_with_healing = changing(Character, "damage", "laid", "harm", "healing", "healing_days")


@acts("character")
@declares(
    "heal",
    either("character"),
    says="{character} tries to heal after {days:day|days}.",
    records=(
        own_dice.PeriodDiceUsed,
        TokenSpent,
        FatigueGained,
        hands.CardDiscarded,
        hands.VillainCardUsed,
        hands.CardShown,
        cards_on_dice.CardPlayedOnHealing,
        DamageHealed,
        HealingFailed,
    ),
)
class Heal:
    """Roll to heal a point of damage.

    `days`: how many days have passed since the character last took damage. Days used by an earlier roll do not count
    again. `token`: the Primary whose token adds Luck. `cards`: cards played before the roll. `ask_cards`: whether
    players are asked for cards after the roll. `floating`: as for resisting damage.
    """

    character: CharacterId
    days: Days
    token: Annotated[PrimaryName | None, Says("Token", "The Primary whose token is spent to add Luck.")] = None
    faces: Faces | None = None
    bonus: BonusFaces = ()
    cards: tuple[LaidCard, ...] = ()
    ask_cards: bool = False
    floating: FloatingCounts = field(default_factory=dict)


def find_healing_period(draft: Draft, state: Character) -> int:
    """Return how many days the highest point of damage takes to heal."""
    return draft.get_campaign().healing.get(str(state.damage), 0)


@guards
def may_heal(draft: Draft, char_id: str, days: int) -> Refused | None:
    """Refuse a roll before the healing period is over, not counting days used by earlier rolls."""
    state = draft.get_character(char_id)
    if state.damage < 1:
        return NO_DAMAGE_TO_HEAL(character=char_id)
    period, rested_days = find_healing_period(draft, state), max(0, days - state.healing_days)
    return HEALING_PERIOD_NOT_OVER(character=char_id, days=rested_days, period=period) if rested_days < period else None


@decides
def heal(draft: Draft, do: Heal) -> Asking[None]:
    """Roll to heal. Days used by earlier rolls do not count."""
    char_id = do.character
    state = draft.get_character(char_id)
    days = read_whole(do.days, TIME_NOT_POSITIVE, HEALING_RULE, 1)
    require(may_heal(draft, char_id, days))
    period = find_healing_period(draft, state)
    dice_count = max(
        0, draft.cite_active_value(char_id, "spirit") + draft.cite_own_dice(char_id, "healing")
    ) + own_dice.use_floating_dice(draft, char_id, do.floating)
    if do.token is not None:
        dice_count += pay_token(draft, char_id, "L", read_token_primary("L", do.token))
    fallen_count = dice_count if do.faces is None else len(do.faces) + len(do.bonus)
    cards_on_dice.lay_cards(draft, do.cards, cards_on_dice.Pool("healing", char_id, (fallen_count,)))
    base_faces, bonus_faces = yield from draft.ask_pool(char_id, dice_count, do.faces, do.bonus, "healing")
    if do.ask_cards and do.faces is None:
        yield from cards_on_dice.ask_cards_after(
            draft, cards_on_dice.Pool("healing", char_id, (len(base_faces) + len(bonus_faces),))
        )
    tn = max(draft.dials.tn_floor, STANDARD_TN + draft.cite_own_shift(char_id, "healing"))
    healing = Healing(
        str(draft.table.number), state.damage, period, tn, base_faces, bonus_faces, draft.get_character(char_id).laid
    )
    _tell_healing(draft, char_id, healing)
    draft.by(HEALING_RULE, piles.count_healing_successes(healing), damage=state.damage, dice=dice_count)


def _tell_healing(draft: Draft, char_id: str, healing: Healing) -> None:
    successes, roll_fields = piles.count_healing_successes(healing), (healing.tn, healing.faces, healing.bonus)
    if successes:
        draft.about(char_id, DamageHealed(successes, healing.id, healing.period, *roll_fields))
    else:
        draft.about(char_id, HealingFailed(healing.period, healing.id, *roll_fields))


def read_unsettled_healing(draft: Draft, char_id: str) -> Healing:
    """Return the last healing roll, if the character has not changed since for another reason. Refuses `settled`."""
    state = draft.get_character(char_id)
    healing = state.healing
    if healing is None or state.damage != max(0, healing.damage - healing.healed):
        raise SETTLED.under(HEALING_RULE, character=char_id)
    return healing


def reconsider_healing(draft: Draft, char_id: str) -> None:
    """Record the healing roll again if its result has changed."""
    healing = read_unsettled_healing(draft, char_id)
    if bool(piles.count_healing_successes(healing)) != healing.healed:
        _tell_healing(draft, char_id, healing)
        draft.by(HEALING_RULE, piles.count_healing_successes(healing), damage=healing.damage, dice=len(healing.faces))


@throws
def list_healing_typed(do: Heal, log: RecordedFacts) -> Iterator[Thrown]:
    if do.faces is not None:
        yield Thrown(character(do.character), 10, check_faces((*do.faces, *do.bonus), 10))


@reports
def report_healing(fact: DamageHealed | HealingFailed) -> Iterator[Roll]:
    if fact.faces:
        successes = fact.successes if isinstance(fact, DamageHealed) else 0
        yield Roll(
            name="Healing",
            dice=show_dice(fact.faces, fact.bonus),
            target=fact.tn,
            success=successes > 0,
            word="Success" if successes else "Failure",
            effect=format_count(successes, "success", "successes") if successes else "",
            bound="at-least",
        )


@offers
def offer_healing(seen: Seen, draft: Draft) -> Iterator[Move]:
    """Offer healing once its period is over. Luck needs a token of Spirit."""
    offering = get_offering(seen, draft)
    for char_id in offering.active_ids:
        state = offering.get_character(char_id)
        days = max(1, state.healing_days + find_healing_period(draft, state))
        if may_heal(draft, char_id, days) is not None:
            continue
        token_primaries = ("spirit",) if may_spend_token(offering.draft, char_id, "spirit") is None else ()
        dice_count = max(
            0, offering.draft.find_active_value(char_id, "spirit") + offering.draft.cite_own_dice(char_id, "healing")
        )
        fields: dict[str, Domain] = {
            "character": fix(char_id),
            "days": Between(days),
            "token": Among((None, *token_primaries)),
            "floating": make_floating_dice_domain(offering, char_id),
        }
        yield Move(Heal, {**fields, "ask_cards": Among((False, True))})
        cards_domain = make_cards_domain(offering, char_id, "", (dice_count,))
        if cards_domain is not None:
            yield Move(Heal, {**fields, "ask_cards": Among((False, True)), "cards": cards_domain})
        faces_domain = make_typed_dice_domain(dice_count)
        yield Move(Heal, {**fields, "token": LEFT_OUT, "floating": NO_DICE, "faces": faces_domain})
