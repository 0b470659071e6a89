"""A table that plays at random: mostly moves that advance the game, sometimes anything."""

from __future__ import annotations

from dataclasses import replace
from random import Random
from typing import Any

from ledger.rules.kernel import commands
from ledger.rules.kernel.contract import Verdict
from ledger.rules.kernel.open_dice import roll_open_dice
from ledger.rules.kernel.questions import Ask, Choice, Dice, Draw, Drawn
from ledger.rules.kernel.refusals import Refused, Unfit
from ledger.rules.kernel.subjects import CAMPAIGN, character, scene
from ledger.rules.moc.actions import DeclareAction, Token
from ledger.rules.moc.beads import Allocate, AllocateBeads, AnnounceScene, LeaveAll, UseSessionBead
from ledger.rules.moc.beads_used import PlayBeads
from ledger.rules.moc.buying import Buy
from ledger.rules.moc.cards import CardPoints, ExchangeCard, LaidCard, Lay, ShiftBeads
from ledger.rules.moc.cards_on_dice import PlayCard
from ledger.rules.moc.characters import InheritChips, Sacrifice, SetStatus, Sheet
from ledger.rules.moc.chips import ChipToPoint, ExchangeChip, GiveBack, Penalise, TradeDown, TradeUp
from ledger.rules.moc.damage import ApplyHarm, RollDamage
from ledger.rules.moc.deciding import ClaimSuccess, DetermineAction, ShiftFailure
from ledger.rules.moc.draft import Approve, Veto
from ledger.rules.moc.fate import AwardChip, CloseArc, EnlargePurse, Nominate, OpenArc, TallyNominations
from ledger.rules.moc.hands import DrawHand, DrawVillains, Keep
from ledger.rules.moc.hits import ScoreHit, SetLocation
from ledger.rules.moc.holdings import Purchase
from ledger.rules.moc.negotiating import ApproveTrait, CounterTrait, LoseBackground, ProposeTrait, SetTraitEffect
from ledger.rules.moc.other_dice import PlayBeadsOnDice
from ledger.rules.moc.own_dice import UseBit, UsePeriodDice
from ledger.rules.moc.own_tables import SetTableRow
from ledger.rules.moc.pools import GrantDice, SpendToken
from ledger.rules.moc.recovery import CompleteRecovery, DeclareRecovery, GrantRecovery, Heal, LoseAction, RecoverScene
from ledger.rules.moc.resisting import Ignore, ResistDamage
from ledger.rules.moc.resolving import Resolve, TellConsequence
from ledger.rules.moc.rolling import DeclareSuccesses, RollDice, TakeOffSuccesses
from ledger.rules.moc.scenes import EndTurn
from ledger.rules.moc.stacks import SubPool
from ledger.rules.moc.story import AmendStory, ChangeStory, Narrate, UseBeads, UseCard, VetoStory
from ledger.rules.moc.trading import Agree, AgreeFor, Decline, Discard, ForceDiscard, ForceVortex, Give, TradeCards
from ledger.rules.moc.trumps import Trump, TrumpByFiat
from ledger.rules.moc.turns import Move, RollInitiative
from ledger.rules.moc.types import LOCATIONS, SKILLS, WEAPONS
from ledger.rules.moc.words import ARCHETYPES, CASCADE, EFFECTS, ELEMENTS, GONE, PERIODS, PRIMARIES, USES
from tests.rules.moc.fitting import fitting
from tests.rules.moc.game import Game
from tests.rules.moc.slips import slips
from tests.rules.near_misses import Answering, NearMisses

