"""Sentences of fights and of healing, which choose their words."""

from __future__ import annotations

from ledger.rules.kernel.phrases import Names, listed
from ledger.rules.moc import choices as c
from ledger.rules.moc import facts_of_dice as fd
from ledger.rules.moc import inputs_of_combat as ic
from ledger.rules.moc.sayings import counted, people, who, whom
from ledger.rules.moc.sayings_of_play import nth, shown


def order(done: fd.InitiativeRolled, names: Names) -> str:
    groups = (f"{people(names, one)}{' together' if len(one) > 1 else ''}" for one in done.groups)
    return f"The order is {', then '.join(groups)}."


def hit(done: fd.HitScored, names: Names) -> str:
    """How many dice of damage."""
    what = done.what
    raises = f" and {counted(what.raises, 'raise die', 'raise dice')}" if what.raises else ""
    flat = f" and {counted(what.flat, 'point', 'points')} for the raises" if what.flat else ""
    where = "" if not what.chooses else "; the attacker chooses the location"
    net = counted(what.net, "net success", "net successes")
    return (
        f"{who(names, what.attacker)} hits {who(names, what.target)} with {net}:"
        f" {f'{what.dice}d{what.sides} damage' if what.dice else 'no damage dice'}{raises}{flat}{where}."
    )


def damage(done: fd.DamageRolled, names: Names) -> str:
    raises = f"; raise dice {shown(done.raise_faces, done.raise_bonus)}" if done.raise_faces else ""
    beyond = f", {done.unresistible} of which cannot be resisted" if done.unresistible else ""
    total = counted(done.resistible + done.unresistible, "point", "points")
    dice = f"{shown(done.faces, done.bonus)}{raises}"
    return f"Damage is rolled: {dice}. Dice of {done.threshold} or more score {total}{beyond}."


def resisted(done: fd.DamageResisted, names: Names) -> str:
    pain = counted(done.conversions, "point can become pain", "points can become pain")
    removed = f", and {counted(done.removals, 'is', 'are')} removed" if done.removals else ""
    return f"The damage is resisted ({shown(done.faces, done.bonus)}): {pain}{removed}."


def healed(done: fd.DamageHealed, names: Names) -> str:
    by_dice = f" ({listed(map(str, (*done.faces, *done.bonus)))} against TN {done.tn})" if done.faces else ""
    return f"{whom(names)} heals a point of damage{by_dice}."


def not_healed(done: fd.HealingFailed, names: Names) -> str:
    by_dice = f" ({listed(map(str, (*done.faces, *done.bonus)))} against TN {done.tn})" if done.faces else ""
    return f"{whom(names)} does not heal{by_dice}; the next try is in {counted(done.period, 'day', 'days')}."


def hitting(done: ic.ScoreHit, names: Names) -> str:
    weapon = f" ({done.weapon})" if done.weapon else ""
    return f"{who(names, done.attacker)} hits {who(names, done.target)}{weapon}."


def spoken_dice(done: c.Ignore, names: Names) -> str:
    """Which of the resisting dice remove a point."""
    if not done.dice:
        return "Every 10 adds a bonus die."
    these = listed(nth(die) for die in done.dice)
    return f"The {these} {'die removes' if len(done.dice) == 1 else 'dice remove'} a point."
