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
    "bad-d10": "[{face} cannot be rolled. ]Enter two numbers from 1 to 10[, not {faces}].",
    "bad-d6": "[{face} cannot be rolled. ]An Experience Die shows a number from 1 to 6.",
    "bad-number": f"{_NAMED}that value is not allowed here[ ({{problem}})].",
    "game-has-begun": "The Game has begun[, so {dial} can no longer change].",
    "juncture-plus-index-over-10": (
        "A Critical Juncture of {juncture} plus an Epic Index of {index} is more than 10. Choose smaller numbers."
    ),
    "no-agreement": "Say what the Group should agree on, and what it is about.",
    "no-reason": "Give a reason[ for {character}].",
    "not-at-the-table": (
        "[{player} is not a Player at the table][Name only Players, each of them once. You named {clockwise}]."
    ),
    "not-in-solo-play": "That is not possible in Solo Play.",
    "not-proprietor": (
        "[{character} is not your Character: ][{characters} are not your Characters: ][{element} is not yours: ]"
        "[That is up to {author}: ][That is up to {player}: ][That is up to {closes}: ]you cannot decide this."
    ),
    "proprietor-not-asked": "[{element}: ][{character}: ]the Proprietor has not been asked for consent.",
    "proprietor-refused": "[{element}: ][{character}: ]the Proprietor has refused consent.",
    "rating-off-chart": "The UE Chart has no row for a Rating of {rating}.",
    "unknown-facet": "The UE Chart has no facet called {facet}[ for a Rating of {rating}].",
}
_OF_PERSONAE: Mapping[str, str] = {
    "beyond-the-limit": "{player} agreed to at most {limit:Development Point|Development Points}. This costs {net}.",
    "beyond-the-listing": (
        "[{advantages}: ][{abilities}: ][A weapon that adds {weapon}: ]only the Gamemaster can allow more than the"
        " listing."
    ),
    "default-barred": "An Advantage or Disadvantage bars a Default on {ability}.",
    "disadvantage-cannot-be-cashed-in": "{disadvantage} is a Disadvantage. Disadvantages cannot be cashed in.",
    "gm-may-not-cap": "The Gamemaster can limit only Regular Characters, not {player}'s Personae.",
    "has-fight-left": "{character} still has Hit Points, so no ruling is needed.",
    "no-default-for-special-ability": "{ability} is a Special Ability. You cannot Default on it.",
    "no-fight-left": "{character} has no Hit Points left and cannot attack, unless the Gamemaster rules otherwise.",
    "no-such-free-skill": "This Persona has no Rating called [{free_skill}][{rating}].",
    "not-on-the-sheet": "The Persona Sheet has no such entry: {name}.",
    "not-enough-points": "This costs {points:Development Point|Development Points}. There are {unspent} unspent.",
    "not-enough-points-invested": "{rating} does not have enough points[ to give up {points}].",
    "not-enough-power": "This costs {amount} Power, but there is only {held}.",
    "protection-belongs-to-no-ability": (
        "{piece} was bought with {ability}, but this Persona has no such Skill or Special Ability."
    ),
    "protection-is-static-or-bought": "{piece} must be either static or bought.",
    "rating-below-minimum": (
        "[{statistic}: ][{skill}: ][{name}: ][{advantage}: ]that is too low. The minimum is normally 1 point."
    ),
    "unknown-difficulty": "[{difficulty} is not a difficulty. ]Choose one from Easy to Legendary.",
    "unknown-statistic": "There is no such Rating[: {statistic}][: {rating}][: {resource}][: {magnitude}].",
    "which-limit": "Enter the limit in words.",
    "which-trait": "Buy one trait at a time, not {given}.",
}
_OF_DEEDS: Mapping[str, str] = {
    "benefits-overspent": (
        "You cannot take {n:more Benefit|more Benefits}. The limit is {limit}, and {taken:is|are} already taken."
    ),
    "cannot-replace-the-roll": "Experience Dice cannot replace the whole roll here.",
    "challenges-over-epic-index": (
        "You cannot take {n:more Challenge|more Challenges}. The limit is the Epic Index, and {taken:is|are} already"
        " taken."
    ),
    "dice-missing": "Not everybody has rolled yet.",
    "ends-too-soon": "[“{until}” is too soon. ]Lasting consequences cannot end before the Session does.",
    "excess-overspent": "These consequences use more points than are available.",
    "no-mechanics-in-general-play": "There are no rolls in General Play. Call for Specific Play first.",
    "no-result-from-failure": "A failure cannot have that result.",
    "no-such-roll": "Nobody rolls that in this resolution[. Name one of {resistors}].",
    "nobody-engaged": "{character} attacks nobody. Name a Character as the subject, or engage one.",
    "not-in-this-scene": (
        "[{character} is not in this scene. ]This needs an open scene, and Characters who are in it"
        "[, each named once, not {characters}]."
    ),
    "off-guard": "{character} is Off-Guard[ towards {looked_at}] and has not noticed.",
    "resistor-has-not-answered": (
        "[{character} has not responded yet, and must][Not every Engaged Character has responded: {engaged}]."
    ),
    "wrong-phase": (
        "[{character} cannot do that now. ]"
        "[{dice:Experience Die is|Experience Dice are} still on the table. ]"
        "[There is no open resolution {resolution} here. ]"
        "This is not the right Phase for that[ (current Phase: {phase})]."
    ),
}
_OF_DICE: Mapping[str, str] = {
    "already-paid-back": "That has already been paid back.",
    "freebie-already-used": "[{expectation}][{advantage}] has already given its Freebie for this Action.",
    "freebie-in-favour-only": "A Freebie can only be added to a roll, not subtracted.",
    "freebie-own-action-only": "A Freebie is only for an Action of your own Persona.",
    "gm-holds-no-dice": "The Gamemaster keeps no Experience Dice.",
    "loaner-against-nobody": "A Loaner must go against another Player, who saves it.",
    "loaner-limit": "A Player can have at most {limit:Loaner|Loaners} out at the same time.",
    "no-gimme-for-this-grade": (
        "[{disadvantage} is not a Disadvantage of this Character]"
        "[A Disadvantage worth {value:point|points} gives no {grade} Gimme]."
    ),
    "no-occasion": "{player} must say what the Payback is for.",
    "no-such-expectation": (
        "[{expectation} is not a Genre Expectation that applies here]"
        "[{advantage} is not an Advantage or Disadvantage of this Character]."
    ),
    "no-such-saved-loaner": "There is no saved Loaner for this[: none of {borrower}'s].",
    "not-enough-dice": "There are not enough Experience Dice. The purse has {has}.",
    "nothing-rolled": "{player} rolled no dice in that resolution.",
    "replacement-exceeds-gift": "{n:die is|dice are} more than is left of that gift to replace.",
    "saved-loaner-must-go-against-borrower": "{borrower} borrowed this Loaner. It can only go against {borrower}.",
    "self-gift": "You can give dice only to other Players.",
    "stock-empty": "The common stock has fewer than {wanted:die|dice}.",
    "unknown-die-kind": "{die} is not a kind of Experience Die. Choose own, freebie, loaner or saved.",
}
_OF_FIGHTS: Mapping[str, str] = {
    "advantage-against-self": "{holder} cannot hold Combat Advantage over itself. Choose another foe.",
    "advantage-already-held": "{holder} already has Combat Advantage over {foe}. Hold it to gain more.",
    "advantage-cap": "Combat Advantage cannot exceed the Epic Index[: {holder} cannot gain more over {foe}].",
    "advantage-held-by-foe": "{foe} has Combat Advantage over {holder}.",
    "all-out": "{character} is going All-Out and cannot do that before the next Turn.",
    "already-in-mechanical-play": "{character} is already in Mechanical Play.",
    "another-turn-is-open": "{turn}'s Turn is not over yet.",
    "flurry-against-self": "{character} cannot start a Flurry against itself. Choose another foe.",
    "flurry-ended": (
        "No Flurry is under way[ for {character}][: the Epic Index is {index}]"
        "[: it can have at most {limit:step|steps}]."
    ),
    "forfeits-exhausted": "{character} has already forfeited both Actions of the next Turn.",
    "free-action-kind-limit": "{kind} was already a Free Action in this Round. Each kind is allowed once.",
    "free-action-limit": "The limit is {taken:Free Action|Free Actions} in a Round.",
    "last-step-outstanding": "{character} has announced the last step of the Flurry. Carry it out first.",
    "no-actions-left": "There are not enough Actions. The Turn has {left} left.",
    "no-advantage-held": "{holder} has no Combat Advantage over {foe}.",
    "not-a-free-action": "[{kind}: ]that is not a Free Action[. These are, unless they are attacks: {accepted}].",
    "not-engaged-on-anothers-turn": "{character} is not Engaged on another Character's Turn.",
    "not-in-mechanical-play": (
        "[It is already under way at {scope} Scope: ][{mode} Play starts in a different way: ]"
        "that is only possible outside Mechanical Play."
    ),
    "not-in-melee": "That is only possible in a Melee.",
    "not-the-act": "That Action does not allow this. Choose an open Action of the right kind between the two.",
    "not-your-turn": "[{character}: ][{player}: ]it is not your Turn[. {whose} is next].",
    "nothing-interrupts": (
        "Nothing interrupts the Flurry. Name a successful resolution that is not a step of it, or a Character who pays"
        " an Action."
    ),
    "refresh-already-used": "{character} has already restored Free Actions in this Round.",
    "scope-too-small": (
        "With {players:Player|Players}, that is too many Characters for Individual Scope. Choose a larger Scope."
    ),
    "turn-already-taken": "{character} has already had a Turn in this Round.",
    "turns-outstanding": "{whose} still has a Turn to take before the Round can end.",
    "unknown-step": "[{step} is not a step of the script][{ability} has no script].",
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