DIALS: dict[str, tuple[Any, ...]] = {
    "power_level": ("standard", "heroic", "superheroic"),
    "superheroic_bead_rate": (2, 3, "5/2"),
    "advanced_trump": ("on", "on", "off"),
    "advanced_chips": ("on", "on", "off"),
    "beads_only": ("off", "off", "off", "on"),
    "resolution": ("mixed", "en", "count"),
    "split_rolls": ("own_kind", "count"),
    "en_natural_only": (True, False),
    "tn_floor": (2, 3),
    "primary_max": (5, None),
    "fatigue_effects": ("on", "off"),
    "hands_seen_by_gm": (False, True),
    "hands_open_after_session": (True, False),
    "pre_scene_card": ("table_plus_two", "flat_two"),
    "offsuit_split": (True, False),
    "related_card_on_dice": ("half", "full"),
    "cards_on_allies": (False, True),
    "card_advantages_repeatable": (False, True),
    "chip_may_trump": ("cards", "any", "none"),
    "trumped_beads_regenerate": (True, False, False),
    "kept_when_trumped": ("primary", "primary_and_secondary"),
    "helping": (False, True),
    "bead_element_gate": ("strict", "open"),
    "wildcard_allocation": ("free", "third_then_two"),
    "split_penalty": ("exclude_defence", "all_subpools"),
    "split_skill_dice": ("own_action", "shared"),
    "to_hit_tn": ("gm", "ag_table"),
    "raise_effect": ("raise_dice", "flat_levels"),
    "ten_ignores": ("point", "all"),
    "daze_counts": ("pain", "pain_plus_damage"),
    "pain_strips_tokens": (False, True),
    "action_recovery_also_restores": (False, True),
    "turn_actions": ("kept", "table"),
    "contacts_geometry": ("cumulative", "doubling"),
    "nomination_quorum": (2, 1),
    "nomination_chip": ("white", "red", "blue"),
    "arc_purse_enforced": (True, False),
}
COLOURS = ("white", "red", "blue")
PEOPLE = ("ann", "bob", "cleo")
WHATS = (
    "swiftness",
    "extra-bead-scene",
    "extra-bead-session",
    "hand-of-fate",
    "fortune",
    "vortex",
    "money",
    "bits",
    "contacts",
    "dice",
    "wings",
)
#: What characters can begin with.
BOUGHT = (
    *(Purchase(what, "", 2, period=period) for what in ("action-hero", "floating-dice") for period in PERIODS),
    *(Purchase("weapons-master", "", 2, period=period, skills=("Firearms",)) for period in PERIODS),
    Purchase("movement", "wings", 9, worth=2),
    Purchase("bits", "Search"),
    *(Purchase("dice", pool) for pool in ("initiative", "resisting", "to_hit")),
    Purchase("martial-arts", "boxing"),
    Purchase("martial-arts", "Firearms"),
    Purchase("bits", "heraldry"),
    *(Purchase(what) for what in ("vortex", "bits", "money", "contacts", "extra-bead-session")),
)


