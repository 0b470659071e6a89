"""Beads on actions (headings "What Beads can do", "Storytelling")."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Annotated

from ledger.rules.kernel.kit import (
    OPEN,
    Among,
    Asking,
    Between,
    CharacterId,
    Domain,
    Move,
    Names,
    Refusal,
    Refused,
    Says,
    Seen,
    SharedRefusal,
    Story,
    changed,
    changes,
    decides,
    declares,
    either,
    fact,
    guards,
    offers,
    require,
    rule,
)
from ledger.rules.moc import dice, holdings, own_dice, piles, pools, story
from ledger.rules.moc.draft import Draft, acts, ask_approval, make_decline, may_play_beads, may_spend_beads
from ledger.rules.moc.shown import AGREED, Fields, Offering, fix, get_offering, group_ids
from ledger.rules.moc.state import Action, Character, Part, Play, Scene
from ledger.rules.moc.types import ActionId, AnyElement, Approval, BeadTalent, BeadUse, HowMany, PartNumber, PlayId
from ledger.rules.moc.words import (
    ALREADY_ACTIVATED,
    ALREADY_ROLLED,
    CASCADE,
    CHARACTERISTIC_NOT_OF_SKILL,
    ELEMENTS,
    GM_APPROVAL_NEEDED,
    NEGATIVE_BEADS,
    NEGATIVE_SUCCESSES,
    NO_BEADS_PLAYED,
    NOT_ENOUGH_BEADS,
    RELATED,
    ROLL_NOT_COMPLETED,
    UNKNOWN_CHARACTERISTIC,
    UNKNOWN_PURCHASE,
    USES,
    WRONG_ELEMENT,
    Sent,
    read_element,
    read_whole,
    say_count,
    say_who,
    say_with,
    say_word,
)

SUPERHUMAN_BEADS = rule(
    "moc.adv.superhuman",
    "A Superhuman Characteristic has a level. Its owner can play beads on an action that uses the "
    "characteristic. Each bead adds dice equal to the level.",
    "Bead affecting Advantages/Disadvantages",
)
UNKNOWN_BEAD_USE = Refusal(
    pools.BEAD_USE,
    "unknown-bead-use",
    "Beads cannot be used like that: {use}[. The campaign lists no such use for the archetype {archetype}].",
)
ONE_BEAD_UNLESS_PRIMARY = Refusal(
    pools.BEAD_USE,
    "one-bead-unless-primary",
    "{element} is not a primary Element of yours, so only one bead can lower the target number.",
)
ONE_BEAD_ONLY = Refusal(pools.BEAD_USE, "one-bead-only", "Play exactly one bead, not {number}.")
FREE_SUCCESS_FIXED = Refusal(dice.RESOLVE, "free-success-fixed", "A bead's free Marginal Success cannot be increased.")
NO_DICE_TO_BUY = Refusal(
    pools.BEAD_USE,
    "no-dice-to-buy",
    "Dice cannot be bought with {number:bead|beads} here[: with {primary} at 0, each die takes {each} beads, so"
    " the number of beads must be a multiple of {each}].",
)
NOT_OWN_ACTION = SharedRefusal("not-own-action", "{character} can do this only on an action of their own.")


def say_beads_played(fact: BeadsPlayed, names: Names) -> str:
    play = fact.what
    effect_words = {
        "add_successes": say_count(play.successes, "more success", "more successes"),
        "reduce_difficulty": f"the target number falls by {play.number}",
        "add_dice": say_count(play.dice, "more die", "more dice"),
        "free_marginal": "a free Marginal Success",
        "superhuman": say_count(play.dice, "more die", "more dice"),
        "martial_arts": say_count(play.successes, "more damage die", "more damage dice"),
        "archetype": "the archetype's own use",
        "storytelling": {1: "one more success", -1: "one success fewer"}.get(play.successes, ""),
    }.get(play.use, "")
    return say_with(f"{say_who(names, play.by)} plays {piles.say_play(play)}", effect_words)


@fact("beads-played", says=say_beads_played)
class BeadsPlayed:
    """Beads were played on an action. `what`: the play."""

    action: ActionId
    play: PlayId
    what: Play


@changes
def add_beads(state: Scene, fact: BeadsPlayed) -> Scene | None:
    return piles.with_play(state, fact.action, fact.what)


#: The purpose of each use of beads, in words.
PURPOSES = {
    "add_successes": " for more successes",
    "reduce_difficulty": " to lower the target number",
    "add_dice": " for more dice",
    "free_marginal": " for a free Marginal Success",
    "archetype": " for the archetype's own use",
    "superhuman": " for a Superhuman characteristic",
    "martial_arts": " for Martial Arts",
}


def say_beads_to_play(do: PlayBeads, names: Names) -> str:
    element = do.element or ("storytelling" if do.use == "storytelling" else "")
    bead_words = say_count(do.number, f"{say_word(element)} bead".strip(), f"{say_word(element)} beads".strip())
    return say_with(f"{say_who(names, do.character)} plays {bead_words}{PURPOSES.get(do.use, '')}", do.effect)


@acts("character")
@declares("play-beads", either("character"), says=say_beads_to_play, records=(BeadsPlayed, own_dice.OwnDiceAdded))
class PlayBeads:
    """Play beads on an action. `use`: add_successes, reduce_difficulty, add_dice, free_marginal, storytelling,
    archetype, other, superhuman, martial_arts. `successes`: the effect of a Storytelling bead on another character's
    action: 1 adds a success, -1 removes one. `characteristic`: the Superhuman characteristic or the area of Martial
    Arts that the beads use. `effect`: the effect of the beads, in words. `approved`: whether the game master agrees, if
    the use needs approval.
    """

    action: ActionId
    character: CharacterId
    use: BeadUse
    number: Annotated[HowMany, Says("Beads", "How many beads are played.")] = 1
    element: AnyElement = ""
    part: PartNumber = 0
    successes: Annotated[
        Sent,
        Between(-1, 1),
        Says("Successes", "On somebody else's action: 1 if a Storytelling bead adds a success, -1 if it removes one."),
    ] = 1
    characteristic: BeadTalent = ""
    effect: Story = ""
    approved: Approval = None


BEFORE_ROLL_USES = ("reduce_difficulty", "add_dice", "free_marginal", "superhuman")


#: Uses for the character's own actions only.
OWN_ACTION_USES = ("add_dice", "free_marginal", "martial_arts")
GATED_USES = ("add_successes", "reduce_difficulty", "free_marginal")


@decides
def play_beads(draft: Draft, do: PlayBeads) -> Asking[None]:
    owner_id = do.character
    state = draft.get_character(owner_id)
    if do.use not in USES:
        raise UNKNOWN_BEAD_USE(use=do.use)
    action = draft.get_action(do.action)
    part_index, part = draft.locate_part(action, do.part)
    bead_count = read_whole(do.number, NEGATIVE_BEADS, pools.BEAD_USE)
    if bead_count == 0:
        raise NO_BEADS_PLAYED.under(pools.BEAD_USE)
    element = read_element(
        do.element or ("storytelling" if do.use == "storytelling" else part.roll.element), pools.BEAD_USE
    )
    require(may_play_beads(draft, owner_id))
    if do.use in OWN_ACTION_USES:
        require(may_help(draft, action, owner_id))
    _check_time(do.use, part, part_index)
    if do.use in GATED_USES and draft.dials.bead_element_gate == "strict" and element != part.roll.element:
        raise WRONG_ELEMENT.under(pools.BEAD_USE, element=element, action=part.roll.element)
    play = Play(draft.table.new_id(), owner_id, "beads", do.use, part_index, bead_count, element)
    play = use_beads_on_action(draft, action, part, state, do, play)
    require(may_spend_beads(draft, owner_id, element, bead_count, pools.BEAD_USE))
    if do.use in ("archetype", "other") and not (
        yield from ask_approval(draft, do.approved, f"a use of beads ({do.use}): {do.effect}")
    ):
        raise make_decline(GM_APPROVAL_NEEDED.under(pools.BEAD_USE, use=do.use), do.approved)
    draft.here(
        BeadsPlayed(action.id, play.id, play),
        holdings.make_posting(holdings.name_bead_account(owner_id, element), holdings.SPENT, bead_count),
    )
    draft.by(pools.BEAD_USE, play.dice or bead_count, use=do.use, element=element)


def _check_time(use: str, part: Part, part_index: int) -> None:
    if use in BEFORE_ROLL_USES and part.rolled:
        raise ALREADY_ROLLED.under(pools.BEAD_USE, use=use, part=part_index)
    if use == "add_successes" and not part.rolled:
        raise ROLL_NOT_COMPLETED.under(pools.BEAD_USE, use=use, part=part_index)


def use_beads_on_action(draft: Draft, action: Action, part: Part, state: Character, do: PlayBeads, play: Play) -> Play:
    """Return the play with its effect. Each use of beads has its own refusals."""
    match do.use:
        case "add_successes":
            return _with_successes(action, play, play.number)
        case "reduce_difficulty":
            played_count = sum(
                earlier.number
                for earlier in piles.list_effective(action.plays)
                if earlier.use == do.use and earlier.part == play.part
            )
            if played_count + play.number > 1 and part.roll.element not in state.primaries:
                raise ONE_BEAD_UNLESS_PRIMARY(element=part.roll.element)
            return play
        case "add_dice":
            is_own_element = part.roll.element in (*state.primaries, *state.secondaries)
            dice_each = 2 if is_own_element and play.element in (part.roll.element, RELATED[part.roll.element]) else 1
            return _check_dice_bought(
                draft,
                action,
                changed(play, dice=dice_each * _count_beads_worth(draft, play, action.character, part.roll.primary)),
            )
        case "free_marginal":
            if play.number != 1:
                raise ONE_BEAD_ONLY(number=play.number)
            return play
        case "storytelling":
            return _tell_with_bead(draft, action, do, play)
        case "archetype":
            if not draft.get_campaign().uses.get(state.archetype):
                raise UNKNOWN_BEAD_USE(use=do.use, archetype=state.archetype)
            return play
        case "superhuman":
            return _use_superhuman(draft, state, action, do, play)
        case "martial_arts":
            level = holdings.MARTIAL_ARTS.count(state, do.characteristic)
            if level == 0:
                raise UNKNOWN_PURCHASE.under(pools.BEAD_USE, martial_arts=do.characteristic)
            require(own_dice.may_use_martial_art(draft, action, play.part, do.characteristic))
            if play.number != 1:
                raise ONE_BEAD_ONLY(number=play.number)
            if any(
                earlier.use == do.use and earlier.part == play.part for earlier in piles.list_effective(action.plays)
            ):
                raise ALREADY_ACTIVATED.under(own_dice.MARTIAL_ARTS_RULE, characteristic=do.characteristic)
            draft.by(own_dice.MARTIAL_ARTS_RULE, level, area=do.characteristic)
            return changed(play, successes=level)
        case _:
            return play


def _with_successes(action: Action, play: Play, success_count: int) -> Play:
    """Return the play with these successes. Refuses `free-success-fixed`."""
    if success_count > 0 and dice.has_free_marginal(action, play.part):
        raise FREE_SUCCESS_FIXED(part=play.part)
    return changed(play, successes=success_count)


def _check_dice_bought(draft: Draft, action: Action, play: Play) -> Play:
    """Return the play if its dice make the pool larger. Refuses `no-dice-to-buy`, because the untrained penalty can
    cancel all of them.
    """
    dice_before = piles.count_bead_dice(action, play.part)
    if pools.count_with_beads(draft, action, play.part, dice_before + play.dice) <= pools.count_with_beads(
        draft, action, play.part, dice_before
    ):
        raise NO_DICE_TO_BUY(part=play.part, number=play.number)
    return play


def _tell_with_bead(draft: Draft, action: Action, do: PlayBeads, play: Play) -> Play:
    """Return the play of Storytelling beads. One bead adds or removes a success of another character's action."""
    if play.element != "storytelling":
        raise WRONG_ELEMENT.under(pools.BEAD_USE, element=play.element)
    if type(do.successes) is not int or not -1 <= do.successes <= 1:
        raise NEGATIVE_SUCCESSES.under(pools.BEAD_USE, successes=str(do.successes))
    tier = story.check_tier(draft, do.character, play.number)
    if tier > 1 or action.character == do.character:
        return play
    return _with_successes(action, play, do.successes)


