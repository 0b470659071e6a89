"""Sentences of what is refused: the culprit first, then what stands in the way. Nothing is secret in this game."""

from __future__ import annotations

from collections.abc import Mapping

_NAMED = (
    "[{dial}: ][{statistic}: ][{skill}: ][{name}: ][{free_skill}: ][{advantage}: ][{piece}: ][{pieces}: ][{result}: ]"
    "[{residual}: ][{rating}: ][{scope}: ][{pays}: ][{weapon}: ][{faces}: ][{signs}: ][{sign}: ][{value}: ][{n}: ]"
    "[{amount}: ][A cost of {cost}: ][A cost of {power_cost} Power: ]"
)
_OF_THE_GAME: Mapping[str, str] = {
    "bad-consent": "Consent is explicit or tacit, or it is refused, not {consent}.",
    "bad-d10": "Two ten-sided dice show 1 to 10 each[, not {faces}][, not {face}].",
    "bad-d6": "An Experience Die shows 1 to 6[, not {face}].",
    "bad-number": f"{_NAMED}the rules cannot use that here[, as {{problem}}].",
    "game-has-begun": "The Game has begun[, and {dial} stays as it is].",
    "juncture-plus-index-over-10": (
        "Critical Juncture {juncture} and Epic Index {index} come to more than 10 together."
    ),
    "no-reason": "[{character}: ]a reason is needed.",
    "not-at-the-table": "[{player} is no Player who is here][Not all of them are Players, each once: {clockwise}].",
    "not-in-solo-play": "That is not for Solo Play.",
    "not-proprietor": (
        "[{character} is somebody else's: ][{characters} are somebody else's: ][{element} is somebody else's: ]"
        "[It is up to {author}: ][It is up to {player}: ][It is up to {closes}: ]that is not yours to say."
    ),
    "proprietor-not-asked": "[{element}: ][{character}: ]the Proprietor has not been asked.",
    "proprietor-refused": "[{element}: ][{character}: ]the Proprietor does not consent.",
    "rating-off-chart": "The UE Chart has no row for a Rating of {rating}.",
    "unknown-facet": "The UE Chart has no facet called {facet}[ for a Rating of {rating}].",
}
_OF_PERSONAE: Mapping[str, str] = {
    "beyond-the-limit": "{player} has agreed to {limit} Development Points at most, and this comes to {net}.",
    "beyond-the-listing": "[{advantages}: ][{abilities}: ]what goes beyond the listing takes the Gamemaster.",
    "default-barred": "{ability} cannot be Defaulted to: an Advantage or Disadvantage bars it.",
    "disadvantage-cannot-be-cashed-in": "{disadvantage} is a disadvantage, and gives no dice.",
    "gm-may-not-cap": "{player} cannot be limited by the Gamemaster, but for Regular Characters.",
    "has-fight-left": "{character} has fight left, and needs no ruling.",
    "no-default-for-special-ability": "{ability} is a Special Ability, and cannot be Defaulted to.",
    "no-fight-left": "{character} has no Hit Points left, and no fight.",
    "no-such-free-skill": "[{free_skill}][{rating}] is not among the Ratings of this Persona.",
    "not-enough-points": "{points:point is|points are} needed, and {unspent} unspent.",
    "not-enough-points-invested": "{rating} has not that many points in it[: {points}].",
    "not-enough-power": "{amount} Power is more than the {held} there is.",
    "protection-belongs-to-no-ability": "{piece} belongs to no Skill or Special Ability of this Persona: {ability}.",
    "protection-is-static-or-bought": "{piece} is either static or bought.",
    "rating-below-minimum": (
        "[{statistic}: ][{skill}: ][{name}: ][{advantage}: ]whatever one has keeps a point at least."
    ),
    "unknown-difficulty": "[{difficulty}: ]difficulties go from Easy to Legendary.",
    "unknown-statistic": "[{statistic}: ][{rating}: ][{resource}: ][{magnitude}: ]there is no such Rating for this.",
    "which-trait": "One trait is bought at a time, not {given}.",
}
_OF_DEEDS: Mapping[str, str] = {
    "benefits-overspent": "{n:Benefit|Benefits} cannot be had: {limit} is the most, and {taken} taken already.",
    "cannot-replace-the-roll": "Experience Dice do not stand for a whole roll here.",
    "challenges-over-epic-index": (
        "{n:Challenge|Challenges} cannot be taken: {taken} taken already, and the Epic Index is the most."
    ),
    "dice-missing": "Not everybody has rolled yet.",
    "ends-too-soon": "Lasting consequences outlast the Session[, and do not end with this: {until}].",
    "excess-overspent": "These consequences take more points than there are.",
    "no-mechanics-in-general-play": "Nothing is rolled in General Play: call for Specific Play first.",
    "no-result-from-failure": "A failure has no such results.",
    "no-such-roll": "Nobody rolls that in this resolution[: name one of {resistors}].",
    "nobody-engaged": "{character} attacks nobody: name a Character as the subject, or engage one.",
    "not-in-this-scene": (
        "[{character} is not part of it: ]that takes a scene, and Characters who are in it[, each once: {characters}]."
    ),
    "off-guard": "{character} is Off-Guard[ towards {looked_at}], and has not noticed.",
    "resistor-has-not-answered": (
        "[{character} has not responded, and must][Not everybody who is Engaged has responded: {engaged}]."
    ),
    "wrong-phase": (
        "[{character}: ][{dice:Experience Die is|Experience Dice are} on the table: ]"
        "[No resolution {resolution} is open here: ]this is not the Phase for that[: it has come to {phase}]."
    ),
}
_OF_DICE: Mapping[str, str] = {
    "already-paid-back": "That has been paid back already.",
    "freebie-already-used": "[{expectation}][{advantage}] has given its Freebie for this Action.",
    "freebie-in-favour-only": "A Freebie only adds to a roll.",
    "freebie-own-action-only": "A Freebie is for an Action of one's own Persona.",
    "gm-holds-no-dice": "The Gamemaster keeps no Experience Dice.",
    "loaner-against-nobody": "A Loaner goes against somebody, who saves it.",
    "loaner-limit": "Nobody has more than {limit:Loaner|Loaners} out at once at this table.",
    "no-gimme-for-this-grade": (
        "[{disadvantage} is no disadvantage of this Character]"
        "[A disadvantage worth {value:point|points} gives no {grade} Gimme]."
    ),
    "no-occasion": "{player} has to say what the Payback is for.",
    "no-such-expectation": (
        "[{expectation} is no Genre Expectation that counts here]"
        "[{advantage} is no Advantage or Disadvantage of this Persona]."
    ),
    "no-such-saved-loaner": "No Loaner is saved for this[: none of {borrower}'s].",
    "not-enough-dice": "There are not enough Experience Dice in the purse: {has}.",
    "nothing-rolled": "{player} has rolled no dice into that.",
    "replacement-exceeds-gift": "{n:die is|dice are} more than is left of that gift to replace.",
    "saved-loaner-must-go-against-borrower": "{borrower} borrowed the Loaner, and it goes against nobody else.",
    "self-gift": "One's own dice are given to others, never to oneself.",
    "stock-empty": "The common stock has fewer than {wanted:die|dice}.",
    "unknown-die-kind": "{die} is no kind of Experience Die: there are own dice, Freebies, Loaners and saved ones.",
}
_OF_FIGHTS: Mapping[str, str] = {
    "advantage-against-self": "{holder} is named as the holder of Combat Advantage and as the foe.",
    "advantage-already-held": "{holder} has Combat Advantage over {foe} already, and Holds it from there.",
    "advantage-cap": "[{holder} cannot gain more over {foe}: ]the Epic Index is the most Combat Advantage there is.",
    "advantage-held-by-foe": "{foe} has Combat Advantage over {holder}.",
    "all-out": "{character} goes All-Out, and does no such thing before the next Turn.",
    "already-in-mechanical-play": "{character} is in Mechanical Play already.",
    "another-turn-is-open": "{turn}'s Turn is not over.",
    "flurry-ended": "[{character}: ][The Epic Index is {index}: ][The Flurry has {limit} steps at most: ]there is no"
    " Flurry under way.",
    "not-the-act": "That Action is not the right act. Choose an open Action of the right kind between the two.",
    "flurry-against-self": "{character} cannot start a Flurry against itself. Choose another foe.",
    "which-limit": "Enter the limit in words.",
    "last-step-outstanding": "{character} has announced the last step of the Flurry: it is played out first.",
    "nothing-interrupts": "Nothing interrupts the Flurry. Name a successful resolution that is not a step of it, or a"
    " Character who pays an Action.",
    "forfeits-exhausted": "{character} has forfeited both Actions of the next Turn.",
    "free-action-kind-limit": "{kind} has been a Free Action in this Round, and one of a kind is all there is.",
    "free-action-limit": "{taken:Free Action is|Free Actions are} all there can be in a Round.",
    "no-actions-left": "The Turn has not that many Actions left: {left}.",
    "no-advantage-held": "{holder} has no Combat Advantage over {foe}.",
    "not-a-free-action": "[{kind}: ]that is no Free Action[; these are, unless they attack: {accepted}].",
    "not-engaged-on-anothers-turn": "{character} is not Engaged on somebody else's Turn.",
    "not-in-mechanical-play": (
        "[It is under way at {scope} Scope: ][{mode} Play is called for otherwise: ]that is not for Mechanical Play."
    ),
    "not-in-melee": "There is no Melee it would be part of.",
    "not-your-turn": "[{character}: ][{player}: ]it is not the Turn for that[; {whose} is next].",
    "refresh-already-used": "{character} has had all Free Actions a second time in this Round.",
    "scope-too-small": "With {players:Player|Players} that is too many for single persons: shift the Scope.",
    "turn-already-taken": "{character} has had a Turn in this Round.",
    "turns-outstanding": "{whose} has a Turn to take before the Round ends.",
    "unknown-step": "[{step} is no step of the script][{ability} has no script].",
    "which-scope": "Mechanical Play goes on at more than one Scope, so say at which: {scopes}.",
}
REFUSALS: Mapping[str, str] = {**_OF_THE_GAME, **_OF_PERSONAE, **_OF_DEEDS, **_OF_DICE, **_OF_FIGHTS}
#: Names in what is refused, or derived, that are ids of Characters.
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
#: And of seats.
SEATS = frozenset({"asked", "author", "borrower", "clockwise", "closes", "player", "seat", "whose"})
