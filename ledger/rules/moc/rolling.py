"""Rolling an action's dice; declaring and cancelling successes (headings "Dice Rolling", "Opposed Actions")."""

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
from ledger.rules.moc.shown import LEFT_OUT, Fields, Offering, fix, look
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
    """Return the dice, with bonus dice."""
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
    located = piles.find_part(state, fact.action, fact.part)
    if located is None:
        return None
    action, part = located
    return piles.put_action(
        state,
        piles.with_part_in_place(action, fact.part, _with_dice_rolled(part, True, fact.faces, fact.bonus, fact.beads)),
    )


def say_rolling(fact: RollDice, names: Names) -> str:
    return f"The dice{dice.say_part(fact.part)} are rolled."


@acts(pools.find_actor)
@declares("roll-dice", pools.ACTOR, says=say_rolling, records=(DiceRolled, turns.RecoveryPreEmpted))
class RollDice:
    """Roll an action or one of its parts. `faces`: the pool dice. `bonus`: the bonus dice that 10s add, in order."""

    action: ActionId
    part: PartNumber = 0
    faces: Faces | None = None
    bonus: BonusFaces = ()
    sides: Sides = 10


@guards
def may_roll(draft: Draft, action: Action, place: int) -> Refused | None:
    """Let dice be rolled once, and not if an EM decides the action."""
    if action.parts[place].rolled or dice.find_deciding_play(action, place) is not None:
        return ALREADY_ROLLED.under(pools.BEAD_USE, part=place)
    return None


@decides
def roll_dice(draft: Draft, do: RollDice) -> Asking[None]:
    """Roll the pool and its bonus dice."""
    action = draft.get_action(do.action)
    place, part = draft.get_part(action, do.part)
    if do.sides != 10:
        raise dice.UNKNOWN_DIE(sides=str(do.sides))
    require(may_roll(draft, action, place))
    turns.interrupt(draft, action.character, "an action")
    count, seen = pools.count_pool(draft, action, place), find_audience(action, place)
    purpose = part.roll.text or part.roll.skill or part.roll.kind
    base, bonus = yield from draft.ask_pool(
        action.character, count, do.faces, do.bonus, "action", purpose=purpose, audience=seen
    )
    draft.here(DiceRolled(action.id, place, base, bonus, piles.count_bead_dice(action, place)), audience=seen)
    outcome = dice.find_outcome(draft.dials, draft.get_action(action.id), place)
    draft.by(dice.DICE_SUCCESSES, outcome.rolled, seen, tn=outcome.tn, dice=count)


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
    """Offer rolls, by the ledger or typed without a 10."""
    now = look(seen, draft)
    for action in now.open_actions:
        for place in now.list_fresh(action) if action.character in now.alive else ():
            if may_roll(draft, action, place) is None:
                typed = Either((LEFT_OUT, cards.make_typed_dice(pools.count_pool(draft, action, place))))
                fields: Fields = {"action": fix(action.id), "part": fix(place), "faces": typed}
                follows = RollDice(action.id, place) if action.at_once else None
                yield Move(RollDice, fields, awaits=pools.SKILL_POOL, of=action.character, follows=follows)


# --- opposed actions --------------------------------------------------------------------------------------------------


def say_declared(fact: SuccessesDeclared, names: Names) -> str:
    of_beads = f", {fact.beads} from beads" if fact.beads else ""
    number = say_count(fact.number + fact.beads, "success is", "successes are")
    return f"{number} declared on {say_who(names, fact.target)}{of_beads}."


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
    located = piles.find_part(state, fact.action, fact.part)
    if located is None:
        return None
    action, part = located
    claim = Claim(fact.target, fact.number + fact.beads, fact.beads)
    more = _with_claims(part, (*part.claims, claim), part.spent + fact.number, part.spent_beads + fact.beads)
    return piles.put_action(state, piles.with_part_in_place(action, fact.part, more))


def say_declaring(fact: DeclareSuccesses, names: Names) -> str:
    number = say_count(_sum_numbers(fact.number, fact.beads), "success is", "successes are")
    return f"{number} declared on {say_who(names, fact.target)}."


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
def may_declare(draft: Draft, action: Action, place: int) -> Refused | None:
    """Let a seat that sees the roll use its successes, once it is rolled or needs no roll."""
    if (unseen := may_use_roll(draft, action, place)) is not None:
        return unseen
    if not (action.parts[place].rolled or dice.find_outcome(draft.dials, action, place).is_sure):
        return ROLL_NOT_COMPLETED.under(OPPOSED, part=place)
    return None


