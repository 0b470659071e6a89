"""What every rule stands on: the ruling being written, characters as they are by now, the conflict they are in.

A ruling tells its facts one after another, and what it then looks at already has them.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from ledger.rules.kernel.contract import About, Posting, Step, Table, Underway, Verdict, step
from ledger.rules.kernel.refusals import Refused
from ledger.rules.kernel.subjects import CAMPAIGN, Subject, character
from ledger.rules.mongrel import accounts
from ledger.rules.mongrel.dealings import Purchase
from ledger.rules.mongrel.dials import Dials
from ledger.rules.mongrel.facts import Fact, FeaturesUsed, SessionPlayed
from ledger.rules.mongrel.folding import apply
from ledger.rules.mongrel.inputs import Attack, CarryOut, RollTask
from ledger.rules.mongrel.state import Campaign, Character, Conflict, Scene
from ledger.rules.mongrel.tables import GOVERNED_BY, POWERS
from ledger.rules.mongrel.terms import Identity


@dataclass(frozen=True, slots=True)
class Place:
    """A scene and the conflict in it."""

    subject: Subject
    conflict: Conflict


class Ruling:
    """A verdict being written: its facts in order, what they move, the steps that led there, the features used."""

    def __init__(self, table: Table[Dials]) -> None:
        self.table = table
        self.dials = table.dials
        self._facts: list[About[Fact]] = []
        self._because: list[Step] = []
        self._moved: dict[str, int] = {}
        self._states: dict[Subject, Any] = {}
        self._news: dict[Subject, list[Fact]] = {}  # told here, and not yet looked at
        self._used: dict[str, dict[str, None]] = {}
        #: An action is being carried out: it no longer lapses.
        self.under_way = False

    # --- writing -----------------------------------------------------------------------------------------------------

    def tell(self, subject: Subject, done: Fact, *moved: Posting | None) -> None:
        postings = tuple(posting for posting in moved if posting is not None)
        about: About[Fact] = About(subject, done, postings)
        self._facts.append(about)
        self._news.setdefault(subject, []).append(done)
        for posting in postings:
            self._moved[posting.source] = self._moved.get(posting.source, 0) - posting.amount
            self._moved[posting.target] = self._moved.get(posting.target, 0) + posting.amount

    def about(self, id: str, done: Fact, *moved: Posting | None) -> None:
        """A fact about a character."""
        self.tell(character(id), done, *moved)

    def by(self, rule: str, out: Any, **given: Any) -> None:
        """A step of the derivation."""
        self._because.append(step(rule, out, **given))

    def verdict(self) -> Verdict[Fact]:
        return Verdict(tuple(self._facts), tuple(self._because))

    # --- looking -----------------------------------------------------------------------------------------------------

    def who(self, id: str) -> Character:
        """The character as it is by now. Refuses `unknown-character`."""
        found = self._state(character(id))
        assert isinstance(found, Character)
        return found

    def scene(self, subject: Subject) -> Scene:
        found = self._state(subject)
        assert isinstance(found, Scene)
        return found

    def campaign(self) -> Campaign:
        found = self._state(CAMPAIGN)
        assert isinstance(found, Campaign)
        return found

    def _state(self, subject: Subject) -> Any:
        if subject not in self._states:
            kinds: dict[str, type[Any]] = {"character": Character, "scene": Scene, "campaign": Campaign}
            self._states[subject] = self.table.get(subject, kinds[subject.kind])
        for done in self._news.pop(subject, ()):
            self._states[subject] = apply(self._states[subject], done)
        return self._states[subject]

    def balance(self, account: str) -> int:
        return self.table.balance(account) + self._moved.get(account, 0)

    def ap(self, id: str) -> int:
        return self.balance(accounts.ap(id))

    def resolve(self, id: str) -> int:
        return self.balance(accounts.resolve(id))

    def maximum(self, id: str) -> int:
        """`mongrel.derived.ap`: of Action Points, as the score now stands; 1 while that is imposed."""
        who = self.who(id)
        return 1 if who.ap_imposed else who.attributes.get("speed", 0) + max(0, self.dials.starting_ap_bonus)

    def score(self, id: str, attribute: str) -> int:
        """The current value: wounds lower Physique, shunted hits Beauty.

        The account of Beauty holds more than there can be where a hit was struck and its healing stands.
        """
        who = self.who(id)
        if attribute == "beauty":
            return min(self.balance(accounts.beauty(id)), who.attributes.get("beauty", 0) - who.beauty_temp)
        if attribute == "physique":
            return physique_of(who)
        return who.attributes.get(attribute, 0)

    # --- features used -----------------------------------------------------------------------------------------------

    def mark(self, id: str, *features: str) -> None:
        """To be told at the end of the ruling (`tell_used`)."""
        self._used.setdefault(id, {}).update(dict.fromkeys(features))

    def tell_used(self) -> None:
        """`mongrel.cp.used-only`: for the open session, or the next one."""
        session = self.campaign().closed + 1
        for id, features in self._used.items():
            self.about(id, FeaturesUsed(id, tuple(features), session))
            self.by("mongrel.cp.used-only", list(features), character=id, session=session)
        self._used = {}

    def plays(self, id: str) -> None:
        """`mongrel.cp.session`: acts in the open session, without a roll that says so (`features-used`)."""
        if self.table.session is not None and not self.who(id).npc:
            self.about(id, SessionPlayed(id, self.campaign().closed + 1))


def physique_of(who: Character) -> int:
    """Current Physique: the lasting score less what wounds took, not below 0."""
    return max(0, who.attributes.get("physique", 0) - who.physique_loss)


def power_of(who: Character) -> str:
    return POWERS[who.primary]


def governing(who: Character, expertise: str) -> Identity:
    """The Identity that adds to Effect; for a Power by itself the primary one."""
    return who.primary if expertise in POWERS.values() else GOVERNED_BY[expertise]


# --- who may be ruled on ---------------------------------------------------------------------------------------------


def check_alive(ruling: Ruling, id: str, rule: str = "mongrel.damage.dead") -> Character:
    """Refuses `unknown-character`, `dead`, `decision-pending`."""
    who = ruling.who(id)
    if who.dead:
        raise Refused(rule, "dead", character=id)
    if who.dying:
        raise Refused("mongrel.damage.terminal", "decision-pending", character=id)
    return who


def check_rolls(ruling: Ruling, id: str) -> None:
    """Refuses `npc-does-not-roll` where characters without a player only supply target numbers."""
    if ruling.who(id).npc and not ruling.dials.npc_rolls:
        raise Refused("mongrel.task.pool", "npc-does-not-roll", character=id)


def check_told(rule: str, **texts: str) -> None:
    """Refuses `<name>-blank` for the first text that says nothing."""
    for name, text in texts.items():
        if not text.strip():
            raise Refused(rule, f"{name}-blank")


def check_once(ids: Iterable[str], rule: str) -> None:
    """Refuses `duplicate` when something is named twice."""
    seen: set[str] = set()
    for id in ids:
        if id in seen:
            raise Refused(rule, "duplicate", named=id)
        seen.add(id)


# --- conflicts -------------------------------------------------------------------------------------------------------


def conflict_of(ruling: Ruling, id: str) -> Place | None:
    """The conflict the character is in, or died in: that of the scene it is declared in, else of any open scene."""
    here = ruling.table.scene
    others = ruling.table.subjects("scene")
    for subject in ((here,) if here is not None and ruling.table.has(here) else ()) + others:
        conflict = ruling.scene(subject).conflict
        if conflict is not None and takes_part(ruling, Place(subject, conflict), id):
            return Place(subject, conflict)
    return None


def check_at_leisure(ruling: Ruling, id: str) -> None:
    """Refuses `in-conflict` for what takes minutes or hours."""
    if conflict_of(ruling, id) is not None:
        raise Refused("mongrel.conflict.order", "in-conflict", character=id)


def the_conflict(ruling: Ruling, id: str, rule: str) -> Place:
    """The common checks of a conflict command: `not-in-scene`, `decision-pending`, `dead`."""
    who = ruling.who(id)
    place = conflict_of(ruling, id)
    if place is None:
        raise Refused(rule, "not-in-scene", character=id)
    check_nobody_decides(ruling, place)
    if who.dead:
        raise Refused("mongrel.damage.dead", "dead", character=id)
    return place


def takes_part(ruling: Ruling, place: Place, id: str) -> bool:
    """In the queue, or dead by now; who retired or was taken out is an outsider."""
    return id in place.conflict.queue or (id in place.conflict.participants and ruling.who(id).dead)


def check_nobody_decides(ruling: Ruling, place: Place) -> None:
    """Terminal damage is answered first, and so is an attack of which something is known. Refuses `decision-pending`.

    `mongrel.conflict.front`: until its defence is chosen or its dice are entered an attack can be forestalled; after
    that it is carried out.
    """
    for id in place.conflict.queue:
        if ruling.table.has(character(id)) and ruling.who(id).dying:
            raise Refused("mongrel.damage.terminal", "decision-pending", character=id)
    for other in ruling.table.underway():
        if _under_way(place, other):
            raise Refused("mongrel.conflict.front", "decision-pending", action=place.conflict.queue[0])


def _under_way(place: Place, other: Underway) -> bool:
    """Whether what waits is the action of who is next, and its defence is chosen or its dice are entered."""
    match other.do:
        case Attack(actor=id, faces=faces, defend=defend):
            possible, known = place.conflict.queue[:1] == (id,), faces is not None or defend is not None
        case RollTask(actor=id, faces=faces) | Purchase(buyer=id, faces=faces):
            possible, known = place.conflict.queue[:1] == (id,), faces is not None
        case CarryOut(faces=faces, defend=defend):
            possible = other.scene == place.subject and place.conflict.action is not None
            known = faces is not None or defend is not None
        case _:
            return False
    return possible and (other.answered or known)


def the_turn(ruling: Ruling, id: str, rule: str, *, passes: bool = False) -> Place:
    """As `the_conflict`, then `not-your-turn`; then `decision-pending` while an action of one's own is open."""
    place = the_conflict(ruling, id, rule)
    if place.conflict.queue[:1] != (id,):
        raise Refused("mongrel.conflict.queue", "not-your-turn", character=id, queue=list(place.conflict.queue))
    if place.conflict.action is not None and not passes:
        raise Refused("mongrel.conflict.attack", "decision-pending", action=place.conflict.action.actor)
    return place


def now(ruling: Ruling, place: Place) -> Conflict:
    """The conflict as it is by now."""
    conflict = ruling.scene(place.subject).conflict
    return conflict if conflict is not None else Conflict()
