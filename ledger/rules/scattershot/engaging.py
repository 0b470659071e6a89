"""How an Engaged Persona responds: its Player's answer, and the Reaction roll of who is Off-Guard. 3.5."""

from __future__ import annotations

from typing import Any

from ledger.rules.kernel.questions import Asking, ask
from ledger.rules.scattershot import accounts
from ledger.rules.scattershot.experience import asked_face, checked_face
from ledger.rules.scattershot.facts_of_deeds import ModifierApplied, OffGuardReactionRolled, ResistorAnswered
from ledger.rules.scattershot.flurries import flows, in_flurry
from ledger.rules.scattershot.ground import Ruling, check_whole, is_off_guard, no, rating_of
from ledger.rules.scattershot.inputs_of_deeds import AnswerEngagement, Oppose, ReactOffGuard, StayPassive
from ledger.rules.scattershot.listings import default_granted
from ledger.rules.scattershot.melee import (
    check_all_out,
    check_instantaneous,
    forfeit,
    is_anothers_turn,
    standing_of,
    take_free,
)
from ledger.rules.scattershot.ratings import modifiers_of, rating_for, rolled
from ledger.rules.scattershot.resolution import check_phase, situation
from ledger.rules.scattershot.resources import charge, check_fight_left
from ledger.rules.scattershot.rolling import faces_of, two_d10
from ledger.rules.scattershot.tables import LAST_DITCH, LAST_DITCH_DODGE, MOST_FORFEITS, OFF_GUARD
from ledger.rules.scattershot.terms import Payment


def answer(ruling: Ruling, do: AnswerEngagement) -> Asking[None]:
    """`engage.player`: that Persona's Player answers, and pays for it in Mechanical Play."""
    one = ruling.resolution(do.resolution)
    check_phase(one, "opportunity")
    ruling.who(do.character)
    stance = one.engaged.get(do.character)
    if stance is None:
        raise no("mech.forfeit", "not-engaged-on-anothers-turn", character=do.character)
    if stance in ("opposing", "passive"):
        missed = (
            stance == "passive" and do.oppose is not None and is_off_guard(ruling.who(do.character), one.actor or "")
        )
        rule, code = ("engage.off-guard", "off-guard") if missed else ("resolve.phases", "wrong-phase")
        raise no(rule, code, character=do.character)
    owner = ruling.owner(do.character)
    said: Oppose | StayPassive | None = do.oppose if do.oppose is not None else StayPassive() if do.passive else None
    if said is not None:
        ruling.must_play(do.character, "engage.player")
    elif stance == "off-guard":
        said = StayPassive()
    else:
        said = yield from ask(owner, Oppose, StayPassive, slot="response", purpose="How do you respond?")
    if isinstance(said, StayPassive):
        if stance == "obliged" and _can_pay(ruling, do.character):
            raise no("engage.off-guard", "resistor-has-not-answered", character=do.character)
        answered = ResistorAnswered(
            do.resolution, do.character, False, owner, "", "", 0, "other", "none"
        )  # fmt: skip
        ruling.here(answered)
        ruling.by("engage.player", "passive", character=do.character)
        return
    if stance == "off-guard":
        raise no("engage.off-guard", "off-guard", character=do.character)
    _oppose(ruling, do, said, owner)
    said_by_gm = do.oppose is not None and ruling.table.by.role == "gm"
    yield from default_granted(ruling, do.character, said.default, said_by_gm)


def _oppose(ruling: Ruling, do: AnswerEngagement, said: Oppose, owner: str) -> None:
    who, id = ruling.who(do.character), do.character
    ability, rating = rating_for(ruling, who, said.rating, said.default)
    named = modifiers_of(ruling, who, said.modifiers, said.advantages, said.residuals)
    check_fight_left(ruling, id, said.nature)
    paid: Payment = "none"
    if ruling.fights():
        check_all_out(standing_of(ruling, id, "mech.scope"), id, said.nature, said.pays)
        paid = _pay_for_opposing(ruling, do, said)
    charge(ruling, id, rolled(said))
    answered = ResistorAnswered(
        do.resolution, id, True, owner, said.text, ability, rating, said.nature, paid
    )  # fmt: skip
    ruling.here(answered)
    ruling.by("engage.player", rating, character=id, rating=ability)
    ruling.by("contest.simultaneous", id)
    ruling.by("proprietor.persona", owner, character=id)
    if paid == "free" and said.free == LAST_DITCH_DODGE:
        named.append((LAST_DITCH, "last-ditch dodge"))
    for amount, why in named:
        ruling.here(ModifierApplied(do.resolution, id, amount, why))


