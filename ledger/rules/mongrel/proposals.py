"""Numbers that a game master decides. A player who declares them only proposes them. Headings: Modifiers; Basics.

A game master is asked about the proposal before anything else, so that the numbers are known before any dice are
rolled. A score that a player leaves out is asked for. At some tables the task itself is a proposal: side, attribute and
Power.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from copy import copy
from dataclasses import replace
from functools import wraps
from typing import Annotated, Any, TypeAlias

from ledger.rules.kernel.kit import (
    Among,
    Asking,
    Between,
    CharacterId,
    Domain,
    Either,
    Names,
    Question,
    Reason,
    Refusal,
    Says,
    Shape,
    Some,
    ask,
    character,
    choice,
    fact,
    find_declarer,
    listed,
    rule,
    words,
)
from ledger.rules.mongrel import acting, powers
from ledger.rules.mongrel.draft import Draft, ask_again_if_refused
from ledger.rules.mongrel.state import find_power
from ledger.rules.mongrel.tables import HOUR, OPTIONS
from ledger.rules.mongrel.terms import (
    ATTRIBUTES,
    NUMBER_WORDS,
    NUMBERS,
    ArmourValue,
    AttributeName,
    Difficulty,
    Natural,
    PowerOptions,
    SideName,
    TakenOff,
    WeaponBonus,
    say,
    word_number,
    write_word,
)

PROPOSAL = rule(
    "mongrel.task.proposal",
    "A game master decides the difficulty, the values of weapons and armour, how much is taken off the Effect,"
    " the scores of objects, how many minutes pass, and whether an item can be bought. If a player declares one"
    " of these, it is only a proposal. If a player leaves out a score, a game master gives it (our reading). At"
    " some tables, a game master also decides the side (whose attribute counts), the attributes and the Power"
    " options of a player's task.",
    "Modifiers",
)
NUMBER_NEEDED = Refusal(
    PROPOSAL,
    "number-needed",
    "A number is missing from the declaration ({what}). Enter it.",
)
NOT_PROPOSED = Refusal(
    PROPOSAL,
    "not-proposed",
    "The declaration does not propose this: {what}. Leave it out.",
)
ASK_NUMBERS = Question(NUMBERS, "{purpose}")


@fact(
    "proposal-declined",
    says="A game master does not allow the declaration for {character}[: {reason}].",
    headline=11,
    changes=None,
)
class ProposalDeclined:
    """A game master did not allow an action that was declared for the character. Nothing else happens."""

    character: CharacterId
    reason: Reason


PROPOSED = (ProposalDeclined,)


def say_judged(answer: Judge | JudgeTask, names: Names) -> str:
    """Put into words a game master's decision about a proposal."""
    decided_values = {name: getattr(answer, name) for name in answer.__dataclass_fields__ if name != "reason"}
    decisions_phrase = listed(
        _word_decision(name, value) for name, value in decided_values.items() if value is not None
    )
    phrase = (
        f"A game master sets {decisions_phrase}[: {{reason}}]."
        if decisions_phrase
        else "A game master agrees[: {reason}]."
    )
    return say(phrase, answer, names)


def _word_decision(name: str, value: Any) -> str:
    match name:
        case "side":
            return f"the side to {value}"
        case "attribute":
            return f"the attribute to {write_word(value)}"
        case "target_attribute":
            return f"the attribute of a defence to {write_word(value)}"
        case "power":
            return f"the Power options to {listed(map(words, value)) if value else 'none'}"
    return f"the {NUMBER_WORDS[name]} to {value}"


@choice("judge", by="gm", says=say_judged)
class Judge:
    """As a game master, decide the numbers that a player proposed. Numbers that you leave out stay as proposed."""

    weapon: WeaponBonus | None = None
    armour: ArmourValue | None = None
    difficulty: Difficulty | None = None
    taken_off: TakenOff | None = None
    score: Annotated[Natural | None, Says("Score of the object rolled against")] = None
    social: Annotated[Natural | None, Says("Seller's Social score")] = None
    minutes: Natural | None = None
    minute: Annotated[Natural | None, Says("Minute of the clock")] = None
    reason: Reason = ""