def _use_superhuman(draft: Draft, state: Character, action: Action, do: PlayBeads, play: Play) -> Play:
    """Return the play of Superhuman beads: each bead gives as many dice as the level, on the owner's actions of that
    characteristic.
    """
    key = holdings.SUPERHUMAN.make_key(do.characteristic)
    if action.character != do.character:
        raise NOT_OWN_ACTION.under(SUPERHUMAN_BEADS, character=do.character, action=action.id)
    level = state.counts.get(key, 0)
    if level == 0:
        raise UNKNOWN_CHARACTERISTIC.under(pools.BEAD_USE, characteristic=do.characteristic)
    if state.elements.get(key) != play.element:
        raise WRONG_ELEMENT.under(pools.BEAD_USE, element=play.element)
    roll = action.parts[play.part].roll
    is_of_primary = not roll.skill and roll.primary in CASCADE[do.characteristic]
    if not is_of_primary and do.characteristic not in (
        *pools.list_other_characteristics(draft, action.parts[play.part]),
        *action.activated,
    ):
        raise CHARACTERISTIC_NOT_OF_SKILL.under(SUPERHUMAN_BEADS, characteristic=do.characteristic)
    bead_worth = _count_beads_worth(draft, play, do.character, CASCADE[do.characteristic][0])
    draft.by(SUPERHUMAN_BEADS, level * bead_worth, characteristic=do.characteristic, level=level)
    return _check_dice_bought(draft, action, changed(play, dice=level * bead_worth))


