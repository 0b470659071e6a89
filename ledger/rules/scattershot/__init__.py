"""Scattershot: Made-It-By numbers, Challenges and Benefits, and Experience Dice that pass between Players.

Each chapter of the source is a module, and `RULESET` combines them. Nothing is secret in this game.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from ledger.rules.kernel.kit import (
    Adjust,
    AnyRuleset,
    Budget,
    Faults,
    Maker,
    Making,
    Option,
    describe_transfers,
    ruleset,
    seat,
)
from ledger.rules.scattershot import (
    accounts,
    actions,
    advantage,
    agreement,
    awards,
    cashing_in,
    challenges,
    chart,
    conditions,
    consequences,
    declaring,
    draft,
    engaging,
    evolving,
    experience,
    flurries,
    game,
    gimmes,
    joining,
    limits,
    listings,
    mechanical_play,
    outcomes,
    persona,
    plot_devices,
    power,
    proprietorship,
    ratings,
    reactions,
    resources,
    results,
    rolls,
    sheet_in_play,
    state,
    totals,
    words,
)
from ledger.rules.scattershot.dials import Dials
from ledger.rules.scattershot.scene import Scene
from ledger.rules.scattershot.shown import list_kept_twice, list_rolls, view

__all__ = ["RULESET"]

#: Parts of rule ids, or whole ids, in the order in which the guide prints the rules. The first match decides a rule's
#: place.
READING_ORDER = """
game.numbers play proprietor persona rating.statistic stat.hit-points rating.skill rating.special-ability
rating.free-skill rating.character rating.advantage rating.disadvantage rating.minimum rating.total rating.resource
listing default resolve engage mib.basic mib contest.simultaneous contest.rmib contest.many apply
juncture.telling-blow juncture.catastrophic-failure juncture.contest-gate juncture.points juncture.excess
juncture.duration result.choose result.factor result.residual result.rounding result.when result.deferred-penalty
contest.resistor-results damage.fists damage.formula damage.weapon damage.protection damage.table damage resource
chart xd.instant xd.cool-beans xd.cool-beans-replaced xd.coup xd.gimme xd.gimme-genre xd.freebie xd.payback
xd.cash-in xd.contribute xd.against xd.handover xd.loaner xd.loaner-use xd.loaner-expiry xd mech.scope
mech.initiative mech.order mech.actions mech.instantaneous mech.free mech.free-refresh mech.forfeit mech.flurry
mech.all-out mech.engage mech.join mech.end advantage.penalty advantage.seize advantage.hold advantage.check
advantage.erase advantage
"""

LABELS: Mapping[str, str] = {
    "out_of_the_fight": "Out of the fight",
    "fights_on": "Reason for fighting on",
    "penalty": "Penalty",
    "pending": "Penalty from the next lull",
    "mode": "Mode of Play",
    "speaker": "Speaker",
    "kind": "Kind",
    "net": "Development Points spent at the start, without the 12 free ones",
    "begun": "The Game has begun",
    "cj": "Critical Juncture",
    "ei": "Epic Index",
    "strength": "Strength",
    "agility": "Agility",
    "hit-points": "Hit Points",
    "reaction": "Reaction",
    "observation": "Observation",
    "power": "Power",
    "off_guard": "Off-Guard towards",
    "off_guard_but": "Off-Guard towards everybody but",
    "mib": "Basic MIB",
    "declare-action": "Declare action",
    "call-mechanical-play": "Call for Mechanical Play",
    "start-turn": "Begin the Turn",
    "end-turn": "End the Turn when you have acted",
    "end-round": "End the Round",
    "answer-engagement": "Respond to the Action",
    "close-opportunity": "Go on to the rolls",
    "roll-mib": "Roll for the MIB",
    "contribute-die": "Roll an Experience Die",
    "close-decision": "Call out the totals",
    "reach-outcome": "Go on to the outcome",
    "choose-results": "Choose the result",
    "close-application": "End the Action",
    "name-consequences": "Name lasting consequences",
    "take-free-action": "Take a Free Action",
    "accept-free-action": "Accept a Free Action",
    "claim-gimme": "Claim a Gimme",
    "plot-device": "Use a plot device",
    "pass-word": "Change the Speaker",
    "clockwise": "Around the table",
    "act": "Action that allows this",
    "all_but": "Towards everybody but",
    "owed": "Dice owed",
    "owed_to": "Owed to",
    "claimed": "The others have agreed",
    "may_default": "Allows Defaults",
    "adds": "Adds to damage",
    "present": "Present",
    "agreements": "What the Group agreed on",
    "n": "Number",
}
REFERS: Mapping[str, str] = {
    "speaker": "seat",
    "off_guard": "character",
    "off_guard_but": "character",
    "standing": "character",
    "actor": "character",
    "target": "character",
    "engaged": "character",
    "proprietor": "seat",
    "consents": "seat",
    "reactions": "character",
    "order": "seat",
    "caller": "seat",
    "player": "seat",
    "turn": "character",
    "away": "character",
    "persona": "character",
    "free_actions": "word",
    "affected": "character",
    "side": "character",
    "roll-target": "character",
    "expectation-scope": "character",
    "subject": "character",
    "gainer": "character",
    "sufferer": "character",
    "resistor": "character",
    "author": "seat",
}
NAMED: Mapping[str, str] = {
    "persona": "character",
    "side": "character",
    "roll": "character",
    "before": "character",
    "die": "id",
    "by": "seat",
    "to": "seat",
    "against": "seat",
    "giver": "seat",
    "voter": "seat",
    "offered_by": "seat",
    "owed_to": "seat",
    "catcher": "seat",
    "target": "character",
}
#: Units that the table can adjust by hand.
UNITS: Mapping[str, str] = {
    "xd": "{amount:Experience Die|Experience Dice}",
    "karmic": "{amount:Loaner|Loaners}",
    "spent": "{amount:spent die|spent dice}",
    "payback": "{amount:Payback|Paybacks}",
    "gift": "{amount:die|dice} that can be replaced",
    "dp": "{amount:Development Point|Development Points}",
    "resource": "{amount} {detail}",
    "shortfall": "{amount:point|points} of {detail} below zero",
    "action": "{amount:Action|Actions}",
    "advantage": "{amount:point|points} of Combat Advantage",
}
#: Names of the fields, in refusals and steps, that contain Characters.
CHARACTERS_IN = tuple(
    {
        "character",
        "characters",
        "engaged",
        "foe",
        "holder",
        "looked_at",
        "resistor",
        "resistors",
        "subject",
        "turn",
        "who",
    }
)
#: Names of the fields, in refusals and steps, that contain seats.
SEATS = frozenset({"asked", "author", "borrower", "clockwise", "closes", "player", "seat", "whose"})


# --- the game ---------------------------------------------------------------------------------------------------------


PEOPLE: Mapping[str, state.Sheet] = {
    "Mirabel Thorne": state.Sheet(
        statistics={"agility": 13, "reaction": 12, "hit-points": 11},
        skills=(
            state.Skill("Fencing", "intermediate", 1, 3, script=("lunge", "parry", "riposte")),
            state.Skill("Climbing", "easy", 0, 1),
            state.Skill("Courtly Manners", "difficult", 1, 2),
        ),
        advantages=(state.Advantage("Famous Name", 2, scope="among people of rank"),),
        disadvantages=(state.Advantage("Never Refuses a Duel", 3),),
        elements=("a scar she will not explain", "her mother's rapier"),
        protection=(state.Protection("quilted doublet", static=1),),
        weapons=("short-sword",),
        description="A duellist between two wars, who owes money in four cities.",
    ),
    "Old Gorrin": state.Sheet(
        statistics={"strength": 14, "agility": 9, "hit-points": 14},
        skills=(
            state.Skill("Brawling", "easy", 0, 3, script=("shove", "block", "haymaker")),
            state.Skill("Smithing", "difficult", 1, 4),
            state.Skill("Bargaining", "intermediate", 0, 2),
        ),
        advantages=(state.Advantage("Known in Every Tavern", 1, scope="where there is ale"),),
        disadvantages=(state.Advantage("Bad Knee", 2, -1, "on stairs"),),
        elements=("hums when he is worried",),
        protection=(state.Protection("leather apron", static=2),),
        description="A smith who went on the road when the mill took his stream.",
    ),
    "Sister Alcuin": state.Sheet(
        statistics={"observation": 13, "power": 13},
        skills=(state.Skill("Old Tongues", "exceptional", 2, 3), state.Skill("Physic", "difficult", 1, 3)),
        special_abilities=(
            state.Skill("Light of the Saints", "difficult", 1, 3, facet="multiplier", magnitude="power", power_cost=2),
        ),
        disadvantages=(state.Advantage("Cannot Tell a Lie", 3),),
        elements=("a lantern that is never lit", "ink on her fingers"),
        protection=(state.Protection("shining mantle", bought="Light of the Saints"),),
        description="A scholar of a small order, sent out with one question and no money.",
    ),
    "Captain Vosk": state.Sheet(
        character="regular",
        statistics={"strength": 12, "agility": 11, "hit-points": 15, "reaction": 11},
        skills=(
            state.Skill("Sabre", "intermediate", 0, 4, script=("cut", "parry", "cut")),
            state.Skill("Tactics", "difficult", 1, 4, scope="squad"),
        ),
        disadvantages=(state.Advantage("Proud", 2),),
        protection=(state.Protection("breastplate", static=3),),
        weapons=("long-sword",),
        description="Commands the toll bridge, and believes that it commands the realm.",
    ),
}


# --- creating a Persona step by step ----------------------------------------------------------------------------------


def list_statistic_options(making: Making) -> Iterator[Option]:
    for name in words.STATISTICS:
        yield Option(words.name_rating(name), {f"statistics/{name}": words.STATISTIC_START}, ABOUT_STATISTICS[name])


#: The use of each Statistic, in a few words (heading "Statistics").
ABOUT_STATISTICS: Mapping[str, str] = {
    "strength": "How much you lift, and how hard you hit",
    "agility": "Running, jumping, balance: feats without training",
    "hit-points": "How much you can take",
    "reaction": "Noticing and reacting in time",
    "observation": "Seeing, hearing and searching",
    "power": "What magic draws on",
}


def list_difficulty_options(making: Making) -> Iterator[Option]:
    for difficulty, base in words.BASES_BY_DIFFICULTY.items():
        yield Option(difficulty.replace("-", " ").title(), {"difficulty": difficulty}, f"starts from {base}")


def say_rating(skill: Mapping[str, Any]) -> str:
    """Put into words the number that a Skill or Special Ability is rolled against, calculated as when a Persona is
    created.
    """
    base = words.BASES_BY_DIFFICULTY[skill["difficulty"]]
    return f"Rating {base + skill.get('talent', 0) + skill.get('training', 0)}"


def complete(making: Making) -> Mapping[str, Any]:
    """Return the sheet with the usual kind of Character: a Player's own Character is a Persona."""
    return {"character": "persona", **making.sheet}


