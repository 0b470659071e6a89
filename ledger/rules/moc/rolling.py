"""Rolling an action's dice, and declaring and cancelling successes (headings "Dice Rolling", "Opposed Actions")."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated

from ledger.rules.kernel.kit import (
    Among,
    Asking,
    Between,
    CharacterId,
    Either,
    Move,
    Names,
    RecordedFacts,
    Refusal,
    Refused,
    Roll,
    Says,
    Seen,
    Table,
    Thrown,
    changed,
    changes,
    changing,
    character,
    decides,
    declares,
    either,
    fact,
    guards,
    list_making_facts,
    offers,
    reports,
    require,
    rule,
    throws,
)
from ledger.rules.moc import actions, cards, dice, piles, pools, turns
from ledger.rules.moc.draft import OPPOSED, Draft, acts, may_use_roll
from ledger.rules.moc.shown import LEFT_OUT, Fields, Offering, fix, get_offering
from ledger.rules.moc.state import Action, Claim, Part, Scene, find_action, find_audience, list_actions
from ledger.rules.moc.types import ActionId, BonusFaces, Faces, HowMany, PartNumber, Sides
from ledger.rules.moc.words import (
    ALREADY_ROLLED,
    NEGATIVE_SUCCESSES,
    NOTHING_DECLARED,
    ROLL_NOT_COMPLETED,
    UNKNOWN_ACTION,
    read_whole,
    say_count,
    say_who,
)

FUMBLE = rule(
    "moc.move.fumble",
    "After a fumbled move, each time the character cancels successes of an attack, one fewer is cancelled. This"
    " lasts until the turn ends.",
    "Movement",
)
DECLARES_MORE_THAN_ROLLED = Refusal(
    OPPOSED, "declares-more-than-rolled", "This roll has only {left:success|successes} left."
)
DEFENCE_OVER = Refusal(OPPOSED, "defence-over", "That defence ended when the character's next action was declared.")


def say_rolled(fact: DiceRolled, names: Names) -> str:
    return f"The dice{dice.say_part(fact.part)} are rolled: {dice.say_dice_shown(fact.faces, fact.bonus)}."


@fact("dice-rolled", says=say_rolled, headline=19)
class DiceRolled:
    """Dice were rolled. Only the roller and game masters can see an opposed roll. `beads`: how many of the dice came
    from beads.
    """

    action: ActionId
    part: int
    faces: tuple[int, ...]
    bonus: tuple[int, ...]
    beads: int = 0


_with_dice_rolled = changing(Part, "rolled", "faces", "bonus", "beads")


@changes
def note_dice(state: Scene, fact: DiceRolled) -> Scene | None:
    action_and_part = piles.find_action_and_part(state, fact.action, fact.part)
    if action_and_part is None:
        return None
    action, part = action_and_part
    return piles.put_action(
        state,
        piles.with_part_in_place(action, fact.part, _with_dice_rolled(part, True, fact.faces, fact.bonus, fact.beads)),
    )


def say_rolling(do: RollDice, names: Names) -> str:
    return f"The dice{dice.say_part(do.part)} are rolled."


@acts(pools.find_actor)
@declares("roll-dice", pools.ACTOR, says=say_rolling, records=(DiceRolled, turns.RecoveryPreEmpted))
class RollDice:
    """Roll an action or one of its parts. `faces`: the pool dice. `bonus`: the bonus dice added by 10s, in order."""

    action: ActionId
    part: PartNumber = 0
    faces: Faces | None = None
    bonus: BonusFaces = ()
    sides: Sides = 10


@guards
def may_roll(draft: Draft, action: Action, part_index: int) -> Refused | None:
    """Refuse a second roll, and any roll if an EM decides the action."""
    if action.parts[part_index].rolled or dice.find_deciding_play(action, part_index) is not None:
        return ALREADY_ROLLED.under(pools.BEAD_USE, part=part_index)
    return None


@decides
def roll_dice(draft: Draft, do: RollDice) -> Asking[None]:
    action = draft.get_action(do.action)
    part_index, part = draft.locate_part(action, do.part)
    if do.sides != 10:
        raise dice.UNKNOWN_DIE(sides=str(do.sides))
    require(may_roll(draft, action, part_index))
    turns.interrupt_rest(draft, action.character, "an action")
    count, audience = pools.count_pool(draft, action, part_index), find_audience(action, part_index)
    purpose = part.roll.text or part.roll.skill or part.roll.kind
    base_faces, bonus_faces = yield from draft.ask_pool(
        action.character, count, do.faces, do.bonus, "action", purpose=purpose, audience=audience
    )
    draft.here(
        DiceRolled(action.id, part_index, base_faces, bonus_faces, piles.count_bead_dice(action, part_index)),
        audience=audience,
    )
    outcome = dice.find_outcome(draft.dials, draft.get_action(action.id), part_index)
    draft.by(dice.DICE_SUCCESSES, outcome.rolled, audience, tn=outcome.tn, dice=count)


@throws
def list_dice_typed(do: RollDice, log: RecordedFacts) -> Iterator[Thrown]:
    action = find_declared_action(log, do.action) if do.faces is not None else None
    for about in log.facts if action is not None else ():
        if isinstance(about.fact, DiceRolled) and action is not None:
            yield Thrown(character(action.character), 10, (*about.fact.faces, *about.fact.bonus), about.audience)


@reports
def report_dice(fact: DiceRolled) -> Iterator[Roll]:
    yield Roll(name="Action", dice=dice.show_dice(fact.faces, fact.bonus))


@offers
def offer_rolls(seen: Seen, draft: Draft) -> Iterator[Move]:
    """Offer rolls: by the ledger, or with typed dice that show no 10."""
    offering = get_offering(seen, draft)
    for action in offering.open_actions:
        for part_index in offering.list_unrolled_indexes(action) if action.character in offering.active_ids else ():
            if may_roll(draft, action, part_index) is None:
                faces_domain = Either(
                    (LEFT_OUT, cards.make_typed_dice_domain(pools.count_pool(draft, action, part_index)))
                )
                fields: Fields = {"action": fix(action.id), "part": fix(part_index), "faces": faces_domain}
                next_do = RollDice(action.id, part_index) if action.at_once else None
                yield Move(RollDice, fields, awaits=pools.SKILL_POOL, of=action.character, follows=next_do)


# --- opposed actions --------------------------------------------------------------------------------------------------


def say_declared(fact: SuccessesDeclared, names: Names) -> str:
    bead_words = f", {fact.beads} from beads" if fact.beads else ""
    count_words = say_count(fact.number + fact.beads, "success is", "successes are")
    return f"{count_words} declared on {say_who(names, fact.target)}{bead_words}."


@fact("successes-declared", says=say_declared, headline=12)
class SuccessesDeclared:
    """The active character declared successes against a target."""

    action: ActionId
    part: int
    target: CharacterId
    number: int
    beads: int


_with_claims = changing(Part, "claims", "spent", "spent_beads")


@changes
def claim_successes(state: Scene, fact: SuccessesDeclared) -> Scene | None:
    action_and_part = piles.find_action_and_part(state, fact.action, fact.part)
    if action_and_part is None:
        return None
    action, part = action_and_part
    claim = Claim(fact.target, fact.number + fact.beads, fact.beads)
    claimed_part = _with_claims(part, (*part.claims, claim), part.spent + fact.number, part.spent_beads + fact.beads)
    return piles.put_action(state, piles.with_part_in_place(action, fact.part, claimed_part))


def say_declaring(do: DeclareSuccesses, names: Names) -> str:
    count_words = say_count(_sum_numbers(do.number, do.beads), "success is", "successes are")
    return f"{count_words} declared on {say_who(names, do.target)}."


def _sum_numbers(*numbers: object) -> int:
    return sum(number for number in numbers if isinstance(number, int))


@acts(pools.find_actor)
@declares("declare-successes", pools.ACTOR, says=say_declaring, records=(SuccessesDeclared,))
class DeclareSuccesses:
    """Declare successes against a target.

    `number`: how many successes from the roll. `beads`: how many more from beads, which everybody sees.
    """

    action: ActionId
    target: CharacterId
    number: Annotated[HowMany, Says("Successes", "How many successes of the roll are declared.")]
    beads: Annotated[HowMany, Says("From beads", "How many more successes come from beads. Everybody sees these.")] = 0
    part: PartNumber = 0


@guards
def may_declare(draft: Draft, action: Action, part_index: int) -> Refused | None:
    """Refuse the use of successes by a seat that cannot see the roll, and before the roll if a roll is needed."""
    if (refusal := may_use_roll(draft, action, part_index)) is not None:
        return refusal
    if not (action.parts[part_index].rolled or dice.find_outcome(draft.dials, action, part_index).is_sure):
        return ROLL_NOT_COMPLETED.under(OPPOSED, part=part_index)
    return None


@decides
def declare_successes(draft: Draft, do: DeclareSuccesses) -> None:
    """Declare some of the successes against a target."""
    action = draft.get_action(do.action)
    part_index, _ = draft.locate_part(action, do.part)
    draft.get_character(do.target)
    rolled_count = read_whole(do.number, NEGATIVE_SUCCESSES, OPPOSED)
    bead_count = read_whole(do.beads, NEGATIVE_SUCCESSES, OPPOSED)
    require(may_declare(draft, action, part_index))
    outcome = dice.find_outcome(draft.dials, action, part_index)
    if rolled_count + bead_count == 0:
        raise NOTHING_DECLARED.under(OPPOSED)
    if rolled_count > outcome.left or bead_count > outcome.left_bead_count:
        raise DECLARES_MORE_THAN_ROLLED(find_audience(action, part_index), left=outcome.left)
    draft.here(SuccessesDeclared(action.id, part_index, do.target, rolled_count, bead_count))
    draft.by(OPPOSED, rolled_count + bead_count, target=do.target)


def list_claim_moves(offering: Offering, action: Action, part_index: int, part: Part) -> Iterator[Move]:
    """Yield declarations of the remaining successes, against any other character in play."""
    if may_declare(offering.draft, action, part_index) is not None or action.character not in offering.active_ids:
        return
    outcome = offering.find_outcome(action, part_index)
    target_ids = tuple(char_id for char_id in offering.active_ids if char_id != action.character)
    if not target_ids:
        return
    fields: Fields = {"action": fix(action.id), "part": fix(part_index), "target": Among(target_ids)}
    rolled_left, beads_left = max(0, outcome.left), max(0, outcome.left_bead_count)
    if rolled_left:
        count_fields: Fields = {"number": Between(1, rolled_left), "beads": Between(0, beads_left)}
        yield Move(DeclareSuccesses, {**fields, **count_fields}, of=action.character)
    if beads_left:
        count_fields = {"number": fix(0), "beads": Between(1, beads_left)}
        yield Move(DeclareSuccesses, {**fields, **count_fields}, of=action.character)


def say_taken_off(fact: SuccessesTakenOff, names: Names) -> str:
    verb = "does" if fact.lowered == 1 else "do"
    lowered_words = f", but {fact.lowered} of them {verb} not count after the fumbled move" if fact.lowered else ""
    left_words = f"{fact.net or 'none'} {'is' if fact.net == 1 else 'are'} left"
    taken_words = say_count(fact.number + fact.beads, "success", "successes")
    return f"{say_who(names, fact.target)} cancels {taken_words}{lowered_words}: {left_words}."


@fact("successes-taken-off", says=say_taken_off, headline=11)
class SuccessesTakenOff:
    """Some of the declared successes were cancelled. `net`: how many successes are left. `defence`: the resisting
    action; empty if no defence was rolled. `lowered`: by how much a fumbled move reduced the number of cancelled
    successes.
    """

    action: ActionId
    part: int
    target: CharacterId
    number: int
    beads: int
    net: int
    defence: ActionId
    defence_part: int
    lowered: int = 0


@changes
def take_off_claim(state: Scene, fact: SuccessesTakenOff) -> Scene | None:
    action_and_part = piles.find_action_and_part(state, fact.action, fact.part)
    if action_and_part is None:
        return None
    action, part = action_and_part
    taken_count, claims = max(0, fact.number + fact.beads - fact.lowered), list(part.claims)
    for claim_index in range(len(claims) - 1, -1, -1):
        if claims[claim_index].target == fact.target:
            claims[claim_index] = changed(claims[claim_index], taken=claims[claim_index].taken + taken_count)
            answered_key = (fact.action, fact.part, claim_index)
            break
    else:
        return None
    answered_state = changed(state, answered=(*(key for key in state.answered if key != answered_key), answered_key))
    changed_state = piles.put_action(answered_state, piles.with_part(action, fact.part, claims=tuple(claims)))
    defence_action = find_action(changed_state, fact.defence) if changed_state is not None else None
    if changed_state is None or defence_action is None or not 0 <= fact.defence_part < len(defence_action.parts):
        return changed_state
    defence_part = defence_action.parts[fact.defence_part]
    rolled_spent, beads_spent = defence_part.spent + fact.number, defence_part.spent_beads + fact.beads
    return piles.put_action(
        changed_state, piles.with_part(defence_action, fact.defence_part, spent=rolled_spent, spent_beads=beads_spent)
    )


def _find_defender(table: Table[object], do: TakeOffSuccesses) -> str | None:
    return do.target


def say_taking_off(do: TakeOffSuccesses, names: Names) -> str:
    count_words = say_count(_sum_numbers(do.number, do.beads), "success", "successes")
    return f"{say_who(names, do.target)} cancels {count_words}."


@acts("target")
@declares(
    "take-off-successes",
    either(_find_defender, "the player of the target"),
    says=say_taking_off,
    records=(SuccessesTakenOff, turns.RecoveryPreEmpted),
)
class TakeOffSuccesses:
    """Cancel some of the successes that were declared against a character who resists.

    `target`: the character who resists. `defence`, `defence_part`: the action with the defence roll, and its part.
    """

    action: ActionId
    target: CharacterId
    number: Annotated[HowMany, Says("Successes", "How many of the declared successes are cancelled.")]
    beads: Annotated[HowMany, Says("From beads", "How many more successes are cancelled with beads.")] = 0
    defence: Annotated[ActionId, Says("Defence", "The action with the defence roll.")] = ""
    defence_part: PartNumber = 0
    part: PartNumber = 0


@decides
def take_off_successes(draft: Draft, do: TakeOffSuccesses) -> None:
    """Cancel as many declared successes as the defender's player reveals."""
    action = draft.get_action(do.action)
    part_index, part = draft.locate_part(action, do.part)
    rolled_count = read_whole(do.number, NEGATIVE_SUCCESSES, OPPOSED)
    bead_count = read_whole(do.beads, NEGATIVE_SUCCESSES, OPPOSED)
    claim = next((claim for claim in reversed(part.claims) if claim.target == do.target), None)
    if claim is None:
        raise NOTHING_DECLARED.under(OPPOSED, target=do.target)
    defence_index = 0
    if do.defence:
        defence_index = _read_defence(draft, do, rolled_count, bead_count)
    elif rolled_count or bead_count:
        raise DECLARES_MORE_THAN_ROLLED(left=0)
    lowered_count = min(rolled_count + bead_count, _find_fumble_reduction(draft, do.target)) if do.defence else 0
    taken_count = rolled_count + bead_count - lowered_count
    net = max(0, claim.number - claim.taken - taken_count)
    fact = SuccessesTakenOff(
        action.id, part_index, do.target, rolled_count, bead_count, net, do.defence, defence_index, lowered_count
    )
    draft.here(fact)
    if do.defence:
        turns.interrupt_rest(draft, do.target, "a dodge")
    draft.by(OPPOSED, net, declared=claim.number, taken=claim.taken + taken_count)