def _count_beads_worth(draft: Draft, play: Play, owner_id: str, primary: str) -> int:
    """Return how many of the beads count. While the active value is 0, two beads count as one. Refuses
    `not-enough-beads` and `no-dice-to-buy`.
    """
    if draft.find_active_value(owner_id, primary) > 0:
        return play.number
    draft.cite_active_value(owner_id, primary)
    if play.number < 2:
        raise NOT_ENOUGH_BEADS.under(pools.BEAD_USE, primary=primary, needed=2)
    if play.number % 2:
        raise NO_DICE_TO_BUY(primary=primary, each=2, number=play.number)
    return play.number // 2


@guards
def may_help(draft: Draft, action: Action, owner_id: str) -> Refused | None:
    """Refuse a use that helps another character's action, unless an option allows it: `not-own-action`."""
    if action.character != owner_id and not draft.dials.helping:
        return NOT_OWN_ACTION.under(pools.BEAD_USE, character=owner_id, action=action.id)
    return None


MOST_FOR_FIRST_DIE = 12  # the most beads that a first die can cost
MOST_AT_DOUBLE_PRICE = 100  # the most beads offered for dice at double the price


def list_bead_moves(
    offering: Offering,
    action: Action,
    part_index: int,
    part: Part,
    ids: tuple[str, ...],
    bead_counts: Mapping[str, int],
) -> Iterator[Move]:
    """Yield the moves that all these characters can make with beads."""
    owner_id = ids[0]
    own_fields: Fields = {"action": fix(action.id), "character": Among(ids), "part": fix(part_index)}
    fitting_elements = (part.roll.element,) if offering.dials.bead_element_gate == "strict" else ELEMENTS
    fitting_bead_counts = {element: n for element, n in bead_counts.items() if element in fitting_elements}
    for fields in (
        *_list_uses_before_roll(offering, action, part_index, part, owner_id, bead_counts, fitting_bead_counts),
        *_list_uses_any_time(offering, action, part_index, part, owner_id, bead_counts),
        *(_list_uses_after_roll(action, part_index, part, fitting_bead_counts) if part.rolled else ()),
    ):
        yield Move(PlayBeads, {**own_fields, **fields})