FREE = "besides the 12 free ones: 2 in each Statistic"
NO_LIMIT = "There is no limit, unless your Group agrees on one."


def make_point_budget(making: Making) -> Budget:
    """Return the Development Points that the sheet costs, counted as when a Persona is created."""
    making_draft = draft.Draft(making.table)
    limit = making_draft.find_limit(making.player) if making.table.has(seat(making.player)) else None
    spent = _price(making_draft, making.whole) if making.whole is not None else 0
    title = f"Development Points, {FREE}" if limit is not None else f"Development Points spent, {FREE}. {NO_LIMIT}"
    return Budget(title, spent, limit)


def _price(making_draft: draft.Draft, sheet: state.Sheet) -> int:
    """Return the cost of the sheet, not counting entries that have a fault."""
    faults = Faults()
    sheet_ratings = persona.make_ratings(making_draft, faults, sheet)
    advantages = persona.check_traits(faults, sheet.advantages, ratings.ADVANTAGE, "advantages")
    disadvantages = persona.check_traits(faults, sheet.disadvantages, persona.DISADVANTAGE, "disadvantages")
    return persona.add_up_cost(making_draft, sheet_ratings, sheet, advantages, disadvantages)


MAKER = Maker(
    complete,
    options={"Statistics": list_statistic_options, "difficulties": list_difficulty_options},
    budgets={"points": make_point_budget},
    notes={"Rating": say_rating},
)