class Chance:
    """A player who mostly advances the game and sometimes tries anything."""

    def __init__(self, game: Game, rng: Random) -> None:
        self.game = game
        self.rng = rng

    def pick(self, *words: Any) -> Any:
        return self.rng.choice(words)

    def mostly(self) -> bool:
        return self.rng.random() < 0.93

    def one(self) -> str:
        roster = [subject.id for subject in self.game.table().subjects("character")]
        if self.mostly():
            roster = [id for id in roster if self.game.character(id).status not in GONE] or roster
        return self.rng.choice(roster) if roster and self.rng.random() < 0.98 else "nobody"

    def word(self) -> Any:
        doings = (
            *(self.action, self.beads, self.card, self.trump) * 4,
            *(self.roll, self.resolve) * 8,
            *(self.opposed, self.hit, self.hit, self.chip, self.time, self.dice_more) * 3,
            *(self.recovery, self.award, self.grow) * 2,
            self.told,
            self.told,
            self.dial,
            self.table_row,
            self.decided,
            self.decided,
        )
        if self.rng.random() < 0.5 and (suits := fitting(self)) is not None:
            return suits
        if self.here() is None and self.rng.random() < 0.3:
            return self.time()
        here = self.here()
        if (
            here is not None
            and self.rng.random() < 0.5
            and not any(one.stage == "open" for one in here.actions.values())
        ):
            return self.action()
        return self.rng.choice(doings)()

    # --- the table ---

    def here(self) -> Any:
        place = self.game.table().scene
        return self.game.state(place) if place is not None else None

    def some_action(self, *, open_: bool = True) -> str:
        here = self.here()
        actions = list(here.actions.values()) if here is not None else []
        wanted = [one for one in actions if one.stage == "open"] if open_ and self.mostly() else actions
        return str(self.rng.choice(wanted[-4:]).id) if wanted else "nothing"

    def actor(self, action: str) -> str:
        here = self.here()
        found = here.actions.get(action) if here is not None else None
        return found.character if found is not None and self.mostly() else self.one()

    def some_play(self, action: str) -> str:
        here = self.here()
        found = here.actions.get(action) if here is not None else None
        plays = found.plays if found is not None else ()
        return self.rng.choice(plays).id if plays and self.rng.random() < 0.8 else "roll"

    def campaign(self) -> Any:
        return self.game.state(CAMPAIGN)

    def heir(self, id: str) -> str:
        """Return another character of the same player, if there is one."""
        table = self.game.table()
        seat = table.owner(character(id))
        own = [one.id for one in table.subjects("character") if table.owner(one) == seat and one.id != id]
        return self.rng.choice(own) if own else self.one()

    def advantage(self, id: str) -> str:
        own = ("action-hero", "weapons", "floating")
        held = [key for key in self.game.state(character(id)).counts if key.startswith(own)]
        return self.rng.choice(held) if held else "action-hero:scene"

    def art(self, id: str) -> str | None:
        """Return an area of Martial Arts that a character has, if any."""
        known = self.game.table().has(character(id))
        had = [key for key in self.game.character(id).counts if key.startswith("martial-arts:")] if known else []
        return self.rng.choice(had).partition(":")[2] if had else None

    def some_hit(self, stage: str) -> str:
        here = self.here()
        hits = [one.id for one in here.hits.values() if one.stage == stage] if here is not None else []
        return self.rng.choice(hits) if hits else "nothing"

    def some_card(self, id: str) -> str:
        who = self.game.state(character(id))
        here = self.here()
        cards = [*who.hand, *(here.pool if here is not None and who.villain else ())]
        return str(self.rng.choice(cards)) if cards and self.mostly() else str(self.pick("8C", "AS", "1X"))

    def element(self) -> str:
        return self.rng.choice(ELEMENTS) if self.rng.random() < 0.97 else "earth"

    def part(self, action: str = "") -> int:
        here = self.here()
        found = here.actions.get(action) if here is not None else None
        if found is not None and self.mostly():
            waiting = [place for place, one in enumerate(found.parts) if one.stage == "declared"]
            return self.rng.choice(waiting) if waiting else 0
        return int(self.pick(0, 0, 1, 7))

    # --- declarations ---

    def action(self) -> Any:
        id, skill = self.one(), self.rng.choice([*SKILLS, None, None])
        kind = self.pick("skill", "opposed", "to_hit", "dodge", "movement", "extended") if self.mostly() else "dance"
        tokens = tuple(
            Token(self.rng.choice(list(CASCADE)), self.pick(*PRIMARIES)) for _ in range(self.pick(0, 0, 0, 1))
        )
        parts = tuple(
            SubPool(self.pick(1, 1, 2), "a part", roll_kind=self.pick("skill", "dodge", "to_hit"), skill=skill)
            for _ in range(self.pick(0, 0, 0, 2, 3))
        )
        time = self.pick(None, None, None, 90) if self.mostly() else 5
        looked_up = self.game.table().dials.to_hit_tn == "ag_table"
        return DeclareAction(
            id,
            "something",
            skill,
            self.pick(None, self.element()),
            self.pick(None, *PRIMARIES),
            kind,
            self.pick(7, 7, 7, 9, 5) if self.mostly() else 1,
            self.pick("near", "failure", "success"),
            tokens=tokens,
            names=tuple(token.characteristic for token in tokens),
            parts=parts,
            base_time=30 if time else None,
            time=time,
            extra_dice=self.pick(0, 0, 1),
            ag=self.pick(*((None, 2, 9) if looked_up else (None,) * 3)),
            half=self.pick(False, False, True),
            mode=self.pick("primary", "primary", "secondary", "wings"),
            martial_arts=self.art(id) if kind == "to_hit" or parts else None,
        )

    def dice_more(self) -> Any:
        action = self.some_action()
        return self.pick(
            GrantDice(action, self.pick(1, 2, 0, -1), "clever", self.part(action)),
            SpendToken(action, self.rng.choice(list(CASCADE)), None, self.part(action), True),
            UsePeriodDice(action, self.advantage(self.actor(action)), 1, self.part(action)),
            UsePeriodDice("", self.pick("floating-dice:scene", "floating-dice:arc"), 1, 0, self.one()),
            UseBit(action, self.part(action)),
        )

    def beads(self) -> Any:
        action = self.some_action()
        if self.rng.random() < 0.03:
            return PlayBeadsOnDice(self.one(), self.pick("initiative", "healing", "dance"))
        use = self.rng.choice(USES) if self.mostly() else "dance"
        characteristic = self.pick("S", "boxing", "Firearms", "T")
        said = PlayBeads(
            action,
            self.pick(self.actor(action), self.one()),
            use,
            self.pick(1, 1, 1, 2, 3, 0),
            self.pick("", self.element()),
            self.part(action),
            self.pick(1, -1, 0),
            characteristic,
            "so",
            self.pick(True, True, False),
        )
        unread: dict[str, tuple[Any, bool]] = {
            "characteristic": ("", use in ("superhuman", "martial_arts", "dance")),
            "successes": (1, use in ("storytelling", "dance")),
            "approved": (None, use in ("archetype", "other", "dance")),
        }
        return replace(said, **{name: value for name, (value, read) in unread.items() if not read})

    def card(self) -> Any:
        id = self.one()
        how = self.rng.random()
        if how < 0.2:
            return DrawHand(id)
        if how < 0.3:
            return ExchangeCard(id, self.some_card(id), self.pick(None, None, self.element()))
        if how < 0.4:
            source, target = self.element(), self.element()
            return ShiftBeads(id, self.some_card(id), source, target, self.pick(1, 1, 2, 9))
        if how < 0.45:
            return DrawVillains(self.pick(2, 3, 0))
        if how < 0.5:
            return ForceVortex(id, self.one())
        action = self.some_action()
        id = self.actor(action)
        points = tuple(
            CardPoints(self.pick(0, 0, 1, 2), self.pick(1, 2, 3), self.part(action)) for _ in range(self.pick(1, 1, 2))
        )
        return PlayCard(action, id, self.some_card(id), points, self.pick(None, None, "action"))

    def trump(self) -> Any:
        action, id = self.some_action(), self.one()
        how = self.rng.random()
        if how < 0.2:
            return TrumpByFiat(action, self.some_play(action), self.pick(None, *COLOURS), "the story")
        if how < 0.35:
            kind = self.pick("element", "card", "chip")
            given = {"element": self.element(), "card": self.some_card(id), "chip": "white"}[kind]
            return ShiftFailure(action, id, **{kind: given}, part=self.part(action))
        if how < 0.45:
            return ClaimSuccess(
                action,
                self.pick(id, self.actor(action)),
                self.part(action),
                self.pick("white", "white", "red"),
                self.pick(True, None),
            )
        if how < 0.6:
            return Trump(action, id, self.some_play(action), chip=self.pick(*COLOURS), part=self.part(action))
        return Trump(action, id, self.some_play(action), self.some_card(id), None, None, self.part(action))

    def decided(self) -> Any:
        """Return an EM that decides instead of dice."""
        action, kind = self.some_action(), self.pick("element", "card", "chip")
        id = self.actor(action)
        given = {"element": self.element(), "card": self.some_card(id), "chip": self.pick(*COLOURS)}[kind]
        return DetermineAction(
            action,
            id,
            self.pick("He does it.", "He does it.", "He flies.", ""),
            **{kind: given},
            level=self.pick(None, "success", "near", "failure", -1),
            consequence=self.pick("", "It hurts."),
            part=self.part(action),
            approved=self.pick(True, True, None, False),
        )

    def roll(self) -> Any:
        action = self.some_action()
        return RollDice(action, self.part(action))

    def resolve(self) -> Any:
        if self.rng.random() < 0.1:
            return TellConsequence(self.some_action(open_=False), "It hurts.", None, self.pick(False, True))
        return Resolve(self.some_action(), None, self.rng.random() < 0.3, "so")

    def opposed(self) -> Any:
        action = self.some_action()
        if self.rng.random() < 0.6:
            return DeclareSuccesses(action, self.one(), self.pick(1, 1, 1, 2, 0), self.pick(0, 0, 0, 0, 1), 0)
        here = self.here()
        found = here.actions.get(action) if here is not None else None
        claims = [one.target for part in found.parts for one in part.claims] if found is not None else []
        target = self.rng.choice(claims) if claims else self.one()
        own = [one.id for one in here.actions.values() if one.character == target] if here is not None else []
        where = self.pick("", own[-1] if own else "")
        return TakeOffSuccesses(action, target, self.pick(0, 0, 1), 0, where)

    def hit(self) -> Any:
        how = self.rng.random()
        if how < 0.3:
            weapon = self.rng.choice([*WEAPONS, "Spoon"] if self.mostly() else ["Spoon"])
            where = self.pick(None, *LOCATIONS)
            return ScoreHit(self.one(), self.one(), weapon, self.pick(1, 2, 3, 4, 5, 0), location=where)
        if how < 0.4:
            return SetLocation(self.some_hit("scored"), self.pick(None, *LOCATIONS))
        if how < 0.6:
            return RollDamage(self.some_hit("scored"))
        if how < 0.75:
            return ResistDamage(self.some_hit("rolled"), token=self.pick(None, None, "body"), pain=self.pick(0, 0, 1))
        if how < 0.85:
            return RollInitiative(involved=self.pick((), (), (self.one(),), (self.one(), self.one())))
        if how < 0.9:
            return ApplyHarm(self.one(), pain=self.pick(2, 4, 7))
        return ApplyHarm(self.one(), *(self.pick(0, 0, 1, 2) for _ in range(6)))

    def chip(self) -> Any:
        id, how = self.one(), self.rng.random()
        if how < 0.2:
            return TradeUp(id, {"white": self.pick(4, 3, 0), "red": self.pick(0, 1)}, self.pick("red", "blue"))
        if how < 0.4:
            return TradeDown(id, self.pick("red", "blue"), {"white": self.pick(3, 5, 2), "red": self.pick(0, 1)})
        if how < 0.5:
            return GiveBack(id, {self.pick(*COLOURS): self.pick(1, 2)})
        if how < 0.6:
            return ChipToPoint(id, self.pick("blue", "red"))
        colour = self.pick(*COLOURS)
        beads = {self.element(): 2 * {"white": 1, "red": 3, "blue": 5}[colour]}
        return ExchangeChip(id, colour, self.pick(None, beads, {"plot": 1}))

    def award(self) -> Any:
        how = self.rng.random()
        if how < 0.5:
            return AwardChip(self.one(), {self.pick(*COLOURS): self.pick(1, 2)}, "well done", True)
        if how < 0.65:
            return Penalise(self.one(), "selfish", self.pick(None, {"red": 1}, {}))
        if how < 0.9:
            return Nominate(self.rng.choice(PEOPLE), self.one())
        return TallyNominations(None, True)

    def time(self) -> Any:
        table, how = self.game.table(), self.rng.random()
        if table.session is None and how < 0.5:
            return commands.OpenSession()
        if how < 0.1 and table.session is not None:
            return commands.CloseSession(table.session)
        campaign = self.game.state(table.subjects("campaign")[0])
        if how < 0.2:
            return OpenArc("an arc", 30) if campaign.arc is None else self.pick(CloseArc(), EnlargePurse(3))
        if campaign.phase == "interval":
            if how < 0.3:
                return self.rng.choice((self.chip, self.card, self.grow))()
            if how < 0.55:
                beads = {self.element(): self.pick(1, 1, 2)} if self.rng.random() < 0.7 else {}
                return AllocateBeads(self.one(), beads)
            if how < 0.57:
                return AnnounceScene(self.pick((), (self.one(),)))
            cast = tuple(dict.fromkeys((self.one(), self.one(), self.one())))
            return commands.OpenScene("a scene", cast)
        scenes = table.subjects("scene")
        return self.pick(
            EndTurn(),
            EndTurn(),
            EndTurn(),
            commands.CloseScene(scenes[0].id if scenes else "9"),
        )

    def recovery(self) -> Any:
        id, primary = self.one(), self.pick(None, *PRIMARIES)
        return self.pick(
            RecoverScene(id, primary),
            GrantRecovery(id, "a long day"),
            DeclareRecovery(id),
            CompleteRecovery(id, primary),
            LoseAction(id),
            Move(id, self.pick("primary", "wings")),
            Heal(id, self.pick(1, 7, 28), self.pick(None, "spirit")),
        )

    def grow(self) -> Any:
        id, how = self.one(), self.rng.random()
        traits = list(self.game.state(character(id)).traits)
        if how < 0.5:
            return Buy(id, self.purchase())
        if how < 0.65:
            if self.rng.random() < 0.4:
                return ProposeTrait(id, "sleight of hand", "", 1, allows=self.pick("card-trade", "all"))
            return ProposeTrait(id, "wings", "9", self.pick(3, "3/2", -2), self.pick("advantage", "background"))
        trait = self.rng.choice(traits) if traits else "none"
        if how < 0.7:
            does = self.pick(*EFFECTS, "wings")
            of = self.pick("initiative", "Firearms", "plot", "drama")
            if does not in ("dice", "difficulty") and self.mostly():
                of = self.element() if does != "forced-discard" else self.pick("one", "all", "some")
            return SetTraitEffect(id, trait, does, self.pick(1, 2, 2, -1, 0), of)
        if how < 0.8:
            return self.pick(ApproveTrait(id, trait), CounterTrait(id, trait, "less", "1/2"))
        if how < 0.85:
            known = [key for key in self.game.state(character(id)).counts if key in ("money", "contacts")]
            return LoseBackground(id, self.pick(trait, *known))
        if how < 0.9:
            return self.pick(
                SetStatus(id, self.pick("dead", "active", "active", "down")),
                UseSessionBead(id, self.element()),
            )
        if how < 0.95:
            return commands.Enrol("Somebody", self.pick("gm", *PEOPLE), Sheet(self.pick(*ARCHETYPES)))
        return self.pick(Sacrifice(id, "for them"), InheritChips(id, self.one(), self.pick({}, {"white": 1})))

    def purchase(self) -> Purchase:
        how = self.rng.random()
        if how < 0.3:
            return Purchase("characteristic", self.rng.choice([*PRIMARIES, *CASCADE]), self.pick(2, 3, 6))
        if how < 0.5:
            return Purchase("skill", self.rng.choice(list(SKILLS)), self.pick(1, 2, 3))
        if how < 0.6:
            return Purchase(
                self.pick("action-hero", "weapons-master", "floating-dice"),
                "",
                self.pick(1, 2),
                period=self.pick("scene", "session", "arc"),
                skills=self.pick((), ("Firearms", "Thrown Weapons"), ("Brawling",)),
            )
        if how < 0.7:
            what = self.pick("extra-secondary", "extra-primary", "change-secondary")
            return Purchase(what, element=self.element())
        if how < 0.8:
            return Purchase("superhuman", "S", self.pick(1, 2), element=self.element())
        if how < 0.85:
            return Purchase("martial-arts", "boxing", 1)
        name, what = self.pick("", "", "mine"), self.rng.choice((*WHATS, "dice", "dice"))
        if what == "dice":
            name = self.pick("Firearms", "initiative", "resisting", "dodge", "sharp")
        return Purchase(what, name, self.pick(1, 1, 2), multiplier=self.pick(2, "3/2", 3))

    def told(self) -> Any:
        here, id = self.here(), self.one()
        story = list(here.story) if here is not None else []
        change = self.rng.choice([*story, *self.campaign().story] or ["none"])
        how = self.rng.random()
        if how < 0.15:
            return Narrate("It rains.", self.pick("", id))
        if how < 0.3:
            text = self.pick("An old friend.", "He flies.")
            return UseCard(id, self.some_card(id), text, self.pick("scene", "world", "year"))
        if self.rng.random() < 0.2:
            text, scope = self.pick("An old friend.", "He flies."), self.pick("scene", "turn", "year")
            return UseBeads(id, text, self.pick("", self.element()), self.pick(1, 1, 2, 0), scope)
        if how < 0.35:
            return TradeCards(id, self.one())
        if self.rng.random() < 0.5:
            return ChangeStory(id, self.pick(1, 1, 2, 3, 4), "The door is open.")
        return self.pick(VetoStory(change, "no"), AmendStory(change, "It is ajar."))

    def table_row(self) -> Any:
        return self.pick(
            SetTableRow("uses", self.pick(*ARCHETYPES), {"text": "a second wind"}),
            SetTableRow("healing", "1", {"days": self.pick(1, 3, 0)}),
        )

    def dial(self) -> Any:
        name = self.rng.choice(list(DIALS))
        if name in ("power_level", "beads_only", "advanced_chips") and self.mostly():
            name = "resolution"
        return commands.SetDial(name, self.rng.choice(DIALS[name]), "ours")


