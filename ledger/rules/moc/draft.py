"""The draft of a ruling, and functions that many rules need: finding the acting character, looking up states, and
asking a game master for approval.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, Self, TypeAlias, TypeVar

from ledger.rules.kernel.kit import (
    CAMPAIGN,
    Asking,
    Audience,
    BaseDraft,
    Declined,
    Posting,
    Question,
    Refusal,
    Refused,
    SharedRefusal,
    Story,
    Subject,
    Table,
    Viewer,
    ask,
    character,
    choice,
    fact,
    guards,
    roll,
    rule,
    seat,
    step,
)
from ledger.rules.moc import holdings
from ledger.rules.moc.dials import Dials
from ledger.rules.moc.dice import RESOLVE, check_pool
from ledger.rules.moc.state import (
    Action,
    Campaign,
    Character,
    Hit,
    Part,
    Scene,
    Seat,
    State,
    StoryPart,
    compute_active_value,
    find_action,
    find_audience,
)
from ledger.rules.moc.types import Weapon
from ledger.rules.moc.words import (
    CHIPS_NOT_HELD,
    GM_APPROVAL_NEEDED,
    GONE,
    NEGATIVE_CHIPS,
    NO_SCENE,
    NOT_ENOUGH_BEADS,
    NOT_IN_INTERVAL,
    UNKNOWN_ACTION,
    UNKNOWN_PLAY,
    Sent,
    read_chip_colour,
    read_whole,
)

OWN_POOL = rule(
    "moc.adv.pool",
    "Dice bought for a pool are added to every roll of that pool. Dice that a trait takes away from the "
    "pool are subtracted.",
    "Dice affecting Advantages/Disadvantages",
)
ACTIVE = rule(
    "moc.char.active",
    "Damage, fatigue and any pain from this turn reduce the dice that a character's Primary gives.",
    "Damage",
    step="{primary} gives {out:die|dice}: rating {rating}, {damage} damage, {pain} pain this turn, {fatigue} fatigue.",
)
SPLIT_DIVIDE = rule(
    "moc.split.divide",
    "A player can split a dice pool between several actions. The pool loses 1 die for each action after the"
    " first. Defences do not count as actions here, but a split always costs at least 1 die.",
    "Splitting Dice Pools",
    step="{pool} dice minus {penalty}: {out} to split.",
)
UNKNOWN_PART = Refusal(SPLIT_DIVIDE, "unknown-part", "The pool has no such part[: {part}].")
SPLIT_PRE_EMPT = rule(
    "moc.split.pre-empt",
    "In a split, when an action does not reach its required level, the later ones are never attempted. The game"
    " master can waive this.",
    "Splitting Dice Pools",
)
DAMAGE_POOL = rule(
    "moc.combat.damage-pool",
    "A weapon's damage is a number of dice. With 1 net success, the attack rolls one die fewer than this, "
    "using d6. With 2, it rolls all of them as d6, and with 3 or more, all of them as d10. Each net success"
    " after the first is a raise, which adds one die.",
    "Success Levels and Damage",
    step="{out:die|dice} with {sides} sides, plus {raises:die|dice} for raises.",
)
UNKNOWN_WEAPON = Refusal(DAMAGE_POOL, "unknown-weapon", "This campaign has no weapon {weapon}.")
UNKNOWN_HIT = Refusal(DAMAGE_POOL, "unknown-hit", "This scene has no such hit.")
HIT_NOT_READY = Refusal(DAMAGE_POOL, "hit-not-ready", "That step is not possible now. Stage of this hit: {stage}.")
STORY_TIERS = rule(
    "moc.story.tiers",
    "The number of Storytelling beads decides how long a change of the story can last: 1 bead for this "
    "turn, 2 for this scene, 3 for this session, 4 or more beyond the session.",
    "Storytelling",
)
INHERIT = rule(
    "moc.fate.inherit",
    "A character who is dead, retired or sacrificed can neither act nor play beads, cards or chips. The "
    "character's chips go to the player's next character.",
    "Fate",
)
CHARACTER_GONE = Refusal(INHERIT, "character-gone", "{character} is {status} and can neither act nor play.")
OPPOSED = rule(
    "moc.opposed.net",
    "In an opposed action, both sides roll in secret. The active character declares successes, and the "
    "resisting character cancels some of them. Those that are left are the net successes.",
    "Opposed Actions",
    step="{declared:success|successes} declared, {taken} cancelled, {out} left.",
)
ROLL_NOT_SEEN = Refusal(OPPOSED, "roll-not-seen", "Only the player who rolled and the game masters can see that roll.")
DAZED = rule(
    "moc.combat.dazed",
    "A dazed character cannot play beads and loses the next action.",
    "Damage",
    step="{out} pain in one hit. More than {limit} dazes the character.",
)
DAZED_NO_BEADS = Refusal(DAZED, "dazed-no-beads", "{character} is dazed and cannot play beads.")


# --- the acting character ---------------------------------------------------------------------------------------------


#: A function that returns the acting character of a declaration.
ActorFinder: TypeAlias = Callable[[Table[object], Any], str | None]
C = TypeVar("C", bound=type)
BEADS_ONLY = SharedRefusal("beads-only", "This table plays with beads only. There are no cards or chips.")
NO_CHIPS_IN_PLAY = SharedRefusal("no-chips-in-play", "This table plays without chips.")
ACTION_CLOSED = SharedRefusal("action-closed", "That action is already over.")


def acts(actor: str | ActorFinder) -> Callable[[C], C]:
    """Mark a declaration with the character who acts, plays or answers: a field's name, or a function that finds it."""
    find_actor: ActorFinder = (lambda table, do: getattr(do, actor)) if isinstance(actor, str) else actor

    def mark(cls: C) -> C:
        setattr(cls, "acting", find_actor)  # noqa: B010  (mypy knows no such attribute)
        return cls

    return mark


