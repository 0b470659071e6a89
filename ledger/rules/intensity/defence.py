"""The chapter Actions: defending with dice picked up from the table."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated

from ledger.rules.intensity.dials import Dials
from ledger.rules.intensity.draft import (
    WRONG_STAGE,
    DieQuestions,
    Draft,
    ask_face,
    check_face,
    check_once,
    list_recorded_since,
    name_defence_account,
    name_standing_account,
    require_attack,
    require_scene_and_round,
)
from ledger.rules.intensity.impact import IMMEDIATE, get_sizes
from ledger.rules.intensity.state import (
    BONUS,
    AttackId,
    Die,
    DieName,
    Face,
    InWords,
    OpenAttack,
    Participant,
    Round,
    RoundId,
    SaidDie,
    find_scene,
    for_open_attack,
    in_its_round,
    is_die,
    list_standing_dice,
    quote,
    with_participant,
    with_turn,
    word_dice,
)
from ledger.rules.kernel.kit import (
    Among,
    Asking,
    Between,
    CharacterId,
    Domain,
    Either,
    Move,
    Names,
    Question,
    RecordedFacts,
    Refusal,
    Refused,
    Says,
    Seen,
    Shape,
    SharedRefusal,
    Some,
    Story,
    Subject,
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
    list_making_facts,
    listed,
    offers,
    reports,
    require,
    rolls,
    rule,
    throws,
)

# --- picking up dice -------------------------------------------------------------------------------------------------

PICK_UP = rule(
    "intensity.defence.pick-up",
    "The defender may pick up one or both of the dice rolled for the round, and roll them again to defend. For"
    " the rest of the round, those dice count only in defence.",
    "Actions",
)
LET_STAND = rule(
    "intensity.defence.let-stand",
    "Standing dice do not defend. If you pick up no die, your defence value is 0.",
    "Example 3: Conflict with Many Characters",
    step="{defender} picks up no die, so the defence value is 0.",
)
COMMIT = rule(
    "intensity.defence.commit",
    "Not in the source: for each attack, the defender decides once which dice to roll. A table may decide"
    " that a defender who rolled one die can add the other after seeing the result.",
)
ALREADY_RESPONDED = Refusal(COMMIT, "already-responded", "{defender} has already chosen a defence.")
NO_DEFENCE_YET = SharedRefusal("no-defence-yet", "{defender} has not chosen a defence yet.")
NO_SUCH_DIE = Refusal(PICK_UP, "no-such-die", "{defender} does not have that die[: {die}].")


@dataclass(frozen=True, slots=True)
class DefenceDie:
    """A die to defend with: `intensity` or `trait`. `face`: the number that the die shows, if you rolled it yourself.

    If you leave out `face`, the ledger asks for the roll.
    """

    die: SaidDie
    face: Annotated[Face | None, Says("Number rolled")] = None


def say_defence_chosen(fact: DefenceChosen, names: Names) -> str:
    parts = [f"picks up {word_dice(fact.picked_up)}"] if fact.picked_up else []
    parts += [f"rolls {word_dice(fact.rerolled)} again"] if fact.rerolled else []
    return quote(f"The defender {listed(parts or ['rolls no dice in defence'])}", fact.text)


@fact("defence-chosen", says=say_defence_chosen, kw_only=True)
class DefenceChosen:
    """The defender chose which dice to roll in defence, if any. `picked_up`: standing dice that the defender picks up.
    `rerolled`: dice picked up earlier that are rolled again.
    """

    attack: AttackId
    picked_up: tuple[DieName, ...]
    rerolled: tuple[DieName, ...]
    let_stand: bool
    text: Story = ""


@changes
@for_open_attack
def choose_defence(round: Round, attack: OpenAttack, fact: DefenceChosen) -> Round | None:
    round_after = with_defence(round, attack, dict.fromkeys(fact.picked_up))
    answered_attack = changed(attack, answered=True, let_stand=fact.let_stand)
    return changed(round_after, attack=answered_attack) if round_after is not None else None


# --- rolling dice in defence -----------------------------------------------------------------------------------------

DIE_UNUSABLE = Refusal(IMMEDIATE, "die-unusable", "{trait} is at 0, so its die cannot be rolled.")
DEFENCE_INTENSITY = Question("defence:intensity", "{who} rolls the intensity die in defence: a D{sides}.")
DEFENCE_TRAIT = Question("defence:trait", "{who} rolls the trait die in defence: a D{sides}.")
DEFENCE_QUESTIONS: DieQuestions = {"intensity": DEFENCE_INTENSITY, "trait": DEFENCE_TRAIT}


@dataclass(frozen=True, slots=True)
class RolledDefence:
    """A die rolled in defence, at its current size."""

    die: DieName
    size: int
    face: int


def say_defence_rolled(fact: DefenceRolled, names: Names) -> str:
    return f"{listed(f'{rolled.face} on the D{rolled.size}' for rolled in fact.faces)} in defence."


@fact("defence-rolled", says=say_defence_rolled, headline=15)
class DefenceRolled:
    """The defender rolled dice in defence. `faces`: the numbers."""

    attack: AttackId
    faces: tuple[RolledDefence, ...]


DIE_NAMES: Mapping[DieName, str] = {"intensity": "Intensity", "trait": "Trait"}


@reports
def show_defence(fact: DefenceRolled) -> Iterator[rolls.Roll]:
    yield rolls.Roll(
        name="Defence", dice=tuple(rolls.Die(die.size, die.face, name=DIE_NAMES[die.die]) for die in fact.faces)
    )


@changes
@for_open_attack
def roll_defence(round: Round, attack: OpenAttack, fact: DefenceRolled) -> Round | None:
    return with_defence(round, attack, {rolled.die: rolled.face for rolled in fact.faces})


_pick_up_die = changing(Die, "picked_up")
_roll_die_in_defence = changing(Die, "picked_up", "defence", "against")


def with_defence(round: Round, attack: OpenAttack, faces: Mapping[DieName, int | None]) -> Round | None:
    """Return the round with the defender's dice changed. `faces`: the number rolled against this attack for each die,
    or None for a die that is only picked up.
    """
    if not faces:
        return round
    defender = round.participants.get(attack.defender)
    if defender is None or not all(die in defender.dice for die in faces):
        return None
    dice_after = dict(defender.dice)
    for die, face in faces.items():
        if face is None:
            dice_after[die] = _pick_up_die(dice_after[die], True)
        else:
            dice_after[die] = _roll_die_in_defence(dice_after[die], True, face, attack.id)
    return with_participant(round, attack.defender, changed(defender, dice=dice_after))


def may_roll_in_defence(draft: Draft, attack: OpenAttack, defender: Participant, die: DieName) -> Refused | None:
    is_die_missing = find_size_in_defence(draft, attack, defender, die) == 0
    return DIE_UNUSABLE(trait=defender.trait) if is_die_missing else None


def find_size_in_defence(draft: Draft, attack: OpenAttack, defender: Participant, die: DieName) -> int:
    """Return the size at which a die of the open round is rolled in defence, or 0 if there is no such die."""
    if die == "intensity" or defender.trait is None or draft.dials.impact_on_dice_in_play == "locked_for_round":
        return defender.dice[die].size
    return get_sizes(draft, attack.defender).get(defender.trait, 0)


# --- losing the action -----------------------------------------------------------------------------------------------

FORFEIT = rule(
    "intensity.defence.forfeit",
    "If you pick up your last standing die before you act, you lose your action.",
    "Actions",
    step="{char} picks up the last standing die and loses the action.",
)
AFTER_ACTING = rule(
    "intensity.defence.after-acting",
    "A defender who has already acted, or has no action this round, may pick up both dice without losing anything.",
    "Example 1: Basic Conflict",
)


@fact("action-forfeited", says="{char} picks up the last standing die and loses the action.")
class ActionForfeited:
    """To defend against this attack, a participant who had not acted yet picked up their last standing die. This costs
    them their action.
    """

    round: RoundId
    char: CharacterId
    attack: AttackId


@changes
@in_its_round
def forfeit_action(round: Round, fact: ActionForfeited) -> Round | None:
    return with_turn(round, fact.char, "forfeited")


def _forfeit_when_nothing_stands(
    draft: Draft, scene: Subject, round: Round, attack: OpenAttack, picked_up_count: int
) -> None:
    """Forfeit the defender's pending action if this defence picks up their last standing die."""
    defender = round.participants[attack.defender]
    standing_count = len(list_standing_dice(defender)) - picked_up_count
    if defender.turn == "pending" and standing_count == 0:
        draft.tell(scene, ActionForfeited(round.id, attack.defender, attack.id))
        draft.by(FORFEIT, "forfeited", char=attack.defender)
    elif defender.turn != "pending":
        draft.by(AFTER_ACTING, defender.turn, char=attack.defender)