def answer(question: Any, rng: Random) -> Any:
    if isinstance(question, Draw):
        return Drawn(tuple(rng.sample(question.cards, question.count)))
    if not isinstance(question, Ask):
        high = question.sides
        faces = roll_open_dice(question.count, question.opens, lambda: int(rng.choice((1, high, rng.randint(1, high)))))
        return Dice(high, faces)
    if Keep in question.kinds:
        return "keep"
    if Discard in question.kinds:
        return "discard"
    if Lay in question.kinds:
        return "lay"
    if Give in question.kinds:
        return "give"
    if Allocate in question.kinds:
        return Choice(rng.choice((LeaveAll(), Allocate())))
    if Agree in question.kinds:
        return Choice(rng.choice((Agree(), Agree(), Decline())))
    return Choice(Ignore()) if Ignore in question.kinds else Choice(Approve())


def chosen(game: Game, do: Any, said: Any, answers: list[Any], question: Any) -> Any:
    """Choose the first cards. In every other ruling the ledger deals, or a game master agrees."""
    if isinstance(said, Drawn) and int(game.table().session or 0) % 2:
        return Drawn(said.cards, "ledger")
    if said == Choice(Agree()) and game.number % 2:
        return Choice(AgreeFor("he is away"))
    if said == "keep":
        drawn = answers[-1].cards
        return Choice(Keep(drawn[: int(question.purpose.split()[1])]))
    if said == "lay":
        return Choice(Lay(laid(game, do, answers)))
    if isinstance(do, DetermineAction | UseCard | UseBeads) and do.text == "He flies.":
        return Choice(Veto())
    if said == "give":
        return Choice(Give(game.state(character(question.slot.partition(":")[2])).hand[0]))
    if said == "discard":
        if isinstance(do, ForceDiscard):
            _, id, place = question.slot.split(":")
            return Choice(Discard(game.state(character(id)).hand[int(place)]))
        return Choice(Discard(game.state(character(do.target)).hand[0]))
    return said