def nobody_acts(cls: C) -> C:
    """Mark a declaration in which no character acts, but the table, a game master or a player."""
    setattr(cls, "acting", None)  # noqa: B010
    return cls


def get_actor_finder(do_class: type) -> ActorFinder | None:
    """Return the function that finds the acting character, or None if no character acts. Raises AttributeError for a
    declaration without a mark.
    """
    if "acting" not in vars(do_class):
        raise AttributeError(f"{do_class.__name__} does not say who acts: mark it with acts or nobody_acts")
    find_actor: ActorFinder | None = vars(do_class)["acting"]
    return find_actor


# --- the draft --------------------------------------------------------------------------------------------------------


class Draft(BaseDraft[Dials, State, Any]):
    #: In an offer, the game as the viewer sees it (`shown.look`).
    offering: Any = None

    def __init__(self, table: Table[Dials]) -> None:
        super().__init__(table)
        self._characters: dict[str, Character] = {}  # a cache

    # --- writing ---

    def tell(self, subject: Subject, fact: Any, *postings: Posting | None, audience: Audience = None) -> None:
        """Record a fact. Refuses `unknown-character`, `unknown-scene`, `unknown-seat` for a subject that does not
        exist.
        """
        if subject not in self._states:
            self._states[subject] = self.table.get(subject, self.fold.blanks[subject.kind])
        self._characters.pop(subject.id, None)
        super().tell(subject, fact, *postings, audience=audience)

    # --- reading ---

    def get_character(self, char_id: str) -> Character:
        """Return the character as changed by the facts of this draft. Refuses `unknown-character`."""
        state = self._characters.get(char_id)
        if state is None:
            state = self._characters[char_id] = self.state(character(char_id), Character)
        return state

    def begin(self, subject: Subject) -> None:
        self._characters.pop(subject.id, None)
        super().begin(subject)

    def aside(self) -> Self:
        aside_draft = super().aside()
        aside_draft._characters = {}
        return aside_draft

    def forget(self) -> None:
        self._facts, self._because = [], []

    def get_campaign(self) -> Campaign:
        return self.state(CAMPAIGN, Campaign)

    def get_seat(self, seat_id: str) -> Seat:
        return self.state(seat(seat_id), Seat)

    def get_place(self) -> Subject:
        """Return the scene in which the declaration is made. Refuses `no-scene`, `unknown-scene`."""
        place = self.table.scene
        if place is None:
            raise NO_SCENE.under(RESOLVE)
        self.state(place, Scene)
        return place

    def get_scene(self) -> Scene:
        return self.state(self.get_place(), Scene)

    def find_place(self) -> Subject:
        """Return the subject of facts about the current moment: the open scene or, between scenes, the campaign."""
        return self.get_place() if self.table.scene is not None else CAMPAIGN

    def find_session_id(self) -> str:
        """Return the open session, or else the latest one."""
        return self.table.session or self.get_campaign().last_session or ""

    def get_action(self, action_id: str, *, may_be_closed: bool = False) -> Action:
        """Return an action. Refuses `unknown-action`, and `action-closed` unless `may_be_closed`."""
        action = find_action(self.get_scene(), action_id)
        if action is None:
            raise UNKNOWN_ACTION.under(RESOLVE, action=action_id)
        if action.stage == "closed" and not may_be_closed:
            raise ACTION_CLOSED.under(RESOLVE, action=action_id)
        return action

    def locate_part(self, action: Action, part_index: Sent, *, may_be_resolved: bool = False) -> tuple[int, Part]:
        """Return a part and its index. Refuses `unknown-part`, and `action-closed` for a resolved or pre-empted
        part.
        """
        if type(part_index) is not int or not 0 <= part_index < len(action.parts):
            raise UNKNOWN_PART(part=str(part_index))
        part = action.parts[part_index]
        if part.stage != "declared" and not may_be_resolved:
            raise ACTION_CLOSED.under(SPLIT_PRE_EMPT, part=part_index, stage=part.stage)
        return part_index, part

    def get_hit(self, hit_id: str, *stages: str) -> Hit:
        hit = self.get_scene().hits.get(hit_id)
        if hit is None:
            raise UNKNOWN_HIT(hit=hit_id)
        if hit.stage not in stages:
            raise HIT_NOT_READY(hit=hit_id, stage=hit.stage)
        return hit

    def get_weapon(self, name: str) -> Weapon:
        if name not in (weapons := self.get_campaign().weapons):
            raise UNKNOWN_WEAPON(weapon=name)
        return weapons[name]

    def get_story_place(self, change_id: str) -> Subject:
        """Return the subject whose state contains this part of the story: the scene or, for a part told between scenes,
        the campaign. Refuses `unknown-play`.
        """
        place = self.table.scene
        if place is not None and change_id in self.state(place, Scene).story:
            return place
        if change_id in self.get_campaign().story:
            return CAMPAIGN
        raise UNKNOWN_PLAY.under(STORY_TIERS, change=change_id)

    def get_story_part(self, change_id: str) -> StoryPart:
        """Return this part of the story. Refuses `unknown-play`."""
        place = self.get_story_place(change_id)
        place_state = self.get_campaign() if place == CAMPAIGN else self.state(place, Scene)
        return place_state.story[change_id]

    def count_beads(self, char_id: str, element: str) -> int:
        return self.balance(holdings.name_bead_account(char_id, element))

    def find_active_value(self, char_id: str, primary: str, *, rested_fatigue: int = 0) -> int:
        """Return the active value of a Primary, as if `rested_fatigue` levels of fatigue were already removed."""
        state, fatigue = self.get_character(char_id), self._count_fatigue(char_id, rested_fatigue)
        return compute_active_value(state.ratings.get(primary, 1), state.damage, state.pain_turn, fatigue)

    def _count_fatigue(self, char_id: str, rested_fatigue: int) -> int:
        return max(0, self.get_character(char_id).fatigue - rested_fatigue) if self.dials.fatigue_effects == "on" else 0

    def cite_active_value(self, char_id: str, primary: str, *, rested_fatigue: int = 0) -> int:
        """Return the active value of a Primary as `find_active_value` does, and cite how it was worked out."""
        state, value = (
            self.get_character(char_id),
            self.find_active_value(char_id, primary, rested_fatigue=rested_fatigue),
        )
        active_step = step(
            ACTIVE,
            value,
            primary=primary,
            rating=state.ratings.get(primary, 1),
            damage=state.damage,
            pain=state.pain_turn,
            fatigue=self._count_fatigue(char_id, rested_fatigue),
        )
        if active_step not in self._because:
            self._because.append(active_step)
        return value

    def cite_own_dice(self, char_id: str, *pools: str) -> int:
        """Return the number of dice bought or agreed for these pools, and cite it if it is not 0."""
        dice_count = holdings.count_own_dice(self.get_character(char_id), *pools)
        pool_step = step(OWN_POOL, dice_count, character=char_id)
        if dice_count and pool_step not in self._because:
            self._because.append(pool_step)
        return dice_count

    def cite_own_shift(self, char_id: str, *pools: str) -> int:
        """Return by how much the target numbers of these pools are shifted, and cite it if it is not 0."""
        shift = holdings.find_shift(self.get_character(char_id), *pools)
        shift_step = step(holdings.AGREED_EFFECT, shift, character=char_id, does="difficulty")
        if shift and shift_step not in self._because:
            self._because.append(shift_step)
        return shift

    def count_initiative_dice(self, char_id: str) -> int:
        """Return the number of initiative dice: Body, Speed, dice bought or agreed, and dice added to this roll."""
        dice_count = (
            self.cite_active_value(char_id, "body")
            + self.get_character(char_id).ratings.get("Sp", 1)
            + self.cite_own_dice(char_id, "initiative")
        )
        return max(0, dice_count + self.get_scene().initiative.dice.get(char_id, 0))

    # --- asking ---

    def find_players_viewer(self, char_id: str) -> Viewer:
        """Return the seat that plays the character, as a viewer."""
        table, seat_id = self.table, self.table.owner(character(char_id))
        character_ids = (subject.id for subject in table.subjects("character") if table.owner(subject) == seat_id)
        return Viewer(seat_id, table.role(seat(seat_id)), frozenset(character_ids))

    def ask_pool(
        self,
        char_id: str,
        count: int,
        faces: Iterable[Sent] | None,
        bonus: Iterable[Sent],
        slot: str,
        *,
        purpose: str = "",
        audience: Audience = None,
        sides: int = 10,
    ) -> Asking[tuple[tuple[int, ...], tuple[int, ...]]]:
        """Return a pool of dice and their bonus dice, typed or asked for.

        `slot`: the name of the question. `purpose`: the purpose of the roll, in words. Refuses the codes of
        `check_pool`.
        """
        typed_bonus = tuple(bonus)
        if faces is not None or typed_bonus:
            return check_pool(count, faces if faces is not None else (), typed_bonus, sides)
        if not count:
            return (), ()
        thrown_faces = yield from roll(
            character(char_id),
            count,
            sides,
            slot=slot,
            purpose=purpose or slot,
            audience=audience,
            opens=10 if sides == 10 else None,
        )
        return thrown_faces[:count], thrown_faces[count:]