# --- defending -------------------------------------------------------------------------------------------------------


def find_defender(table: Table[object], do: object) -> str | None:
    open_scene = find_scene(table)
    return open_scene.round.attack.defender if open_scene and open_scene.round and open_scene.round.attack else None


def say_defends(do: Defend, names: Names) -> str:
    action_words = f"rolls {word_dice(entry.die for entry in do.dice)}" if do.dice else "rolls no dice in defence"
    return quote(f"The defender {action_words}", do.text)


@declares(
    "defend",
    either(find_defender, "the player of the defender"),
    says=say_defends,
    records=(ActionForfeited, DefenceChosen, DefenceRolled),
)
class Defend:
    """Choose the dice that the defender rolls against the open attack.

    `dice`: the dice to roll. If you choose none, the dice stay on the table and the defence value is 0.
    """

    dice: Annotated[tuple[DefenceDie, ...], Says("Dice to roll")] = ()
    text: InWords = ""


def may_defend(draft: Draft, round: Round, attack: OpenAttack, chosen_dice: Sequence[str]) -> Refused | None:
    """Refuse a second choice. The table may allow a second die later, but rolling nothing is always final."""
    defender = round.participants[attack.defender]
    if attack.success is not None:
        return WRONG_STAGE.under(PICK_UP, attack=attack.id)
    may_add = draft.dials.defence_second_pick == "after_seeing" and not attack.let_stand
    if attack.answered and not (may_add and chosen_dice):
        return ALREADY_RESPONDED(attack=attack.id, defender=attack.defender)
    for die in chosen_dice:
        if not is_die(die) or die not in defender.dice:
            return NO_SUCH_DIE(die=die, defender=attack.defender)
    rolled_dice = {name for name, die in defender.dice.items() if die.against == attack.id}
    if rolled_dice & set(chosen_dice):
        return ALREADY_RESPONDED(defender=attack.defender, dice=sorted(rolled_dice))
    for die in chosen_dice:
        if is_die(die) and (refused := may_roll_in_defence(draft, attack, defender, die)):
            return refused
    return None