def laid(game: Game, do: Any, answers: list[Any]) -> tuple[LaidCard, ...]:
    """Return a card of the roller on the first die, if there are both."""
    if isinstance(do, Heal):
        id = do.character
    else:
        (here,) = game.table().subjects("scene")
        id = game.state(here).hits[do.hit].target
    named = {one.card for one in do.cards}
    hand = [card for card in game.state(character(id)).hand if card not in named]
    fell = any(isinstance(one, Dice) for one in answers) and game.table().dials.beads_only == "off"
    return (LaidCard(hand[-1], (CardPoints(0, 1),)),) if hand and fell else ()


def player_of(game: Game, do: Any) -> str:
    """Return who declares: the game master, or the player for cards that only the player can name."""
    id = getattr(do, "character", None)
    roster = [subject.id for subject in game.table().subjects("character")]
    if isinstance(do, ResistDamage | RollDamage) and do.cards:
        here = next(iter(game.table().subjects("scene")), None)
        hit = game.state(here).hits.get(do.hit) if here is not None else None
        id = (hit.target if isinstance(do, ResistDamage) else hit.attacker) if hit is not None else None
    draws = isinstance(do, DrawHand)
    plays = draws or getattr(do, "card", None) or getattr(do, "cards", ())
    return game.table().owner(character(id)) if plays and id in roster else "gm"


