"""Script immunity: Important, Survivable or Lucky in place of the Role. Heading: dramatic considerations."""

from __future__ import annotations

from functools import cache

from ledger.rules.kernel.contract import step
from ledger.rules.kernel.phrases import words
from ledger.rules.kernel.questions import Asking, ask
from ledger.rules.kernel.refusals import Refused, Unfit
from ledger.rules.kernel.subjects import Audience, character
from ledger.rules.mnemonic import answers, ladders
from ledger.rules.mnemonic.aptitudes import SUM, Aptitude, rated, summed
from ledger.rules.mnemonic.authority import CHAIR, REFEREES
from ledger.rules.mnemonic.choices import NameRating, TakePreset
from ledger.rules.mnemonic.dials import Dials
from ledger.rules.mnemonic.draft import Draft
from ledger.rules.mnemonic.facts import ImmunityRuled, ImportanceRated, ImportanceRuled, ShownAs
from ledger.rules.mnemonic.flukes import normal
from ledger.rules.mnemonic.guards import must_be_referee, must_have_referee
from ledger.rules.mnemonic.inputs import RateImportance, RuleImmunity
from ledger.rules.mnemonic.parts import RatedTrait
from ledger.rules.mnemonic.state import Character
from ledger.rules.mnemonic.status import counted
from ledger.rules.mnemonic.tables import HIGHEST, PRESETS, Ladder, Row
from ledger.rules.mnemonic.terms import FINE, LUCKY, KnownTo, Preset, collapsed, same_name

SOURCE = "mnemonic.dramatic.source"
HIDDEN = "mnemonic.dramatic.hidden"
HELPFUL = "mnemonic.dramatic.aptitude"


# --- which rating it is, and who may know -------------------------------------------------------------------------


def source_of(dials: Dials, being: Character) -> str:
    """`off`, or the rating that is this character's script immunity: as ruled for it, else as the table has it."""
    return dials.dramatic_source if dials.dramatic_source == "off" else being.source or dials.dramatic_source


def readers_of_importance(dials: Dials, id: str, known_to: KnownTo | None) -> Audience:
    """Of a character's rating of script immunity."""
    referees = REFEREES if dials.dramatic_seen_by_gm else CHAIR
    match known_to or ("everybody" if dials.dramatic_visible else "referee"):
        case "everybody":
            return None
        case "player":
            return (*referees, str(character(id)))
        case _:
            return referees


def readers_of_resistance(dials: Dials, id: str, being: Character) -> Audience:
    """Of what goes into a resisting check: together with the known Talent it would tell the rating."""
    return readers_of_importance(dials, id, being.known_to) if source_of(dials, being) == "important" else None


def show(draft: Draft, dials: Dials, id: str, known_to: KnownTo | None) -> None:
    """How a character's levels are called by these dials, and who may read its ratings so far."""
    names = tuple(map(collapsed, dials.status_names))
    draft.about(id, ShownAs(names, readers_of_importance(dials, id, known_to)))


def rule_immunity(draft: Draft, do: RuleImmunity) -> None:
    """For one character what the dials say for the table: whether Lucky stands in, and what players may know."""
    must_be_referee(draft)
    draft.character(do.character)
    if draft.dials.dramatic_source == "off":
        raise Refused(SOURCE, "dramatic-off")
    draft.about(do.character, ImmunityRuled(do.source, do.known_to, do.reason))
    show(draft, draft.dials, do.character, do.known_to)
    draft.by(SOURCE, do.source or "as the table")
    draft.by(HIDDEN, do.known_to or "as the table")


# --- rating it ----------------------------------------------------------------------------------------------------


def rate_importance(draft: Draft, do: RateImportance) -> None:
    """How likely the story is to spare the character. Once it was resisted with, a fixed one changes with a reason."""
    must_be_referee(draft)
    being = draft.character(do.character)
    dials = draft.dials
    with draft.secretly(readers_of_importance(dials, do.character, being.known_to)):
        if dials.dramatic_source == "off":
            raise Refused(SOURCE, "dramatic-off")
        row = _preset(dials, do.preset, do.rating or None) if do.preset is not None else _named(dials, do.rating)
        fixed = dials.dramatic_approach == "fixed" and source_of(dials, being) == "important"
        if fixed and being.importance is not None and being.resisted and not do.reason.strip():
            raise Refused(SOURCE, "reason-needed")
        replaces = being.importance.rating if being.importance is not None else None
        _rate(draft, do.character, row, replaces, do.reason)


def check_rated(dials: Dials) -> None:
    """Refuses `dramatic-off`."""
    if dials.dramatic_source == "off":
        raise Refused(SOURCE, "dramatic-off")


