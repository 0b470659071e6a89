"""The draft of a ruling, and functions that many rules of this game need: finding the open scene, round and attack,
asking for consent, and reading dice.

The draft reads characters and scenes as they were before the ruling, so that all events of one moment are checked
against the state before it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Annotated, Any, TypeAlias

from ledger.rules.intensity.dials import Dials
from ledger.rules.intensity.state import (
    Campaign,
    Char,
    Character,
    DieName,
    Face,
    OpenAttack,
    Participant,
    Round,
    Scene,
    State,
    quote,
)
from ledger.rules.kernel.kit import (
    CAMPAIGN,
    OPEN,
    Account,
    Among,
    Asking,
    BaseDraft,
    Domain,
    Names,
    Posting,
    Question,
    Reason,
    RecordedFacts,
    Refused,
    Says,
    Seen,
    SharedRefusal,
    Subject,
    ask,
    character,
    choice,
    roll,
    seat,
    unit_of,
)

#: The question to ask for each die: the intensity die and the trait die.
DieQuestions: TypeAlias = Mapping[DieName, Question]
#: The seat that is asked for a character whom no player plays.
GAME_MASTER = "gm"
NO_ROUND = SharedRefusal("no-round", "No round is open.")
NOT_IN_ROUND = SharedRefusal("not-in-round", "{char} is not in this round.")
NO_ATTACK = SharedRefusal("no-attack", "That attack is not open.")
WRONG_STAGE = SharedRefusal("wrong-stage", "This is not possible at this point in the round.")
CHARACTER_OUT = SharedRefusal("character-out", "{char} is out of play.")
SUBJECT_GONE = SharedRefusal("subject-gone", "[{char}][{subject}] is out of play for good.")
UNKNOWN_TRAIT = SharedRefusal("unknown-trait", "{char} does not have that trait[: {trait}].")
SCENE_OPEN = SharedRefusal("scene-open", "A scene is open. Close it first.")
ROUND_OPEN = SharedRefusal("round-open", "A round is open. Finish it first.")
NO_SUCH_FATAL = SharedRefusal("no-such-fatal", "There is no such fatal impact to use or give up.")
NO_TRAIT_HERE = SharedRefusal("no-trait-here", "This choice does not need a trait. Leave out the trait.")
TEXT_BLANK = SharedRefusal("text-blank", "This text cannot be empty.")


@dataclass(frozen=True, slots=True)
class CurrentScene:
    """The open scene: its subject and its state."""

    subject: Subject
    scene: Scene


class Draft(BaseDraft[Dials, State, Any]):
    def name(self, subject: Subject) -> str:
        """Return a name, or "somebody" for a character whose joining was overturned."""
        return self.table.name(subject) if self.table.has(subject) else "somebody"

    def name_of(self, char: str) -> str:
        return self.name(character(char))

    def read_character(self, char: str) -> Character:
        """Return the character. Refuses `unknown-character`."""
        state = self.characters.get(char)
        if state is None:
            state = self.characters[char] = self.table.get(character(char), Character)
        return state

    def check_character(self, char: str) -> None:
        """Refuse an unknown character (`unknown-character`)."""
        self.read_character(char)

    def is_out(self, char: str) -> bool:
        """Return whether the character cannot take part, because of a fatal impact or because they retired."""
        return self.read_character(char).out is not None or not self.table.is_open(character(char))

    def is_gone(self, char: str) -> bool:
        """Return whether the character is out for good."""
        return self.read_character(char).out == "permanent" or not self.table.is_open(character(char))

    def read_campaign(self) -> Campaign:
        return self.table.get(CAMPAIGN, Campaign)

    def list_character_ids(self) -> list[str]:
        """Return the ids of all characters, in the order in which they joined."""
        return [subject.id for subject in self.table.subjects("character")]

    @cached_property
    def characters(self) -> dict[str, Character]:
        """The characters that have already been looked up."""
        return {}

    @cached_property
    def sizes(self) -> dict[str, dict[str, int]]:
        """The sizes of traits that have already been worked out, by character."""
        return {}

    @cached_property
    def open_scene(self) -> CurrentScene | None:
        scene = self.table.scene
        return CurrentScene(scene, self.table.get(scene, Scene)) if scene is not None else None

    @cached_property
    def open_round(self) -> Round | None:
        """The open round, or None if there is none or if it waits for a character whose joining was overturned."""
        round = self.open_scene.scene.round if self.open_scene is not None else None
        return round if round is not None and set(round.participants) <= set(self.present) else None

    @cached_property
    def open_attack(self) -> OpenAttack | None:
        round = self.open_round
        attack = round.attack if round is not None and round.groups is not None else None
        if round is None or attack is None or not {attack.attacker, attack.defender} <= set(round.participants):
            return None
        return attack

    @cached_property
    def present(self) -> list[str]:
        """All characters whose joining has not been overturned."""
        return [char for char in self.list_character_ids() if self.table.has(character(char))]

    def sort_by_name(self, chars: Iterable[str]) -> tuple[str, ...]:
        return tuple(sorted(chars, key=lambda char: (self.table.name(character(char)), char)))

    def find_asked_seat(self, char: str) -> str:
        """Return the seat that is asked for a character: its player's seat while that is open, otherwise the game
        master's.
        """
        owner = seat(self.table.owner(character(char)))
        if self.table.has(owner) and self.table.is_open(owner) and self.table.role(owner) == "player":
            return owner.id
        return GAME_MASTER

    def pair_with_asked_seats(self, chars: Iterable[str]) -> list[tuple[str, str]]:
        """Return (seat that is asked, character): first the players in the order in which they joined, then the game
        master for the other characters.
        """
        pairs = [(self.find_asked_seat(char), char) for char in chars]
        if not pairs:
            return []
        seat_ids = [subject.id for subject in self.table.subjects("seat") if subject.id != GAME_MASTER]
        return sorted(pairs, key=lambda pair: seat_ids.index(pair[0]) if pair[0] in seat_ids else len(seat_ids))

    def is_asked(self, char: str) -> bool:
        """Return whether the declaring seat would be asked for this character."""
        asked_seat = self.find_asked_seat(char)
        return self.table.by.role == "gm" if asked_seat == GAME_MASTER else self.table.by.seat == asked_seat

    def make_posting_from(self, source: str, amount: int | None = None, target: str | None = None) -> Posting | None:
        """Return a posting that takes an amount from a bounded account (by default all of it), but not more than its
        balance.

        An amount that the table set by amendment was never posted, so it does not have to be posted back.
        """
        balance = self.balance(source)
        moved_amount = balance if amount is None else min(amount, balance)
        if moved_amount < 1:
            return None
        unit = unit_of(source)
        return Posting(source, target or f"bank/{unit}", unit, moved_amount)


# --- the open scene, round and attack --------------------------------------------------------------------------------
# Rules call the `require_…` functions, which refuse if a scene, round, participant or attack is missing, in this order.
# Offers read `draft.open_scene`, `draft.open_round` and `draft.open_attack`, which are None instead.


def require_scene(draft: Draft, rule: str) -> CurrentScene:
    """Return the open scene. Refuses `no-scene`."""
    scene_subject = draft.table.scene
    if scene_subject is None or not draft.table.has(scene_subject) or not draft.table.is_open(scene_subject):
        raise Refused(rule, "no-scene")
    return CurrentScene(scene_subject, draft.table.get(scene_subject, Scene))


def require_round(open_scene: CurrentScene, rule: str) -> Round:
    """Return the open round. Refuses `no-round`."""
    if open_scene.scene.round is None:
        raise NO_ROUND.under(rule, scene=open_scene.subject.id)
    return open_scene.scene.round


def require_scene_and_round(draft: Draft, rule: str) -> tuple[CurrentScene, Round]:
    """Return the open scene and its round. Refuses `no-scene`, `no-round`."""
    open_scene = require_scene(draft, rule)
    return open_scene, require_round(open_scene, rule)


def require_participant(round: Round, char: str, rule: str) -> Participant:
    """Return the participant. Refuses `not-in-round`."""
    if char not in round.participants:
        raise NOT_IN_ROUND.under(rule, char=char)
    return round.participants[char]


def require_attack(round: Round, rule: str) -> OpenAttack:
    """Return the open attack. Refuses `no-attack`."""
    attack = round.attack
    if attack is None or not {attack.attacker, attack.defender} <= set(round.participants):
        raise NO_ATTACK.under(rule, round=round.id)
    return attack


def may_still_declare(round: Round, rule: str) -> Refused | None:
    """Refuse to declare, raise or restate once a face is recorded, even if the participant who rolled it has left."""
    if round.begun or round.groups is not None or any(other.dice for other in round.participants.values()):
        return WRONG_STAGE.under(rule, round=round.id)
    return None


# --- words -----------------------------------------------------------------------------------------------------------


def check_once(names: Iterable[str], rule: str) -> None:
    """Refuse a name that occurs twice (`duplicate`)."""
    seen_names: set[str] = set()
    for name in names:
        if name in seen_names:
            raise Refused(rule, "duplicate", named=name)
        seen_names.add(name)


def check_text(rule: str, name: str, text: str) -> None:
    """Refuse a blank text if words are required (`text-blank`)."""
    if not text.strip():
        raise TEXT_BLANK.under(rule, field=name)


# --- consent ---------------------------------------------------------------------------------------------------------
# Only the player who is asked can consent. A game master can consent for that player, with a reason.

NOT_GAME_MASTER = SharedRefusal("not-game-master", "{seat} is not a game master and cannot speak for the others.")


@choice("agree", by="asked", says="Agreed.")
class Agree:
    """Agree. Only the player who is asked can do this."""


@choice("decline", by="asked", says="Declined.")
class Decline:
    """Decline. Only the player who is asked can do this."""


def say_spoken_for(choice: SpeakFor, names: Names) -> str:
    return quote(f"A game master {'agrees' if choice.agreed else 'declines'} for the player", choice.reason)


@choice("speak-for", by="gm", says=say_spoken_for)
class SpeakFor:
    """As a game master, agree or decline for the player who is asked. `reason`: the reason, which
    the player can read.
    """

    agreed: Annotated[bool, Says("The player agrees")]
    reason: Reason


def check_reason(draft: Draft, rule: str, reason: str) -> bool:
    """Return whether a game master speaks for all players, which needs a reason. Refuses `not-game-master`,
    `text-blank`.
    """
    if reason and draft.table.by.role != "gm":
        raise NOT_GAME_MASTER.under(rule, seat=draft.table.by.seat)
    if reason and not reason.strip():
        raise TEXT_BLANK.under(rule, field="reason")
    return bool(reason)


def make_reason_domain(seen: Seen) -> Domain:
    """Return the possible reasons. Only a game master who speaks for all players gives a reason."""
    return OPEN if seen.seat.role == "gm" else Among(("",))


def group_by_asked_seat(draft: Draft, chars: Iterable[str]) -> dict[str, list[str]]:
    """Return the characters by the seat that is asked for them, in order, leaving out the declaring seat."""
    chars_by_seat: dict[str, list[str]] = {}
    for char in dict.fromkeys(chars):
        if not draft.is_asked(char):
            chars_by_seat.setdefault(draft.find_asked_seat(char), []).append(char)
    return chars_by_seat


def ask_consent(draft: Draft, rule: str, asked_seat: str, chars: list[str], slot: str, purpose: str) -> Asking[bool]:
    """Return whether a player agrees, in one answer for all the player's characters. A game master's answer without a
    reason is unfit: `text-blank`.
    """
    answer = yield from ask(asked_seat, Agree, Decline, SpeakFor, slot=slot, purpose=purpose)
    extra_inputs: dict[str, Any] = {}
    if isinstance(answer, SpeakFor):
        if not answer.reason.strip():
            raise TEXT_BLANK.unfit(rule, field="reason")
        extra_inputs = {"spoken_for": answer.reason}
    is_agreed = answer.agreed if isinstance(answer, SpeakFor) else isinstance(answer, Agree)
    for char in chars:
        draft.by(rule, "agreed" if is_agreed else "declined", char=char, asked=asked_seat, **extra_inputs)
    return is_agreed


# --- dice ------------------------------------------------------------------------------------------------------------


ROLL_DICE = SharedRefusal(
    "roll-dice",
    "[{char} rolls dice with these numbers of sides: {dice}. ]Enter exactly the dice that were declared.",
)


@dataclass(frozen=True, slots=True)
class Faces:
    """The numbers on one participant's dice. Leave out `trait` if the participant rolls only the intensity die."""

    char: Char
    intensity: Annotated[Face | None, Says("Intensity die")] = None
    trait: Annotated[Face | None, Says("Trait die")] = None


