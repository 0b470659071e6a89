"""What every rule stands on: the ruling being written, and everything as it is by now.

A ruling tells its facts one after another, and what it then looks at already has them.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from ledger.rules.kernel.contract import About, Posting, Step, Table, Verdict, step
from ledger.rules.kernel.questions import Asking, ask, roll
from ledger.rules.kernel.refusals import Refused, Unfit
from ledger.rules.kernel.subjects import CAMPAIGN, GM_ONLY, Audience, Subject, Viewer, character, seat
from ledger.rules.moc import accounts, facts, numbers, terms
from ledger.rules.moc.choices import Approve, Veto
from ledger.rules.moc.dials import Dials
from ledger.rules.moc.fold import FOLD
from ledger.rules.moc.state import Action, Campaign, Character, Hit, Part, Scene, Seat, Story, action_in, hidden
from ledger.rules.moc.tables import DECK
from ledger.rules.moc.terms import CASCADE, GONE, PRIMARIES

KINDS: dict[str, type[Any]] = {"character": Character, "scene": Scene, "campaign": Campaign, "seat": Seat}


class Ruling:
    """A verdict being written: its facts in order, what they move, the steps that led there."""

    def __init__(self, table: Table[Dials]) -> None:
        self.table = table
        self.dials = table.dials
        self._facts: list[About[Any]] = []
        self._because: list[Step] = []
        self._moved: dict[str, int] = {}
        self._states: dict[Subject, Any] = {}

    # --- writing ---

    def tell(self, subject: Subject, done: Any, *moved: Posting | None, audience: Audience = None) -> None:
        postings = tuple(posting for posting in moved if posting is not None)
        self._facts.append(About(subject, done, postings, audience))
        self._states[subject] = FOLD.apply(self.state(subject), done)
        for posting in postings:
            self._moved[posting.source] = self._moved.get(posting.source, 0) - posting.amount
            self._moved[posting.target] = self._moved.get(posting.target, 0) + posting.amount

    def about(self, id: str, done: Any, *moved: Posting | None, audience: Audience = None) -> None:
        """A fact about a character."""
        self.tell(character(id), done, *moved, audience=audience)

    def here(self, done: Any, *moved: Posting | None, audience: Audience = None) -> None:
        """A fact about the scene."""
        self.tell(self.place(), done, *moved, audience=audience)

    def by(self, rule: str, out: Any, /, audience: Audience = None, **given: Any) -> None:
        """A step of the derivation."""
        self._because.append(step(rule, out, audience, **given))

    def verdict(self, audience: Audience = None) -> Verdict[Any]:
        return Verdict(tuple(self._facts), tuple(self._because), audience)

    def begin(self, id: str) -> None:
        """A character that this ruling makes."""
        self._states[character(id)] = FOLD.blank("character")

    def begin_scene(self, subject: Subject) -> None:
        self._states[subject] = FOLD.blank("scene")

    # --- looking ---

    def state(self, subject: Subject) -> Any:
        if subject not in self._states:
            self._states[subject] = self.table.get(subject, KINDS[subject.kind])
        return self._states[subject]

    def who(self, id: str) -> Character:
        """The character as it is by now. Refuses `unknown-character`."""
        found: Character = self.state(character(id))
        return found

    def in_play(self, id: str) -> None:
        """Refuses `character-gone`: the dead, sacrificed and retired neither act nor play."""
        status = self.who(id).status
        if status in GONE:
            raise Refused("moc.fate.inherit", "character-gone", character=id, status=status)

    def evening(self) -> str:
        """The session that is going on, or over: what people are nominated for, and somebody fell in."""
        return self.table.session or self.campaign().last_session or ""

    def campaign(self) -> Campaign:
        found: Campaign = self.state(CAMPAIGN)
        return found

    def seat(self, id: str) -> Seat:
        found: Seat = self.state(seat(id))
        return found

    def place(self) -> Subject:
        """The scene it is declared in. Refuses `no-scene`, `unknown-scene`."""
        if self.table.scene is None:
            raise Refused("moc.level.resolve", "no-scene")
        self.state(self.table.scene)
        return self.table.scene

    def scene(self) -> Scene:
        found: Scene = self.state(self.place())
        return found

    def action(self, id: str, *, closed: bool = False) -> Action:
        """Refuses `unknown-action`, and `action-closed` unless it may be."""
        found = action_in(self.scene(), id)
        if found is None:
            raise Refused("moc.level.resolve", "unknown-action", action=id)
        if found.stage == "closed" and not closed:
            raise Refused("moc.level.resolve", "action-closed", action=id)
        return found

    def must_see(self, action: Action, place: int) -> None:
        """Who does not see a roll takes nothing from it, whatever it is. Refuses `roll-not-seen`."""
        if not self.table.by.may_see(hidden(action, place)):
            raise Refused("moc.opposed.net", "roll-not-seen", action=action.id, part=place)

    def part(self, action: Action, place: Any, *, resolved: bool = False) -> tuple[int, Part]:
        """Refuses `unknown-part`, and `action-closed` for one that was resolved or pre-empted."""
        if type(place) is not int or not 0 <= place < len(action.parts):
            raise Refused("moc.split.divide", "unknown-part", part=str(place))
        part = action.parts[place]
        if part.stage != "declared" and not resolved:
            raise Refused("moc.split.pre-empt", "action-closed", part=place, stage=part.stage)
        return place, part

    def teller(self, change: str) -> Subject:
        """Where it was told: the scene, or the campaign between scenes. Refuses `unknown-play`."""
        places = [self.table.scene] if self.table.scene is not None else []
        for place in (*places, CAMPAIGN):
            if change in self.state(place).story:
                return place
        raise Refused("moc.story.tiers", "unknown-play", change=change)

    def told(self, change: str) -> Story:
        """Refuses `unknown-play`."""
        found: Story = self.state(self.teller(change)).story[change]
        return found

    def stage(self) -> Subject:
        """Where something is told: in the scene, or where there is none, between scenes."""
        return self.place() if self.table.scene is not None else CAMPAIGN

    def hit(self, id: str, *stages: str) -> Hit:
        found = self.scene().hits.get(id)
        if found is None:
            raise Refused("moc.combat.damage-pool", "unknown-hit", hit=id)
        if found.stage not in stages:
            raise Refused("moc.combat.damage-pool", "hit-not-ready", hit=id, stage=found.stage)
        return found

    def balance(self, account: str) -> int:
        return self.table.balance(account) + self._moved.get(account, 0)

    def beads(self, id: str, element: str) -> int:
        return self.balance(accounts.bead(id, element))

    def in_interval(self, rule: str) -> None:
        """Refuses `not-in-interval`."""
        if self.campaign().phase != "interval":
            raise Refused(rule, "not-in-interval")

    def value(self, id: str, primary: str, *, rested: int = 0) -> int:
        """`moc.char.active`: the active value of a Primary, as if it were less tired by `rested`."""
        who = self.who(id)
        fatigue = max(0, who.fatigue - rested) if self.dials.fatigue_effects == "on" else 0
        return numbers.active(who.ratings.get(primary, 1), who.damage, who.pain_turn, fatigue)

    def active(self, id: str, primary: str, *, rested: int = 0) -> int:
        """The active value where it decides a number: the derivation says how it came about."""
        who, value = self.who(id), self.value(id, primary, rested=rested)
        cited = step(
            "moc.char.active", value, primary=primary, rating=who.ratings.get(primary, 1), damage=who.damage,
            pain=who.pain_turn, fatigue=max(0, who.fatigue - rested),
        )  # fmt: skip
        if cited not in self._because:
            self._because.append(cited)
        return value

    def initiative_dice(self, id: str) -> int:
        """`moc.combat.initiative`: Body and Sp, without a token; and dice of the own that wait for it."""
        return self.active(id, "body") + self.who(id).ratings.get("Sp", 1) + self.scene().initiative.dice.get(id, 0)

    # --- cards and beads ---

    def no_cards(self, rule: str) -> None:
        if self.dials.beads_only == "on":
            raise Refused(rule, "beads-only")

    def chips_on(self, rule: str) -> None:
        if self.dials.advanced_chips == "off" or self.dials.beads_only == "on":
            raise Refused(rule, "no-chips-in-play")

    def sees_hand(self, id: str) -> Audience:
        """`moc.card.secret`: as the dial says, of those who could see what is already held when it was drawn."""
        seen = (f"character:{id}", "gm") if self.dials.hands_seen_by_gm else (f"character:{id}",)
        who = self.who(id)
        return tuple(one for one in seen if one in who.seen_by) if who.hand and who.seen_by else seen

    def card(self, card: Any, rule: str) -> str:
        """A card by its name (`8C`, `10H`, `AS`). Refuses `unknown-card`."""
        named = str(card).upper()
        if named not in DECK:
            raise Refused(rule, "unknown-card", card=str(card))
        return named

    def held(self, id: str, card: Any, rule: str, speaker: Viewer | None = None) -> str:
        """A card of the character's hand, or of the villains' pool. `speaker`: who names it, if not who declares.

        Refuses `not-own-card`, whatever is held, to who may not see the hand; `unknown-card`, `card-not-in-hand`.
        """
        self.no_cards(rule)
        self.in_play(id)
        who = self.who(id)
        seen = GM_ONLY if who.villain else who.seen_by or self.sees_hand(id)
        if not (speaker or self.table.by).may_see(seen):
            raise Refused(rule, "not-own-card", character=id)
        named = self.card(card, rule)
        if named not in who.hand and not (who.villain and named in self._pool()):
            raise Refused(rule, "card-not-in-hand", audience=self.sees_hand(id), card=named)
        return named

    def _pool(self) -> tuple[str, ...]:
        return self.scene().pool if self.table.scene is not None else ()

    def discard(self, id: str, card: str, *, audience: Audience = None) -> str:
        """`moc.card.once`: the card is used. Where it came from: `hand` or `villains`."""
        if card in self.who(id).hand:
            moved = accounts.move(accounts.hand(id), accounts.DISCARD, 1)
            self.about(id, facts.CardDiscarded(card), moved, audience=audience)
            return "hand"
        place = self.place()
        self.tell(place, facts.VillainCardUsed(card), accounts.move(accounts.villains(place.id), accounts.DISCARD, 1))
        return "villains"

    def suit_of(self, id: str, card: str, named: str | None, rule: str) -> str:
        """`moc.card.class`: the Element a card is of; a Wildcard names it."""
        if named is None:
            return numbers.card_element(card)
        wanted = terms.element(named, rule)
        if self.who(id).archetype != "wildcard" and wanted != numbers.card_element(card):
            raise Refused(rule, "not-a-wildcard", card=card)
        return wanted

    def has_beads(self, id: str, element: str, number: int, rule: str) -> None:
        """Refuses `not-enough-beads`."""
        if self.beads(id, element) < number:
            raise Refused(rule, "not-enough-beads", element=element, needed=number)

    # --- chips ---

    def counts(self, given: Mapping[str, Any], rule: str) -> dict[str, int]:
        """Chips by colour, without empty ones. Refuses `unknown-chip`, `negative-chips`."""
        counted = {terms.chip(colour, rule): terms.whole(n, "negative-chips", rule) for colour, n in given.items()}
        return {colour: n for colour, n in counted.items() if n}

    def holds(self, id: str, counts: Mapping[str, int], rule: str) -> None:
        """Refuses `chips-not-held`."""
        for colour, count in counts.items():
            if self.balance(accounts.chip(id, colour)) < count:
                raise Refused(rule, "chips-not-held", chip=colour, needed=count)

    # --- tokens ---

    def token_pool(self, named: str, pool: str | None, rule: str = "moc.skill.tokens") -> str:
        """Which pool a token for this characteristic comes from. Refuses `wrong-token-pool`."""
        above = CASCADE[named]
        if pool is None and len(above) == 1:
            return above[0]
        wanted = terms.primary(pool, rule) if pool is not None else ""
        if wanted not in above:
            raise Refused(rule, "wrong-token-pool", characteristic=named, pools=list(above))
        return wanted

    def check_token(self, id: str, pool: str) -> None:
        """Refuses `primary-at-zero`, `no-token`."""
        if self.value(id, pool) == 0:
            raise Refused("moc.skill.tokens", "primary-at-zero", primary=pool)
        if self.balance(accounts.token(id, pool)) < 1:
            raise Refused("moc.skill.tokens", "no-token", primary=pool)

    def spend_token(self, id: str, named: str, pool: str) -> int:
        """`moc.skill.tokens`, `moc.char.tokens`: the dice the characteristic adds."""
        self.check_token(id, pool)
        moved = accounts.move(accounts.token(id, pool), accounts.TOKENS, 1)
        self.about(id, facts.TokenSpent(named, pool), moved)
        dice = self.who(id).ratings.get(named, 1)
        self.by("moc.skill.tokens", dice, characteristic=named, primary=pool)
        if self.balance(accounts.token(id, pool)) == 0:
            self.about(id, facts.FatigueGained(1, "the last token of a pool"))
            self.by("moc.char.tokens", 1, primary=pool)
        return dice

    def interrupted(self, id: str, reason: str) -> None:
        """`moc.recover.action`: any injury or action breaks a recovery off."""
        if self.who(id).recovering:
            self.about(id, facts.RecoveryPreEmpted(reason))
            self.by("moc.recover.action", False, character=id)

    # --- asking ---

    def player_of(self, id: str) -> Viewer:
        """The seat that plays the character, with all it plays: who answers for it."""
        table, whose = self.table, self.table.owner(character(id))
        played = (one.id for one in table.subjects("character") if table.owner(one) == whose)
        return Viewer(whose, table.role(seat(whose)), frozenset(played))

    def approved(self, said: bool | None, purpose: str, slot: str = "approval") -> Asking[bool]:
        """Whether a game master agrees: said by one, or asked of one."""
        if said is False:
            return False
        if self.table.by.role == "gm":
            return True
        answer = yield from ask("gm", Approve, Veto, slot=slot, purpose=purpose)
        return isinstance(answer, Approve)

    def vetoed(self, id: str, rule: str, said: bool | None, text: str) -> Verdict[Any]:
        """A game master did not agree: recorded where one was asked, else refused (`gm-approval-needed`)."""
        if said is False:
            raise Refused(rule, "gm-approval-needed", character=id)
        self._facts, self._because = [], []
        self.about(id, facts.ProposalVetoed(text))
        self.by(rule, "vetoed", character=id)
        return self.verdict()

    def pool(
        self, id: str, count: int, faces: Iterable[Any] | None, bonus: Iterable[Any], slot: str, *, purpose: str = "",
        audience: Audience = None, sides: int = 10,
    ) -> Asking[tuple[tuple[int, ...], tuple[int, ...]]]:  # fmt: skip
        """`moc.dice.open-ended`: a pool of dice and what its 10s open, typed in or asked for.

        `slot`: what they are rolled for, in the rules' own word; `purpose`: in the people's, where it says more.
        """
        if faces is not None:
            return check_pool(count, faces, bonus, sides)
        if not count:
            return (), ()
        fell = yield from roll(
            character(id), count, sides, slot=slot, purpose=purpose or slot, audience=audience,
            opens=10 if sides == 10 else None,
        )  # fmt: skip
        return fell[:count], fell[count:]


def check_pool(
    count: int, faces: Iterable[Any], bonus: Iterable[Any], sides: int = 10
) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Typed dice. Refuses `unknown-die`, `face-out-of-range`, `wrong-dice-count`, and bonus dice that do not fit."""
    base, more = tuple(faces), tuple(bonus)
    numbers.check_faces((*base, *more), sides)
    if count and not base:
        raise Refused("moc.dice.effect-number", "empty-pool", expected=count)
    if len(base) != count:
        raise Refused("moc.dice.faces", "wrong-dice-count", expected=count, given=len(base))
    if sides == 10:
        numbers.check_bonus(base, more)
    elif more:
        raise Refused("moc.dice.open-ended", "unearned-bonus-die", sides=sides)
    return base, more


__all__ = ["PRIMARIES", "Ruling", "Unfit", "check_pool"]
