"""For every system that keeps secrets: how a campaign comes to have one, this or the other, and what may be tried.

The `owner` knows it: Ben, or Ann, the game master. Cleo plays beside him and Dora watches: these two attack.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from tests.api.table import Json, Player, Service, Table, rolled

LADDER = ("Not at All", "Not Very", "Somewhat", "Moderately", "Fairly", "Very", "Extremely")
CHANCES = (("Terrible", -6), ("Bad", -4), ("Poor", -2), ("Even", 0), ("Fair", 3), ("Good", 5), ("Excellent", 7))
LATER = "the table is told later"


@dataclass(frozen=True, slots=True)
class Secret:
    """`hide(table, other)`: play until Ben has the one secret, or the other; all else is the same to the others.

    `tries`: what the attackers declare, typed dice and cards among it; `foresees`: what they only preview, since all
    would see what comes of it. `dials`: held otherwise in what-ifs.
    `decides`: (path, body) of what the game master does meanwhile, which changes nothing that others may know of it.
    `told`: which rulings come out otherwise for all to see, by the one that is overturned with `rerule`. `consent`: the
    dial, turned once all that is played. `steps_follow`: whether steps follow by themselves from then on.
    """

    system: str
    name: str
    hide: Callable[[Table, bool], None]
    opens: Mapping[str, Any] = field(default_factory=dict)
    tries: tuple[Json, ...] = ()
    answers: tuple[Json, ...] = ()
    dials: tuple[str, ...] = ()
    decides: tuple[tuple[str, Json], ...] = ()
    owner: str = "ben"
    attackers: tuple[str, ...] = ("cleo", "dora")
    told: Mapping[int, tuple[int, ...]] = field(default_factory=dict)
    foresees: tuple[Json, ...] = ()
    consent: str = "none"
    steps_follow: bool = False

    def __str__(self) -> str:
        return f"{self.system}: {self.name}"

    @property
    def scene(self) -> str:
        """The scene that is open in it, if one is."""
        return {"mnemonic": "6", "moc": "10"}.get(self.system, "")

    def table(self, service: Service, other: bool) -> Table:
        table = object.__new__(Table)
        table.service = service
        opened = service.open(name="Twins", system=self.system, dials=dict(self.opens))
        assert opened.status_code == 201, opened.text
        table.id = opened.json()["id"]
        table.gm = Player(table, "s1", opened.json()["seat"]["token"])
        table.ben, table.cleo = table.seat("Ben", "player"), table.seat("Cleo", "player")
        table.dora = table.seat("Dora", "observer")
        self.hide(table, other)
        if self.consent != "none":
            table.gm.declare("set-dial", name="consent", value=self.consent, reason="we ask each other")
        if self.steps_follow:
            table.gm.declare("set-dial", name="forced_steps", value="by_ledger", reason="we play on")
        return table


def overturned(number: int, **more: Any) -> tuple[str, Json]:
    return f"/rulings/{number}/overturn", {"reason": "a mistake", **more}


def put_back(number: int, **more: Any) -> tuple[str, Json]:
    return f"/rulings/{number}/reinstate", {"reason": "it was none", **more}


# --- the toy ------------------------------------------------------------------------------------------------------


def toys(table: Table) -> None:
    table.fighters()


def hidden_coins(table: Table, other: bool) -> None:
    """4: two or nine coins; with the three of 3 they are enough to give five away (5), without them perhaps not.

    7 rests on 6, which everybody may see: a finding about it is numbered, whether there is one about 5 or not.
    """
    toys(table)
    table.gm.declare("mint", to="1", coins=3)
    table.gm.declare("mint", to="1", coins=9 if other else 2, hidden=True)
    table.ben.declare("give", char="1", to="2", coins=5)
    table.gm.declare("mint", to="2", coins=3)
    table.cleo.declare("give", char="2", to="1", coins=8)


def hidden_sneak(table: Table, other: bool) -> None:
    """3: how well Bruno hides, one die or as many as sixes open; 4: whether he is seen, which he is not."""
    toys(table)
    table.ben.declare("sneak", rolled(6, 6, 1) if other else rolled(5), char="1")
    table.cleo.declare("look", char="2", at="1")
    table.gm.declare("mint", to="2", coins=3)


def hidden_sneak_that_waits(table: Table, other: bool) -> None:
    """3: as before, but the dice were typed when they were asked for."""
    toys(table)
    waits = table.ben.does("/rulings", {"declare": {"kind": "sneak", "char": "1"}, "dice": "table"}, 202)
    table.ben.does(f"/waiting/{waits['id']}/answers", {"answer": rolled(6, 6, 1) if other else rolled(5)})
    table.cleo.declare("look", char="2", at="1")


def hidden_sneak_of_the_ledgers(table: Table, other: bool) -> None:
    """With six dice or twelve, of a declaration that is hidden as its dice are: so many numbers fell, or so many."""
    toys(table)
    for _ in range(3):
        declare = {"kind": "sneak", "char": "1", "dice": 12 if other else 6}
        table.ben.does("/rulings", {"declare": declare, "dice": "ledger"})
    table.gm.declare("mint", to="2", coins=3)


def amended_sneak(table: Table, other: bool) -> None:
    """3: the game master sets how well Bruno hides: well enough for who looks now."""
    toys(table)
    value = [5] if other else [6, 5]
    told: Json = {"subject": "character:1", "field": "hidden", "value": value, "reason": "as agreed"}
    table.gm.declare("amend", **told, seen_by=["gm", "character:1"])
    table.gm.declare("mint", to="2", coins=3)


def hidden_words(table: Table, other: bool) -> None:
    """3: for what the game master says that a coin is given, which only he may read; 4: what all may read."""
    toys(table)
    coin: Json = {"source": "bank/coin", "target": "character:1/coin", "unit": "coin", "amount": 1}
    reason = "for the murder of Celia" if other else "for keeping silent"
    table.gm.declare("adjust", **coin, reason=reason, seen_by=["gm"])
    table.gm.declare("adjust", **coin, reason="as agreed")
    table.gm.does("/rulings/4/dispute", {"reason": "a mistake in silence"}, 200)


TOY_TRIES: tuple[Json, ...] = (
    {"kind": "hit", "char": "2", "target": "1"},
    {"kind": "give", "char": "2", "to": "1", "coins": 1},
    {"kind": "give", "char": "1", "to": "2", "coins": 4},
    {"kind": "sneak", "char": "2"},
    {"kind": "look", "char": "2", "at": "1"},
    {"kind": "mint", "to": "2", "coins": 1},
)
TOY_ANSWERS: tuple[Json, ...] = (rolled(4), rolled(6), {"choice": {"kind": "stand"}}, {"choice": {"kind": "dodge"}})
TOY_DIALS = ("die:8", "alert:6", "alert:12", "open:true", "alert:1")
TOY = (
    Secret(
        "toy",
        "coins",
        hidden_coins,
        {},
        TOY_TRIES,
        TOY_ANSWERS,
        TOY_DIALS,
        (overturned(3, also=[6]), put_back(3), put_back(6), overturned(1), put_back(1)),
        told={3: (5, 7)},
    ),
    Secret(
        "toy",
        "a hidden roll",
        hidden_sneak,
        {},
        TOY_TRIES,
        TOY_ANSWERS,
        TOY_DIALS,
        (overturned(1), put_back(1), overturned(3), put_back(3), overturned(5), put_back(5)),
    ),
    Secret(
        "toy",
        "a hidden roll of the ledger's",
        hidden_sneak_of_the_ledgers,
        {},
        TOY_TRIES,
        TOY_ANSWERS,
        TOY_DIALS,
        (overturned(1), put_back(1), overturned(3), put_back(3)),
    ),
    Secret(
        "toy",
        "a hidden roll that waited",
        hidden_sneak_that_waits,
        {},
        TOY_TRIES,
        TOY_ANSWERS,
        TOY_DIALS,
        (overturned(1), put_back(1), overturned(3), put_back(3)),
    ),
    Secret(
        "toy",
        "an amended piece",
        amended_sneak,
        {},
        TOY_TRIES,
        TOY_ANSWERS,
        TOY_DIALS,
        (overturned(1), put_back(1)),
    ),
    Secret(
        "toy",
        "words",
        hidden_words,
        {},
        TOY_TRIES,
        TOY_ANSWERS,
        TOY_DIALS,
        (overturned(1), put_back(1), overturned(4), put_back(4)),
        owner="gm",
    ),
)

ADJUSTS: tuple[Json, ...] = tuple(
    {"kind": "adjust", "source": "character:1/coin", "target": to, "unit": "coin", "amount": coins, "reason": "?"}
    for to, coins in (("bank/coin", 1), ("bank/coin", 3), ("character:2/coin", 6))
)


def where_all_decide(secret: Secret, *more: Json, attackers: tuple[str, ...] = ("cleo", "dora")) -> Secret:
    """The same where players decide as game masters do. `more`: what they then try."""
    return replace(
        secret,
        name=f"{secret.name}, where all decide",
        opens={**secret.opens, "deciders": "all_players"},
        tries=(*more, *secret.tries),
        attackers=attackers,
    )


# --- Mnemonic -----------------------------------------------------------------------------------------------------


def quarry(table: Table) -> None:
    """1: Bruno, Ben's; 2: Celia, Cleo's; then their Talents, a session (5), a scene (6)."""
    for who, name in ((table.ben, "Bruno"), (table.cleo, "Celia")):
        sheet = {"kind": "player_character", "primary_role": "Deputy"}
        who.does("/characters", {"name": name, "seat": who.id, "sheet": sheet})
    for id in ("1", "2"):
        table.gm.declare("rate-trait", character=id, trait="Tough", trait_kind="talent", rating="Fairly")
    table.gm.does("/sessions", {"title": "The quarry"})
    table.gm.does("/scenes", {"title": "The edge", "cast": ["1", "2"]})


def injury(table: Table, victim: str, chances: str, roll: int, by: Player | None = None) -> None:
    """Rolled at once by who plays the victim: 1 is Ben's, 2 Cleo's, others the game master's.

    `by`: the referee, where it is not the game master.
    """
    told: Json = {
        "victim": victim,
        "cause": "referee",
        "worst": "unconscious",
        "chances": chances,
        "reason": "A stone.",
    }
    ruled = (by or table.gm).declare("rule-injury", **told)
    check = next(one["fact"]["check"] for one in ruled["facts"] if one["kind"] == "mnemonic.check-ruled")
    who = {"1": table.ben, "2": table.cleo}.get(victim, table.gm)
    who.declare("enter-roll", check=check, numbers=[roll])


def hidden_rating(table: Table, other: bool) -> None:
    """7, 8: how Important both are; 9 to 14: they are hurt, and stay Fine either way."""
    quarry(table)
    table.gm.declare("rate-importance", character="1", rating="Very" if other else "Extremely")
    table.gm.declare("rate-importance", character="2", rating="Extremely" if other else "Very")
    injury(table, "1", "Fair", 3)
    injury(table, "2", "Fair", 2)
    table.cleo.declare("declare-action", character="2", text="gets up")
    injury(table, "1", "Even", 1)


def hidden_chances(table: Table, other: bool) -> None:
    quarry(table)
    for id in ("1", "2"):
        table.gm.declare("rate-importance", character=id, rating="Very")
    injury(table, "1", "Fair" if other else "Good", 3)
    injury(table, "2", "Good" if other else "Fair", 3)
    table.cleo.declare("declare-action", character="2", text="gets up")


def hidden_by_a_player_who_referees(table: Table, other: bool) -> None:
    """7: Ben is the referee; 8: how Important Celia is; 9 and 10: she is hurt, and stays Fine either way."""
    quarry(table)
    table.gm.declare("seat-referee", seat=table.ben.id)
    table.ben.declare("rate-importance", character="2", rating="Extremely" if other else "Very")
    injury(table, "2", "Fair", 2, table.ben)
    table.cleo.declare("declare-action", character="2", text="gets up")


def hidden_from_who_refereed(table: Table, other: bool) -> None:
    """7: Cleo is the referee, until 9, when the session is over; what is rated since she may not know."""
    quarry(table)
    table.gm.declare("seat-referee", seat=table.cleo.id)
    table.cleo.declare("rule-order", order=["1", "2"])
    table.gm.declare("close-session", session="5")
    table.gm.does("/sessions", {"title": "The next one"})
    table.gm.declare("rate-importance", character="1", rating="Very" if other else "Extremely")
    injury(table, "1", "Fair", 3)
    table.cleo.declare("declare-action", character="2", text="gets up")


def rated_at_enrolment(table: Table, other: bool) -> None:
    """7: somebody new, of whom the referee is asked at once how important they are."""
    quarry(table)
    preset: Json = {"choice": {"kind": "take-preset", "preset": "henchman" if other else "major_villain"}}
    sheet = {"kind": "non_player_character", "primary_role": "Guard", "resist_talent": "Grit", "rate_importance": True}
    declare: Json = {"kind": "enrol", "name": "Rocco", "seat": table.gm.id, "sheet": sheet}
    table.gm.does("/rulings", {"declare": declare, "answers": [preset]})
    table.gm.declare("rate-trait", character="7", trait="Grit", trait_kind="talent", rating="Extremely")
    table.cleo.declare("declare-action", character="2", text="gets up")


def hunters(table: Table) -> None:
    """As `quarry`, where Ben is the referee (3), and the game master plays, too: 4 is Hunter. 7 to 9: their Talents."""
    for who, name in ((table.ben, "Bruno"), (table.cleo, "Celia")):
        sheet = {"kind": "player_character", "primary_role": "Deputy"}
        who.does("/characters", {"name": name, "seat": who.id, "sheet": sheet})
    table.gm.declare("seat-referee", seat=table.ben.id)
    table.gm.declare("enrol", name="Hunter", seat=table.gm.id, sheet={"primary_role": "Huntsman"})
    table.gm.does("/sessions", {"title": "The quarry"})
    table.gm.does("/scenes", {"title": "The edge", "cast": ["1", "2", "4"]})
    for id in ("1", "2", "4"):
        table.ben.declare("rate-trait", character=id, trait="Tough", trait_kind="talent", rating="Fairly")


def hidden_from_the_game_master(table: Table, other: bool) -> None:
    """10, 11: how Important Hunter and Celia are; 12 to 15: they are hurt, and stay Fine either way."""
    hunters(table)
    table.ben.declare("rate-importance", character="4", rating="Very" if other else "Extremely")
    table.ben.declare("rate-importance", character="2", rating="Extremely" if other else "Very")
    injury(table, "4", "Fair", 3, table.ben)
    injury(table, "2", "Fair", 2, table.ben)
    table.gm.declare("declare-action", character="4", text="gets up")


def rated_at_enrolment_by_the_referee(table: Table, other: bool) -> None:
    """10: somebody new, of whom Ben is asked how important they are."""
    hunters(table)
    declare: Json = {"kind": "enrol", "name": "Rocco", "seat": table.gm.id, "sheet": {"rate_importance": True}}
    waits = table.gm.does("/rulings", {"declare": declare}, 202)
    rating: Json = {"choice": {"kind": "name-rating", "rating": "Not at All" if other else "Extremely"}}
    table.ben.does(f"/waiting/{waits['id']}/answers", {"answer": rating})
    table.gm.declare("declare-action", character="4", text="gets up")


def ladders() -> tuple[str, ...]:
    """What-ifs that lack one name of a ladder, each."""
    import json

    told = []
    for name in LADDER:
        rows = [[one, number] for number, one in enumerate(LADDER) if one != name]
        told.append(f"traits.ladder:{json.dumps(rows)}")
    for name, _ in CHANCES:
        told.append(f"chances.ladder:{json.dumps([list(row) for row in CHANCES if row[0] != name])}")
    return tuple(told)


MNEMONIC_TRIES: tuple[Json, ...] = (
    {"kind": "declare-action", "character": "2", "text": "looks around"},
    {"kind": "enter-roll", "check": "9-2", "numbers": [1]},
    {"kind": "enter-roll", "check": "11-2", "numbers": [12]},
    {"kind": "enter-roll", "check": "11-2"},
    {"kind": "resolve", "check": "9-2"},
    {"kind": "rate-importance", "character": "2", "rating": "Very"},
    {"kind": "describe-abilities", "character": "2", "text": "Lucky, perhaps."},
)
MNEMONIC_DIALS = (
    "dramatic.visible:true",
    "dramatic.source:off",
    "dramatic.source:lucky",
    "dramatic.approach:per_check",
    "resist.talent:Lucky",
    "traits.unrated:Fairly",
    "status.combine:replace",
    "traits.ladder:tied",
    "flukes.on:true",
)
MNEMONIC = tuple(
    Secret(
        "mnemonic",
        name,
        hide,
        {"dramatic.source": "important"},
        MNEMONIC_TRIES,
        (rolled(3, sides=12),),
        (*MNEMONIC_DIALS, *ladders()),
        (overturned(3), put_back(3), overturned(4), put_back(4), overturned(7), put_back(7)),
        owner,
    )
    for name, hide, owner in (
        ("a hidden rating", hidden_rating, "gm"),
        ("hidden Chances", hidden_chances, "gm"),
        ("what a player who referees rates", hidden_by_a_player_who_referees, "ben"),
        ("a rating since she refereed", hidden_from_who_refereed, "gm"),
        ("a rating given at an enrolment", rated_at_enrolment, "gm"),
    )
)

#: What a game master tries who does not rule.
MASTERS_TRIES: tuple[Json, ...] = (
    {"kind": "declare-action", "character": "4", "text": "looks around"},
    {"kind": "enter-roll", "check": "12-2", "numbers": [1]},
    {"kind": "resolve", "check": "12-2"},
    {"kind": "rate-importance", "character": "4", "rating": "Very"},
    {"kind": "rate-importance", "character": "4", "rating": "Extremely"},
    {
        "kind": "rule-injury",
        "victim": "4",
        "cause": "referee",
        "worst": "dead",
        "chances": "Even",
        "reason": "A stone.",
    },
    {"kind": "rule-recovery-check", "character": "4", "chances": "Even"},
    {"kind": "rule-immunity", "character": "4", "known_to": "everybody"},
    {"kind": "describe-abilities", "character": "4", "text": "Lucky, perhaps."},
    {"kind": "enrol", "name": "Vera", "seat": "s1", "sheet": {"rate_importance": True}},
)
MASTERS_ANSWERS: tuple[Json, ...] = (
    rolled(3, sides=12),
    {"choice": {"kind": "name-rating", "rating": "Very"}},
    {"choice": {"kind": "assent"}},
)
#: Ben knows it, the referee; the game master only plays.
HIDDEN_FROM_THE_GAME_MASTER = tuple(
    Secret(
        "mnemonic",
        name,
        hide,
        {"dramatic.source": "important", "dramatic.seen_by_gm": False},
        MASTERS_TRIES,
        MASTERS_ANSWERS,
        (*MNEMONIC_DIALS, "dramatic.seen_by_gm:true", *ladders()),
        (overturned(7), put_back(7), overturned(9), put_back(9), overturned(10), put_back(10)),
        "ben",
        ("gm", "cleo"),
    )
    for name, hide in (
        ("a rating hidden from the game master", hidden_from_the_game_master),
        ("a rating that the referee gave at an enrolment", rated_at_enrolment_by_the_referee),
    )
)
MNEMONIC = (*MNEMONIC, *HIDDEN_FROM_THE_GAME_MASTER)

# --- Moment of Clarity --------------------------------------------------------------------------------------------

HERO: Json = {"archetype": "hero", "characteristics": {"body": 5, "Sp": 3}}
ENIGMA: Json = {"archetype": "enigma", "characteristics": {"mind": 3}}


def hangar(table: Table, hand: tuple[str, str] = ("8C", "KS")) -> None:
    """1: Harry, Ben's; 2: Rissh, Cleo's; 3: a session; 4: Ben's hand; then an arc, chips, beads, a scene (10)."""
    table.ben.does("/characters", {"name": "Harry", "seat": table.ben.id, "sheet": HERO})
    table.cleo.does("/characters", {"name": "Rissh", "seat": table.cleo.id, "sheet": ENIGMA})
    table.gm.declare("open-session")
    table.ben.declare("draw-hand", character="1", drawn=list(hand), kept=list(hand))
    table.gm.declare("open-arc", name="The hangar", xp=20)
    table.gm.declare("award-chip", character="2", chips={"white": 1}, reason="brave")
    table.gm.declare("award-chip", character="1", chips={"white": 1}, reason="brave")
    table.ben.declare("allocate-beads", character="1", beads={"plot": 3})
    table.cleo.declare("allocate-beads", character="2")
    table.gm.declare("open-scene", title="A hangar", cast=["1", "2"])