@decides
def defend(draft: Draft, do: Defend) -> Asking[None]:
    """Pick up and roll the dice that the defender chooses, or let both dice stand."""
    chosen_dice = [entry.die for entry in do.dice]
    check_once(chosen_dice, PICK_UP)
    open_scene, round = require_scene_and_round(draft, PICK_UP)
    attack = require_attack(round, PICK_UP)
    require(may_defend(draft, round, attack, chosen_dice))
    defender = round.participants[attack.defender]
    dice = [die for die in chosen_dice if is_die(die)]
    sizes = {die: find_size_in_defence(draft, attack, defender, die) for die in dice}
    typed_faces = {
        die: check_face(entry.face, sizes[die], PICK_UP)
        for die, entry in zip(dice, do.dice, strict=True)
        if entry.face is not None
    }
    picked_up_dice = tuple(die for die in dice if not defender.dice[die].picked_up)
    rerolled_dice = tuple(die for die in dice if defender.dice[die].picked_up)
    source_account = name_standing_account(open_scene.subject, attack.defender)
    target_account = name_defence_account(open_scene.subject, attack.defender)
    posting = draft.make_posting_from(source_account, len(picked_up_dice), target_account) if picked_up_dice else None
    draft.tell(
        open_scene.subject,
        DefenceChosen(
            attack=attack.id, picked_up=picked_up_dice, rerolled=rerolled_dice, let_stand=not dice, text=do.text
        ),
        posting,
    )
    if not dice:
        draft.by(LET_STAND, 0, defender=attack.defender)
        return
    rolled_dice = []
    for die in dice:
        face = typed_faces.get(die) or (
            yield from ask_face(attack.defender, die, sizes[die], DEFENCE_QUESTIONS, "defence", PICK_UP)
        )
        rolled_dice.append(RolledDefence(die, sizes[die], face))
    draft.by(COMMIT, dice, manner=draft.dials.defence_second_pick)
    draft.tell(open_scene.subject, DefenceRolled(attack.id, tuple(rolled_dice)))
    draft.by(PICK_UP, [die.face for die in rolled_dice], picked_up=list(picked_up_dice), rerolled=list(rerolled_dice))
    _forfeit_when_nothing_stands(draft, open_scene.subject, round, attack, len(picked_up_dice))


