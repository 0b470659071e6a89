"""How an Engaged Persona responds: its Player's answer, and the Reaction roll of who is Off-Guard. 3.5."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from ledger.rules.kernel.contract import Posting
from ledger.rules.kernel.moves import Shape, never
from ledger.rules.kernel.questions import Asking, ask
from ledger.rules.kernel.subjects import character
from ledger.rules.scattershot import accounts
from ledger.rules.scattershot.actions import check_all_out, check_instantaneous, forfeit, take_free
from ledger.rules.scattershot.at_hand import Looked
from ledger.rules.scattershot.draft import Draft
from ledger.rules.scattershot.experience import asked_face, checked_face
from ledger.rules.scattershot.facts_of_deeds import ModifierApplied, OffGuardReactionRolled, ResistorAnswered
from ledger.rules.scattershot.flurries import flows, in_flurry
from ledger.rules.scattershot.guards import check_whole, is_off_guard, no, rating_of
from ledger.rules.scattershot.inputs_of_deeds import AnswerEngagement, Oppose, ReactOffGuard, StayPassive
from ledger.rules.scattershot.listings import default_granted
from ledger.rules.scattershot.melee import is_anothers_turn, standing_of
from ledger.rules.scattershot.opposing import opposing
from ledger.rules.scattershot.ratings import as_listed, modifiers_of, rating_for, rolled
from ledger.rules.scattershot.resolution import check_phase, situation
from ledger.rules.scattershot.resources import charge, check_fight_left
from ledger.rules.scattershot.rolling import faces_of, two_d10
from ledger.rules.scattershot.state import Resolution
from ledger.rules.scattershot.tables import LAST_DITCH, LAST_DITCH_DODGE, MOST_FORFEITS, OFF_GUARD
from ledger.rules.scattershot.terms import Payment


def answer(draft: Draft, do: AnswerEngagement) -> Asking[None]:
    """`engage.player`: that Persona's Player answers, and pays for it in Mechanical Play."""
    one = draft.resolution(do.resolution)
    check_phase(one, "opportunity")
    draft.who(do.character)
    stance = one.engaged.get(do.character)
    if stance is None:
        raise no("mech.forfeit", "not-engaged-on-anothers-turn", character=do.character)
    if stance in ("opposing", "passive"):
        missed = (
            stance == "passive" and do.oppose is not None and is_off_guard(draft.who(do.character), one.actor or "")
        )
        rule, code = ("engage.off-guard", "off-guard") if missed else ("resolve.phases", "wrong-phase")
        raise no(rule, code, character=do.character)
    owner = draft.owner(do.character)
    said: Oppose | StayPassive | None = do.oppose if do.oppose is not None else StayPassive() if do.passive else None
    if said is not None:
        draft.must_play(do.character, "engage.player")
    elif stance == "off-guard":
        said = StayPassive()
    else:
        within = _responses(draft, do.character, one)
        purpose = f"{_what(draft, do.character, one)} How do you respond?"
        said = yield from ask(owner, Oppose, StayPassive, slot="response", purpose=purpose, within=within)
    if isinstance(said, StayPassive):
        if stance == "obliged" and can_pay(draft, do.character):
            raise no("engage.off-guard", "resistor-has-not-answered", character=do.character)
        answered = ResistorAnswered(
            do.resolution, do.character, False, owner, "", "", 0, "other", "none"
        )  # fmt: skip
        draft.here(answered)
        draft.by("engage.player", "passive", character=do.character)
        return
    if stance == "off-guard":
        raise no("engage.off-guard", "off-guard", character=do.character)
    said = replace(said, default=as_listed(draft, draft.who(do.character), said.default))
    _oppose(draft, do, said, owner)
    said_by_gm = do.oppose is not None and draft.table.by.role == "gm"
    yield from default_granted(draft, do.character, said.default, said_by_gm)


def _what(draft: Draft, id: str, one: Resolution) -> str:
    """What there is to respond to."""
    names = [draft.table.name(character(who)) for who in (one.actor, id) if who is not None]
    said = f": “{one.deed.text.rstrip('.')}”" if one.deed.text else ""
    return f"{' acts against '.join(names)}{said}."


def _responses(draft: Draft, id: str, one: Resolution) -> Iterator[Shape]:
    """`engage.off-guard`: who can oppose is not passive, where it must."""
    at = Looked(draft.aside().table)
    some = list(opposing(at, id, one))
    yield from some or (never(Oppose),)
    if one.engaged[id] == "obliged" and can_pay(at.draft, id):
        yield never(StayPassive)


