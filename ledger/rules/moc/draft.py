"""The verdict in the making, with what every rule of Moment of Clarity asks: everything as it is by now."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from ledger.rules.kernel import draft
from ledger.rules.kernel.contract import Posting, step
from ledger.rules.kernel.questions import Asking, ask, roll
from ledger.rules.kernel.refusals import Declined, Refused
from ledger.rules.kernel.subjects import CAMPAIGN, Audience, Subject, Viewer, character, seat
from ledger.rules.moc import accounts, facts_of_bodies, facts_of_campaign, facts_of_modifiers, facts_told, numbers
from ledger.rules.moc.choices import Approve, Veto
from ledger.rules.moc.dials import Dials
from ledger.rules.moc.effects import dice_of, shift_of
from ledger.rules.moc.facts import Fact
from ledger.rules.moc.fold import FOLD
from ledger.rules.moc.state import Campaign, Character, Scene, Seat, State, Story, action_in
from ledger.rules.moc.state_of_actions import Action, Part
from ledger.rules.moc.state_of_combat import Hit
from ledger.rules.moc.terms import DECK, Number


class Draft(draft.Draft[Dials, State, Fact]):
    fold = FOLD

    # --- writing ---

    def tell(self, subject: Subject, done: Fact, *moved: Posting | None, audience: Audience = None) -> None:
        """Refuses `unknown-character`, `unknown-scene`, `unknown-seat`: nothing is told of who is not there."""
        if subject not in self._states:
            self._states[subject] = self.table.get(subject, self.fold.blanks[subject.kind])
        super().tell(subject, done, *moved, audience=audience)

    def discard(self, id: str, card: str, *, audience: Audience = None) -> str:
        """`moc.card.once`: the card is used. Where it came from: `hand` or `villains`."""
        if card in self.who(id).hand:
            moved = accounts.move(accounts.hand(id), accounts.DISCARD, 1)
            self.about(id, facts_of_modifiers.CardDiscarded(card), moved, audience=audience)
            if audience is None:
                self.show(card)
            return "hand"
        place = self.place()
        self.tell(
            place,
            facts_of_modifiers.VillainCardUsed(card),
            accounts.move(accounts.villains(place.id), accounts.DISCARD, 1),
        )
        self.show(card)
        return "villains"

    def show(self, card: str) -> None:
        """`moc.card.once`: everybody sees the card, and so knows that it is not in the deck."""
        if card not in self.campaign().shown:
            self.tell(CAMPAIGN, facts_of_campaign.CardShown(card))
            self.by("moc.card.once", card)

    def interrupted(self, id: str, reason: str) -> None:
        """`moc.recover.action`: any injury or action breaks a recovery off."""
        if self.who(id).recovering:
            self.about(id, facts_of_bodies.RecoveryPreEmpted(reason))
            self.by("moc.recover.action", False, character=id)

    def no(self, rule: str, code: str, said: bool | None, /, **context: Any) -> Refused:
        """A game master did not agree: who was asked declines; `said`: False, where one had said so before."""
        return (Refused if said is False else Declined)(rule, code, **context)

    def veto(self, id: str, rule: str, said: bool | None, text: str) -> None:
        """A game master did not agree: recorded where one was asked, else refused (`gm-approval-needed`)."""
        if said is False:
            raise Refused(rule, "gm-approval-needed", character=id)
        self._facts, self._because = [], []
        self.about(id, facts_told.ProposalVetoed(text))
        self.by(rule, "vetoed", character=id)

    # --- looking ---

    def who(self, id: str) -> Character:
        """The character as it is by now. Refuses `unknown-character`."""
        return self.state(character(id), Character)

    def drawable(self) -> int:
        """Return how many cards can still be drawn: those in the deck, without those that everybody has seen."""
        return min(self.balance(accounts.DECK), len(DECK) - len(self.campaign().shown))

    def campaign(self) -> Campaign:
        return self.state(CAMPAIGN, Campaign)

    def seat(self, id: str) -> Seat:
        return self.state(seat(id), Seat)

    def place(self) -> Subject:
        """The scene it is declared in. Refuses `no-scene`, `unknown-scene`."""
        here = self.table.scene
        if here is None:
            raise Refused("moc.level.resolve", "no-scene")
        self.state(here, Scene)
        return here

    def scene(self) -> Scene:
        return self.state(self.place(), Scene)

    def stage(self) -> Subject:
        """Where something is told: in the scene, or where there is none, between scenes."""
        return self.place() if self.table.scene is not None else CAMPAIGN

    def evening(self) -> str:
        """The session that is going on, or over: what people are nominated for, and somebody fell in."""
        return self.table.session or self.campaign().last_session or ""

    def action(self, id: str, *, closed: bool = False) -> Action:
        """Refuses `unknown-action`, and `action-closed` unless it may be."""
        found = action_in(self.scene(), id)
        if found is None:
            raise Refused("moc.level.resolve", "unknown-action", action=id)
        if found.stage == "closed" and not closed:
            raise Refused("moc.level.resolve", "action-closed", action=id)
        return found

    def part(self, action: Action, place: Number, *, resolved: bool = False) -> tuple[int, Part]:
        """Refuses `unknown-part`, and `action-closed` for one that was resolved or pre-empted."""
        if type(place) is not int or not 0 <= place < len(action.parts):
            raise Refused("moc.split.divide", "unknown-part", part=str(place))
        part = action.parts[place]
        if part.stage != "declared" and not resolved:
            raise Refused("moc.split.pre-empt", "action-closed", part=place, stage=part.stage)
        return place, part

    def hit(self, id: str, *stages: str) -> Hit:
        found = self.scene().hits.get(id)
        if found is None:
            raise Refused("moc.combat.damage-pool", "unknown-hit", hit=id)
        if found.stage not in stages:
            raise Refused("moc.combat.damage-pool", "hit-not-ready", hit=id, stage=found.stage)
        return found

    def teller(self, change: str) -> Subject:
        """Where it was told: the scene, or the campaign between scenes. Refuses `unknown-play`."""
        here = self.table.scene
        if here is not None and change in self.state(here, Scene).story:
            return here
        if change in self.campaign().story:
            return CAMPAIGN
        raise Refused("moc.story.tiers", "unknown-play", change=change)

    def told(self, change: str) -> Story:
        """Refuses `unknown-play`."""
        place = self.teller(change)
        keeper = self.campaign() if place == CAMPAIGN else self.state(place, Scene)
        return keeper.story[change]

    def beads(self, id: str, element: str) -> int:
        return self.balance(accounts.bead(id, element))

    def sees_hand(self, id: str) -> Audience:
        """`moc.card.secret`: as the dial says, of those who could see what is already held when it was drawn."""
        seen = (f"character:{id}", "gm") if self.dials.hands_seen_by_gm else (f"character:{id}",)
        who = self.who(id)
        return tuple(one for one in seen if one in who.seen_by) if who.hand and who.seen_by else seen

    def sees_held(self, id: str) -> Audience:
        """Who sees the cards that are held: a fact about them is for the same people, whatever the dial says now."""
        who = self.who(id)
        return who.seen_by if who.hand and who.seen_by else self.sees_hand(id)

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

    def own_dice(self, id: str, *pools: str) -> int:
        """`moc.adv.pool`: the dice that were bought for these pools, or agreed, cited where there are any."""
        dice = dice_of(self.who(id), *pools)
        cited = step("moc.adv.pool", dice, character=id)
        if dice and cited not in self._because:
            self._because.append(cited)
        return dice

    def own_shift(self, id: str, *pools: str) -> int:
        """`moc.adv.effect`: by how much target numbers of these pools are shifted, cited where they are."""
        shift = shift_of(self.who(id), *pools)
        cited = step("moc.adv.effect", shift, character=id, does="difficulty")
        if shift and cited not in self._because:
            self._because.append(cited)
        return shift

    def initiative_dice(self, id: str) -> int:
        """`moc.combat.initiative`: Body and Sp, without a token; and dice of the own, bought or laid on it."""
        pool = self.active(id, "body") + self.who(id).ratings.get("Sp", 1) + self.own_dice(id, "initiative")
        return max(0, pool + self.scene().initiative.dice.get(id, 0))

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

    def pool(
        self, id: str, count: int, faces: Iterable[Number] | None, bonus: Iterable[Number], slot: str, *,
        purpose: str = "", audience: Audience = None, sides: int = 10,
    ) -> Asking[tuple[tuple[int, ...], tuple[int, ...]]]:  # fmt: skip
        """`moc.dice.open-ended`: a pool of dice and what its 10s open, typed in or asked for.

        `slot`: what they are rolled for, in the rules' own word; `purpose`: in the people's, where it says more.
        """
        if faces is not None:
            return numbers.check_pool(count, faces, bonus, sides)
        if not count:
            return (), ()
        fell = yield from roll(
            character(id), count, sides, slot=slot, purpose=purpose or slot, audience=audience,
            opens=10 if sides == 10 else None,
        )  # fmt: skip
        return fell[:count], fell[count:]
