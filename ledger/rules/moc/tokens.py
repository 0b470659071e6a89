"""Tokens: which pool one comes from, and spending it (headings "Skills", "Characteristics")."""

from __future__ import annotations

from ledger.rules.kernel.refusals import Refused
from ledger.rules.moc import accounts, facts_of_bodies, terms
from ledger.rules.moc.draft import Draft
from ledger.rules.moc.terms import CASCADE

RULE = "moc.skill.tokens"


def token_pool(named: str, pool: str | None) -> str:
    """Which pool a token for this characteristic comes from. Refuses `wrong-token-pool`."""
    above = CASCADE[named]
    if pool is None and len(above) == 1:
        return above[0]
    wanted = terms.primary(pool, RULE) if pool is not None else ""
    if wanted not in above:
        raise Refused(RULE, "wrong-token-pool", characteristic=named, pools=list(above))
    return wanted


def check_token(draft: Draft, id: str, pool: str) -> None:
    """Refuses `primary-at-zero`, `no-token`."""
    if draft.value(id, pool) == 0:
        raise Refused(RULE, "primary-at-zero", character=id, primary=pool)
    if draft.balance(accounts.token(id, pool)) < 1:
        raise Refused(RULE, "no-token", character=id, primary=pool)


def spend_token(draft: Draft, id: str, named: str, pool: str) -> int:
    """`moc.skill.tokens`, `moc.char.tokens`: the dice the characteristic adds."""
    check_token(draft, id, pool)
    moved = accounts.move(accounts.token(id, pool), accounts.TOKENS, 1)
    draft.about(id, facts_of_bodies.TokenSpent(named, pool), moved)
    dice = draft.who(id).ratings.get(named, 1)
    draft.by(RULE, dice, characteristic=named, primary=pool)
    if draft.balance(accounts.token(id, pool)) == 0:
        draft.about(id, facts_of_bodies.FatigueGained(1, "the last token of a pool"))
        draft.by("moc.char.tokens", 1, primary=pool)
    return dice
