"""The chapter Impact, on bargains between players: a behaviour or an event in place of an impact, or a trade at another
time.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import combinations
from operator import not_
from typing import Annotated, TypeAlias

from ledger.rules.intensity import fatals, out_of_play
from ledger.rules.intensity.attacks import Hit, check_hit, take_effect
from ledger.rules.intensity.draft import (
    NO_ATTACK,
    NO_TRAIT_HERE,
    WRONG_STAGE,
    CurrentScene,
    Draft,
    ask_consent,
    check_once,
    check_reason,
    group_by_asked_seat,
    make_reason_domain,
    require_attack,
    require_round,
    require_scene,
)
from ledger.rules.intensity.impact import FICTION, check_impact, find_used_trait, list_traits_to_hit, may_choose_impact
from ledger.rules.intensity.state import (
    IMPACTS,
    RATINGS,
    AttackId,
    Fatal,
    FatalId,
    Impact,
    OpenAttack,
    Round,
    SaidImpact,
    Scene,
    TraitName,
    for_open_attack,
    join_sentences,
    quote,
    word_name,
    word_people,
)
from ledger.rules.intensity.turns import ActionPassed
from ledger.rules.kernel.kit import (
    Among,
    Asking,
    CharacterId,
    Domain,
    Move,
    Names,
    Question,
    Reason,
    Refusal,
    Refused,
    Says,
    Seen,
    Some,
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

BARGAIN = rule(
    "intensity.negotiate.decline",
    "After a successful attack, the players of the attacker and the defender may agree on something that happens"
    " in the story instead of the impact. Each player is asked once, for all of their characters. If anybody"
    " declines, the attacker still chooses an impact.",
    "Impact",
)
TERMS = rule(
    "intensity.negotiate.terms",
    "A bargain can include using or giving up held fatal impacts, and giving up actions. Every character who"
    " gives something must be a party to the bargain. Not in the source: such a bargain can also be made at"
    " any other time in a scene.",
    "Example 4: The Quickshot Hostage Rescue Maneuver",
)
AGREED_IMPACT = rule(
    "intensity.negotiate.impact",
    "A bargain about a successful attack can also include one impact that the rating of the attack allows.",
    "Example 3: Conflict with Many Characters",
)
PARTIES = Refusal(BARGAIN, "parties", "A bargain needs two or more parties, each named once[, including {needed}].")
TERMS_TEXT = Refusal(BARGAIN, "terms-text", "Describe what the parties agree on.")
NOTHING_AGREED = Refusal(
    TERMS,
    "nothing-agreed",
    "A bargain that is not about a successful attack must include something: a fatal impact that is used or given up,"
    " or an action that is given up.",
)
NO_IMPACT_HERE = Refusal(
    AGREED_IMPACT,
    "no-impact-here",
    "Only a bargain about a successful attack can include an impact. Leave out the impact.",
)
NO_ACTION_LEFT = Refusal(TERMS, "no-action-left", "{char} has no action left to give up.")
ASK_BARGAIN = Question("bargain", "{purpose}")


def say_agreed(fact: OutcomeNegotiated, names: Names) -> str:
    return quote(f"{word_people(names, fact.parties)} agree", fact.terms)


def _say_impact(impact: str, trait: str | None = None) -> str:
    return f"The result of the attack is {_word_impact(impact, trait)}."


def _word_impact(impact: str, trait: str | None) -> str:
    return f"{IMPACTS.get(impact, 'an impact')}{f' on {trait}' if trait else ''}"


@fact("outcome-negotiated", says=say_agreed, headline=1)
class OutcomeNegotiated:
    """A bargain was made. `attack`: the attack that the bargain closes; empty if it closes none."""

    attack: AttackId | None
    parties: tuple[CharacterId, ...]
    terms: Story


@changes
def note_bargain(state: Scene, fact: OutcomeNegotiated) -> Scene | None:
    """Leave the scene as it is: a bargain at another time closes nothing."""
    return _close_attack(state, fact) if fact.attack is not None else state


@for_open_attack
def _close_attack(round: Round, attack: OpenAttack, fact: OutcomeNegotiated) -> Round:
    return changed(round, attack=None)


def say_impact_agreed(fact: ImpactAgreed, names: Names) -> str:
    return _say_impact(fact.impact)


@fact("impact-agreed", says=say_impact_agreed, changes=None)
class ImpactAgreed:
    """The bargain that closed the attack includes this impact. The next fact records its effect."""

    attack: AttackId
    impact: Impact


def say_declined(fact: BargainDeclined, names: Names) -> str:
    return quote(f"{word_name(names, fact.by)} does not agree", fact.terms)


@fact("bargain-declined", says=say_declined, headline=2)
class BargainDeclined:
    """A party declined a bargain, so nothing in it happens. If it was about a successful attack, that success stands.
    `by`: the character whose player declined.
    """

    attack: AttackId | None
    parties: tuple[CharacterId, ...]
    by: CharacterId
    terms: Story


@changes
def note_declined_bargain(state: Scene, fact: BargainDeclined) -> Scene | None:
    """Leave the scene as it is: if the bargain was about an attack, that attack is still open."""
    attack = state.round.attack if state.round is not None else None
    return state if fact.attack is None or (attack is not None and attack.id == fact.attack) else None


def say_offered(do: Negotiate, names: Names) -> str:
    """Put into words the terms and everything that the parties give."""
    sentences = [quote(f"A bargain is proposed between {word_people(names, do.parties)}", do.text)]
    if do.impact is not None:
        sentences.append(_say_impact(do.impact, do.trait))
    sentences += [out_of_play.say_fatal_use(use, names) for use in do.uses]
    if do.releases:
        release_words = f"{len(do.releases)} fatal impacts are" if do.releases[1:] else "A fatal impact is"
        sentences.append(f"{release_words} given up.")
    sentences += [_say_action_given_up(char, names) for char in do.passes]
    return join_sentences(sentences)


def _say_action_given_up(char: str, names: Names) -> str:
    return f"{word_name(names, char)} gives up the action."


def _find_declaring_party(table: Table[object], do: Negotiate) -> str | None:
    """Return a party that the declaring seat plays, or else the first party."""
    return next((char for char in do.parties if char in table.by.characters), do.parties[0] if do.parties else None)


@declares(
    "negotiate",
    either(_find_declaring_party, "the player of a party"),
    says=say_offered,
    records=(
        OutcomeNegotiated,
        ImpactAgreed,
        BargainDeclined,
        fatals.FatalHeld,
        fatals.FatalReleased,
        ActionPassed,
        *fatals.HAPPENED,
    ),
)
class Negotiate:
    """Propose a bargain between characters. Their players are asked; if one of them declines, nothing happens.

    `parties`: the characters who agree. `text`: the terms of the bargain. `attack`: the successful attack that ends
    with this bargain, without an impact unless you name one. `impact`: an impact that is part of the bargain. `trait`:
    the trait that a tax lowers. `uses`: held fatal impacts that are used. `releases`: held fatal impacts that are given
    up. `passes`: characters who give up their action. `reason`: for a game master only, the reason why no player needs
    to be asked.
    """

    parties: Annotated[tuple[CharacterId, ...], Says("Who agrees")]
    text: Annotated[Story, Says("Terms of the bargain")]
    attack: AttackId | None = None
    uses: Annotated[tuple[out_of_play.FatalUse, ...], Says("Fatal impacts to use")] = ()
    releases: Annotated[tuple[FatalId, ...], Says("Fatal impacts to give up")] = ()
    passes: Annotated[tuple[CharacterId, ...], Says("Who gives up their action")] = ()
    reason: Annotated[Reason, Says("Why nobody is asked")] = ""
    impact: SaidImpact | None = None
    trait: TraitName | None = None


@means
def fill_in_givers(table: Table[object], do: Negotiate) -> Negotiate:
    """Return the declaration with the current holder for every fatal impact without a named holder."""
    bargain: Negotiate = changed(do, uses=fatals.name_holders(table, do.uses))
    return bargain


def may_settle_attack(attack: OpenAttack) -> Refused | None:
    """Refuse an attack that has not succeeded: only a successful attack has an impact that a bargain can replace."""
    return WRONG_STAGE.under(BARGAIN, attack=attack.id) if attack.success is None else None


def may_give_up_action(open_scene: CurrentScene, char: str) -> Refused | None:
    round = open_scene.scene.round
    participant = round.participants.get(char) if round is not None and round.groups is not None else None
    return None if participant is not None and participant.turn == "pending" else NO_ACTION_LEFT(char=char)


@decides
def negotiate(draft: Draft, do: Negotiate) -> Asking[None]:
    """Make a bargain: a behaviour or event in place of the impact, or a trade at another time."""
    _check_names_and_texts(draft, do)
    is_spoken_for = check_reason(draft, BARGAIN, do.reason)
    open_scene = require_scene(draft, BARGAIN)
    attack = _require_settled_attack(open_scene, do) if do.attack is not None else None
    _check_parties(do, attack)
    if not do.text.strip():
        raise TERMS_TEXT()
    if attack is None and not (do.uses or do.releases or do.passes):
        raise NOTHING_AGREED()
    uses = [fatals.check_use(draft, open_scene, use) for use in do.uses]
    released_fatals = {fatal_id: fatals.require_fatal(open_scene, fatal_id) for fatal_id in do.releases}
    _check_givers(do, [use.held.holder for use in uses] + [fatal.holder for fatal in released_fatals.values()])
    _check_givers(do, do.passes)
    for char in do.passes:
        require(may_give_up_action(open_scene, char))
    require(fatals.may_use_together(draft, uses))
    hit = _check_agreed_impact(draft, open_scene, attack, do)

    if is_spoken_for:
        draft.by(BARGAIN, "agreed", spoken_for=do.reason)
    elif (
        decliner := (yield from _ask_parties(draft, do, _write_terms(draft, do, attack, hit, uses, released_fatals)))
    ) is not None:
        draft.tell(open_scene.subject, BargainDeclined(do.attack, do.parties, decliner, do.text))
        return
    draft.tell(open_scene.subject, OutcomeNegotiated(do.attack, do.parties, do.text))
    draft.by(BARGAIN if attack else TERMS, "agreed", parties=list(do.parties), attack=do.attack)
    draft.by(FICTION, do.text)
    if attack is not None and hit is not None:
        draft.tell(open_scene.subject, ImpactAgreed(attack.id, hit.impact))
        draft.by(AGREED_IMPACT, hit.impact, rating=hit.rating)
        take_effect(draft, open_scene, attack, hit)
    given_up = out_of_play.GivenUp(frozenset(do.releases), frozenset(do.passes), attack_closed=attack is not None)
    fatals.carry_out_uses(draft, open_scene, uses, given_up)
    for fatal_id, fatal in released_fatals.items():
        fatals.record_release(draft, open_scene, fatal_id, fatal)
    _give_up_actions(draft, open_scene, do.passes)


def _ask_parties(draft: Draft, do: Negotiate, terms: str) -> Asking[str | None]:
    """Return the first party, in the order named, whose player does not agree, or None if all agree."""
    chars_by_seat = group_by_asked_seat(draft, do.parties)
    answers = yield from ask_all(
        (
            ask_consent(draft, BARGAIN, asked_seat, chars, ASK_BARGAIN("+".join(chars)), terms)
            for asked_seat, chars in chars_by_seat.items()
        ),
        is_final=not_,
    )
    return None if all(answers) else list(chars_by_seat.values())[len(answers) - 1][0]


def _write_terms(
    draft: Draft,
    do: Negotiate,
    attack: OpenAttack | None,
    hit: Hit | None,
    uses: list[out_of_play.CheckedUse],
    released_fatals: dict[str, Fatal],
) -> str:
    """Return the text that the players are asked to agree to: the terms, the outcome of the attack, and the
    contributions of each party.
    """
    parts = [f"“{do.text.strip()}”"]
    if attack is not None:
        attacker, defender = (draft.name(character(char)) for char in (attack.attacker, attack.defender))
        result = f"results in {_word_impact(hit.impact, hit.trait)}" if hit is not None else "has no impact"
        parts.append(f"{attacker}'s attack on {defender} {result}.")
    for party in do.parties:
        if use_words := out_of_play.word_uses(draft, [use for use in uses if use.held.holder == party]):
            parts.append(use_words)
        parts += [
            f"{draft.name(character(party))} gives up the fatal impact on {draft.name(character(fatal.subject))}."
            for fatal in released_fatals.values()
            if fatal.holder == party
        ]
        if party in do.passes:
            parts.append(_say_action_given_up(party, draft))
    return join_sentences([*parts, f"Do {word_people(draft, do.parties)} agree?"])


def _check_names_and_texts(draft: Draft, do: Negotiate) -> None:
    for char in (*do.parties, *do.passes):
        draft.check_character(char)
    if do.impact is not None:
        check_impact(do.impact, do.trait)
        if do.attack is None:
            raise NO_IMPACT_HERE(impact=do.impact)
    elif do.trait is not None:
        raise NO_TRAIT_HERE.under(AGREED_IMPACT, trait=do.trait)
    for use in do.uses:
        fatals.check_use_fields(use)
        if use.by is not None:
            draft.check_character(use.by)
    fatals.check_no_fatal_twice([*(use.fatal for use in do.uses), *do.releases])
    check_once(do.passes, TERMS)


def _require_settled_attack(open_scene: CurrentScene, do: Negotiate) -> OpenAttack:
    """Return the successful attack that the bargain closes. Refuses `no-round`, `no-attack`, `wrong-stage`."""
    attack = require_attack(require_round(open_scene, BARGAIN), BARGAIN)
    if attack.id != do.attack:
        raise NO_ATTACK.under(BARGAIN, attack=do.attack, open=attack.id)
    require(may_settle_attack(attack))
    return attack


def _check_agreed_impact(
    draft: Draft, open_scene: CurrentScene, attack: OpenAttack | None, do: Negotiate
) -> Hit | None:
    """Return the impact in the bargain. Refuses the same codes as a choice of that impact."""
    if do.impact is None or attack is None:
        return None
    round = require_round(open_scene, AGREED_IMPACT)
    return check_hit(draft, round, attack, check_impact(do.impact, do.trait), do.trait)


def _check_parties(do: Negotiate, attack: OpenAttack | None) -> None:
    """Check the parties: at least two, none of them named twice, and the attacker and defender among them."""
    needed_parties = {attack.attacker, attack.defender} if attack is not None else set()
    if len(do.parties) < 2 or len(set(do.parties)) != len(do.parties) or not needed_parties <= set(do.parties):
        raise PARTIES(parties=list(do.parties), needed=sorted(needed_parties))


def _check_givers(do: Negotiate, givers: Iterable[str]) -> None:
    """Refuse a contribution from a character who is not a party."""
    givers_without_party = [char for char in givers if char not in do.parties]
    if givers_without_party:
        raise PARTIES.under(TERMS, parties=list(do.parties), needed=givers_without_party)


def _give_up_actions(draft: Draft, open_scene: CurrentScene, passes: tuple[str, ...]) -> None:
    round = open_scene.scene.round
    for char in passes:
        assert round is not None
        draft.tell(open_scene.subject, ActionPassed(round.id, char))
        draft.by(TERMS, "passed", char=char)


# --- offers ----------------------------------------------------------------------------------------------------------

#: The fields for the contributions to a bargain, and the characters who make them.
Deal: TypeAlias = tuple[dict[str, Domain], set[str]]
FEW = 3  # up to this many givers, every combination of them is offered


@offers
def offer_bargains(seen: Seen, draft: Draft) -> Iterator[Move]:
    """Offer bargains. A character who contributes to the bargain must be a party."""
    open_scene, present = draft.open_scene, draft.present
    if open_scene is None:
        return
    round = open_scene.scene.round
    attack = round.attack if round is not None else None
    sides = {attack.attacker, attack.defender} if attack is not None else set()
    are_sides_present = round is not None and sides <= {*round.participants} and sides <= {*present}
    deals: list[Deal] = []
    for deal, givers in _list_deals(draft, open_scene, present):
        if givers:
            deals.append((deal, givers))
        if attack is not None and round is not None and are_sides_present and may_settle_attack(attack) is None:
            impacts = _list_impact_fields(draft, round, attack)
            deals += [({**deal, **impact, "attack": Among((attack.id,))}, givers | sides) for impact in impacts]
    own_chars: Iterable[str | None] = (
        [None] if seen.decides else [char for char in present if char in seen.seat.characters]
    )
    for deal, parties in deals:
        for own_char in own_chars:
            needed_parties = tuple(char for char in present if char in parties or char == own_char)
            parties_domain = Some(Among(tuple(present)), 2, len(present), needed_parties)
            if len(present) > 1:
                yield Move(
                    Negotiate, {**deal, "parties": parties_domain, "reason": make_reason_domain(seen)}, of=own_char
                )


def _list_deals(draft: Draft, open_scene: CurrentScene, present: list[str]) -> Iterator[Deal]:
    """Yield the deals that can be offered: those without contributions, and those in which some of the characters use
    or release fatal impacts or pass their turns.
    """
    round = open_scene.scene.round
    pending_chars = {char for char in present if round is not None and may_give_up_action(open_scene, char) is None}
    held_fatals = {fatal_id: fatal for fatal_id, fatal in open_scene.scene.fatals.items() if fatal.holder in present}
    usable_ids = fatals.select_usable_fatals(draft, open_scene)
    givers = [
        char for char in present if char in pending_chars or any(fatal.holder == char for fatal in held_fatals.values())
    ]
    yield {}, set()
    for giving in _list_combinations(givers):
        own_fatals = {fatal_id: fatal for fatal_id, fatal in held_fatals.items() if fatal.holder in giving}
        pass_domain = Some(Among(tuple(char for char in giving if char in pending_chars)))
        usable_fatals = {fatal_id: fatal for fatal_id, fatal in own_fatals.items() if fatal_id in usable_ids}
        deals = list(_list_fatal_deals(draft, usable_fatals, own_fatals, pass_domain))
        if pass_domain.items != Among(()):
            deals.append({"passes": Some(pass_domain.items, 1)})
        yield from ((deal, set(giving)) for deal in deals)


def _list_impact_fields(draft: Draft, round: Round, attack: OpenAttack) -> Iterator[dict[str, Domain]]:
    """Yield the fields of a bargain without an impact, and of a bargain with each impact that the rating allows."""
    possible_impacts = [impact for impact in RATINGS if may_choose_impact(round, attack, impact) is None]
    yield {"impact": Among((None, *(impact for impact in possible_impacts if impact not in ("tax", "damage"))))}
    used_trait = find_used_trait(round, attack.defender)
    for impact in ("tax", "damage"):
        if impact in possible_impacts and (traits := list_traits_to_hit(draft, impact, attack.defender, used_trait)):
            yield {"impact": Among((impact,)), "trait": Among(traits)}


def _list_combinations(givers: list[str]) -> Iterator[tuple[str, ...]]:
    """Yield each giver alone, all givers together and, if there are only a few, every combination."""
    counts = range(1, len(givers) + 1) if len(givers) <= FEW else (1, len(givers))
    for count in counts:
        yield from combinations(givers, count)


def _list_fatal_deals(
    draft: Draft, usable_fatals: dict[str, Fatal], own_fatals: dict[str, Fatal], pass_domain: Domain
) -> Iterator[dict[str, Domain]]:
    """Yield the fields of deals that use or release fatal impacts. No fatal impact is both used and released."""
    if own_fatals:
        yield {"releases": Some(Among(tuple(own_fatals)), 1), "passes": pass_domain}
    for fatal_id, fatal in usable_fatals.items():
        other_ids = tuple(other_id for other_id in own_fatals if other_id != fatal_id)
        yield {
            "uses": out_of_play.make_domain_of_one_use(draft, fatal_id, fatal),
            "releases": Some(Among(other_ids)),
            "passes": pass_domain,
        }
    if len(usable_fatals) > 1:
        yield {"uses": out_of_play.make_domain_of_uses(draft, usable_fatals), "passes": pass_domain}