@offers
def offer_defence(seen: Seen, draft: Draft) -> Iterator[Move]:
    round, attack = draft.open_round, draft.open_attack
    if round is None or attack is None:
        return
    defender = round.participants[attack.defender]
    shapes = tuple(
        Shape(
            DefenceDie,
            {"die": Among((die,)), "face": make_face_domain(find_size_in_defence(draft, attack, defender, die))},
        )
        for die in defender.dice
        if may_defend(draft, round, attack, [die]) is None
    )
    may_let_stand = may_defend(draft, round, attack, []) is None
    if shapes or may_let_stand:
        dice_domain: Domain = Some(Either(shapes), int(not may_let_stand), key="die") if shapes else Among(((),))
        awaits = PICK_UP if may_let_stand else None
        yield Move(Defend, {"dice": dice_domain}, awaits, attack.defender)


def make_face_domain(size: int) -> Domain:
    return Either((Among((None,)), Between(1, size)))


# --- the dice that count in defence ----------------------------------------------------------------------------------

REROLL_IN_DEFENCE = rule(
    "intensity.defence.reroll",
    "Dice that you have picked up can be rolled again to defend against each later attack in the round.",
    "Actions",
)


def select_counting_dice(dials: Dials, attack: OpenAttack, defender: Participant) -> dict[DieName, Die]:
    """Return the dice rolled against this attack or, if an option keeps old faces, every die picked up."""
    is_any_face_kept = dials.defence_carryover == "keep_or_reroll"
    return {
        name: die
        for name, die in defender.dice.items()
        if die.defence is not None and die.picked_up and (is_any_face_kept or die.against == attack.id)
    }


def compute_defence_value(dials: Dials, round: Round, attack: OpenAttack) -> int:
    """Return the highest die that counts (or 0), plus any bonus bought with points."""
    faces = (
        die.defence or 0 for die in select_counting_dice(dials, attack, round.participants[attack.defender]).values()
    )
    return max(faces, default=0) + BONUS * attack.bought.count("defence4")


# --- dice typed in ---------------------------------------------------------------------------------------------------


@throws
def list_thrown_in_defence(do: Defend, ruling: RecordedFacts) -> Iterator[Thrown]:
    typed_dice = {entry.die for entry in do.dice if entry.face is not None}
    for recorded_fact in (about.fact for about in ruling.facts):
        if isinstance(recorded_fact, DefenceRolled):
            defender = find_recorded_defender(ruling, recorded_fact.attack)
            yield from (Thrown(defender, die.size, (die.face,)) for die in recorded_fact.faces if die.die in typed_dice)


def find_recorded_defender(ruling: RecordedFacts, attack_id: str) -> Subject | None:
    defenders = (getattr(about.fact, "defender", None) for about in list_making_facts(ruling, attack_id))
    return next((character(char) for char in defenders if isinstance(char, str)), None)


def find_size_when_rolled(ruling: RecordedFacts, attack_id: str, die: str) -> int:
    """Return the size of a die when it was last rolled in defence, or 0 if it never was."""
    for recorded in list_recorded_since(ruling, attack_id):
        if isinstance(recorded, DefenceRolled) and recorded.attack == attack_id:
            for rolled in recorded.faces:
                if rolled.die == die:
                    return rolled.size
    return 0