@guards
def may_act(draft: Draft, char_id: str) -> Refused | None:
    """Refuse dead, sacrificed and retired characters: `character-gone`."""
    status = draft.get_character(char_id).status
    if status in GONE:
        return CHARACTER_GONE(character=char_id, status=status)
    return None


@guards
def may_prepare(draft: Draft, rule: str) -> Refused | None:
    """Refuse preparations outside an interval: `not-in-interval`."""
    if draft.get_campaign().phase != "interval":
        return NOT_IN_INTERVAL.under(rule)
    return None


@guards
def may_use_roll(draft: Draft, action: Action, part_index: int) -> Refused | None:
    """Refuse a seat that cannot see the roll: `roll-not-seen`."""
    if not draft.table.by.may_see(find_audience(action, part_index)):
        return ROLL_NOT_SEEN(action=action.id, part=part_index)
    return None


@guards
def may_use_cards(draft: Draft, rule: str) -> Refused | None:
    if draft.dials.beads_only == "on":
        return BEADS_ONLY.under(rule)
    return None


@guards
def may_use_chips(draft: Draft, rule: str) -> Refused | None:
    if draft.dials.advanced_chips == "off" or draft.dials.beads_only == "on":
        return NO_CHIPS_IN_PLAY.under(rule)
    return None