def _pay_for_opposing(ruling: Ruling, do: AnswerEngagement, said: Oppose) -> Payment:
    check_instantaneous(ruling, do.character, rolled(said), said.pays)
    match said.pays:
        case "free":
            take_free(ruling, do.character, said.free, said.nature)
            return "free"
        case "flurry":
            in_flurry(ruling, do.character, said.nature, ruling.resolution(do.resolution))
            return "flurry"
        case "forfeit":
            forfeit(ruling, do.character, do.resolution)
            return "forfeit"
        case _:
            raise no("mech.forfeit", "bad-number", pays=said.pays)


def _can_pay(ruling: Ruling, id: str) -> bool:
    """Whether it has anything left to pay a Reactive Action with; outside Mechanical Play it costs nothing."""
    if not ruling.fights():
        return True
    fight = ruling.fight(id)
    if fight is None:
        return False
    standing = fight.standing[id]
    dodge = len(standing.free) < ruling.dials.epic_index and (
        ruling.dials.cinematic or LAST_DITCH_DODGE not in standing.free
    )
    anothers = is_anothers_turn(ruling, id)
    return standing.all_out != "attack" and (
        flows(ruling, id) or dodge or (anothers and standing.forfeited < MOST_FORFEITS)
    )


def react(ruling: Ruling, do: ReactOffGuard) -> Asking[None]:
    """`engage.off-guard`: Reaction + modifiers - 2 - 2d10 + Experience Dice, 0 or more."""
    rule = "engage.off-guard"
    one = ruling.resolution(do.resolution)
    check_phase(one, "opportunity")
    owner = ruling.must_play(do.character, rule)
    if one.engaged.get(do.character) != "off-guard":
        raise no(rule, "wrong-phase", character=do.character)
    if ruling.scene().mode == "general":
        raise no("play.general", "no-mechanics-in-general-play")
    who = ruling.who(do.character)
    modifiers = sum(check_whole(given.amount, "resolve.modifiers") for given in do.modifiers)
    signs, typed = [given.sign for given in do.experience], [checked_face(given.face) for given in do.experience]
    if any(type(sign) is not int or sign not in (1, -1) for sign in signs):
        raise no(rule, "bad-number", signs=str(signs))
    if do.experience:
        _check_own_dice(ruling, owner, len(do.experience))
    faces = faces_of(do.faces, 2, 10, rule, "bad-d10")
    if faces is None:
        faces = yield from two_d10(do.character, "reaction", "a Reaction roll")
    shown = []
    for face in typed:
        shown.append(face if face is not None else (yield from asked_face(owner)))  # noqa: PERF401
    experience = tuple(sign * face for sign, face in zip(signs, shown, strict=True))
    rating = rating_of(who, "reaction") or 0
    automatic = situation(ruling, do.character)
    mib = rating + modifiers + automatic + OFF_GUARD - sum(faces) + sum(experience)
    reacted = OffGuardReactionRolled(do.resolution, do.character, owner, faces, experience, mib, mib >= 0)
    spent = accounts.gained(accounts.spent(owner, do.resolution), len(experience))
    ruling.here(reacted, _reaction_dice(ruling, owner, signs), spent)
    ruling.by(rule, mib, reaction=rating, modifiers=modifiers + automatic, dice=list(faces))


def _check_own_dice(ruling: Ruling, player: str, n: int) -> None:
    """`xd.contribute`: n dice of one's own purse, or (where the table plays so) of the Gamemaster's stock."""
    rule = "xd.contribute"
    ruling.check_no_solo(rule)
    ruling.player(player)
    if not ruling.is_gm(player):
        if ruling.balance(accounts.purse(player)) < n:
            raise no(rule, "not-enough-dice", has=ruling.balance(accounts.purse(player)))
    elif ruling.dials.gm_dice == "stock":
        ruling.check_stock(n, rule)
    else:
        raise no(rule, "gm-holds-no-dice")


def _reaction_dice(ruling: Ruling, owner: str, signs: list[Any]) -> Any:
    """Dice added to one's own unopposed roll go against nobody; subtracted, they come back."""
    kept = ruling.dials.self_against == "returns" and ruling.dials.unopposed_dice == "only-when-nobody"
    gone = sum(1 for sign in signs if sign > 0 or not kept)
    return accounts.moved(ruling.purse_of(owner), accounts.STOCK, gone)