@choice("judge-task", by="gm", says=say_judged)
class JudgeTask:
    """As a game master, decide the task that a player proposed. Fields that you leave out stay as proposed.

    `target_attribute`: the attribute that the target defends with.
    """

    side: SideName | None = None
    attribute: AttributeName | None = None
    target_attribute: AttributeName | None = None
    power: PowerOptions | None = None
    weapon: WeaponBonus | None = None
    armour: ArmourValue | None = None
    difficulty: Difficulty | None = None
    taken_off: TakenOff | None = None
    score: Annotated[Natural | None, Says("Score of the object rolled against")] = None
    social: Annotated[Natural | None, Says("Seller's Social score")] = None
    reason: Reason = ""


@choice("disallow", by="gm", says="A game master does not allow the declaration[: {reason}].")
class Disallow:
    """As a game master, do not allow the action that a player proposed. Nothing happens."""

    reason: Reason = ""


#: The value of each field if nothing is proposed.
UNSAID: dict[str, tuple[object, ...]] = {
    "weapon": (0, None),
    "armour": (0, None),
    "difficulty": (0,),
    "taken_off": (0,),
    "score": (None,),
    "social": (None,),
    "minutes": (),
    "minute": (),
    "since": (None,),
}
#: The fields of a task, besides its numbers.
TASK = ("side", "attribute", "target_attribute", "power")
#: Scores that a player may not know.
SCORES = ("score", "social")
Decider: TypeAlias = Callable[[Draft, Any], Asking[None] | None]


def ask_about_numbers(decide: Decider) -> Callable[[Draft, Any], Asking[None]]:
    """Return a function that does the same as `decide`, after asking a game master about proposed numbers."""
    return ask_about_numbers_where(lambda draft, do: True)(decide)


def ask_about_numbers_where(
    is_in_question: Callable[[Draft, Any], bool],
) -> Callable[[Decider], Callable[[Draft, Any], Asking[None]]]:
    """Return a decorator like `ask_about_numbers` that asks only about declarations for which
    `is_in_question` is true.
    """

    def decorate(decide: Decider) -> Callable[[Draft, Any], Asking[None]]:
        @wraps(decide)
        def ask_first(draft: Draft, do: Any) -> Asking[None]:
            is_proposed = is_proposal(draft, do) and is_in_question(draft, do)
            judged = (yield from _ask_for_judgement(draft, do, decide)) if is_proposed else do
            asking = decide(draft, judged) if judged is not None else None
            if asking is not None:
                yield from asking

        return ask_first

    return decorate


def is_proposal(draft: Draft, do: object) -> bool:
    """Return whether a game master must be asked about the declaration."""
    if draft.table.by.role == "gm":
        return False
    if _list_missing_scores(do) or _is_judged_task(draft, do):
        return True
    return draft.dials.player_numbers == "proposed" and (
        _is_availability_asked(do) or any(True for _ in list_numbers(do))
    )


def list_numbers(do: object) -> Iterator[tuple[str, object]]:
    """Yield the fields in which a declaration proposes a number, each with the number."""
    for name in _list_judged_fields(do):
        if (number := getattr(do, name)) not in UNSAID[name]:
            yield name, number


def _list_judged_fields(do: Any) -> Iterator[str]:
    """Return the fields whose numbers a game master decides. The numbers of other fields come from a possession or a
    character.
    """
    has_possession = getattr(do, "possession", None) is not None
    settled_by_field = {
        "weapon": has_possession or getattr(do, "weapon_used", None) is not None,
        "armour": has_possession or getattr(do, "armour_worn", None) is not None,
        "score": getattr(do, "side", None) != "target" or getattr(do, "target", None) is not None,
        "social": getattr(do, "seller", None) is not None,
    }
    return (name for name in UNSAID if hasattr(do, name) and not settled_by_field.get(name, False))