@guards
def may_spend_beads(draft: Draft, char_id: str, element: str, count: int, rule: str) -> Refused | None:
    """Refuse to spend more beads than the character has: `not-enough-beads`."""
    if draft.count_beads(char_id, element) < count:
        return NOT_ENOUGH_BEADS.under(rule, character=char_id, element=element, needed=count)
    return None


@guards
def may_spend_chips(draft: Draft, char_id: str, counts: Mapping[str, int], rule: str) -> Refused | None:
    """Refuse to spend chips that the character does not have: `chips-not-held`."""
    for colour, count in counts.items():
        if draft.balance(holdings.name_chip_account(char_id, colour)) < count:
            return CHIPS_NOT_HELD.under(rule, character=char_id, chip=colour, needed=count)
    return None


def read_chips(sent: Mapping[str, Sent], rule: str) -> dict[str, int]:
    """Return chips by colour, without zeros. Refuses `unknown-chip`, `negative-chips`."""
    counts = {read_chip_colour(colour, rule): read_whole(n, NEGATIVE_CHIPS, rule) for colour, n in sent.items()}
    return {colour: n for colour, n in counts.items() if n}


@guards
def may_play_beads(draft: Draft, char_id: str) -> Refused | None:
    """Refuse beads of a dazed character: `dazed-no-beads`."""
    if draft.get_character(char_id).dazed:
        return DAZED_NO_BEADS(character=char_id)
    return None