def _read_defence(draft: Draft, do: TakeOffSuccesses, rolled_count: int, bead_count: int) -> int:
    """Return the index of the part with the defence roll. Refuses `unknown-action`, `defence-over`,
    `roll-not-completed`, `declares-more-than-rolled`.
    """
    defence_action = draft.get_action(do.defence, may_be_closed=True)
    if defence_action.character != do.target:
        raise UNKNOWN_ACTION.under(OPPOSED, action=do.defence)
    own_ids = [action.id for action in list_actions(draft.get_scene()) if action.character == do.target]
    if own_ids[-1] != do.defence:
        raise DEFENCE_OVER(action=do.defence)
    part_index, part = draft.locate_part(defence_action, do.defence_part, may_be_resolved=True)
    require(may_use_roll(draft, defence_action, part_index))
    outcome = dice.find_outcome(draft.dials, defence_action, part_index)
    if not (part.rolled or outcome.is_sure) or part.stage == "pre-empted":
        raise ROLL_NOT_COMPLETED.under(OPPOSED, part=part_index)
    if rolled_count > outcome.left or bead_count > outcome.left_bead_count:
        audience = find_audience(defence_action, part_index)
        raise DECLARES_MORE_THAN_ROLLED(audience, left=outcome.left)
    return part_index