def hidden_hand(table: Table, other: bool) -> None:
    hangar(table, ("2D", "9H") if other else ("8C", "KS"))
    action(table, table.ben, "1")
    table.cleo.declare("change-story", character="2", beads=1, text="The second man is near.")


def action(table: Table, who: Player, character: str, **more: Any) -> str:
    made = who.declare("declare-action", character=character, skill="Thrown Weapons", **more)
    (told,) = [one["fact"]["action"] for one in made["facts"] if one["kind"] == "moc.action-declared"]
    return str(told)


def hidden_attack(table: Table, other: bool) -> None:
    """11: an attack; 12: its dice, three successes or two; 13: a card makes another die one; 14: three are declared."""
    hangar(table)
    attack = action(table, table.ben, "1", roll_kind="to_hit")
    table.ben.declare("roll-dice", action=attack, faces=[7, 8, 6 if other else 9, 2, 2])
    table.ben.declare("play-card", action=attack, character="1", card="8C", points=[{"die": 2, "points": 1}])
    table.ben.declare("declare-successes", action=attack, target="2", number=3)
    table.cleo.declare("change-story", character="2", beads=1, text="The second man is near.")


def hidden_ten(table: Table, other: bool) -> None:
    """11: an attack; 12: its dice, of which one opened another, or none did and all are low."""
    hangar(table)
    attack = action(table, table.ben, "1", roll_kind="to_hit")
    dice: Json = {"faces": [10, 8, 6, 9, 3], "bonus": [4]} if other else {"faces": [2, 2, 3, 2, 2]}
    table.ben.declare("roll-dice", action=attack, **dice)
    table.cleo.declare("change-story", character="2", beads=1, text="The second man is near.")