# --- agreement --------------------------------------------------------------------------------------------------------


@choice("approve", says="The game master approves.")
class Approve:
    """Approve the proposal."""


@choice("veto", says="The game master does not approve.")
class Veto:
    """Do not approve the proposal."""


@fact(
    "proposal-vetoed", says="The game master does not approve {subject}'s proposal[: {text}].", headline=6, changes=None
)
class ProposalVetoed:
    """The game master did not approve the use of a bead, card or chip. The bead, card or chip is not spent."""

    text: Story


ASK_APPROVAL = Question("approval", "This is {purpose}. Do you approve?")


def ask_approval(draft: Draft, approval: bool | None, purpose: str, slot: str = "") -> Asking[bool]:
    """Return whether a game master approves: as declared or, if nothing was declared, as a game master answers."""
    if approval is False:
        return False
    if draft.table.by.role == "gm":
        return True
    answer = yield from ask("gm", Approve, Veto, slot=slot or ASK_APPROVAL(), purpose=purpose)
    return isinstance(answer, Approve)


def make_decline(refusal: Refused, approval: bool | None) -> Exception:
    """Return the refusal, or a decline if a game master was asked. `approval`: False if the declaration itself refuses
    approval.
    """
    return refusal if approval is False else Declined(refusal.rule, refusal.code, **refusal.context)


def record_veto(draft: Draft, char_id: str, rule: str, approval: bool | None, text: str) -> None:
    """Record a veto if a game master was asked. Otherwise refuse: `gm-approval-needed`."""
    if approval is False:
        raise GM_APPROVAL_NEEDED.under(rule, character=char_id)
    draft.forget()
    draft.about(char_id, ProposalVetoed(text))
    draft.by(rule, "vetoed", character=char_id)