def try_out(game: Game, do: Any, rng: Random) -> Verdict[Any] | None:
    """Declare and answer the questions. Return None if it is refused (before the first answer) or withdrawn."""
    try:
        conversation, table = game.begin(do, player_of(game, do))
    except Refused as no:
        game.met.add(no.code)
        return None
    answers: list[Any] = []
    while (question := conversation.question) is not None:
        said = chosen(game, do, answer(question, rng), answers, question)
        try:
            conversation.answer(said)
        except Unfit as no:  # a Wildcard's bought bead has no Element: nothing of his own fits, and it is withdrawn
            game.met.add(no.code)
            return None
        answers.append(said)
    assert conversation.verdict is not None
    return game.record(do, table, answers, conversation.verdict)


def answering(game: Game) -> Answering:
    """Answer at random. A game master who agrees for a player may leave out the reason."""

    def said(do: Any, question: Any, answers: list[Any], rng: Random) -> Any:
        if isinstance(question, Ask) and Agree in question.kinds and rng.random() < 0.3:
            return Choice(AgreeFor(" "))
        return chosen(game, do, answer(question, rng), answers, question)

    return said


def play_at_random(seed: int, count: int, misses: int = 0) -> Game:
    """Return a table with random options after this many tries, each with this many near misses."""
    rng = Random(seed)
    dials = {name: rng.choice(values) for name, values in DIALS.items() if rng.random() < 0.3}
    game = Game(begin=False, **dials)
    for seat in ("ann", "bob", "ann", "gm"):
        bought = tuple(rng.sample(BOUGHT, rng.choice((0, 1, 2, 3))))
        levels = {"body": 3, "Sp": 2}
        archetype = rng.choice(list(ARCHETYPES))
        if archetype == "wildcard" and seed % 2:  # their bead has no Element
            bought = (*bought, Purchase("extra-bead-scene"))
        sheet = Sheet(archetype, levels, {"Firearms": 2}, bought, villain=seat == "gm")
        game.enrol("Somebody", sheet, seat)
    chance = Chance(game, rng)
    try_out(game, commands.OpenSession(), rng)
    try_out(game, OpenArc("an arc", 40), rng)
    for id in ("1", "2", "3", "4"):
        mixed = AllocateBeads(id, {rng.choice(ELEMENTS): rng.choice((1, 2))})
        if try_out(game, mixed, rng) is None:
            try_out(game, AllocateBeads(id), rng)
        try_out(game, DrawHand(id), rng)
        try_out(
            game,
            AwardChip(id, {"white": 4 if id == "2" else rng.choice((1, 2))}, "a start", True),
            rng,
        )
    try_out(game, commands.OpenScene("a scene", ("1", "2", "4")), rng)
    near = NearMisses(game, seed, answering(game))
    for _ in range(count):
        do = chance.word()
        if misses:
            near.around(do, player_of(game, do), misses)
        if misses and near.rng.random() < 0.4:
            for slip in near.some(slips(Chance(game, near.rng)), 6):
                near.attempt(slip, player_of(game, slip))
        try_out(game, do, rng)
    return game


__all__ = ["DIALS", "play_at_random", "scene", "try_out"]
