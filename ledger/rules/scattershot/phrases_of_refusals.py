"""Refusals, in one sentence or two: what is wrong, then what is allowed. Nothing is secret in this game."""

from __future__ import annotations

from collections.abc import Mapping

_NAMED = (
    "[{dial}: ][{statistic}: ][{skill}: ][{name}: ][{free_skill}: ][{advantage}: ][{piece}: ][{pieces}: ][{result}: ]"
    "[{residual}: ][{rating}: ][{scope}: ][{pays}: ][{weapon}: ][{faces}: ][{signs}: ][{sign}: ][{value}: ][{n}: ]"
    "[{amount}: ][A cost of {cost}: ][A cost of {power_cost} Power: ]"
)
_OF_THE_GAME: Mapping[str, str] = {
    "bad-consent": "Consent can be explicit, tacit or refused, not {consent}.",
    "bad-d10": "[A ten-sided die cannot show {face}. ]Enter two numbers from 1 to 10[, not {faces}].",
    "bad-d6": "[An Experience Die cannot show {face}. ]Enter a number from 1 to 6.",
    "bad-number": f"{_NAMED}this value is not allowed here[ ({{problem}})].",
    "game-has-begun": "The Game has already begun[, so {dial} can no longer change].",
    "juncture-plus-index-over-10": (
        "A Critical Juncture of {juncture} plus an Epic Index of {index} is more than 10. Choose smaller numbers."
    ),
    "no-agreement": "Give both a subject and a text for the Group to agree on.",
    "no-reason": "Give a reason[ for {character}].",
    "not-at-the-table": (
        "[{player} is not a Player at the table][Name only Players, each of them once. You named {clockwise}]."
    ),
    "not-in-solo-play": "That is not possible in Solo Play. Shift to another mode of Play first.",
    "not-proprietor": (
        "[{character} is not your Character: ][{characters} are not your Characters: ][You are not the Proprietor of"
        " {element}: ][That is up to {author}: ][That is up to {player}: ][That is up to {closes}: ]you cannot decide"
        " this."
    ),
    "proprietor-not-asked": "[{element}: ][{character}: ]the Proprietor has not been asked. Ask for consent first.",
    "proprietor-refused": "[{element}: ][{character}: ]the Proprietor has refused consent to this change.",
    "rating-off-chart": "The UE Chart has no row for a Rating of {rating}.",
    "unknown-facet": "The UE Chart has no column called {facet}[ for a Rating of {rating}].",
}
_OF_PERSONAE: Mapping[str, str] = {
    "beyond-the-limit": (
        "{player} has a limit of {limit:Development Point|Development Points} for a new Persona. This one costs {net}."
    ),
    "beyond-the-listing": (
        "[{advantages}: ][{abilities}: ][A weapon that adds {weapon}: ]this goes beyond the listing. Only the"
        " Gamemaster can allow it."
    ),
    "default-barred": (
        "An Advantage or Disadvantage of this Character rules out Defaults for {ability}. Choose another Rating."
    ),
    "disadvantage-cannot-be-cashed-in": (
        "{disadvantage} is a Disadvantage. Disadvantages cannot be cashed in, unless an option allows it."
    ),
    "gm-may-not-cap": "The Gamemaster can limit only Regular Characters, not {player}'s Personae.",
    "has-fight-left": "{character} can still attack, so no ruling is needed.",
    "no-default-for-special-ability": (
        "{ability} is a Special Ability, for which nobody can use a Default. Choose another Rating."
    ),
    "no-fight-left": "{character} has no Hit Points left and cannot attack, unless the Gamemaster rules otherwise.",
    "no-such-free-skill": (
        "This Persona has no Rating called [{free_skill}][{rating}]. Choose a Rating that it has, or add a new Skill."
    ),
    "not-on-the-sheet": "The Persona Sheet has no such entry: {name}. Choose one that it has.",
    "not-enough-points": (
        "This costs {points:Development Point|Development Points}. The Character has {unspent} left to spend."
    ),
    "not-enough-points-invested": "{rating} does not have enough Development Points in it[ to give up {points}].",
    "not-enough-power": "This costs {amount} Power. The Character has only {held} left.",
    "protection-belongs-to-no-ability": (
        "{piece} cannot be bought with {ability}, because this Persona has no Skill or Special Ability of that name."
    ),
    "protection-is-static-or-bought": (
        "Give either a static amount for {piece} or the ability it was bought with, and not both."
    ),
    "rating-below-minimum": (
        "[{statistic}: ][{skill}: ][{name}: ][{advantage}: ]that is too low. It needs at least 1 Development Point,"
        " unless an option allows less."
    ),
    "unknown-difficulty": "[{difficulty} is not a difficulty. ]Choose a difficulty from Easy to Legendary.",
    "unknown-statistic": (
        "This Character has no such Rating or Resource[: {statistic}][: {rating}][: {resource}][: {magnitude}]."
    ),
    "which-limit": "The limit is empty. Enter it in words.",
    "which-trait": "Buy exactly 1 trait at a time, not {given}.",
}
_OF_DEEDS: Mapping[str, str] = {
    "benefits-overspent": (
        "You cannot take {n:more Benefit|more Benefits}. This side can take {limit} in all, and {taken:is|are}"
        " already taken."
    ),
    "cannot-replace-the-roll": (
        "Experience Dice cannot replace the ten-sided dice here. An option must allow this, an Experience Die must be"
        " on the table, and the scene must not be in Mechanical Play."
    ),
    "challenges-over-epic-index": (
        "This side cannot take {n:more Challenge|more Challenges}. The limit is the Epic Index, and {taken:is|are}"
        " already taken."
    ),
    "dice-missing": "Not everybody has rolled yet. Call out the totals when everybody has.",
    "ends-too-soon": "[“{until}” is too soon. ]These consequences must last at least until the Session ends.",
    "excess-overspent": (
        "These consequences cost more points than there are. The Points pay for Disadvantages, and the excess points "
        "pay for everything else. Only a Character can suffer from Disadvantages and Residual Challenges."
    ),
    "no-mechanics-in-general-play": "There are no rolls in General Play. Call for Specific Play first.",
    "no-result-from-failure": "A failure cannot have that result. Choose damage, a loss or just the number.",
    "no-such-roll": "Nobody makes that roll in this resolution[. Name one of {resistors}].",
    "nobody-engaged": (
        "This attack by {character} engages nobody. Name a Character as its target, or one that it engages."
    ),
    "not-in-this-scene": (
        "[{character} is not in this scene. ]Name Characters who are in an open scene[, each of them once. You named"
        " {characters}]."
    ),
    "off-guard": (
        "{character} is Off-Guard[ towards {looked_at}] and has noticed nothing. A Reaction roll must succeed first."
    ),
    "resistor-has-not-answered": (
        "[{character} must respond first][Not every Engaged Character has responded yet. These are Engaged: {engaged}]."
    ),
    "wrong-phase": (
        "[{character} cannot do that now. ][{dice:Experience Die is|Experience Dice are} still on the table. ][There"
        " is no open resolution {resolution} here. ]This is not the right Phase for that[. The current Phase is:"
        " {phase}]."
    ),
}
_OF_DICE: Mapping[str, str] = {
    "already-paid-back": "This Player has already had Payback for that.",
    "freebie-already-used": "[{expectation}][{advantage}] can give no more Freebies for this Action.",
    "freebie-in-favour-only": "A Freebie can only be added to a roll, not subtracted.",
    "freebie-own-action-only": "A Freebie can only be rolled for an Action of your own Persona.",
    "gm-holds-no-dice": "The Gamemaster does not keep Experience Dice. They come from and go to the common stock.",
    "loaner-against-nobody": (
        "A Loaner must be used against another Player, who then saves it. Here it would be used against nobody."
    ),
    "loaner-limit": "A Player can owe at most {limit:Loaner|Loaners} at the same time.",
    "no-gimme-for-this-grade": (
        "[{disadvantage} is not a Disadvantage of this Character][A Disadvantage worth {value:point|points} gives no"
        " {grade} Gimme]."
    ),
    "no-occasion": "Say what {player} gets the Payback for: name a resolution, or describe the occasion.",
    "no-such-expectation": (
        "[{expectation} is not a listed Genre Expectation that applies here][This Character has no trait called"
        " {advantage} that counts here]."
    ),
    "no-such-saved-loaner": "This takes a saved Loaner[ that {borrower} borrowed], and you have not saved one.",
    "not-enough-dice": "That takes more Experience Dice than the Player has. There are {has} in the purse.",
    "nothing-rolled": "{player} has rolled no Experience Dice in that resolution that are still to be paid back.",
    "replacement-exceeds-gift": "Not enough of that gift is left to replace {n:die|dice}.",
    "saved-loaner-must-go-against-borrower": "{borrower} borrowed this Loaner. It can only be used against {borrower}.",
    "self-gift": "You can give dice only to other Players.",
    "stock-empty": "This takes {wanted:die|dice} from the common stock, which has fewer.",
    "unknown-die-kind": "{die} is not a kind of Experience Die. Choose `own`, `freebie`, `loaner` or `saved`.",
}
_OF_FIGHTS: Mapping[str, str] = {
    "advantage-against-self": "{holder} cannot hold Combat Advantage over itself. Choose another foe.",
    "advantage-already-held": "{holder} already has Combat Advantage over {foe}. To gain more, Hold it.",
    "advantage-cap": "Combat Advantage cannot exceed the Epic Index[: {holder} cannot gain more over {foe}].",
    "advantage-held-by-foe": "{foe} has Combat Advantage over {holder}, so {holder} cannot Seize any.",
    "all-out": "{character} is in an All-Out Attack or All-Out Defense, and cannot do that before its next Turn.",
    "already-in-mechanical-play": "{character} is already in Mechanical Play, and must leave it first.",
    "another-turn-is-open": "{turn}'s Turn is not over yet. End it first.",
    "flurry-against-self": "{character} cannot start a Flurry against itself. Choose another foe.",
    "flurry-ended": (
        "[{character} is in no Flurry that is under way. ][With an Epic Index of {index}, there are no Flurries."
        " ][This Flurry has already had its {limit:step|steps}. ]Only a Flurry that is under way allows this."
    ),
    "forfeits-exhausted": "{character} has already forfeited both Actions of the next Turn.",
    "free-action-kind-limit": (
        "This Character has already taken that Free Action in this Round: {kind}. Each kind is allowed once."
    ),
    "free-action-limit": (
        "This Character has already taken {taken:Free Action|Free Actions} in this Round, which is the limit."
    ),
    "last-step-outstanding": "{character} has announced the last step of the Flurry. Carry it out first.",
    "no-actions-left": "This costs too many Actions. The Turn has only {left} left.",
    "no-advantage-held": "{holder} has no Combat Advantage over {foe}.",
    "not-a-free-action": (
        "[{kind}: ]that is not a Free Action[. An attack cannot be one. Choose from these: {accepted}]."
    ),
    "not-engaged-on-anothers-turn": ("{character} can only do this while it is Engaged on another Character's Turn."),
    "not-in-mechanical-play": "[At {scope} Scope, ][For {mode} Play, ]this is only possible outside Mechanical Play.",
    "not-in-melee": "That is only possible in a Melee, which is one kind of Mechanical Play.",
    "not-the-act": (
        "That Action does not allow this. Choose an open Action of the right kind, or none to ask the Gamemaster."
    ),
    "not-your-turn": (
        "[{character}: ][{player}: ]this is only possible in Mechanical Play, on your own Turn[. {whose} is next]."
    ),
    "nothing-interrupts": (
        "Nothing interrupts the Flurry. Name a successful resolution that is not a step of it, or a Character who"
        " pays an Action."
    ),
    "refresh-already-used": (
        "{character} has already restored its Free Actions in this Round. It can do this once a Round."
    ),
    "scope-too-small": (
        "With {players:Player|Players}, Individual Scope allows fewer than twice as many Characters. Choose a larger "
        "Scope."
    ),
    "turn-already-taken": "{character} has already had a Turn in this Round. It has one in each Round.",
    "turns-outstanding": "{whose} still has a Turn to take. End the Round after that.",
    "unknown-step": "[{step} is not a step of the script][{ability} has no script. Give its steps].",
    "which-scope": "Mechanical Play is under way at more than one Scope. Choose one: {scopes}.",
}
REFUSALS: Mapping[str, str] = {**_OF_THE_GAME, **_OF_PERSONAE, **_OF_DEEDS, **_OF_DICE, **_OF_FIGHTS}
#: Names in refusals and steps that stand for Characters.
PEOPLE = frozenset(
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
#: And for seats.
SEATS = frozenset({"asked", "author", "borrower", "clockwise", "closes", "player", "seat", "whose"})