def _oppose(draft: Draft, do: AnswerEngagement, said: Oppose, owner: str) -> None:
    who, id = draft.who(do.character), do.character
    ability, rating = rating_for(draft, who, said.rating, said.default)
    named = modifiers_of(draft, who, said.modifiers, said.advantages, said.residuals)
    check_fight_left(draft, id, said.nature)
    paid: Payment = "none"
    if draft.fights():
        check_all_out(standing_of(draft, id, "mech.scope"), id, said.nature, said.pays)
        paid = _pay_for_opposing(draft, do, said)
    charge(draft, id, rolled(said))
    answered = ResistorAnswered(
        do.resolution, id, True, owner, said.text, ability, rating, said.nature, paid
    )  # fmt: skip
    draft.here(answered)
    draft.by("engage.player", rating, character=id, rating=ability)
    draft.by("contest.simultaneous", id)
    draft.by("proprietor.persona", owner, character=id)
    if paid == "free" and said.free == LAST_DITCH_DODGE:
        named.append((LAST_DITCH, "last-ditch dodge"))
    for amount, why in named:
        draft.here(ModifierApplied(do.resolution, id, amount, why))


def _pay_for_opposing(draft: Draft, do: AnswerEngagement, said: Oppose) -> Payment:
    check_instantaneous(draft, do.character, rolled(said), said.pays)
    match said.pays:
        case "free":
            take_free(draft, do.character, said.free, said.nature)
            return "free"
        case "flurry":
            in_flurry(draft, do.character, said.nature, draft.resolution(do.resolution))
            return "flurry"
        case "forfeit":
            forfeit(draft, do.character, do.resolution)
            return "forfeit"
        case _:
            raise no("mech.forfeit", "bad-number", pays=said.pays)


def can_pay(draft: Draft, id: str) -> bool:
    """Whether it has anything left to pay a Reactive Action with; outside Mechanical Play it costs nothing."""
    if not draft.fights():
        return True
    fight = draft.fight(id)
    if fight is None:
        return False
    standing = fight.standing[id]
    dodge = len(standing.free) < draft.dials.epic_index and (
        draft.dials.cinematic or LAST_DITCH_DODGE not in standing.free
    )
    anothers = is_anothers_turn(draft, id)
    return standing.all_out != "attack" and (
        flows(draft, id) or dodge or (anothers and standing.forfeited < MOST_FORFEITS)
    )


def react(draft: Draft, do: ReactOffGuard) -> Asking[None]:
    """`engage.off-guard`: Reaction + modifiers - 2 - 2d10 + Experience Dice, 0 or more."""
    rule = "engage.off-guard"
    one = draft.resolution(do.resolution)
    check_phase(one, "opportunity")
    owner = draft.must_play(do.character, rule)
    if one.engaged.get(do.character) != "off-guard":
        raise no(rule, "wrong-phase", character=do.character)
    if draft.scene().mode == "general":
        raise no("play.general", "no-mechanics-in-general-play")
    who = draft.who(do.character)
    modifiers = sum(check_whole(given.amount, "resolve.modifiers") for given in do.modifiers)
    signs, typed = [given.sign for given in do.experience], [checked_face(given.face) for given in do.experience]
    if any(type(sign) is not int or sign not in (1, -1) for sign in signs):
        raise no(rule, "bad-number", signs=str(signs))
    if do.experience:
        _check_own_dice(draft, owner, len(do.experience))
    faces = faces_of(do.faces, 2, 10, rule, "bad-d10")
    if faces is None:
        faces = yield from two_d10(do.character, "reaction", "a Reaction roll")
    shown = []
    for face in typed:
        shown.append(face if face is not None else (yield from asked_face(owner)))  # noqa: PERF401
    experience = tuple(sign * face for sign, face in zip(signs, shown, strict=True))
    rating = rating_of(who, "reaction") or 0
    automatic = situation(draft, do.character)
    mib = rating + modifiers + automatic + OFF_GUARD - sum(faces) + sum(experience)
    reacted = OffGuardReactionRolled(do.resolution, do.character, owner, faces, experience, mib, mib >= 0)
    spent = accounts.gained(accounts.spent(owner, do.resolution), len(experience))
    draft.here(reacted, _reaction_dice(draft, owner, signs), spent)
    draft.by(rule, mib, reaction=rating, modifiers=modifiers + automatic, dice=list(faces))


def _check_own_dice(draft: Draft, player: str, n: int) -> None:
    """`xd.contribute`: n dice of one's own purse, or (where the table plays so) of the Gamemaster's stock."""
    rule = "xd.contribute"
    draft.check_no_solo(rule)
    draft.player(player)
    if not draft.is_gm(player):
        if draft.balance(accounts.purse(player)) < n:
            raise no(rule, "not-enough-dice", has=draft.balance(accounts.purse(player)))
    elif draft.dials.gm_dice == "stock":
        draft.check_stock(n, rule)
    else:
        raise no(rule, "gm-holds-no-dice")


def _reaction_dice(draft: Draft, owner: str, signs: list[int]) -> Posting | None:
    """Dice added to one's own unopposed roll go against nobody; subtracted, they come back."""
    kept = draft.dials.self_against == "returns" and draft.dials.unopposed_dice == "only-when-nobody"
    gone = sum(1 for sign in signs if sign > 0 or not kept)
    return accounts.moved(draft.purse_of(owner), accounts.STOCK, gone)