_MADE: AnyRuleset = ruleset(
    "scattershot",
    title="Scattershot",
    source="Scattershot presents: Just the Mechanix, by Fang Langford (2002)",
    edition=3,
    chapters=(
        state,
        words,
        draft,
        listings,
        game,
        chart,
        agreement,
        proprietorship,
        limits,
        persona,
        evolving,
        sheet_in_play,
        cashing_in,
        resources,
        power,
        conditions,
        awards,
        gimmes,
        declaring,
        engaging,
        reactions,
        ratings,
        rolls,
        experience,
        totals,
        plot_devices,
        challenges,
        outcomes,
        consequences,
        results,
        mechanical_play,
        joining,
        actions,
        flurries,
        advantage,
    ),
    draft=draft.Draft,
    states={"campaign": state.Campaign, "seat": state.Seat, "character": state.Character, "scene": Scene},
    dials=Dials,
    sheet=state.Sheet,
    accounts=accounts.ACCOUNTS,
    view=view,
    reading_order=READING_ORDER,
    kept_twice=list_kept_twice,
    references=words.REFERENCES,
    people=PEOPLE,
    maker=MAKER,
    says={Adjust: describe_transfers(UNITS)},
    words={
        **{name: words.name_rating(name) for name in words.STATISTICS},
        **{scope: scope.title() for scope in words.LEVELS_BY_SCOPE},
    },
    speech=words.SPEECH,
    named=NAMED,
    characters_in=CHARACTERS_IN,
    bad_dial="bad-number",
    check_dials=chart.check_dials,
)
RULESET: AnyRuleset = replace(
    _MADE,
    labels=LABELS,
    refers=REFERS,
    rolls=list_rolls,
    phrases=replace(_MADE.phrases, seats=SEATS),
)