def _list_missing_scores(do: object) -> tuple[str, ...]:
    """Return the scores that the declaration needs but leaves out."""
    return tuple(name for name in _list_judged_fields(do) if name in SCORES and getattr(do, name) is None)


def _is_judged_task(draft: Draft, do: Any) -> bool:
    """Return whether a game master judges the task itself at this table."""
    return draft.dials.player_tasks == "proposed" and (hasattr(do, "attribute") or bool(getattr(do, "power", ())))


def _list_task_fields(draft: Draft, do: Any) -> Iterator[str]:
    """Yield the fields of a task that a game master judges. In a conflict, the side is not one of them, because it
    follows from the defence.
    """
    if _is_judged_task(draft, do):
        for name in TASK:
            if hasattr(do, name) and not (name == "side" and acting.find_strife(draft, do.actor) is not None):
                yield name


def _is_availability_asked(do: object) -> bool:
    """Return whether a game master must decide whether the item can be bought. A possession of the seller is always
    available.
    """
    return hasattr(do, "available") and getattr(do, "possession", None) is None


def _ask_for_judgement(draft: Draft, do: Any, decide: Decider) -> Asking[Any]:
    """Return the declaration as decided by a game master, or None if it is not allowed.

    A declaration that is refused in any case is refused first. An answer is unfit if it decides something that was not
    proposed (`not-proposed`), or leaves out a number that is still missing (`number-needed`).
    """
    _try_out(draft, replace(do, **dict.fromkeys(_list_missing_scores(do), 1)), decide)
    task_fields = tuple(_list_task_fields(draft, do))
    answer_class = JudgeTask if task_fields else Judge
    shapes = (Shape(answer_class, _make_fields(draft, do)),)
    answer: Any = yield from ask(
        "gm", answer_class, Disallow, slot=ASK_NUMBERS(), purpose=_word_question(draft, do), within=shapes
    )
    if isinstance(answer, Disallow):
        find_actor = find_declarer(do).of
        assert find_actor is not None, "the declaration"
        actor_id = str(find_actor(draft.table, do))
        draft.about(actor_id, ProposalDeclined(actor_id, answer.reason))
        draft.by(PROPOSAL, "declined", reason=answer.reason)
        return None
    changed_values = {name: value for name in (*UNSAID, *TASK) if (value := getattr(answer, name, None)) is not None}
    judged_do = replace(do, **{name: value for name, value in changed_values.items() if hasattr(do, name)})
    for name in changed_values:
        if name not in (*task_fields, *_list_judged_fields(do), *_list_judged_fields(judged_do)):
            raise NOT_PROPOSED.unfit(what=name)
    for name in _list_missing_scores(do):
        if name not in changed_values and name in _list_missing_scores(judged_do):
            raise NUMBER_NEEDED.unfit(what=name)
    with ask_again_if_refused():
        _try_out(draft, judged_do, decide)
    reason_inputs = {"reason": answer.reason} if answer.reason.strip() else {}
    task_values = {name: _convert_to_plain(getattr(judged_do, name)) for name in task_fields if name in changed_values}
    draft.by(
        PROPOSAL,
        "changed" if changed_values else "confirmed",
        None,
        **task_values,
        **dict(list_numbers(judged_do)),
        **reason_inputs,
    )
    return judged_do


def _convert_to_plain(value: object) -> object:
    return list(value) if isinstance(value, tuple) else value


def _try_out(draft: Draft, do: object, decide: Decider) -> None:
    """Raise any refusal that the rule raises before its first question.

    The rule runs on a copy of the table, so that nothing it records remains.
    """
    asking = decide(Draft(copy(draft.table)), do)
    if asking is not None:
        next(asking, None)
        asking.close()


# --- possible answers ------------------------------------------------------------------------------------------------

