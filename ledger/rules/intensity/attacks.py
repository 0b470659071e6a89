"""Actions and Impact: an attack, from its opening to its success or failure and the choice of an impact."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Annotated

from ledger.rules.intensity.advantage_points import gain_points
from ledger.rules.intensity.defence import (
    NO_DEFENCE_YET,
    REROLL_IN_DEFENCE,
    compute_defence_value,
    select_counting_dice,
)
from ledger.rules.intensity.draft import (
    WRONG_STAGE,
    CurrentScene,
    Draft,
    make_posting_from_bank,
    name_fatals_account,
    require_attack,
    require_participant,
    require_round,
    require_scene,
    require_scene_and_round,
)
from ledger.rules.intensity.fatals import ACHIEVE, BEFALLEN, NOT_FATAL, FatalHeld, use_fatal_at_once
from ledger.rules.intensity.impact import (
    FICTION,
    LADDER,
    check_impact,
    compute_rating,
    explain_rating,
    find_hit_trait,
    find_used_trait,
    inflict,
    list_allowed_impacts,
    list_traits_to_hit,
    may_choose_impact,
)
from ledger.rules.intensity.opponents import ConflictLinked
from ledger.rules.intensity.out_of_play import TARGET_GONE, Fate, list_ways_to_use
from ledger.rules.intensity.rounds import SELF, TARGET_NOT_IN_ROUND
from ledger.rules.intensity.state import (
    BONUS,
    IMPACTS,
    RATINGS,
    AttackId,
    Char,
    Fatal,
    Impact,
    InWords,
    OpenAttack,
    Round,
    RoundId,
    SaidImpact,
    TraitName,
    find_scene,
    for_open_attack,
    in_its_round,
    list_standing_dice,
    quote,
    word_name,
    word_price,
)
from ledger.rules.intensity.turns import TURN, explain_turn, find_next_to_act, may_take_turn
from ledger.rules.kernel.kit import (
    Among,
    CharacterId,
    Domain,
    Either,
    Move,
    Names,
    Refusal,
    Refused,
    Says,
    Seen,
    Shape,
    Story,
    Table,
    changed,
    changes,
    decides,
    declares,
    either,
    fact,
    listed,
    offers,
    reports,
    require,
    rolls,
    rule,
)

# --- attacking -------------------------------------------------------------------------------------------------------

ATTACK = rule(
    "intensity.action.attack",
    "The attack value is the highest number on the attacker's standing dice: the dice rolled for the round"
    f" that have not been picked up. The attacker can spend {word_price('attack4')} to add {BONUS} to the attack"
    " value and to the impact rating.",
    "Actions",
    step="The attack value is {out}.",
)
NOBODY_TO_ATTACK = Refusal(
    TARGET_GONE, "target-gone", "[{target} is out of play. ]{char} has nobody to attack, and can pass."
)
RETARGET = Refusal(TARGET_GONE, "retarget", "{char} declared a different target and cannot attack {target} instead.")


def say_attacked(fact: AttackOpened, names: Names) -> str:
    faces = listed(map(str, sorted(fact.standing, reverse=True)))
    standing_words = f"with {faces} on the table" if fact.standing else "with no die on the table"
    return quote(
        f"{word_name(names, fact.attacker)} attacks {word_name(names, fact.defender)} {standing_words}", fact.text
    )


@fact("attack-opened", says=say_attacked, headline=16, kw_only=True)
class AttackOpened:
    """A participant attacked another. `standing`: the numbers on the attacker's standing dice."""

    attack: AttackId
    round: RoundId
    attacker: CharacterId
    defender: CharacterId
    standing: tuple[int, ...]
    text: Story = ""


@changes
@in_its_round
def begin_attack(round: Round, fact: AttackOpened) -> Round | None:
    attacker = round.participants.get(fact.attacker)
    if attacker is None or fact.defender not in round.participants:
        return None
    attacker_after = changed(attacker, turn="acted", target=fact.defender)
    attack = OpenAttack(fact.attack, fact.attacker, fact.defender)
    return changed(round, participants={**round.participants, fact.attacker: attacker_after}, attack=attack)


def find_attacker(table: Table[object], do: object) -> str | None:
    scene_state = find_scene(table)
    return scene_state.round.attack.attacker if scene_state and scene_state.round and scene_state.round.attack else None


def say_attacks(do: Attack, names: Names) -> str:
    target_words = f" {word_name(names, do.target)}" if do.target else ""
    return quote(f"{word_name(names, do.char)} attacks{target_words}", do.text)


