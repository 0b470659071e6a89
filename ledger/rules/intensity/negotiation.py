"""Negotiation: fiction in place of an impact, and bargains at any time."""

from __future__ import annotations

from collections.abc import Iterable

from ledger.rules.intensity.consent import check_reason, consents, who_is_asked
from ledger.rules.intensity.draft import Draft
from ledger.rules.intensity.facts_of_attacks import BargainDeclined, OutcomeNegotiated
from ledger.rules.intensity.facts_of_rounds import ActionPassed
from ledger.rules.intensity.fatal import (
    Doom,
    Settled,
    check_no_answers,
    check_no_token_twice,
    check_words,
    checked,
    give_up,
    happen,
    in_words,
    the_token,
)
from ledger.rules.intensity.guards import Place, check_once, the_attack, the_round, the_scene
from ledger.rules.intensity.inputs_of_fatals import Negotiate
from ledger.rules.intensity.sayings import gives_up_action, people, together
from ledger.rules.intensity.state import Fatal, OpenAttack
from ledger.rules.kernel.questions import Asking
from ledger.rules.kernel.refusals import Refused
from ledger.rules.kernel.subjects import character

DECLINE = "intensity.negotiate.decline"
TERMS = "intensity.negotiate.terms"


def negotiate(draft: Draft, do: Negotiate) -> Asking[None]:
    """The parties agree: on a behaviour or event instead of the impact, or on a trade at another time."""
    _check_words(draft, do)
    spoken_for = check_reason(draft, DECLINE, do.reason)
    place = the_scene(draft, DECLINE)
    attack = _attack_settled(place, do) if do.attack is not None else None
    _check_parties(do, attack)
    if not do.text.strip():
        raise Refused(DECLINE, "terms-text")
    if attack is None and not (do.uses or do.releases or do.passes):
        raise Refused(TERMS, "nothing-agreed")
    dooms = [checked(draft, place, use) for use in do.uses]
    released = {id: the_token(place, id) for id in do.releases}
    _check_consent(do, [doom.held.holder for doom in dooms] + [held.holder for held in released.values()])
    _check_consent(do, do.passes)
    _check_pending(place, do.passes)
    check_no_answers(draft, dooms)

    if spoken_for:
        draft.by(DECLINE, "agreed", spoken_for=do.reason)
    elif (against := (yield from _who_declines(draft, do, _terms(draft, do, attack, dooms, released)))) is not None:
        draft.tell(place.subject, BargainDeclined(do.attack, do.parties, against, do.text))
        return
    draft.tell(place.subject, OutcomeNegotiated(do.attack, do.parties, do.text))
    draft.by(DECLINE if attack else TERMS, "agreed", parties=list(do.parties), attack=do.attack)
    draft.by("intensity.negotiate.fiction", do.text)
    settled = Settled(frozenset(do.releases), frozenset(do.passes), attack_closed=attack is not None)
    happen(draft, place, dooms, settled)
    for id, held in released.items():
        give_up(draft, place, id, held)
    _give_up_actions(draft, place, do.passes)


def _who_declines(draft: Draft, do: Negotiate, terms: str) -> Asking[str | None]:
    """The first party, as they are named, that does not agree; None when all do."""
    for asked, chars in who_is_asked(draft, do.parties).items():
        if not (yield from consents(draft, DECLINE, asked, chars, f"bargain:{'+'.join(chars)}", terms)):
            return chars[0]
    return None


def _terms(
    draft: Draft, do: Negotiate, attack: OpenAttack | None, dooms: list[Doom], released: dict[str, Fatal]
) -> str:
    """What each player is asked to agree to: the words, what becomes of the attack, and what each party gives."""
    parts = [f"Do {people(draft, do.parties)} agree? “{do.text.strip()}”"]
    if attack is not None:
        attacker, defender = (draft.name(character(id)) for id in (attack.attacker, attack.defender))
        parts.append(f"{attacker}'s attack on {defender} has no impact.")
    for party in do.parties:
        if uses := in_words(draft, [doom for doom in dooms if doom.held.holder == party]):
            parts.append(uses)
        parts += [
            f"{draft.name(character(party))} gives up the fatal impact on {draft.name(character(held.subject))}."
            for held in released.values()
            if held.holder == party
        ]
        if party in do.passes:
            parts.append(gives_up_action(party, draft))
    return together(parts)


def _check_words(draft: Draft, do: Negotiate) -> None:
    for id in (*do.parties, *do.passes):
        draft.known(id)
    for use in do.uses:
        check_words(use)
        if use.by is not None:
            draft.known(use.by)
    check_no_token_twice([*(use.fatal for use in do.uses), *do.releases])
    check_once(do.passes, TERMS)


def _attack_settled(place: Place, do: Negotiate) -> OpenAttack:
    """The successful attack whose impact is declined. Refuses `no-round`, `no-attack`, `wrong-stage`."""
    attack = the_attack(the_round(place, DECLINE), DECLINE)
    if attack.id != do.attack:
        raise Refused(DECLINE, "no-attack", attack=do.attack, open=attack.id)
    if attack.success is None:
        raise Refused(DECLINE, "wrong-stage", attack=attack.id)
    return attack


def _check_parties(do: Negotiate, attack: OpenAttack | None) -> None:
    """At least two, nobody twice, attacker and defender among them."""
    needed = {attack.attacker, attack.defender} if attack is not None else set()
    if len(do.parties) < 2 or len(set(do.parties)) != len(do.parties) or not needed <= set(do.parties):
        raise Refused(DECLINE, "parties", parties=list(do.parties), needed=sorted(needed))


def _check_consent(do: Negotiate, who: Iterable[str]) -> None:
    """Whoever gives something up is a party."""
    missing = [id for id in who if id not in do.parties]
    if missing:
        raise Refused(TERMS, "parties", parties=list(do.parties), needed=missing)


def _check_pending(place: Place, passes: tuple[str, ...]) -> None:
    round = place.scene.round
    for id in passes:
        if round is None or round.groups is None or id not in round.participants:
            raise Refused(TERMS, "no-action-left", char=id)
        if round.participants[id].turn != "pending":
            raise Refused(TERMS, "no-action-left", char=id)


def _give_up_actions(draft: Draft, place: Place, passes: tuple[str, ...]) -> None:
    round = place.scene.round
    for id in passes:
        assert round is not None
        draft.tell(place.subject, ActionPassed(round.id, id))
        draft.by(TERMS, "passed", char=id)