def _list_uses_before_roll(
    offering: Offering,
    action: Action,
    part_index: int,
    part: Part,
    owner_id: str,
    bead_counts: Mapping[str, int],
    fitting_bead_counts: Mapping[str, int],
) -> Iterator[Fields]:
    if part.rolled:
        return
    state = offering.get_character(owner_id)
    has_reduced_difficulty = any(
        play.use == "reduce_difficulty" and play.part == part_index for play in piles.list_effective(action.plays)
    )
    for element, n in fitting_bead_counts.items():
        fields: Fields = {"element": _make_element_domain(part, element)}
        if part.roll.element in state.primaries:
            yield {**fields, "use": fix("reduce_difficulty"), "number": Between(1, n)}
        elif not has_reduced_difficulty:
            yield {**fields, "use": fix("reduce_difficulty")}
        if may_help(offering.draft, action, owner_id) is None:
            yield {**fields, "use": fix("free_marginal")}
    for element, n in bead_counts.items():
        fields = {"element": _make_element_domain(part, element)}
        if may_help(offering.draft, action, owner_id) is None:
            for number_domain in _list_buying_domains(offering, action, part_index, owner_id, "add_dice", element, n):
                yield {**fields, "use": fix("add_dice"), "number": number_domain}
        if action.character == owner_id:
            for key, bead_element in state.elements.items():
                kind, _, name = key.partition(":")
                if kind == "superhuman" and bead_element == element:
                    for number_domain in _list_buying_domains(
                        offering, action, part_index, owner_id, "superhuman", element, n, name
                    ):
                        yield {**fields, "use": fix("superhuman"), "number": number_domain, "characteristic": fix(name)}


def _make_element_domain(part: Part, element: str) -> Among:
    """Return the Elements to choose from. The action's own Element can be left out."""
    return Among(("", element) if element == part.roll.element else (element,))