@declares("attack", either("char"), says=say_attacks, records=(ConflictLinked, AttackOpened))
class Attack:
    """Attack the target you declared. `target`: needed only if your target is out of play and you choose another."""

    char: Char
    target: CharacterId | None = None
    text: InWords = ""


def may_attack(draft: Draft, round: Round, char: str, target: str | None) -> Refused | None:
    """Refuse any target except the declared one. If the declared target is out of play, the table may allow another."""
    declared_target = round.participants[char].target
    can_attack_declared = (
        declared_target is not None and declared_target in round.participants and not draft.is_out(declared_target)
    )
    if target is None or target == declared_target:
        return None if can_attack_declared else NOBODY_TO_ATTACK(char=char, target=declared_target)
    if can_attack_declared or draft.dials.retarget_when_target_gone == "lapse":
        return RETARGET(char=char, declared=declared_target, target=target)
    if target == char:
        return SELF.under(TARGET_GONE, char=char)
    if target not in round.participants:
        return TARGET_NOT_IN_ROUND.under(TARGET_GONE, target=target)
    return NOBODY_TO_ATTACK(char=char, target=target) if draft.is_out(target) else None


@decides
def attack(draft: Draft, do: Attack) -> None:
    """Attack the declared target with the dice that still stand, as the participant whose turn it is."""
    draft.check_character(do.char)
    if do.target is not None:
        draft.check_character(do.target)
    open_scene, round = require_scene_and_round(draft, ATTACK)
    attacker = require_participant(round, do.char, ATTACK)
    require(may_take_turn(draft, round, do.char, ATTACK))
    require(may_attack(draft, round, do.char, do.target))
    defender_id = do.target or attacker.target
    assert defender_id is not None
    faces = tuple(die.face for die in list_standing_dice(attacker))
    draft.tell(
        open_scene.subject,
        AttackOpened(
            attack=draft.table.new_id(),
            round=round.id,
            attacker=do.char,
            defender=defender_id,
            standing=faces,
            text=do.text,
        ),
    )
    explain_turn(draft, round, do.char)
    draft.by(ATTACK, max(faces, default=0), standing=list(faces))
    if defender_id != attacker.target:
        a, b = draft.sort_by_name((do.char, defender_id))
        draft.campaign_wide(ConflictLinked(a, b, round.id))
        draft.by(TARGET_GONE, defender_id, declared=attacker.target)


@offers
def offer_attack(seen: Seen, draft: Draft) -> Iterator[Move]:
    round = draft.open_round
    char = find_next_to_act(draft, round) if round is not None else None
    if round is None or char is None or may_take_turn(draft, round, char, ATTACK) is not None:
        return
    targets = (None, *round.participants)
    if possible_targets := tuple(target for target in targets if may_attack(draft, round, char, target) is None):
        yield Move(Attack, {"char": Among((char,)), "target": Among(possible_targets)}, awaits=TURN)


# --- success or failure ----------------------------------------------------------------------------------------------

SUCCESS = rule(
    "intensity.action.success",
    "The defence value is the highest number rolled in defence. An attack succeeds if the attack value is"
    " higher than the defence value. If they are equal, the attack fails.",
    "Actions",
    step="The attack value is {attack} and the defence value is {defence}.",
)


def say_resolved(fact: AttackResolved, names: Names) -> str:
    values = f"{fact.attack_value} against {fact.defence_value}"
    result = f"succeeds, {values}, with an impact rating of {fact.rating}" if fact.success else f"fails, {values}"
    return quote(f"The attack {result}", fact.text)


@fact("attack-resolved", says=say_resolved, headline=4, kw_only=True)
class AttackResolved:
    """An attack succeeded or failed. A failed attack has no rating and ends at once."""

    attack: AttackId
    attack_value: int
    defence_value: int
    success: bool
    rating: int | None
    text: Story = ""


@reports
def show_result(fact: AttackResolved) -> Iterator[rolls.Roll]:
    yield rolls.Roll(
        name="Attack",
        total=fact.attack_value,
        target=fact.defence_value,
        success=fact.success,
        word="The attack succeeds" if fact.success else "The attack fails",
        effect=f"Impact rating {fact.rating}" if fact.rating is not None else "",
    )


@changes
@for_open_attack
def resolve_attack(round: Round, attack: OpenAttack, fact: AttackResolved) -> Round:
    return changed(round, attack=changed(attack, success=True) if fact.success else None)


def say_resolves(do: Resolve, names: Names) -> str:
    return quote("Nobody wants to spend more points: the attack is resolved", do.text)


@declares("resolve", either(find_attacker, "the player of the attacker"), says=say_resolves, records=(AttackResolved,))
class Resolve:
    """Find out whether the attack succeeds, once neither side wants to spend more points. `text`: what happens."""

    text: InWords = ""