def _find_fumble_reduction(draft: Draft, char_id: str) -> int:
    """Return by how much a fumbled move in this turn reduces the number of cancelled successes."""
    lowered_count = draft.get_character(char_id).dodge
    if lowered_count:
        draft.by(FUMBLE, -lowered_count, character=char_id)
    return lowered_count


def list_taking_off_moves(offering: Offering, action: Action, part_index: int, part: Part) -> Iterator[Move]:
    """Yield ways to cancel successes: none, or up to as many as the target's latest action has left. The table waits
    for this once the target's defence is rolled.
    """
    for target, is_unanswered in find_unanswered(offering, action, part_index).items():
        if target not in offering.active_ids:
            continue
        own_actions = [action for action in offering.actions if action.character == target]
        own_parts = own_actions[-1].parts if own_actions else ()
        is_defence_unrolled = bool(own_actions) and _has_unrolled_defence(offering, own_actions[-1])
        awaits = OPPOSED if is_unanswered and not is_defence_unrolled else None
        fields: Fields = {"action": fix(action.id), "part": fix(part_index), "target": fix(target)}
        yield Move(TakeOffSuccesses, {**fields, "number": fix(0)}, awaits, target)
        for defence_index, defence_part in enumerate(own_parts):
            outcome = offering.find_outcome(own_actions[-1], defence_index)
            can_use_successes = (
                may_declare(offering.draft, own_actions[-1], defence_index) is None
                and defence_part.stage != "pre-empted"
            )
            if can_use_successes and min(outcome.left, outcome.left_bead_count) >= 0:
                yield Move(
                    TakeOffSuccesses,
                    {
                        **fields,
                        "number": Between(0, outcome.left),
                        "beads": Between(0, outcome.left_bead_count),
                        "defence": fix(own_actions[-1].id),
                        "defence_part": fix(defence_index),
                    },
                    awaits,
                    target,
                )