@decides
def declare_successes(draft: Draft, do: DeclareSuccesses) -> None:
    """Declare some of the successes against a target."""
    action = draft.get_action(do.action)
    place, _ = draft.get_part(action, do.part)
    draft.get_character(do.target)
    number = read_whole(do.number, NEGATIVE_SUCCESSES, OPPOSED)
    beads = read_whole(do.beads, NEGATIVE_SUCCESSES, OPPOSED)
    require(may_declare(draft, action, place))
    outcome = dice.find_outcome(draft.dials, action, place)
    if number + beads == 0:
        raise NOTHING_DECLARED.under(OPPOSED)
    if number > outcome.left or beads > outcome.left_beads:
        raise DECLARES_MORE_THAN_ROLLED(find_audience(action, place), left=outcome.left)
    draft.here(SuccessesDeclared(action.id, place, do.target, number, beads))
    draft.by(OPPOSED, number + beads, target=do.target)


def list_claim_moves(now: Offering, action: Action, place: int, part: Part) -> Iterator[Move]:
    """Yield the remaining successes against anybody."""
    if may_declare(now.draft, action, place) is not None or action.character not in now.alive:
        return
    outcome = now.find_outcome(action, place)
    fields: Fields = {"action": fix(action.id), "part": fix(place), "target": Among(now.roster)}
    left, beads = max(0, outcome.left), max(0, outcome.left_beads)
    if left:
        numbers: Fields = {"number": Between(1, left), "beads": Between(0, beads)}
        yield Move(DeclareSuccesses, {**fields, **numbers}, of=action.character)
    if beads:
        numbers = {"number": fix(0), "beads": Between(1, beads)}
        yield Move(DeclareSuccesses, {**fields, **numbers}, of=action.character)


def say_taken_off(fact: SuccessesTakenOff, names: Names) -> str:
    does = "does" if fact.lowered == 1 else "do"
    lost = f", but {fact.lowered} of them {does} not count after the fumbled move" if fact.lowered else ""
    left = f"{fact.net or 'none'} {'is' if fact.net == 1 else 'are'} left"
    taken = say_count(fact.number + fact.beads, "success", "successes")
    return f"{say_who(names, fact.target)} cancels {taken}{lost}: {left}."