def check_face(face: object, size: int, rule: str) -> int:
    """Return a typed face. Refuses `face-range` unless it is an integer from 1 to the size (not a bool, string or
    float).
    """
    if type(face) is not int or not 1 <= face <= size:
        raise Refused(rule, "face-range", face=repr(face), sides=size)
    return face


def check_faces(entry: Faces, sizes: dict[DieName, int], rule: str) -> dict[DieName, int]:
    """Return one participant's typed faces. Refuses `roll-dice` if a die is missing or should not be there, and
    `face-range`.
    """
    given_faces: dict[DieName, object] = {"intensity": entry.intensity, "trait": entry.trait}
    if any((face is not None) != (die in sizes) for die, face in given_faces.items()):
        raise ROLL_DICE.under(rule, char=entry.char, dice=list(sizes.values()))
    return {die: check_face(given_faces[die], size, rule) for die, size in sizes.items()}


def ask_face(char: str, die: DieName, size: int, questions: DieQuestions, purpose: str, rule: str) -> Asking[int]:
    (face,) = yield from roll(
        character(char),
        1,
        size,
        slot=questions[die](),
        purpose=f"{die} die: {purpose}",
        rule=rule,
        count_code="roll-dice",
    )
    return face


def ask_faces(
    char: str, sizes: dict[DieName, int], questions: DieQuestions, purpose: str, rule: str
) -> Asking[dict[DieName, int]]:
    """Return a face for each die. The dice are asked for one at a time."""
    faces: dict[DieName, int] = {}
    for die, size in sizes.items():
        faces[die] = yield from ask_face(char, die, size, questions, purpose, rule)
    return faces


