"""What each seat can see: views of states, and the table and the game on which its offers are based."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping
from fractions import Fraction
from functools import cached_property
from itertools import chain
from typing import Any, TypeAlias, TypeVar, assert_never

from ledger.rules.kernel.kit import (
    Among,
    Audience,
    BaseShownTable,
    Between,
    Domain,
    Either,
    Entries,
    Refused,
    Seen,
    Subject,
    Table,
    Viewer,
    by_name,
    cached_by_record,
    changed,
    list_audiences,
)
from ledger.rules.moc import dice, holdings, piles
from ledger.rules.moc.draft import Draft, may_act, may_play_beads, may_prepare, may_use_cards, may_use_chips
from ledger.rules.moc.state import (
    SECRET_OF_PARTS,
    Action,
    Campaign,
    Character,
    Damage,
    Part,
    Roll,
    Scene,
    Seat,
    State,
    StoryPart,
    find_audience,
    find_daze_limit,
    find_pain_capacity,
    list_actions,
)
from ledger.rules.moc.words import CHIPS, ELEMENTS, LEVEL_NAMES, LEVELS, POINT, SUIT_NAMES, read_card_element

View = dict[str, object]
_view_by_name = cached_by_record(by_name)
NO_DAMAGE = Damage()
#: New states and a new part, from which hidden fields are filled.
_NEW_STATES: Mapping[type, State] = {kind: kind() for kind in (Character, Scene, Campaign, Seat)}
_NEW_PART = Part(Roll("", "action", "action", "body", 0, 0))


def view(subject: Subject, state: State, viewer: Viewer) -> Mapping[str, object]:
    hidden_fields = list_hidden_fields(subject, state, viewer)
    match state:
        case Character():
            fields = _view_character(state)
        case Scene():
            fields = _view_scene(state, viewer)
        case Campaign():
            fields = _view_campaign(state)
        case Seat():
            fields = {"session": state.session, "named": list(state.named)}
            return {name: value for name, value in fields.items() if name not in hidden_fields}
        case _:
            assert_never(state)
    return {**fields, **{name: None for name in hidden_fields if name in fields}}


def list_hidden_fields(subject: Subject, state: State, viewer: Viewer) -> list[str]:
    """Return the fields of a state that the viewer cannot see."""
    state_class: Any = type(state)
    audiences = list_audiences(state_class).items()
    return [name for name, seen_by in audiences if not viewer.may_see(seen_by.to(subject, state))]


def _view_character(state: Character) -> View:
    ratings = state.ratings
    fields: View = {
        "archetype": state.archetype,
        "villain": state.villain,
        "primaries": list(state.primaries),
        "secondaries": list(state.secondaries),
        "ratings": dict(ratings),
        "skills": dict(state.skills),
        "counts": dict(state.counts),
        "elements": dict(state.elements),
        "traits": {trait_id: by_name(trait) for trait_id, trait in state.traits.items()},
        "budget": str(Fraction(state.budget, POINT)),
        "earned": str(Fraction(state.earned, POINT)),
        "hand": list(state.hand),
        "drawn": state.drawn,
        "allocated": state.allocated,
        "may_allocate": not state.allocated or state.asked,
        "pools": dict(state.pools),
        "gained": dict(state.gained),
        "asked": state.asked,
        "related": {key: list(skills) for key, skills in state.related.items()},
        "damage": state.damage,
        "pain": state.pain,
        "pain_turn": state.pain_turn,
        "healing_days": state.healing_days,
        "fatigue": state.fatigue,
        "dazed": state.dazed,
        "recovering": state.recovering,
        "due": state.due,
        "acted_scene": state.acted_scene,
        "acted_turn": state.acted_turn,
        "acted_halves": state.acted_halves,
        "used": dict(state.used),
        "status": state.status,
        "fell": state.fell,
        "dodge": -state.dodge,
        "half_defence": state.half_defence,
        "harmed_by": state.harm.hit if state.harm is not None else None,
        "left": dict(state.left),
        "heir_of": list(state.heir_of),
        "healing": by_name(state.healing) if state.healing is not None else None,
    }
    if ratings:
        fields |= {
            "pain_capacity": find_pain_capacity(ratings),
            "daze_limit": find_daze_limit(ratings),
            "movement": {
                "primary": 2 * ratings.get("Sp", 1) + ratings.get("body", 1),
                "secondary": ratings.get("Sp", 1) + ratings.get("body", 1),
                **holdings.MOVEMENT.find_levels(state.counts),
            },
        }
    return fields


def _view_scene(scene: Scene, viewer: Viewer) -> View:
    return {
        "phase": scene.phase,
        "cast": list(scene.cast),
        "turn": scene.turn,
        "order": [list(group) for group in scene.order],
        "pool": list(scene.pool),
        "actions": [
            _view_action(action, tuple(map(viewer.may_see, _list_part_audiences(action))))
            for action in list_actions(scene)
        ],
        "hits": [{**_view_by_name(hit), "rolled": _view_damage(scene, hit.id)} for hit in scene.hits.values()],
        "initiative": _view_by_name(scene.initiative),
        "story": _view_story(scene.story),
        "answered": [list(claim) for claim in scene.answered],
        "arts": dict(scene.arts),
    }


def _view_story(story: Mapping[str, StoryPart]) -> View:
    """Return the parts of the story, as JSON values. `stands`: whether the part is neither vetoed nor trumped."""
    return {
        change_id: {
            **by_name(part),
            "stands": not part.vetoed and (not part.plays or part.plays[0] in piles.list_effective(part.plays)),
        }
        for change_id, part in story.items()
    }


@cached_by_record
def _view_action(action: Action, seen_flags: tuple[bool, ...]) -> View:
    """Return an action, as JSON values. `seen_flags`: for each part, whether this seat can see its dice."""
    return {
        "id": action.id,
        "character": action.character,
        "text": action.text,
        "split": action.split,
        "penalty": action.penalty,
        "dice": action.dice,
        "activated": dict(action.activated),
        "tired": action.tired,
        "at_once": action.at_once,
        "weapon": action.weapon,
        "defender": action.defender,
        "stage": action.stage,
        "parts": [_view_part(part, is_seen) for part, is_seen in zip(action.parts, seen_flags, strict=True)],
        "plays": [by_name(play) for play in action.plays],
    }


def _view_part(part: Part, may_see_dice: bool) -> View:
    """Return a part, as JSON values. The dice of an opposed roll are hidden until it is resolved, but everybody can see
    that they were rolled.
    """
    fields = by_name(part)
    fields |= fields.pop("roll")
    fields["required"] = LEVEL_NAMES.get(part.roll.required, str(part.roll.required))
    fields["fallen"] = len(part.faces)
    fields["outcome"] = LEVEL_NAMES.get(part.outcome) if part.outcome is not None else None
    if not may_see_dice:
        fields |= dict.fromkeys(SECRET_OF_PARTS)
    return fields


def _view_damage(scene: Scene, hit_id: str) -> View:
    return _view_by_name(scene.damage.get(hit_id, NO_DAMAGE))


@cached_by_record
def _list_part_audiences(action: Action) -> tuple[Audience, ...]:
    return tuple(find_audience(action, part_index) for part_index in range(len(action.parts)))


def _view_campaign(campaign: Campaign) -> View:
    return {
        "phase": campaign.phase,
        "scenes": campaign.scenes,
        "arc": campaign.arc,
        "arc_name": campaign.arc_name,
        "arc_ended": campaign.arc_ended,
        "tallied": campaign.tallied,
        "last_session": campaign.last_session,
        "shown": list(campaign.shown),
        "skills": {name: by_name(row) for name, row in campaign.skills.items()},
        "weapons": {name: by_name(row) for name, row in campaign.weapons.items()},
        "locations": {name: by_name(row) for name, row in campaign.locations.items()},
        "healing": dict(campaign.healing),
        "ag": dict(campaign.ag),
        "uses": dict(campaign.uses),
        "story": _view_story(campaign.story),
    }


class ShownTable(BaseShownTable):
    """The table as one viewer is shown it, so that offers do not depend on hidden values.

    A hidden field has the value that it has in a new state: without the hidden dice, cards or votes.
    """

    def _hide_fields(self, subject: Subject, state: Any) -> Any:
        """Return the state with each hidden field as in a new state, including those in the parts
        of a scene's actions.
        """
        new_state, hidden_fields = _NEW_STATES[type(state)], list_hidden_fields(subject, state, self.viewer)
        shown_state = (
            changed(state, **{name: getattr(new_state, name) for name in hidden_fields}) if hidden_fields else state
        )
        return self._show_scene(shown_state) if isinstance(shown_state, Scene) else shown_state

    def _show_scene(self, scene: Scene) -> Scene:
        shelves = (*scene.older, scene.actions)
        if all(map(self.viewer.may_see, chain.from_iterable(map(_list_part_audiences, list_actions(scene))))):
            return scene
        *older, actions = (
            {action_id: self._show_action(action) for action_id, action in shelf.items()} for shelf in shelves
        )
        return changed(scene, actions=actions, older=tuple(older))

    def _show_action(self, action: Action) -> Action:
        audiences = _list_part_audiences(action)
        if all(map(self.viewer.may_see, audiences)):
            return action
        pairs = zip(action.parts, audiences, strict=True)
        return changed(
            action, parts=tuple(part if self.viewer.may_see(audience) else _hide_dice(part) for part, audience in pairs)
        )


def _hide_dice(part: Part) -> Part:
    return changed(part, **{name: getattr(_NEW_PART, name) for name in SECRET_OF_PARTS})


def show_table(seen: Seen) -> Table[Any]:
    return seen.make_shown_table_as(ShownTable)


LEFT_OUT = Among((None,))


#: The domain of an approval. If it is left out, a game master is asked.
AGREED = Among((None, True))
TOLD_LEVELS = (*LEVELS, *LEVELS.values())


def fix(value: object) -> Among:
    """Return a domain that contains only this value."""
    return Among((value,))


def make_part_domain(indexes: tuple[int, ...]) -> Among:
    """Return the domain of the parts of a split pool. The titles count from 1."""
    return Among(indexes, tuple(f"Action {part_index + 1}" for part_index in indexes))


def make_some_counts_domain(counts: Mapping[str, int]) -> Domain:
    """Return the domain of counts up to these, with at least one count above 0."""
    domains = {name: Between(0, n) for name, n in counts.items() if n > 0}
    return Either(tuple(Entries({**domains, name: Between(1, counts[name])}, (name,)) for name in domains))


def make_exact_counts_domain(counts: Mapping[str, int], among: Iterable[str]) -> Entries:
    """Return the domain of exactly these counts, with 0 for all others."""
    return Entries({name: fix(counts.get(name, 0)) for name in among}, tuple(counts))


T = TypeVar("T", bound=Hashable)


def group_ids(pairs: Iterable[tuple[str, T]]) -> dict[T, tuple[str, ...]]:
    """Return the ids by value, so that one move serves all characters with the same value."""
    ids_by_value: dict[T, tuple[str, ...]] = {}
    for id, value in pairs:
        ids_by_value[value] = (*ids_by_value.get(value, ()), id)
    return ids_by_value


def list_element_names(element: str) -> tuple[str, ...]:
    """Return an Element's own name and that of its suit."""
    return (element, *(suit for suit, suit_element in SUIT_NAMES.items() if suit_element == element))


