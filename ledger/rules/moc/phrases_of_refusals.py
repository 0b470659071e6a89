"""Sentences of what is refused: the culprit first, then what stands in the way."""

from __future__ import annotations

from collections.abc import Mapping

_OF_NUMBERS: Mapping[str, str] = {
    "cost-not-exact": "A cost is a whole number or a fraction such as 3/2[, not {given}][. The ledger cannot count "
    "{cost}].",
    "negative-add": "A card adds a whole number of points to each die: 0 or more[, not {given}].",
    "negative-beads": "Enter a whole number of beads: {least} or more[, not {given}].",
    "negative-bits": "Enter a whole number of Bits: {least} or more[, not {given}].",
    "negative-chips": "Enter a whole number of chips: {least} or more[, not {given}].",
    "negative-dice": "Enter a whole number of dice: {least} or more[, not {given}].",
    "negative-harm": "Enter a whole number: 0 or more[, not {given}][, for {field}].",
    "negative-level": "Enter a whole number as the level: 0 or more[, not {given}].",
    "negative-successes": "That is not a valid number of successes[: it must be a whole number, {least} or more, not "
    "{given}][: a Storytelling bead adds or removes one, so it must be 1 or -1, not {successes}].",
    "nothing-declared": "[{character}: ][{target}: ][{card}: ]something is missing. Say what happens, where, "
    "or how much.",
    "time-not-positive": "Enter a whole number as the time: {least} or more[, not {given}].",
    "value-not-positive": "Enter a value above 0[, not {given}][, not {worth}][, for {disadvantage}].",
}
_OF_WORDS: Mapping[str, str] = {
    "unknown-action": "This scene has no such action.",
    "unknown-ag": "The table of AG scores has no target number for {ag}.",
    "unknown-archetype": "There is no archetype {archetype}.",
    "unknown-bead-use": "Beads cannot be used like that: {use}[. The campaign lists no such use for the archetype "
    "{archetype}].",
    "unknown-card": "There is no card {card}. Enter a card in this way: 8C, 10H or AS.",
    "unknown-card-class": "A card is suited, related or off, not {card_class}.",
    "unknown-character": "[{character} has no part in the scene][There is no such character: {subject}].",
    "unknown-characteristic": "That characteristic is not possible here[: {characteristic}][: {others}].",
    "unknown-chip": "A chip is white, red or blue, not {chip}.",
    "unknown-dial-value": "The option {dial} cannot have that value.",
    "unknown-die": "Rolls use d10, and some damage uses d6[, so a d{sides} is not possible here].",
    "unknown-difficulty": "A difficulty is 0 (easy), 1 (normal) or 2 (difficult), not {difficulty}.",
    "unknown-element": "That Element is not possible here[: {element}].",
    "unknown-hit": "This scene has no such hit.",
    "unknown-level": "There is no level of success {level}.",
    "unknown-location": "There is no hit location {location}.",
    "unknown-movement-mode": "{character} cannot move that way[: {mode}].",
    "unknown-part": "The pool has no such part[: {part}].",
    "unknown-period": "A period is a scene, a session or an arc[, not {period}].",
    "unknown-play": "There is no such play, roll or story change to act on.",
    "unknown-power-level": "There is no such power level.",
    "unknown-purchase": "[{character}: ]that is not available[: {what}][ {name}][: {martial_arts}][: {allows}][: "
    "{background}].",
    "unknown-roll-kind": "There is no kind of roll {roll_kind}.",
    "unknown-skill": "This campaign has no skill {skill}.",
    "unknown-status": "A character is active, down or dead, not {status}.",
    "unknown-table": "There is no table {table}.",
    "unknown-weapon": "This campaign has no weapon {weapon}.",
}
_OF_CHARACTERS: Mapping[str, str] = {
    "advantage-not-repeatable": "At this table, {advantage} can be bought only once.",
    "already-settled": "That proposal is already {stage}.",
    "budget-too-low": "A superheroic budget must be at least 200, not {budget}.",
    "characteristic-below-one": "{characteristic} cannot be below 1.",
    "damage-above-six": "Damage can be at most 6, not {damage}.",
    "level-too-high": "At this table, {characteristic} can be at most 5, not {level}.",
    "level-too-low": "{characteristic} must be at least 1, not {level}.",
    "multiplier-out-of-range": "An Advantage that affects dice costs 3/2 to 2 times as much as a skill[, not "
    "{multiplier}][, not {given}].",
    "not-a-raise": "That is not a raise[: the value is already {old}][: the character already has {element}][: "
    "{what} is already approved].",
    "over-budget": "[A budget of {budget} does not fit the power level][A cost of {cost} is too much][ for "
    "{character}][ ({short} more than the points that are left)].",
    "pain-above-capacity": "This character cannot take {pain} pain.",
    "rate-below-two": "The superheroic rate of beads must be at least 2.",
    "skills-named": "The related skills for these dice have been named already: {skills}.",
}
_OF_SCENES: Mapping[str, str] = {
    "already-drawn": "{character} has already drawn a hand this session.",
    "already-tallied": "The nominations of this session are already counted.",
    "arc-open": "An arc is already open. Close it first.",
    "character-gone": "{character} is {status} and can neither act nor play.",
    "no-arc": "No arc is open. Open one first.",
    "no-scene": "No scene is running. Open one first.",
    "not-in-interval": "[{character}: ]that is possible only between two scenes.",
    "not-in-play": "{character} is no longer in play.",
    "scene-running": "A scene is already running. Close it first.",
    "too-many-chips": "{player} has {chips:chip|chips}. A scene can begin only when nobody has more than four.",
}
_OF_CARDS: Mapping[str, str] = {
    "advantage-needed": "{character} has no Advantage that allows trading cards.",
    "beads-only": "This table plays with beads only. There are no cards or chips.",
    "card-not-in-hand": "[{card} is not in that hand][{cards} are not in that hand][{target} has no card to discard]"
    "[No {who} has a card to discard].",
    "card-overspent": "The card has {most:point|points}, not {spent}.",
    "dealt-by-the-ledger": "The ledger deals the cards in this session, so you cannot enter them.",
    "deck-empty": "The deck does not have enough cards left.",
    "draw-underway": "Somebody else has drawn cards and must first choose which to keep.",
    "duplicate-card": "The same card is named twice[: {cards}].",
    "no-card-held": "{character} has no card.",
    "no-reason": "Give a reason.",
    "not-a-wildcard": "Only a Wildcard can name the Element of a card[: {card} has its own].",
    "not-own-card": "You cannot play {character}'s cards.",
    "not-own-dice": "At this table, {character} can play cards only on their own dice.",
    "off-suit-not-split": "At this table, only a suited card can be spread over several dice[, and {card} is not "
    "suited].",
    "same-character": "{character} can trade only with somebody else.",
    "same-element": "The beads are already in {element}. Choose two different Elements.",
    "shift-too-large": "The card can move at most {most:bead|beads}, not {count}.",
    "villains-share-cards": "{character} is a villain. Villains share their cards.",
    "vortex-not-available": "{character} has no Vortex left this session.",
    "wrong-card-class": "The card is {card_class} here, not {said}.",
    "wrong-draw-count": "That is not the right number of cards[: draw {expected}, not {given}].",
    "wrong-keep-count": "Keep {expected:card|cards}, not {given}.",
}
_OF_CHIPS: Mapping[str, str] = {
    "already-inherited": "The bonus for {source}'s sacrifice has already been given.",
    "already-nominated": "This player has already nominated {nominee}.",
    "bonus-needs-sacrifice": "{source} was not sacrificed for the story, so there is no bonus.",
    "chips-not-held": "[{source} left no chips][{character} does not have enough {chip} chips: this takes "
    "{needed}][This takes a {chip} chip, not a {given} one].",
    "empty-penalty": "A penalty must be at least one chip.",
    "no-chips-in-play": "This table plays without chips.",
    "no-self-nomination": "{nominee} is this player's own character. Nominate another player's.",
    "not-a-player": "Only players can nominate.",
    "not-a-players-character": "[{character}][{nominee}] is a villain. Villains get no chips.",
    "not-a-trade-down": "A[ {given}] chip can be traded down only for chips of lower value.",
    "not-a-trade-up": "Only chips of lower value can be traded up for a[ {taken}] chip.",
    "not-own-nomination": "You can nominate only for your own seat.",
    "not-the-heir": "{character} is not the next character of {source}'s player.",
    "only-at-arc-end": "A chip can become a character point only at the end of an arc.",
    "only-at-scene-end": "Chips can be traded only at the end of a scene.",
    "purse-empty": "The arc has {left} XP left to award. This takes {needed}.",
    "still-in-play": "{source} is still in play.",
    "wrong-trade-value": "That is the wrong total: it must be {expected}[, not {given}][, not {taken}].",
}
_OF_BEADS: Mapping[str, str] = {
    "already-allocated": "[{character}: ]the beads of the coming scene are already allocated.",
    "bead-used": "{character} has already used a bead in this scene and can no longer change the allocation.",
    "dazed-no-beads": "{character} is dazed and cannot play beads.",
    "must-spend-all": "A change with four or more beads takes all {held} Storytelling beads of {character}, not "
    "{beads}.",
    "no-beads-played": "Play at least one bead.",
    "no-dice-to-buy": "{number:bead buys|beads buy} no die here[: with {primary} at 0, each die takes {each} beads].",
    "no-primary-element": "{character} has no primary Element for the extra beads.",
    "no-such-tier": "[{beads:bead changes|beads change} nothing][The scope of this change can be {scopes}, not "
    "{scope}].",
    "not-enough-beads": "[{character}: ]there are not enough beads[ of {element}][, only {held}][. This takes "
    "{needed}][, with {primary} at 0][. The allocation costs {cost}, and the allowance is {allowance}].",
    "one-bead-only": "Play exactly one bead, not {number}.",
    "one-bead-unless-primary": "{element} is not a primary Element of yours, so only one bead can lower the target "
    "number.",
    "primary-takes-the-rest": "{element} is the primary Element. It gets the remaining beads, so leave it out.",
    "wrong-element": "[{element} does not fit this roll][. The roll needs {action}][. The roll needs {roll}].",
}
_OF_ACTIONS: Mapping[str, str] = {
    "action-closed": "That action is already over.",
    "already-activated": "{characteristic} is already in the pool.",
    "already-determined": "A bead, card or chip has already decided the result of this action.",
    "already-rolled": "The dice are already rolled.",
    "already-success": "The action is already a Success.",
    "bonus-die-missing": "{missing:bonus die is|bonus dice are} missing. Each 10 adds one.",
    "cannot-trump": "That trump is not possible[ with a {chip} chip][ (against: {on})][: at this table, trumps are "
    "{trump}][. The card is only {rank} {value}].",
    "characteristic-not-of-skill": "{characteristic} does not belong to this roll.",
    "declares-more-than-rolled": "This roll has only {left:success|successes} left.",
    "defence-over": "That defence ended when the character's next action was declared.",
    "empty-pool": "There are no dice[. Roll {expected}].",
    "face-out-of-range": "[A d{sides} cannot show {face}][A d10 cannot show {low} to {high}].",
    "free-success-fixed": "A bead's free Marginal Success cannot be increased.",
    "gm-approval-needed": "[{character}: ]this needs the game master's approval[: {purpose}][: {use}][: {location}].",
    "no-number-for-level": "A failure has no number to reach. Leave the number out, or require a higher level.",
    "no-skills-named": "No related skills are named for these dice yet. Name the skills first.",
    "no-such-die": "The pool has no die {die}. The first die is 0.",
    "no-token": "{character} has no token of {primary} left.",
    "not-an-opponent": "{character} is not an opponent in this action.",
    "not-enough-dice": "{character} does not have that many dice left: {advantage}.",
    "not-floating": "Only floating dice can be added to this roll, not {advantage}.",
    "not-own-action": "{character} can do this only on an action of their own.",
    "out-of-order": "An earlier part of the action must be finished first.",
    "primary-at-zero": "{character}'s {primary} is at 0 and gives no token.",
    "roll-not-completed": "The dice are not rolled yet.",
    "roll-not-seen": "Only the player who rolled and the game masters can see that roll.",
    "split-too-large": "You can split only {available:die|dice}: {parts} are too many.",
    "sub-pool-without-dice": "Each part of a split needs at least one die[: {text} has none].",
    "time-too-short": "This takes at least {base}, not {spent}.",
    "tn-below-floor": "Enter a whole number as the target number[, {floor} or more][, not {tn}][, not {given}].",
    "unearned-bonus-die": "[There is a bonus die of {face}, but no 10 that adds one][A d{sides} adds no bonus dice].",
    "wrong-dice-count": "Roll {expected:die|dice}, not {given}.",
    "wrong-skill": "These dice are for {skills}[, not for {skill}].",
    "wrong-token-pool": "{characteristic} can take a token from {pools}. Choose one.",
}
_OF_FIGHTS: Mapping[str, str] = {
    "already-recovering": "{character} is already recovering.",
    "healing-period-not-over": "Only {days:day has|days have} passed. {character} needs {period:day|days} to heal.",
    "hit-not-ready": "That step is not possible now. The stage of this hit is: {stage}.",
    "next-action-lost": "{character} is dazed and loses the next action.",
    "no-damage-to-heal": "{character} has no damage to heal.",
    "no-recovery-due": "{character} has no recovery left to take.",
    "already-scored": "That attack has already hit {target}.",
    "no-bit-for-skill": "{character} has no Bit for this roll[: {skill}].",
    "bits-used": "{character} has used {most:Bit|Bits} on this roll. Each Bit counts once on a roll.",
    "movement-needs-name": "Name the way to move. It cannot be primary or secondary.",
    "no-action-left": "{character} has {left:half action|half actions} left this turn, which is too little.",
    "turn-not-over": "{character} can complete the recovery only in a later turn.",
    "card-shown": "[{card}: ]everybody has seen this card this session, so it is not in the deck.",
    "not-an-attack": "Only an attack can hit. Declare the action as a roll to hit.",
    "not-a-hit": "No net success is left, so the attack does not hit.",
    "not-a-ten": "Only a 10 can remove a point[: die {die} is not a 10][: not all of these dice are 10s: {dice}].",
    "not-dazed": "{character} is not dazed.",
    "not-recovering": "{character} is not recovering.",
    "pool-full": "{character} cannot have more than {most:token|tokens} of {primary} now.",
    "recovery-no-split": "{character} cannot split the pool while recovering.",
    "settled": "[{character}: ]the character has been hurt or has recovered since that roll, so the roll can no longer "
    "change.",
}
_OF_PURCHASES: Mapping[str, str] = {
    "discard-not-available": (
        "{character} cannot force a discard now. This takes an approved Advantage that allows it, once a session."
    ),
    "unknown-effect": "A trait cannot have the effect {does}. Choose one of {choices}.",
    "effect-number": "Enter a whole number[, not {given}]: for dice, difficulty and scene-beads any number but 0, "
    "otherwise 1 or more.",
    "unknown-pool": "[{name} is not a pool of dice. ]Name a skill of the campaign or one of these rolls: movement,"
    " dodge, to_hit, resisting, healing or, for dice, also initiative and damage.",
}
_OF_STORY: Mapping[str, str] = {
    "not-own-character": "Only {character}'s player or a game master can narrate for {character}.",
}
REFUSALS: Mapping[str, str] = {
    **_OF_NUMBERS, **_OF_WORDS, **_OF_CHARACTERS, **_OF_SCENES, **_OF_CARDS, **_OF_CHIPS, **_OF_BEADS, **_OF_ACTIONS,
    **_OF_FIGHTS, **_OF_STORY, **_OF_PURCHASES,
}  # fmt: skip
#: Names in what is refused, or derived, that are ids of characters; and of seats.
PEOPLE = frozenset({"cast", "character", "nominee", "source", "target", "targets", "whose", "winners"})
SEATS = frozenset({"player", "seat"})