def hidden_attack_of_the_ledgers(table: Table, other: bool) -> None:
    hangar(table)
    attack = action(table, table.ben, "1", roll_kind="to_hit")
    table.gm.declare("grant-dice", action=attack, number=12, reason="from above")
    table.ben.does("/rulings", {"declare": {"kind": "roll-dice", "action": attack}, "dice": "ledger"})
    table.cleo.declare("change-story", character="2", beads=1, text="The second man is near.")


def amended_hand(table: Table, other: bool) -> None:
    hangar(table)
    told: Json = {
        "subject": "character:1",
        "field": "hand",
        "value": ["2D" if other else "8C", "KS"],
        "reason": "misread",
    }
    table.gm.declare("amend", **told, seen_by=["character:1"])
    table.cleo.declare("change-story", character="2", beads=1, text="The second man is near.")


def hidden_trade(table: Table, other: bool) -> None:
    """11, 12: Anna, Ben's too, and her hand; 13, 14: an Advantage; 15: he swaps one of Harry's for hers, or others."""
    hangar(table)
    table.ben.does("/characters", {"name": "Anna", "seat": table.ben.id, "sheet": HERO})
    table.ben.declare("draw-hand", character="11", drawn=["2H", "3H"], kept=["2H", "3H"])
    table.ben.declare("propose-trait", character="1", name="Sleight of hand", effect="", cost=1, allows="card-trade")
    table.gm.declare("approve-trait", character="1", trait="13")
    agree: Json = {"choice": {"kind": "agree"}}
    given: tuple[Json, ...] = tuple(
        {"choice": {"kind": "give", "card": card}} for card in (("KS", "2H") if other else ("8C", "3H"))
    )
    table.ben.declare("trade-cards", agree, *given, character="1", target="11")
    table.cleo.declare("change-story", character="2", beads=1, text="The second man is near.")