class Offering:
    """The game as the viewer sees it, for making moves. `draft`: a draft for calling the rules' own functions, on which
    nothing is recorded.
    """

    def __init__(self, seen: Seen, draft: Draft) -> None:
        self.seen = seen
        self.table = draft.table
        self.draft = draft
        self.dials = seen.dials
        self.is_gm = seen.seat.role == "gm"
        self.campaign: Campaign = self.draft.get_campaign()
        self._characters: dict[str, Character] = {}
        self._cards: dict[str, tuple[str, ...]] = {}
        self._chips: dict[str, dict[str, int]] = {}
        self._beads: dict[str, dict[str, int]] = {}
        self._outcomes: dict[tuple[str, int], dice.Outcome] = {}
        self.scene: Scene | None = self.draft.get_scene() if seen.scene is not None else None

    @cached_property
    def roster(self) -> tuple[str, ...]:
        return self.seen.roster

    @cached_property
    def active_ids(self) -> tuple[str, ...]:
        return tuple(char_id for char_id in self.roster if may_act(self.draft, char_id) is None)

    @property
    def is_interval(self) -> bool:
        return may_prepare(self.draft, dice.RESOLVE) is None

    @cached_property
    def has_chips(self) -> bool:
        return may_use_chips(self.draft, dice.RESOLVE) is None

    @cached_property
    def has_cards(self) -> bool:
        return may_use_cards(self.draft, dice.RESOLVE) is None

    def get_character(self, char_id: str) -> Character:
        state = self._characters.get(char_id)
        if state is None:
            state = self._characters[char_id] = self.draft.get_character(char_id)
        return state

    def is_allowed(self, check: Callable[[Draft], object]) -> bool:
        """Return whether the check passes without a refusal."""
        try:
            check(Draft(self.table))
        except Refused:
            return False
        return True

    def list_open_targets(self, action: Action, part_index: int) -> tuple[str, ...]:
        """Return the characters whom this attack can still hit."""
        if self.scene is None:
            return ()
        return dice.list_open_targets(
            action.parts[part_index], dice.list_hit_targets(self.scene, action.id, part_index), self.roster
        )

    # --- what can be spent ---

    def list_hand(self, char_id: str) -> tuple[str, ...]:
        """Return the cards of the hand that the seat can play, as shown to it. There are none if the hand's account is
        empty.
        """
        state, viewer = self.get_character(char_id), self.seen.seat
        if (
            not self.has_cards
            or not state.hand
            or not (self.is_gm or (char_id in viewer.characters and not state.villain))
        ):
            return ()
        return state.hand if self.table.balance(holdings.name_hand_account(char_id)) > 0 else ()

    def list_cards(self, char_id: str) -> tuple[str, ...]:
        """Return the cards of the hand and, for a villain, those of the villains' pool."""
        cards = self._cards.get(char_id)
        if cards is None:
            pool_cards = (
                self.scene.pool if self.scene is not None and self.get_character(char_id).villain and self.is_gm else ()
            )
            cards = tuple(dict.fromkeys((*self.list_hand(char_id), *(pool_cards if self.has_cards else ()))))
            self._cards[char_id] = cards
        return cards

    def count_chips(self, char_id: str) -> dict[str, int]:
        counts = self._chips.get(char_id)
        if counts is None:
            balances = {colour: self.table.balance(holdings.name_chip_account(char_id, colour)) for colour in CHIPS}
            counts = self._chips[char_id] = {colour: n for colour, n in balances.items() if n > 0}
        return counts

    def count_beads(self, char_id: str) -> dict[str, int]:
        counts = self._beads.get(char_id)
        if counts is None:
            balances = {
                element: self.table.balance(holdings.name_bead_account(char_id, element)) for element in ELEMENTS
            }
            counts = self._beads[char_id] = {element: n for element, n in balances.items() if n > 0}
        return counts

    def count_playable_beads(self, char_id: str) -> dict[str, int]:
        """Return how many beads can be played, by Element. A dazed character cannot play any."""
        return self.count_beads(char_id) if may_play_beads(self.draft, char_id) is None else {}

    def list_card_elements(self, char_id: str, card: str) -> tuple[object, ...]:
        """Return the Elements that can be named for a card: any for a Wildcard. If none is named, the card's own
        Element counts.
        """
        if self.get_character(char_id).archetype == "wildcard":
            return (None, *ELEMENTS, *SUIT_NAMES)
        return (None, *list_element_names(read_card_element(card)))

    # --- actions ---

    @cached_property
    def actions(self) -> tuple[Action, ...]:
        return tuple(list_actions(self.scene)) if self.scene is not None else ()

    @cached_property
    def open_actions(self) -> tuple[Action, ...]:
        return tuple(
            action for action in self.actions if action.stage == "open" and self.has_character(action.character)
        )

    def list_declared_parts(self) -> Iterator[tuple[Action, int, Part]]:
        """Yield parts that are neither resolved nor pre-empted."""
        for action in self.open_actions:
            for part_index, part in enumerate(action.parts):
                if part.stage == "declared":
                    yield action, part_index, part

    def list_unrolled_indexes(self, action: Action) -> tuple[int, ...]:
        """Return the parts that are neither resolved nor rolled."""
        return tuple(
            part_index for part_index, part in enumerate(action.parts) if part.stage == "declared" and not part.rolled
        )

    def find_outcome(self, action: Action, part_index: int) -> dice.Outcome:
        """Return the current result of a part, by the dice that are shown."""
        outcome = self._outcomes.get((action.id, part_index))
        if outcome is None:
            outcome = self._outcomes[action.id, part_index] = dice.find_outcome(self.draft.dials, action, part_index)
        return outcome

    @cached_property
    def _roster_ids(self) -> frozenset[str]:
        return frozenset(self.roster)

    def has_character(self, char_id: str) -> bool:
        return char_id in self._roster_ids

    def count_rolled_dice(self, action_id: str, part_index: int) -> int:
        """Return how many dice were rolled, not counting bonus dice. Everybody can see this number."""
        place = self.seen.scene
        shown_actions = self.seen.view(place)["actions"] if place is not None else ()
        return next(
            (
                int(shown_action["parts"][part_index]["fallen"])
                for shown_action in shown_actions
                if shown_action["id"] == action_id
            ),
            0,
        )


def get_offering(seen: Seen, draft: Draft) -> Offering:
    """Return the game as shown to the viewer, prepared once for all offers."""
    if draft.offering is None:
        draft.offering = Offering(seen, draft)
    offering: Offering = draft.offering
    return offering


Fields: TypeAlias = dict[str, Domain]