@fact("successes-taken-off", says=say_taken_off, headline=11)
class SuccessesTakenOff:
    """Some of the declared successes were cancelled. `net`: how many are left. `defence`: the resisting action; empty
    if nothing was rolled. `lowered`: by how much a fumbled move reduced the number of cancelled successes.
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
    located = piles.find_part(state, fact.action, fact.part)
    if located is None:
        return None
    action, part = located
    off, claims = max(0, fact.number + fact.beads - fact.lowered), list(part.claims)
    for place in range(len(claims) - 1, -1, -1):
        if claims[place].target == fact.target:
            claims[place] = changed(claims[place], taken=claims[place].taken + off)
            answered = (fact.action, fact.part, place)
            break
    else:
        return None
    known = changed(state, answered=(*(claim for claim in state.answered if claim != answered), answered))
    after = piles.put_action(known, piles.with_part(action, fact.part, claims=tuple(claims)))
    defence = find_action(after, fact.defence) if after is not None else None
    if after is None or defence is None or not 0 <= fact.defence_part < len(defence.parts):
        return after
    own = defence.parts[fact.defence_part]
    spent, beads = own.spent + fact.number, own.spent_beads + fact.beads
    return piles.put_action(after, piles.with_part(defence, fact.defence_part, spent=spent, spent_beads=beads))


def _find_defender(table: Table[object], do: TakeOffSuccesses) -> str | None:
    return do.target


def say_taking_off(fact: TakeOffSuccesses, names: Names) -> str:
    number = say_count(_sum_numbers(fact.number, fact.beads), "success", "successes")
    return f"{say_who(names, fact.target)} cancels {number}."


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
    """Cancel as many successes as the defender reveals."""
    action = draft.get_action(do.action)
    place, part = draft.get_part(action, do.part)
    number = read_whole(do.number, NEGATIVE_SUCCESSES, OPPOSED)
    beads = read_whole(do.beads, NEGATIVE_SUCCESSES, OPPOSED)
    claim = next((claim for claim in reversed(part.claims) if claim.target == do.target), None)
    if claim is None:
        raise NOTHING_DECLARED.under(OPPOSED, target=do.target)
    where = 0
    if do.defence:
        where = _read_defence(draft, do, number, beads)
    elif number or beads:
        raise DECLARES_MORE_THAN_ROLLED(left=0)
    lowered = min(number + beads, _find_lowered(draft, do.target)) if do.defence else 0
    off = number + beads - lowered
    net = max(0, claim.number - claim.taken - off)
    fact = SuccessesTakenOff(action.id, place, do.target, number, beads, net, do.defence, where, lowered)
    draft.here(fact)
    if do.defence:
        turns.interrupt(draft, do.target, "a dodge")
    draft.by(OPPOSED, net, declared=claim.number, taken=claim.taken + off)


def _read_defence(draft: Draft, do: TakeOffSuccesses, number: int, beads: int) -> int:
    """Return the part of the defence. Refuses `unknown-action`, `defence-over`, `roll-not-completed`,
    `declares-more-than-rolled`.
    """
    defence = draft.get_action(do.defence, closed=True)
    if defence.character != do.target:
        raise UNKNOWN_ACTION.under(OPPOSED, action=do.defence)
    own = [action.id for action in list_actions(draft.get_scene()) if action.character == do.target]
    if own[-1] != do.defence:
        raise DEFENCE_OVER(action=do.defence)
    where, part = draft.get_part(defence, do.defence_part, resolved=True)
    require(may_use_roll(draft, defence, where))
    outcome = dice.find_outcome(draft.dials, defence, where)
    if not (part.rolled or outcome.is_sure) or part.stage == "pre-empted":
        raise ROLL_NOT_COMPLETED.under(OPPOSED, part=where)
    if number > outcome.left or beads > outcome.left_beads:
        seen = find_audience(defence, where)
        raise DECLARES_MORE_THAN_ROLLED(seen, left=outcome.left)
    return where


def _find_lowered(draft: Draft, id: str) -> int:
    """Return by how much a fumbled move of this turn lowers the cancelled successes."""
    lowered = draft.get_character(id).dodge
    if lowered:
        draft.by(FUMBLE, -lowered, character=id)
    return lowered


def list_taking_off_moves(now: Offering, action: Action, place: int, part: Part) -> Iterator[Move]:
    """Yield cancelling nothing, or up to what the target's latest action has left."""
    for target, unanswered in list_unanswered(now, action, place).items():
        if target not in now.alive:
            continue
        awaits = OPPOSED if unanswered else None
        fields: Fields = {"action": fix(action.id), "part": fix(place), "target": fix(target)}
        yield Move(TakeOffSuccesses, {**fields, "number": fix(0)}, awaits, target)
        own = [action for action in now.actions if action.character == target]
        for where, rolled in enumerate(own[-1].parts if own else ()):
            outcome = now.find_outcome(own[-1], where)
            ready = may_declare(now.draft, own[-1], where) is None and rolled.stage != "pre-empted"
            if ready and min(outcome.left, outcome.left_beads) >= 0:
                yield Move(
                    TakeOffSuccesses,
                    {
                        **fields,
                        "number": Between(0, outcome.left),
                        "beads": Between(0, outcome.left_beads),
                        "defence": fix(own[-1].id),
                        "defence_part": fix(where),
                    },
                    awaits,
                    target,
                )


def list_unanswered(now: Offering, action: Action, place: int) -> dict[str, bool]:
    """Return each target of a part's claims, and whether its latest claim is unanswered."""
    answered = now.scene.answered if now.scene is not None else ()
    claims = enumerate(action.parts[place].claims)
    return {claim.target: (action.id, place, which) not in answered for which, claim in claims}


@offers
def offer_successes(seen: Seen, draft: Draft) -> Iterator[Move]:
    now = look(seen, draft)
    for action, place, part in now.list_declared():
        yield from list_claim_moves(now, action, place, part)
        yield from list_taking_off_moves(now, action, place, part)


def find_declared_action(log: RecordedFacts, id: str) -> Action | None:
    """Return an action as it was declared, or None."""
    declared = (about.fact for about in list_making_facts(log, id))
    return next(
        (fact.what for fact in declared if isinstance(fact, actions.ActionDeclared) and fact.action == id), None
    )