def hidden_vote(table: Table, other: bool) -> None:
    """11: Ben nominates one of Cleo's two characters; a vote is known to have been, not for whom."""
    hangar(table)
    table.cleo.does("/characters", {"name": "Raphe", "seat": table.cleo.id, "sheet": {"archetype": "wildcard"}})
    table.ben.declare("nominate", seat=table.ben.id, nominee="11" if other else "2")
    table.cleo.declare("change-story", character="2", beads=1, text="The second man is near.")


def hidden_pool(table: Table, other: bool) -> None:
    """11: what the villains of the scene hold."""
    hangar(table)
    table.gm.declare("draw-villains", size=2, drawn=["2D", "9H"] if other else ["3S", "JH"])
    table.cleo.declare("change-story", character="2", beads=1, text="The second man is near.")


MOC_TRIES: tuple[Json, ...] = (
    {"kind": "draw-hand", "character": "2", "drawn": ["8C", "3H"], "kept": ["8C", "3H"]},
    {"kind": "draw-hand", "character": "2", "drawn": ["2D", "3H"], "kept": ["2D", "3H"]},
    {"kind": "draw-hand", "character": "2"},
    {"kind": "play-card", "action": "11", "character": "2", "card": "8C", "points": [{"die": 5, "points": 1}]},
    {"kind": "play-beads", "action": "11", "character": "2", "use": "reduce_difficulty"},
    {"kind": "claim-success", "action": "11", "character": "2"},
    {"kind": "claim-success", "action": "11", "character": "2", "approved": True},
    {"kind": "declare-successes", "action": "11", "target": "2", "number": 1},
    {"kind": "take-off-successes", "action": "11", "target": "2", "number": 1},
    {"kind": "roll-dice", "action": "11", "faces": [1, 2, 3, 4, 5]},
    {"kind": "resolve", "action": "11"},
    {"kind": "declare-action", "character": "2", "skill": "Persuasion"},
    {"kind": "nominate", "seat": "s3", "nominee": "1"},
    {"kind": "nominate", "seat": "s3", "nominee": "2"},
    {"kind": "trump", "action": "11", "character": "2", "on": "roll", "card": "8C"},
    {"kind": "exchange-chip", "character": "2", "chip": "white"},
    {"kind": "determine-action", "action": "11", "character": "2", "chip": "white", "text": "He misses."},
    {"kind": "use-card", "character": "2", "card": "8C", "text": "An old friend."},
    {"kind": "trade-cards", "character": "2", "target": "1"},
    {"kind": "narrate", "text": "It rains."},
    {"kind": "trump", "action": "", "character": "2", "on": "13", "chip": "white"},
    {"kind": "trump", "action": "", "character": "2", "on": "resisting", "hit": "11", "chip": "white"},
    {"kind": "allocate-beads", "character": "2", "beads": {"drama": 1}},
)
MOC_ANSWERS: tuple[Json, ...] = (
    {"cards": {"cards": ["8C", "3H"]}},
    {"cards": {"cards": ["2D", "3H"]}},
    {"cards": {"cards": ["4D"]}},
    {"choice": {"kind": "approve"}},
    {"choice": {"kind": "agree"}},
    {"choice": {"kind": "give", "card": "8C"}},
    rolled(4, 5, 6, sides=10),
)
MOC_DIALS = (
    "hands_seen_by_gm:true",
    "hands_open_after_session:true",
    "resolution:en",
    "resolution:count",
    "tn_floor:8",
    "pre_scene_card:flat_two",
)
MOC = tuple(
    Secret(
        "moc",
        name,
        hide,
        {"power_level": "heroic", "cards_on_allies": True, "helping": True},
        MOC_TRIES,
        MOC_ANSWERS,
        MOC_DIALS,
        (overturned(6), put_back(6), overturned(8), put_back(8), overturned(11), put_back(11)),
        owner,
        told=told,
    )
    for name, hide, owner, told in (
        ("a hand of cards", hidden_hand, "ben", {}),
        ("a hidden roll", hidden_attack, "ben", {4: (14,), 13: (14,)}),
        ("a hidden ten", hidden_ten, "ben", {}),
        ("a hidden roll of the ledger's", hidden_attack_of_the_ledgers, "ben", {}),
        ("a nomination", hidden_vote, "ben", {}),
        ("an amended hand", amended_hand, "ben", {}),
        ("the villains' cards", hidden_pool, "gm", {}),
        ("a card that was traded", hidden_trade, "ben", {}),
    )
)
VILLAINS: tuple[Json, ...] = (
    {"kind": "draw-villains", "size": 1, "drawn": ["8C"]},
    {"kind": "draw-villains", "size": 1, "drawn": ["2D"]},
    {"kind": "draw-villains", "size": 1},
)
SECRETS = (*TOY, *MNEMONIC, *MOC)
WHERE_ALL_DECIDE = (
    where_all_decide(TOY[0], *ADJUSTS),
    where_all_decide(MNEMONIC[0]),
    where_all_decide(MOC[0], *VILLAINS, attackers=("cleo", "dora", "gm")),
)
#: The same, where what the game master decides waits for those whom it touches: Ben consents now and then.
WHERE_CONSENT_IS_ASKED = tuple(
    replace(secret, name=f"{secret.name}, where consent is asked", consent=consent)
    for secret, consent in (
        *((secret, "affected") for secret in TOY),
        (TOY[0], "majority"),
        (MNEMONIC[0], "affected"),
        (MOC[0], "affected"),
        (where_all_decide(TOY[0], *ADJUSTS), "affected"),
    )
)
#: The same, where steps that nobody has a choice about follow by themselves.
WHERE_STEPS_FOLLOW = tuple(
    replace(secret, name=f"{secret.name}, where steps follow", steps_follow=True)
    for secret in (TOY[0], *MNEMONIC, *MOC)
)


def system_of(secret: Secret) -> str:
    return secret.system
