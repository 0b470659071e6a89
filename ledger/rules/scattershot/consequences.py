"""What follows from a Critical Juncture, invented by its author. 3.7."""

from __future__ import annotations

from ledger.rules.kernel.questions import Asking, ask
from ledger.rules.kernel.refusals import Refused, Unfit
from ledger.rules.scattershot import accounts
from ledger.rules.scattershot.advantage import room_for
from ledger.rules.scattershot.dividing import divided
from ledger.rules.scattershot.draft import Draft
from ledger.rules.scattershot.facts_of_characters import DisadvantageGained, ResidualPlaced
from ledger.rules.scattershot.facts_of_deeds import AdvantageConverted, Juncture, JunctureConsequenceNamed
from ledger.rules.scattershot.guards import no
from ledger.rules.scattershot.inputs_of_outcomes import Consequences, NameConsequences
from ledger.rules.scattershot.tables import TOO_SOON
from ledger.rules.scattershot.terms import is_natural, is_positive


def name_consequences(draft: Draft, do: NameConsequences) -> Asking[None]:
    """By who must invent them: asked, unless it says them itself."""
    one = draft.resolution(do.resolution)
    if one.phase not in ("results", "closed"):
        raise no("resolve.phases", "wrong-phase", phase=one.phase)
    if not is_natural(do.juncture) or do.juncture >= len(one.junctures):
        raise no("juncture.telling-blow", "wrong-phase", juncture=str(do.juncture))
    juncture = one.junctures[do.juncture]
    if juncture.named:
        raise no("juncture.telling-blow", "wrong-phase", juncture=do.juncture)
    said = do.consequences
    if said is not None:
        if draft.table.by.role != "gm" and draft.table.by.seat != juncture.author:
            raise no(f"juncture.{juncture.kind}", "not-proprietor", author=juncture.author)
        _check(draft, juncture, said, Refused)
    else:
        purpose = f"Lasting consequences of a {juncture.kind.replace('-', ' ').title()}"
        within = divided(draft.aside(), juncture)
        said = yield from ask(juncture.author, Consequences, slot="consequences", purpose=purpose, within=within)
        _check(draft, juncture, said, Unfit)
    _record(draft, do, juncture, said)


def _check(draft: Draft, juncture: Juncture, said: Consequences, refusal: type[Refused]) -> None:
    """`juncture.points`, `juncture.excess`, `juncture.duration`."""

    def refuse(rule: str, code: str) -> Refused:
        return refusal(f"scattershot.{rule}", code)

    numbers = [said.advantages, said.benefits, said.other]
    if not all(is_natural(n) for n in numbers):
        raise refuse("juncture.excess", "bad-number")
    if not all(is_positive(one.value) for one in said.disadvantages):
        raise refuse("juncture.points", "bad-number")
    if not all(is_positive(one.amount) for one in said.residuals):
        raise refuse("juncture.excess", "bad-number")
    if said.until.strip().lower() in TOO_SOON:
        raise refuse("juncture.duration", "ends-too-soon")
    if sum(one.value for one in said.disadvantages) > juncture.points:
        raise refuse("juncture.points", "excess-overspent")
    if sum(numbers) + sum(one.amount for one in said.residuals) > juncture.excess:
        raise refuse("juncture.excess", "excess-overspent")
    if (said.disadvantages or said.residuals) and juncture.sufferer is None:
        raise refuse("juncture.points", "excess-overspent")
    if said.advantages:
        fight = draft.fight(juncture.gainer)
        pair = (juncture.gainer, juncture.sufferer)
        if fight is None or not fight.melee or any(id not in fight.standing for id in pair):
            raise refuse("advantage.convert", "not-in-melee")
        if room_for(draft, pair[0] or "", pair[1] or "") < said.advantages:
            raise refuse("advantage.cap", "advantage-cap")


def _record(draft: Draft, do: NameConsequences, juncture: Juncture, said: Consequences) -> None:
    split = {
        "residuals": sum(one.amount for one in said.residuals),
        "advantages": said.advantages,
        "benefits": said.benefits,
        "other": said.other,
    }
    points = sum(one.value for one in said.disadvantages)
    draft.here(
        JunctureConsequenceNamed(
            do.resolution,
            do.juncture,
            juncture.author,
            said.text,
            points,
            {use: n for use, n in split.items() if n},
            said.until,
        )
    )
    draft.by("juncture.duration", said.until)
    draft.by("juncture.excess", sum(split.values()), excess=juncture.excess)
    sufferer = juncture.sufferer
    if sufferer is not None:
        for gained in said.disadvantages:
            draft.about(sufferer, DisadvantageGained(sufferer, gained.name, gained.value))
        for one in said.residuals:
            placed = ResidualPlaced(draft.table.new_id(), sufferer, -one.amount, one.scope, juncture.kind, said.until)
            draft.about(sufferer, placed)
        if said.advantages and juncture.gainer is not None:
            account = accounts.advantage(draft.place().id, juncture.gainer, sufferer)
            draft.here(
                AdvantageConverted(juncture.gainer, sufferer, said.advantages),
                accounts.gained(account, said.advantages),
            )
            draft.by("advantage.convert", said.advantages, holder=juncture.gainer, foe=sufferer)
