"""The readings and optional rules that a campaign may choose, each with its default and its rule."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Literal

from ledger.rules.kernel.kit import Between, dial
from ledger.rules.scattershot.words import ChartRow, PenaltyStep


@dataclass(frozen=True, slots=True)
class Dials:
    critical_juncture: Annotated[int, Between(1, 10)] = dial(
        6,
        "scattershot.game.numbers",
        "critical-juncture",
        about="The Critical Juncture: the margin at which a successful roll is a Telling Blow and a failed roll is a"
        " Catastrophic Failure.",
    )
    epic_index: Annotated[int, Between(0, 9)] = dial(
        4,
        "scattershot.game.numbers",
        "epic-index",
        about="The Epic Index. It limits the number of Challenges, of Free Actions in a Round, of steps in a Flurry,"
        " and of points of Combat Advantage.",
    )
    cinematic: bool = dial(
        False,
        "scattershot.mech.free",
        about="`true`: a Character may take the same kind of Free Action several times in a Round. `false`: only once.",
    )
    ue_chart: tuple[ChartRow, ...] | None = dial(
        None,
        "scattershot.chart.multiplier",
        "ue-chart",
        about="Your own UE Chart, as rows of `{from, to, facets}`. Leave it out to use the standard chart.",
    )
    catastrophe_boundary: Literal["at-or-below", "below"] = dial(
        "at-or-below",
        "scattershot.juncture.catastrophic-failure",
        "catastrophe-boundary",
        about="When a roll is a Catastrophic Failure. `at-or-below`: if it fails by the Critical Juncture or"
        " more. `below`: only if it fails by more than that.",
    )
    contested_juncture: Literal["rmib-and-initial", "rmib", "each-initial"] = dial(
        "rmib-and-initial",
        "scattershot.juncture.contest-gate",
        "contested-juncture",
        about="Which number of a contest can be a Telling Blow or a Catastrophic Failure. `rmib-and-initial`: the"
        " RMIB, but only if one side's own MIB was also at least as far from 0 as the Critical Juncture. `rmib`:"
        " the RMIB alone. `each-initial`: each side's own MIB, instead of the RMIB.",
    )
    contested_adjust: Literal["each-raw", "rmib"] = dial(
        "each-raw",
        "scattershot.apply.contested",
        "contested-adjust",
        about="What Challenges and Benefits change in a contest. `each-raw`: the MIB of the side that takes them."
        " `rmib`: the RMIB.",
    )
    points_index: Literal["remaining", "uncapped"] = dial(
        "remaining",
        "scattershot.juncture.points",
        "points-index",
        about="Which number is looked up on the UE Chart to find the Points for consequences. `remaining`: the MIB"
        " or RMIB, but at most the Critical Juncture. `uncapped`: the full MIB or RMIB.",
    )
    preempt: Literal["early", "replace"] = dial(
        "early",
        "scattershot.mib.preempt",
        about="What happens to Experience Dice that are rolled before the ten-sided dice. `early`: they count as usual."
        " `replace`: they can replace the ten-sided dice.",
    )
    unopposed_dice: Literal["only-when-nobody", "whole-roll"] = dial(
        "only-when-nobody",
        "scattershot.xd.handover",
        "unopposed-dice",
        about="Which Experience Dice in an unopposed roll go to the Gamemaster. `only-when-nobody`: those that were"
        " used against nobody. `whole-roll`: all of them.",
    )
    self_against: Literal["returns", "to-stock"] = dial(
        "returns",
        "scattershot.xd.handover",
        "self-against",
        about="Where a die goes if a Player used it against their own Action. `returns`: back to that Player."
        " `to-stock`: to the common stock.",
    )
    dice_handover: Literal["after-decision", "immediate"] = dial(
        "after-decision",
        "scattershot.xd.handover",
        "dice-handover",
        about="When rolled Experience Dice change hands. `after-decision`: when the totals are called out."
        " `immediate`: as soon as they are rolled.",
    )
    freebies_per_action: Literal["one", "per-advantage"] = dial(
        "one",
        "scattershot.xd.freebie",
        "freebies-per-action",
        about="How many Freebies for Advantages an Action can have. `one`: one in total. `per-advantage`: one for each"
        " Advantage.",
    )
    freebie_routing: Literal["routed", "to-stock"] = dial(
        "routed",
        "scattershot.xd.freebie",
        "freebie-routing",
        about="Where a rolled Freebie goes. `routed`: to the Player it was used against, like any other die."
        " `to-stock`: to the common stock.",
    )
    gm_dice: Literal["loaners-and-freebies", "stock"] = dial(
        "loaners-and-freebies",
        "scattershot.xd.contribute",
        "gm-dice",
        about="Which Experience Dice the Gamemaster can roll. `loaners-and-freebies`: only Loaners and Freebies."
        " `stock`: dice from the common stock, too.",
    )
    stock_size: Annotated[int, Between(0)] | None = dial(
        None,
        "scattershot.xd.instant",
        "stock-size",
        about="How many dice the common stock has. Leave it out for no limit.",
    )
    loaner_unopposed: Literal["gm-saves", "refuse"] = dial(
        "gm-saves",
        "scattershot.xd.loaner",
        "loaner-unopposed",
        about="What happens to a Loaner that would be used against nobody. `gm-saves`: the Gamemaster saves it."
        " `refuse`: it cannot be rolled.",
    )
    loaner_limit: Annotated[int, Between(0)] | None = dial(
        None,
        "scattershot.xd.loaner",
        "loaner-limit",
        about="How many Loaners a Player may owe at once. Leave it out for no limit.",
    )
    loaner_repaid: Literal["karmic", "keeper"] = dial(
        "karmic",
        "scattershot.xd.loaner-use",
        "loaner-repaid",
        about="What happens when a saved Loaner is used against its borrower. `karmic`: the loan is repaid. `keeper`:"
        " the loan is repaid, and the borrower keeps the die.",
    )
    loaner_expiry: Literal["lapse", "carry", "keep"] = dial(
        "lapse",
        "scattershot.xd.loaner-expiry",
        "loaner-expiry",
        about="What happens to saved Loaners at the end of the Session. `lapse`: they are lost. `carry`: they stay"
        " saved. `keep`: the Player who saved them keeps them as ordinary dice.",
    )
    dice_granted_by: Literal["gamemaster", "group"] = dial(
        "gamemaster",
        "scattershot.xd.gimme",
        "dice-granted-by",
        about="Who grants dice that a Player claims or proposes, such as a Gimme, a coup or a Payback. `gamemaster`:"
        " the Gamemaster. `group`: every Player present.",
    )
    payback_interest: Annotated[int, Between(0)] = dial(
        1,
        "scattershot.xd.payback",
        "payback-interest",
        about="How many extra dice a Payback gives if it was for putting the Game back on track.",
    )
    payback_minimum: Annotated[int, Between(0)] = dial(
        1,
        "scattershot.xd.payback",
        "payback-minimum",
        about="The minimum number of dice for a Payback.",
    )
    coup_extra: Annotated[int, Between(0)] = dial(
        1,
        "scattershot.xd.coup",
        "coup-extra",
        about="How many dice a Player gets for counting coup, besides the forgotten award.",
    )
    disadvantage_accounting: Literal["record-only", "refund"] = dial(
        "record-only",
        "scattershot.rating.disadvantage",
        "disadvantage-accounting",
        about="What Disadvantages do to the cost of a new Persona. `record-only`: nothing. `refund`: each lowers the"
        " cost by its value.",
    )
    cash_in_disadvantages: bool = dial(
        False,
        "scattershot.xd.cash-in",
        "cash-in-disadvantages",
        about="`true`: Disadvantages can be cashed in, too. `false`: they cannot.",
    )
    sheet_faults: Literal["refuse", "warn"] = dial(
        "refuse",
        "scattershot.persona.no-cap",
        "sheet-faults",
        about="What happens to a Persona Sheet that goes beyond a limit or a listing. `refuse`: it is refused."
        " `warn`: it is accepted, and the ledger notes what is wrong with it.",
    )
    stat_minimum_points: Literal[1, 0] = dial(
        1,
        "scattershot.rating.statistic",
        "stat-minimum-points",
        about="The minimum number of Development Points in a Statistic.",
    )
    default_scope_penalty: Literal["flat", "per-level"] = dial(
        "flat",
        "scattershot.default.scope",
        "default-scope-penalty",
        about="The extra modifier of a Default if the ability and the related Rating have different Scopes. `flat`:"
        " -1. `per-level`: -1 for each level between the two Scopes.",
    )
    default_choice: Literal["best", "related-only"] = dial(
        "best",
        "scattershot.default.untrained",
        "default-choice",
        about="Which number a Default uses. `best`: the related Rating or the base of the ability's difficulty,"
        " whichever is higher. `related-only`: always the related Rating, if the Character has one.",
    )
    default_special_abilities: bool = dial(
        False,
        "scattershot.default.barred",
        "default-special-abilities",
        about="`true`: Characters can use a Default for a Special Ability. `false`: they cannot, unless its listing"
        " allows it.",
    )
    weapon_adds_at_zero: bool = dial(
        True,
        "scattershot.damage.formula",
        "weapon-adds-at-zero",
        about="What a weapon does if the RMIB is 0. `true`: it adds its number to damage. `false`: it adds nothing.",
    )
    weapon_numbers: Literal["free", "listed"] = dial(
        "free",
        "scattershot.listing.weapon",
        "weapon-numbers",
        about="Which weapons a Player can use. `free`: any weapon, even one without a name, if the Player says what"
        " number it adds. `listed`: only a weapon that the game names or the campaign lists.",
    )
    resource_floor: Literal["zero", "none"] = dial(
        "zero",
        "scattershot.resource.reduce",
        "resource-floor",
        about="How low a Resource can fall. `zero`: to 0. `none`: also below 0.",
    )
    resource_penalty: tuple[PenaltyStep, ...] | None = dial(
        None,
        "scattershot.result.deferred-penalty",
        "resource-penalty",
        about="Penalties for reduced Resources, in steps `{at, penalty}`. A Character who has `at` or less of a"
        " Resource left takes the `penalty` on all rolls.",
    )
    resistor_results: bool = dial(
        True,
        "scattershot.contest.resistor-results",
        "resistor-results",
        about="`true`: a Resistor who wins a contest can choose results of its own. `false`: only the Actor can.",
    )
    advantage_cap: Literal["per-pair", "scene-total"] = dial(
        "per-pair",
        "scattershot.advantage.cap",
        "advantage-cap",
        about="What the Epic Index limits. `per-pair`: the Combat Advantage of one Character over one foe."
        " `scene-total`: all Combat Advantage in a fight, added up.",
    )
    advantage_stacking: Literal["sum", "worst"] = dial(
        "sum",
        "scattershot.advantage.penalty",
        "advantage-stacking",
        about="What a Character suffers if several foes have Combat Advantage over it. `sum`: all of it, added up."
        " `worst`: only the highest.",
    )
    seize_requires: Literal["own-none", "none-either-way"] = dial(
        "own-none",
        "scattershot.advantage.seize",
        "seize-requires",
        about="When a Character can Seize Combat Advantage over a foe. `own-none`: if it has none over that foe."
        " `none-either-way`: only if neither of them has any over the other.",
    )
    scope_shift: Literal["required", "advice"] = dial(
        "required",
        "scattershot.mech.scope",
        "scope-shift",
        about="What happens if there are too many Characters for Individual Scope. `required`: Mechanical Play at"
        " that Scope is refused. `advice`: it is allowed, and the ledger notes it.",
    )
    wounds: Literal["basic", "intermediate", "advanced"] = dial(
        "basic",
        "scattershot.damage.wounds",
        about="How wounds are noted. `basic`: not at all. `intermediate`, `advanced`: in words.",
    )
    move_yards: Annotated[int, Between(0)] = dial(
        7,
        "scattershot.mech.actions",
        "move-yards",
        about="How many yards a running move covers.",
    )
    spell_failure_drain: bool = dial(
        False,
        "scattershot.resource.power",
        "spell-failure-drain",
        about="`true`: a failed spell drains 1 Power for each point by which the roll was missed. `false`: it drains"
        " none.",
    )