UNCHANGED = Among((None,))


def _make_fields(draft: Draft, do: object) -> dict[str, Domain]:
    cap = draft.dials.weapon_bonus_cap
    limits: dict[str, Domain] = {
        "weapon": Between(0, cap),
        "difficulty": Between(0, 4),
        "minutes": Between(HOUR),
        "minute": Between(draft.read_clock()),
    }
    missing_scores = _list_missing_scores(do)
    domains = {name: limits.get(name, Between(0)) for name in _list_judged_fields(do) if name != "since"}
    fields: dict[str, Domain] = {
        name: domain if name in missing_scores else Either((UNCHANGED, domain)) for name, domain in domains.items()
    }
    return fields | {name: _make_choice_domain(draft, do, name) for name in _list_task_fields(draft, do)}


def _make_choice_domain(draft: Draft, do: Any, name: str) -> Domain:
    """Return the possible answers for a field. The side `target` is possible only with a target or a score. If the dice
    were typed, the Power must not change their number.
    """
    if name == "side":
        sides = ("own", "target") if do.target is not None or do.score is not None else ("own",)
        return Among((None, *sides))
    if name != "power":
        return Among((None, *ATTRIBUTES))
    state = draft.read_character(getattr(do, "actor", None) or do.buyer)
    if do.faces is not None if hasattr(do, "faces") else False:
        count_points = powers.count_power_points
        points = count_points(state, do.power)
        return Among((None, *dict.fromkeys(power for power in (do.power, ()) if count_points(state, power) == points)))
    if getattr(do, "expertise", "") in OPTIONS:
        return UNCHANGED
    return Either((UNCHANGED, Some(Among(OPTIONS[find_power(state)]), repeats=True)))


# --- the question ---------------------------------------------------------------------------------------------------


def _word_question(draft: Draft, do: Any) -> str:
    """Return the question for the game masters, with everything that is proposed, and the numbers that are missing."""
    task_phrases = [_word_task(draft, do)] if _is_judged_task(draft, do) else []
    proposed_phrase = ", ".join([*task_phrases, *(word_number(name, number) for name, number in list_numbers(do))])
    questions = []
    if _is_availability_asked(do):
        questions.append(f"Can {do.item} be bought{f' ({proposed_phrase})' if proposed_phrase else ''}?")
    elif proposed_phrase:
        questions.append(f"Is this right: {proposed_phrase}?")
    for name in _list_missing_scores(do):
        score_phrase = (
            "the seller's Social"
            if name == "social"
            else f"the {write_word(do.attribute)} of {do.thing or 'the target'}"
        )
        questions.append(f"What is {score_phrase}?")
    return " ".join(questions)


def _word_task(draft: Draft, do: Any) -> str:
    """Put the task into words: the Expertise and Power, and the attribute that they are rolled against."""
    power = f"with {listed(map(words, do.power))}" if do.power else ""
    if not hasattr(do, "attribute"):
        return power
    expertise = write_word(do.expertise) if hasattr(do, "expertise") else f"Occult instead of {write_word(do.imitates)}"
    return f"{expertise} against {_word_side(draft, do)}{f', {power}' if power else ''}"


def _word_side(draft: Draft, do: Any) -> str:
    own_phrase = f"{draft.table.name(character(do.actor))}'s own {write_word(do.attribute)}"
    if getattr(do, "target", None) is None:
        return (
            own_phrase
            if getattr(do, "side", "own") == "own"
            else f"the {write_word(do.attribute)} of {do.thing or 'the target'}"
        )
    target_name = draft.table.name(character(do.target))
    their_phrase = f"{target_name}'s {write_word(getattr(do, 'target_attribute', None) or do.attribute)}"
    if hasattr(do, "side") and acting.find_strife(draft, do.actor) is None:
        return own_phrase if do.side == "own" else their_phrase
    return f"{own_phrase}, or {their_phrase} if {target_name} defends"