def compute_attack_value(round: Round, attack: OpenAttack) -> int:
    """Return the highest standing face (or 0), plus any bonus bought with points."""
    faces = (die.face for die in list_standing_dice(round.participants[attack.attacker]))
    return max(faces, default=0) + BONUS * attack.bought.count("attack4")


def may_resolve(attack: OpenAttack) -> Refused | None:
    if attack.success is not None:
        return WRONG_STAGE.under(SUCCESS, attack=attack.id)
    return None if attack.answered else NO_DEFENCE_YET.under(SUCCESS, attack=attack.id, defender=attack.defender)


@decides
def resolve(draft: Draft, do: Resolve) -> None:
    """Compare attack and defence: the attack succeeds only if its value is greater."""
    open_scene, round = require_scene_and_round(draft, SUCCESS)
    attack = require_attack(round, SUCCESS)
    require(may_resolve(attack))
    faces = [die.face for die in list_standing_dice(round.participants[attack.attacker])]
    attack_value, defence_value = compute_attack_value(round, attack), compute_defence_value(draft.dials, round, attack)
    draft.by(ATTACK, attack_value, standing=faces, attack4=attack.bought.count("attack4"))
    counted_faces = [
        die.defence for die in select_counting_dice(draft.dials, attack, round.participants[attack.defender]).values()
    ]
    draft.by(REROLL_IN_DEFENCE, defence_value, counting=counted_faces, defence4=attack.bought.count("defence4"))
    is_success = attack_value > defence_value
    draft.by(SUCCESS, is_success, attack=attack_value, defence=defence_value)
    rating = compute_rating(round, attack) if is_success else None
    draft.tell(
        open_scene.subject,
        AttackResolved(
            attack=attack.id,
            attack_value=attack_value,
            defence_value=defence_value,
            success=is_success,
            rating=rating,
            text=do.text,
        ),
    )
    if rating is not None:
        explain_rating(draft, round, attack, rating)


@offers
def offer_to_resolve(seen: Seen, draft: Draft) -> Iterator[Move]:
    attack = draft.open_attack
    if attack is not None and may_resolve(attack) is None:
        yield Move(Resolve, awaits=SUCCESS, of=attack.attacker)


# --- the outcome -----------------------------------------------------------------------------------------------------


def say_chosen(fact: ImpactChosen, names: Names) -> str:
    return quote(f"The result of the attack is {IMPACTS[fact.impact]}", fact.text)


@fact("impact-chosen", says=say_chosen)
class ImpactChosen:
    """The attack is closed with this impact. The next fact records its effect."""

    attack: AttackId
    impact: Impact
    text: Story


def say_waived(do_or_fact: Waive | ImpactWaived, names: Names) -> str:
    return quote("No impact is chosen", do_or_fact.text)


@fact("impact-waived", says=say_waived)
class ImpactWaived:
    """The attacker chose no impact."""

    attack: AttackId
    text: Story


@changes
@for_open_attack
def close_attack(round: Round, attack: OpenAttack, fact: ImpactChosen | ImpactWaived) -> Round:
    return changed(round, attack=None)


def say_chooses(do: ChooseImpact, names: Names) -> str:
    trait_words = f" on {do.trait}" if do.trait else ""
    moment_words = ", used at once" if do.at_once else ""
    return quote(
        f"The result of the attack is {IMPACTS.get(do.impact, 'an impact')}{trait_words}{moment_words}", do.text
    )


@declares(
    "choose-impact",
    either(find_attacker, "the player of the attacker"),
    says=say_chooses,
    records=(ImpactChosen, FatalHeld, *BEFALLEN),
)
class ChooseImpact:
    """Choose an impact after a successful attack. `trait`: the trait that a tax lowers; for damage, you need not name
    one.

    `at_once`: the immediate use of a fatal impact. If you leave it out, the attacker keeps it for later in the scene.
    """

    impact: SaidImpact
    trait: TraitName | None = None
    text: InWords = ""
    at_once: Annotated[Fate | None, Says("Immediate use of the fatal impact")] = None


def may_choose_outcome(attack: OpenAttack) -> Refused | None:
    return WRONG_STAGE.under(LADDER, attack=attack.id) if attack.success is None else None