def _has_unrolled_defence(offering: Offering, action: Action) -> bool:
    """Return whether a defence of the action still needs its dice."""
    return action.stage == "open" and any(
        action.parts[part_index].roll.defence
        and may_roll(offering.draft, action, part_index) is None
        and not offering.find_outcome(action, part_index).is_sure
        for part_index in offering.list_unrolled_indexes(action)
    )


def find_unanswered(offering: Offering, action: Action, part_index: int) -> dict[str, bool]:
    """Return each target of a part's claims, and whether its latest claim is unanswered."""
    answered_keys = offering.scene.answered if offering.scene is not None else ()
    numbered_claims = enumerate(action.parts[part_index].claims)
    return {
        claim.target: (action.id, part_index, claim_index) not in answered_keys
        for claim_index, claim in numbered_claims
    }


def is_answer_awaited(offering: Offering, action: Action, part_index: int, target: str) -> bool:
    """Return whether the target can still answer the successes declared against it, and has not done so."""
    can_still_answer = action.parts[part_index].stage == "declared" and target in offering.active_ids
    return can_still_answer and find_unanswered(offering, action, part_index).get(target, False)


@offers
def offer_successes(seen: Seen, draft: Draft) -> Iterator[Move]:
    offering = get_offering(seen, draft)
    for action, part_index, part in offering.list_declared_parts():
        yield from list_claim_moves(offering, action, part_index, part)
        yield from list_taking_off_moves(offering, action, part_index, part)


def find_declared_action(log: RecordedFacts, action_id: str) -> Action | None:
    facts = (about.fact for about in list_making_facts(log, action_id))
    return next(
        (fact.what for fact in facts if isinstance(fact, actions.ActionDeclared) and fact.action == action_id), None
    )