def rate_at_enrolment(draft: Draft, id: str, name: str) -> Asking[None]:
    """The referee is asked how important somebody new is, and offered the presets by name; as secret as the rating."""
    referee, dials = must_have_referee(draft), draft.dials
    audience = readers_of_importance(dials, id, None)
    offered = "; ".join(f"{words(preset)}: {' or '.join(ratings)}" for preset, ratings in PRESETS.items())
    purpose = f"how {collapsed(dials.dramatic_label)} {name} is ({offered})"
    said = yield from ask(
        referee,
        TakePreset,
        NameRating,
        slot="importance",
        purpose=purpose,
        audience=audience,
        within=answers.rating(dials),
    )
    try:
        row = _preset(dials, said.preset, said.rating) if isinstance(said, TakePreset) else _named(dials, said.rating)
    except Refused as no:
        raise Unfit(no.rule, no.code, audience, **no.context) from None
    with draft.secretly(audience):
        _rate(draft, id, row, None, "")


def _named(dials: Dials, rating: str) -> Row:
    return ladders.rating(ladders.ratings(dials), rating)


def _preset(dials: Dials, preset: Preset, rating: str | None) -> Row:
    """The rating suggested for a part in the story: the one named of several, else the first."""
    suggested = PRESETS[preset]
    name = suggested[0] if rating is None else rating
    if same_name(name) not in map(same_name, suggested):
        raise Refused("mnemonic.dramatic.presets", "not-of-preset", preset=preset, suggested=list(suggested))
    return _named(dials, name)


def _rate(draft: Draft, id: str, row: Row, replaces: str | None, reason: str) -> None:
    """Written for those who may read it, as the fact says itself."""
    name, number = row
    label = collapsed(draft.dials.dramatic_label)
    draft.about(id, ImportanceRated(label, name, number, replaces, reason, draft.readers))
    draft.by(SOURCE, number, rating=name, approach=draft.dials.dramatic_approach)


# --- resisting with it --------------------------------------------------------------------------------------------


def must_not_be_named(dials: Dials, being: Character, importance: str | None, assigned: str | None) -> None:
    """Where a resisting check takes no rating, or not from the ruling, none may be named."""
    if importance is None:
        return
    if dials.dramatic_source == "off":
        raise Refused(SOURCE, "dramatic-off")
    per_check = source_of(dials, being) == "important" and dials.dramatic_approach == "per_check"
    if assigned is not None or not per_check:
        raise Refused(SOURCE, "importance-not-ruled-here")


def importance_of(dials: Dials, ladder: Ladder, being: Character, named: str | None) -> RatedTrait:
    """The rating that takes part in a resisting check. Refuses `unrated`, `importance-needed`."""
    if source_of(dials, being) == "lucky":
        return rated(dials, ladder, being, "talent", LUCKY)
    label = collapsed(dials.dramatic_label)
    if dials.dramatic_approach == "per_check":
        if named is None:
            raise Refused(SOURCE, "importance-needed")
        return RatedTrait("importance", label, *ladders.rating(ladder, named))
    if being.importance is None:
        raise Refused(SOURCE, "unrated", trait=label)
    return RatedTrait("importance", label, *ladders.rating(ladder, being.importance.rating))


def dramatic_aptitude(
    ladder: Ladder, importance: RatedTrait, talent: RatedTrait, roles: tuple[RatedTrait, ...]
) -> Aptitude:
    """Importance and the Talent, or the best Life Role in its place where that is larger; never Lucky twice."""
    best = max(roles, key=lambda role: role.number, default=talent)
    other = best if best.number > talent.number else talent
    if (other.kind, same_name(other.name)) == (importance.kind, same_name(importance.name)):
        raise Refused(SUM, "two-traits-needed", trait=other.name)
    found = summed(ladder, "dramatic", importance, other)
    chosen = step(HELPFUL, found.number, importance=importance.number, talent=talent.number, other=other.name)
    return Aptitude(found.number, "dramatic", found.traits, None, (*found.because, chosen), importance)


def rule_anew(draft: Draft, id: str, being: Character, check: str, rating: RatedTrait | None) -> None:
    """The history of a rating that every check names anew."""
    dials = draft.dials
    if rating is None or source_of(dials, being) != "important" or dials.dramatic_approach != "per_check":
        return
    draft.about(id, ImportanceRuled(check, rating.name, rating.rating, rating.number, draft.readers))


def faces_that_succeed(aptitude: int, chances: int) -> int:
    """Of the twelve faces of one die, without flukes (`mnemonic.check.odds`)."""
    return max(0, min(HIGHEST, aptitude + chances))


def faces_by_level(aptitude: int, chances: int) -> tuple[int, ...]:
    """How many of the twelve faces lead to each level, 0 to 6 (`mnemonic.dramatic.preview`)."""
    counts = [0] * (FINE + 1)
    for face in range(1, HIGHEST + 1):
        counts[counted(normal(aptitude - face + chances).successes)] += 1
    return tuple(counts)


@cache
def preview() -> dict[str, list[int]]:
    """`faces_by_level` by the sum of Aptitude and Chances; below the first and above the last nothing changes."""
    return {str(both): list(faces_by_level(both, 0)) for both in range(HIGHEST + FINE)}
