"""Sentences that choose their words: by a field, by the name of a House, by whose attribute counts."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import partial
from typing import Any, TypeAlias, TypeGuard

from ledger.rules.kernel.phrases import Names, Phrase, Saying, list_fields, listed, sentence, words
from ledger.rules.kernel.subjects import character
from ledger.rules.mongrel import choices as c
from ledger.rules.mongrel import facts as f
from ledger.rules.mongrel import facts_of_dealings as fd
from ledger.rules.mongrel import facts_of_strife as s
from ledger.rules.mongrel import inputs as i
from ledger.rules.mongrel import inputs_of_dealings as d
from ledger.rules.mongrel import inputs_of_strife as strife
from ledger.rules.mongrel.tables import PHYSICAL
from ledger.rules.mongrel.terms import NUMBER_WORDS, called

#: What can be done at a difficulty.
Harder: TypeAlias = i.RollTask | i.Occult | strife.Act | strife.Attack | f.TaskDeclared | s.ActionDeclared

#: Fields that hold words of the game, which people write with a capital.
GAME_WORDS = (
    "against", "attribute", "expertise", "feature", "features", "house", "identity", "imitates", "primary", "reduce",
)  # fmt: skip


def say(phrase: str, done: object, names: Names, fields: tuple[str, ...] = GAME_WORDS) -> str:
    """The sentence, with words of the game as people write them."""
    for field in fields:
        said = getattr(done, field, None)
        if said and f"{{{field}}}" in phrase:
            those = [said] if isinstance(said, str) else said
            phrase = phrase.replace(f"{{{field}}}", listed(called(one) for one in those))
    return sentence(phrase, done, names)


def spoken(phrases: Mapping[type[object], Phrase]) -> Mapping[type[object], Phrase]:
    """The phrases, each with words of the game as people write them."""
    return {cls: partial(say, one) if _has_game_words(one) else one for cls, one in phrases.items()}


def _has_game_words(phrase: Phrase) -> TypeGuard[str]:
    return isinstance(phrase, str) and any(field in GAME_WORDS for field in list_fields(phrase))


def by(field: str, phrases: Mapping[object, str]) -> Saying:
    """The phrase for what the field says."""
    return lambda done, names: say(phrases[getattr(done, field)], done, names)


def whether(field: str, holds: str, otherwise: str) -> Saying:
    """Return the one where the field says something, else the other: a blank text says nothing."""
    return lambda done, names: say(holds if str(getattr(done, field) or "").strip() else otherwise, done, names)


def moved(done: d.TransferCredit, names: Names) -> str:
    """Credit from one House to another."""
    phrase = "{character} transfers Credit from House {source} to House {target}, to gain {credited} there."
    return say(phrase, done, names, ("source", "target"))


def moved_at(done: fd.CreditTransferred, names: Names) -> str:
    """What it cost."""
    phrase = "{character} gives up {debited} Credit with House {source} for {credited} with House {target}."
    return say(phrase, done, names, ("source", "target"))


def first_order(done: s.ConflictOpened, names: Names) -> str:
    """Who acts first, and who then."""
    return f"The conflict begins. The order is {in_turn(done.queue, names)}."


def front(done: s.FrontTaken, names: Names) -> str:
    return f"{names.name(character(done.character))} moves to the front. The order is {in_turn(done.after, names)}."


def turn_over(done: s.TurnEnded, names: Names) -> str:
    """Who acts next."""
    order = f" Next: {in_turn(done.queue, names)}." if done.queue[1:] else ""
    return f"{names.name(character(done.character))}'s turn is over.{order}"


def in_turn(queue: Iterable[str], names: Names) -> str:
    return ", then ".join(names.name(character(id)) for id in queue)


def counted(**parts: int) -> str:
    """What there is of each: `2 points of damage and 1 of Physique`; nothing, where all is 0."""
    there = [
        f"{number} {'point' if number == 1 else 'points'} of {words(name)}" for name, number in parts.items() if number
    ]
    return listed(there) if there else "nothing"


def healed(done: Any, names: Names) -> str:
    """What of their wounds somebody gets rid of."""
    parts = counted(damage=done.damage, Physique=done.physique, Beauty=done.beauty)
    ended = getattr(done, "terminal_ended", False) or getattr(done, "end_terminal", False)
    out = " and leaves the terminal stage" if ended else ""
    return say(f"{{character}} heals {parts}{out}[: {{reason}}].", done, names)


def task(done: i.RollTask | f.TaskDeclared, names: Names) -> str:
    """A roll, against whose attribute."""
    if done.side is None:
        return say("{actor} bargains for {thing}[ with {target}].", done, names)
    if done.side == "own":
        against = " against their own {attribute}"
    elif done.target is not None:
        against = f" against {names.name(character(done.target))}'s {{attribute}}"
    else:
        against = " against the {attribute} of {thing}" if done.thing else " against {attribute}"
    phrase = f"{{actor}} tries {{expertise}}[, helped by {{power}},]{against}{_harder(done)}[: {{purpose}}]."
    return say(phrase, done, names)


def act(done: strife.Act, names: Names) -> str:
    """An action on nobody."""
    phrase = "{actor} tries {expertise}[, helped by {power},] against their own {attribute}"
    return say(f"{phrase}{_harder(done)}[: {{purpose}}].", done, names)


def occult(done: i.Occult, names: Names) -> str:
    """Sorcery in place of something else."""
    phrase = (
        "{actor} uses Occult instead of {imitates}[ on {target}][, and on {others},] for {points:point|points} of"
        f" Infernal Resolve{_harder(done)}[: {{purpose}}]."
    )
    return say(phrase, done, names)


def attack(done: strife.Attack | s.ActionDeclared, names: Names) -> str:
    """An action on somebody, by what it would do."""
    kind = done.hit_kind
    hurts = kind != "none" if kind is not None else done.expertise in {*PHYSICAL, "chill"}
    what = "attacks {target} with {expertise}" if hurts else "tries {expertise} on {target}"
    phrase = f"{{actor}} {what}[, helped by {{power}}], against {{attribute}}"
    if isinstance(done, strife.Attack) and done.target_attribute is not None:
        phrase += f" (or {called(done.target_attribute)}, if {names.name(character(done.target))} defends)"
    phrase += f"{_harder(done)}[, commanding: {{command}}]"
    return say(f"{phrase}[: {{purpose}}].", done, names)


def attack_to_come(done: strife.DeclareAttack, names: Names) -> str:
    """The same, not yet carried out."""
    return say("{actor} is about to use {expertise} on {target}[: {purpose}].", done, names)


def _harder(done: Harder) -> str:
    """Only where it is."""
    return " at difficulty {difficulty}" if done.difficulty else ""


def roll(done: f.TaskResolved, names: Names) -> str:
    """How a task came out."""
    why = {
        "ones-fail": ": half or more of the dice show ones",
        "sixes-fail": ": half or more of the dice show sixes",
        "sevens-succeed": ", a long shot",
        "low-longshot": ", a long shot",
    }.get(done.special or "", "")
    if not done.success:
        return say(f"{{actor}} fails with {{expertise}}{why}.", done, names)
    effect = "Effect {effect}, {grade}" if done.effect else "no Effect is left"
    return say(f"{{actor}} succeeds with {{expertise}}{why}: {effect}.", done, names)


def blow(done: s.DamageRolled, names: Names) -> str:
    """A hit, and what of it weapon and armour leave."""
    weapon = f", plus {done.weapon} for the weapon" if done.weapon else ""
    armour = f", minus {done.armour} for the armour" if done.armour else ""
    if not done.net:
        return say("The hit does no damage to {character}[: {reason}].", done, names)
    of = f" (Effect {done.effect}{weapon}{armour})" if weapon or armour else ""
    return say(f"{{character}} is hit for {{net:point|points}} of damage{of}[: {{reason}}].", done, names)


ZONES: Mapping[str, str] = {
    "row": "in the Size row",
    "clear": "in the clear zone",
    "gray": "in the gray zone",
    "terminal": "which is terminal",
}


def wound(done: s.DamageCounted, names: Names) -> str:
    """Where the damage comes to lie."""
    if done.zone == "shunted":
        return say("The whole hit on {character} goes to Beauty.", done, names)
    where = ZONES.get(done.zone)
    return say(f"{{character}} has {{after:point|points}} of damage{f', {where}' if where else ''}.", done, names)


def bargain(done: fd.PurchaseRolled, names: Names) -> str:
    """How a purchase came out."""
    phrases = {
        "acquired": "{buyer} closes the deal for {item}[ with {seller}]: Effect {effect}.",
        "sacrifice-offered": "{buyer} can buy {item} only by giving up Credit.",
        "refused-by-seller": "{buyer} is turned down[ by {seller}] and does not get {item}.",
    }
    return say(phrases[done.outcome], done, names)


def gained(done: d.GainItem | fd.ItemAcquired, names: Names) -> str:
    """What somebody has from now on, and what it is worth."""
    paid = f", for {done.credit} Credit" if isinstance(done, fd.ItemAcquired) and done.house is not None else ""
    worth = ", ".join(f"{word} {value}" for word, value in (("weapon", done.weapon), ("armour", done.armour)) if value)
    return say(f"{{character}} now has {{item}}{f' ({worth})' if worth else ''}{paid}[: {{reason}}].", done, names)


def judged(done: c.Judge | c.JudgeTask, names: Names) -> str:
    """What a game master decides in place of what was proposed."""
    said = {name: getattr(done, name) for name in done.__dataclass_fields__ if name != "reason"}
    parts = listed(_decided(name, value) for name, value in said.items() if value is not None)
    phrase = f"A game master sets {parts}[: {{reason}}]." if parts else "A game master agrees[: {reason}]."
    return say(phrase, done, names)


def _decided(name: str, value: Any) -> str:
    match name:
        case "side":
            return f"the side to {value}"
        case "attribute":
            return f"the attribute to {called(value)}"
        case "target_attribute":
            return f"the attribute of a defence to {called(value)}"
        case "power":
            return f"the Power options to {listed(map(words, value)) if value else 'none'}"
    return f"the {NUMBER_WORDS[name]} to {value}"


def vow(done: d.MakeVow | f.VowMade, names: Names) -> str:
    """To whom, or to what."""
    if done.about == "house":
        return say(f"{{character}} makes a Vow to House {called(done.object)}.", done, names)
    to = " to {object}" if done.about == "person" else ": {object}"
    return say(f"{{character}} makes a Vow{to}.", done, names)


def changed(what: str, done: Any, names: Names) -> str:
    """Credit with a House, up or down; or, while nobody has said how much, a change of it."""
    way = "changes by ..."
    if isinstance(done.change, int):
        way = f"goes {'up' if done.change > 0 else 'down'} by {abs(done.change)}"
    return say(f"{{character}}'s Credit with House {called(done.house)} {way}{what}.", done, names)


# --- steps of a derivation: which template, by what was given -----------------------------------------------------


def pool(given: Mapping[str, Any]) -> str:
    if "dial" in given:
        return ""
    none = given.get("out") == 0
    return (
        "Expertise and Power give no dice: one die is rolled twice."
        if none
        else "Expertise and Power give {out:die|dice}."
    )


def base_effect(given: Mapping[str, Any]) -> str:
    """Of a task, of a purchase; nothing of what a dial says."""
    hits = "successes" if "successes" in given else "good"
    if given.get("flat") or hits not in given:
        return "In this special case the Effect is {out}, whatever the Identity." if given.get("flat") else ""
    what = "{successes:successful die|successful dice}" if hits == "successes" else "{good:good die|good dice}"
    number = given["out"] - given[hits] - given["identity"]
    tn = f" and {number} for the target number" if number else ""
    return f"{what}, plus {{identity}} for the Identity{tn}: Effect {{out}}."


def grade(given: Mapping[str, Any]) -> str:
    return "An Effect of {effect} is {out}." if given.get("effect") else ""


def zones(given: Mapping[str, Any]) -> str:
    lies = ZONES.get(given["out"])
    where = f", {lies}" if lies else ""
    return (
        f"With Size {{size}} and Physique {{physique}}: {{total:point|points}} of damage{where}."
        if "total" in given
        else ""
    )


def net(given: Mapping[str, Any]) -> str:
    """Only what there is of it."""
    weapon = ", plus {weapon} for the weapon" if given.get("weapon") else ""
    armour = ", minus {armour} for the armour" if given.get("armour") else ""
    return f"Effect {{effect}}{weapon}{armour}: {{out:point|points}} of damage." if "effect" in given else ""