@decides
def choose_impact(draft: Draft, do: ChooseImpact) -> None:
    """Choose one impact that the rating allows, as the attacker. A fatal impact can be used at once."""
    impact = check_impact(do.impact, do.trait)
    if do.at_once is not None and impact != "fatal":
        raise NOT_FATAL(impact=impact)
    open_scene, round = require_scene_and_round(draft, LADDER)
    attack = require_attack(round, LADDER)
    require(may_choose_outcome(attack))
    hit = check_hit(draft, round, attack, impact, do.trait)
    draft.by(LADDER, impact, rating=hit.rating, allowed=list_allowed_impacts(hit.rating, hit.used))
    draft.tell(open_scene.subject, ImpactChosen(attack.id, impact, do.text))
    if do.text.strip():
        draft.by(FICTION, do.text)
    take_effect(draft, open_scene, attack, hit, do.at_once)


@dataclass(frozen=True, slots=True)
class Hit:
    """An impact that the rating allows. `trait`: the trait that it lowers. `used`: the trait that
    the defender rolled.
    """

    impact: Impact
    trait: str | None
    used: str | None
    rating: int


def check_hit(draft: Draft, round: Round, attack: OpenAttack, impact: Impact, named_trait: str | None) -> Hit:
    """Return the impact and the traits it lowers. Refuses `above-rating`, `unknown-trait`, `not-the-trait-used`."""
    require(may_choose_impact(round, attack, impact))
    used_trait = find_used_trait(round, attack.defender)
    return Hit(
        impact,
        find_hit_trait(draft, impact, attack.defender, named_trait, used_trait),
        used_trait,
        compute_rating(round, attack),
    )


def take_effect(draft: Draft, open_scene: CurrentScene, attack: OpenAttack, hit: Hit, fate: Fate | None = None) -> None:
    """Apply the impact to the defender; a fatal impact can be used at once."""
    cause = f"attack:{attack.id}"
    if hit.impact == "advantage":
        gain_points(draft, attack.attacker, attack.defender, 1, cause)
    elif hit.impact == "fatal":
        _achieve_fatal(draft, open_scene, attack, hit.used, fate)
    else:
        inflict(draft, hit.impact, attack.attacker, attack.defender, hit.trait, cause)


def _achieve_fatal(
    draft: Draft, open_scene: CurrentScene, attack: OpenAttack, used_trait: str | None, fate: Fate | None
) -> None:
    """Give the attacker a fatal impact against the defender. It can be used at once."""
    fatal_id = draft.table.new_id()
    fact = FatalHeld(
        fatal=fatal_id, holder=attack.attacker, subject=attack.defender, trait_used=used_trait, attack=attack.id
    )
    account = name_fatals_account(open_scene.subject, attack.attacker)
    draft.tell(open_scene.subject, fact, make_posting_from_bank(account, "fatal", 1))
    draft.by(ACHIEVE, fatal_id, holder=attack.attacker, subject=attack.defender)
    if fate is not None:
        fatal = Fatal(fact.holder, fact.subject, fact.trait_used, fact.attack)
        use_fatal_at_once(draft, open_scene, fatal_id, fatal, fate)


@declares("waive", either(find_attacker, "the player of the attacker"), says=say_waived, records=(ImpactWaived,))
class Waive:
    """Choose no impact after a successful attack. `text`: what happens instead."""

    text: InWords = ""


@decides
def waive(draft: Draft, do: Waive) -> None:
    open_scene = require_scene(draft, LADDER)
    attack = require_attack(require_round(open_scene, LADDER), LADDER)
    require(may_choose_outcome(attack))
    draft.tell(open_scene.subject, ImpactWaived(attack.id, do.text))
    draft.by(LADDER, "waived", attack=attack.id)


@offers
def offer_impacts(seen: Seen, draft: Draft) -> Iterator[Move]:
    round, attack = draft.open_round, draft.open_attack
    if round is None or attack is None or may_choose_outcome(attack) is not None:
        return
    used_trait = find_used_trait(round, attack.defender)
    for impact in RATINGS:
        if may_choose_impact(round, attack, impact) is None:
            for fields in list_details(draft, attack, impact, used_trait):
                yield Move(ChooseImpact, {"impact": Among((impact,)), **fields}, LADDER, attack.attacker)
    yield Move(Waive, awaits=LADDER, of=attack.attacker)


def list_details(
    draft: Draft, attack: OpenAttack, impact: Impact, used_trait: str | None
) -> Iterator[dict[str, Domain]]:
    """Yield the fields for the traits that can be hit, or for the uses of a fatal impact at once."""
    if impact in ("tax", "damage"):
        if traits := list_traits_to_hit(draft, impact, attack.defender, used_trait):
            yield {"trait": Among(traits)}
    elif impact == "fatal":
        ways = list_ways_to_use(draft, attack.defender, used_trait)
        shapes = (Shape(Fate, way, f"Use it now: {title[:1].lower()}{title[1:]}") for title, way in ways)
        yield {"at_once": Either((Among((None,), ("Keep it for later",)), *shapes))}
    else:
        yield {}