def list_recorded_since(ruling: RecordedFacts, assigned_id: str) -> Iterator[object]:
    """Yield the facts recorded since the ruling that assigned this id, the latest first."""
    first_number = assigned_id.partition("-")[0]
    for number in ruling.list_numbers_since(int(first_number)) if first_number.isdecimal() else ():
        yield from (about.fact for about in ruling.list_earlier_facts(number))


# --- accounts --------------------------------------------------------------------------------------------------------

ACCOUNTS: tuple[Account, ...] = (
    Account(
        "character:<id>/ap:<against>",
        "ap",
        "Advantage points that a character holds against another.",
        title="Advantage points against <against>",
    ),
    Account("character:<id>/impact", "impact", "The active taxes, damage and wounds of a character.", title="Impacts"),
    Account(
        "scene:<id>/die:standing-<char>",
        "die",
        "A participant's standing dice, which can attack.",
        title="Standing dice of <char>",
    ),
    Account(
        "scene:<id>/die:defence-<char>",
        "die",
        "A participant's dice that were picked up to defend.",
        title="Defence dice of <char>",
    ),
    Account(
        "scene:<id>/fatal:<holder>",
        "fatal",
        "Fatal impacts that a character holds.",
        title="Fatal impacts held by <holder>",
    ),
)


def name_points_account(holder: str, against: str) -> str:
    return f"{character(holder)}/ap:{against}"


def name_impacts_account(char: str) -> str:
    return f"{character(char)}/impact"


def name_standing_account(scene: Subject, char: str) -> str:
    return f"{scene}/die:standing-{char}"


def name_defence_account(scene: Subject, char: str) -> str:
    return f"{scene}/die:defence-{char}"


def name_fatals_account(scene: Subject, holder: str) -> str:
    return f"{scene}/fatal:{holder}"


def put_dice_away(draft: Draft, open_scene: CurrentScene, round: Round, fact: object) -> None:
    """Return the round's standing and defence dice to the supply."""
    postings = []
    for char in round.participants:
        postings.append(draft.make_posting_from(name_standing_account(open_scene.subject, char)))
        postings.append(draft.make_posting_from(name_defence_account(open_scene.subject, char)))
    draft.tell(open_scene.subject, fact, *postings)


def make_posting_from_bank(account: str, unit: str, amount: int) -> Posting:
    return Posting(f"bank/{unit}", account, unit, amount)
