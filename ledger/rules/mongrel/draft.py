"""The draft of a ruling: characters in their current state, their scores, and the refusals that many rules share."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Any

from ledger.rules.kernel.kit import (
    CAMPAIGN,
    BaseDraft,
    Refused,
    RuleId,
    SharedRefusal,
    Subject,
    Table,
    Unfit,
    character,
    scene,
    seat,
)
from ledger.rules.mongrel import accounts
from ledger.rules.mongrel.dials import Dials
from ledger.rules.mongrel.state import Campaign, Character, Scene, State, work_out_physique
from ledger.rules.mongrel.terms import Number, is_natural

BAD_NUMBER = SharedRefusal("bad-number", "Enter a whole number, 0 or more ({what}).")
BAD_SCORE = SharedRefusal("bad-score", "A score must be a whole number, 0 or more[ ({what})][ ({expertise})].")
BAD_AMOUNT = SharedRefusal(
    "bad-amount",
    "That amount is not possible here[: {amount}][: {price}][: {credited}][: {change}]. Enter a whole number, 1 or"
    " more.",
)
DUPLICATE = SharedRefusal(
    "duplicate",
    "{named} is named twice.",
)


class Draft(BaseDraft[Dials, State, Any]):
    """The draft of a ruling. `is_under_way`: whether an action is being carried out, so that it no longer lapses.
    `used_features`: the features to record at the end of the ruling, by character. `sight`: the overview that all
    offers share (`sight.look`).
    """

    def __init__(self, table: Table[Dials]) -> None:
        super().__init__(table)
        self.is_under_way = False
        self.used_features: dict[str, dict[str, None]] = {}
        self.sight: Any = None

    def read_character(self, character_id: str) -> Character:
        """Return the current state of the character. Refuses `unknown-character`."""
        return self.state(character(character_id), Character)

    def read_scene(self, subject: Subject) -> Scene:
        return self.state(subject, Scene)

    def read_campaign(self) -> Campaign:
        return self.state(CAMPAIGN, Campaign)

    def place(self, scene_id: str | None = None) -> Subject:
        """Return the named scene, or else the current one. Refuses `no-scene`, even for a closed scene."""
        scene_of_ruling = scene(scene_id) if scene_id is not None else self.table.scene
        if scene_of_ruling is None or not self.table.has(scene_of_ruling) or not self.table.is_open(scene_of_ruling):
            raise Refused("mongrel.conflict.order", "no-scene")
        return scene_of_ruling

    def count_ap(self, character_id: str) -> int:
        return self.balance(accounts.name_ap(character_id))

    def count_resolve(self, character_id: str) -> int:
        return self.balance(accounts.name_resolve(character_id))

    def find_ap_maximum(self, character_id: str) -> int:
        """Return the maximum of Action Points for the current score, or 1 while that limit is imposed
        (`mongrel.derived.ap`).
        """
        state = self.read_character(character_id)
        return 1 if state.ap_imposed else state.attributes.get("speed", 0) + max(0, self.dials.starting_ap_bonus)

    def read_score(self, character_id: str, attribute: str) -> int:
        """Return the current score. Wounds lower Physique, and shunted hits lower Beauty.

        Beauty's account can hold too much if a hit was overturned but its healing still counts.
        """
        state = self.read_character(character_id)
        if attribute == "beauty":
            return min(
                self.balance(accounts.name_beauty(character_id)), state.attributes.get("beauty", 0) - state.beauty_temp
            )
        if attribute == "physique":
            return work_out_physique(state)
        return state.attributes.get(attribute, 0)

    def read_clock(self) -> int:
        """Return the minute of the campaign's clock or, if nothing has moved it yet, that of the latest recovery."""
        clock = self.read_campaign().clock
        if clock is not None:
            return clock
        return max(
            (self.read_character(subject.id).minute or 0 for subject in self.table.subjects("character")), default=0
        )

    def mark(self, character_id: str, *features: str) -> None:
        """Note that these features were used. `sessions.record_used_features` records them at the end of the ruling."""
        self.used_features.setdefault(character_id, {}).update(dict.fromkeys(features))


def check_natural(rule: RuleId, refusal: SharedRefusal, **numbers: Number) -> tuple[int, ...]:
    """Return the numbers. Refuses the first number that is not a natural number."""
    checked_numbers = []
    for name, number in numbers.items():
        if not is_natural(number):
            raise refusal.under(rule, what=name, given=repr(number))
        checked_numbers.append(number)
    return tuple(checked_numbers)


def check_once(ids: Iterable[str], rule: RuleId) -> None:
    """Refuse an id that occurs twice (`duplicate`)."""
    seen_ids: set[str] = set()
    for character_id in ids:
        if character_id in seen_ids:
            raise DUPLICATE.under(rule, named=character_id)
        seen_ids.add(character_id)


@contextmanager
def ask_again_if_refused() -> Iterator[None]:
    """Turn a refusal within this context into an unfit answer, so that the question stays open."""
    try:
        yield
    except Unfit:
        raise
    except Refused as refusal:
        raise Unfit(refusal.rule, refusal.code, **refusal.context) from None


GAME_MASTER = "gm"


def find_asked_seat(draft: Draft, character_id: str | None) -> str:
    """Return the seat that is asked for a character: its player's seat while that is open,
    otherwise the game master's.
    """
    table = draft.table
    owner = seat(table.owner(character(character_id))) if character_id is not None else None
    if owner is not None and table.has(owner) and table.is_open(owner) and table.role(owner) == "player":
        return owner.id
    return GAME_MASTER