def _list_buying_domains(
    offering: Offering,
    action: Action,
    part_index: int,
    owner_id: str,
    use: str,
    element: str,
    held_count: int,
    name: str = "",
) -> Iterator[Domain]:
    """Yield how many beads can be played to add dice. The untrained penalty can cancel some of the dice. While the
    active value is 0, each die costs two beads.
    """
    part, state = action.parts[part_index], offering.get_character(owner_id)
    primary = part.roll.primary if use == "add_dice" else CASCADE[name][0]
    for bead_count in range(1, min(held_count, MOST_FOR_FIRST_DIE) + 1):
        do = PlayBeads(action.id, owner_id, use, bead_count, element, part_index, characteristic=name)
        play = Play("new", owner_id, "beads", use, part_index, bead_count, element)
        if offering.is_allowed(lambda draft: use_beads_on_action(draft, action, part, state, do, play)):  # noqa: B023  (asked at once)
            costs_two_beads = offering.draft.find_active_value(action.character, primary) == 0
            yield (
                Among(tuple(range(bead_count, min(held_count, MOST_AT_DOUBLE_PRICE) + 1, 2)))
                if costs_two_beads
                else Between(bead_count, held_count)
            )
            return


def _list_uses_any_time(
    offering: Offering, action: Action, part_index: int, part: Part, owner_id: str, bead_counts: Mapping[str, int]
) -> Iterator[Fields]:
    state = offering.get_character(owner_id)
    storytelling_count = bead_counts.get("storytelling", 0)
    for bead_count in story.list_story_bead_counts(storytelling_count):
        is_fixed = bead_count == 1 and action.character != owner_id and dice.has_free_marginal(action, part_index)
        successes_domain = Between(-1, 0 if is_fixed else 1)
        yield {
            "use": fix("storytelling"),
            "number": fix(bead_count),
            "element": Among(("", "storytelling")),
            "successes": successes_domain,
        }
    areas = tuple(area for area, n in holdings.MARTIAL_ARTS.find_levels(state.counts).items() if n)
    has_arts_play = any(
        play.use == "martial_arts" and play.part == part_index for play in piles.list_effective(action.plays)
    )
    fitting_areas = (
        ()
        if has_arts_play
        else tuple(
            area for area in areas if own_dice.may_use_martial_art(offering.draft, action, part_index, area) is None
        )
    )
    for element, n in bead_counts.items():
        fields: Fields = {"element": _make_element_domain(part, element), "number": Between(1, n)}
        yield {**fields, "use": fix("other"), "effect": OPEN, "approved": AGREED}
        if offering.campaign.uses.get(state.archetype):
            yield {**fields, "use": fix("archetype"), "effect": OPEN, "approved": AGREED}
        if fitting_areas and may_help(offering.draft, action, owner_id) is None:
            yield {**fields, "number": fix(1), "use": fix("martial_arts"), "characteristic": Among(fitting_areas)}


def _list_uses_after_roll(
    action: Action, part_index: int, part: Part, fitting_bead_counts: Mapping[str, int]
) -> Iterator[Fields]:
    """Yield the fields for beads that add successes. A Marginal Success given by a bead cannot be raised."""
    if not dice.has_free_marginal(action, part_index):
        for element, n in fitting_bead_counts.items():
            yield {"use": fix("add_successes"), "number": Between(1, n), "element": _make_element_domain(part, element)}


def _make_group_key(
    offering: Offering, action: Action, owner_id: str, bead_counts: Mapping[str, int]
) -> tuple[object, ...]:
    """Return the key by which characters are grouped: the values that decide the possible uses of their beads on the
    action.
    """
    state = offering.get_character(owner_id)
    talent_keys = tuple(key for key, n in state.counts.items() if n and key.startswith(("superhuman", "martial")))
    archetype_key = (state.primaries, state.secondaries, state.archetype)
    return (
        action.character == owner_id,
        tuple(bead_counts.items()),
        *archetype_key,
        tuple(state.elements.items()),
        talent_keys,
    )


@offers
def offer_beads_on_actions(seen: Seen, draft: Draft) -> Iterator[Move]:
    offering = get_offering(seen, draft)
    counts_by_id = {owner_id: offering.count_playable_beads(owner_id) for owner_id in offering.active_ids}
    for action, part_index, part in offering.list_declared_parts():
        pairs = (
            (owner_id, _make_group_key(offering, action, owner_id, counts))
            for owner_id, counts in counts_by_id.items()
            if counts
        )
        for ids in group_ids(pairs).values():
            yield from list_bead_moves(offering, action, part_index, part, ids, counts_by_id[ids[0]])
