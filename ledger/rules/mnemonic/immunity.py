"""Script immunity: Important, Survivable or Lucky in place of the Role; how it is rated, and which seats may know its
rating.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated

from ledger.rules.kernel.kit import (
    OPEN,
    Among,
    Asking,
    Audience,
    CharacterId,
    Domain,
    Move,
    Names,
    Question,
    Reason,
    Refusal,
    Refused,
    Says,
    Seen,
    Shape,
    SharedRefusal,
    Title,
    Unfit,
    ask,
    changed,
    changes,
    character,
    choice,
    decides,
    declares,
    fact,
    guards,
    offers,
    once_created,
    require,
    rule,
    step,
    words,
)
from ledger.rules.mnemonic import ladders
from ledger.rules.mnemonic.dials import Dials
from ledger.rules.mnemonic.draft import Draft
from ledger.rules.mnemonic.records import RatedTrait
from ledger.rules.mnemonic.referee import CHAIR, REFEREE, REFEREES, may_rule, offer_to_referees, read_referee
from ledger.rules.mnemonic.state import Character, Importance
from ledger.rules.mnemonic.traits import TWO_TRAITS, UNRATED, Aptitude, add_up, read_trait
from ledger.rules.mnemonic.words import (
    LUCKY,
    PRESETS,
    CheckId,
    Immunity,
    KnownTo,
    Ladder,
    Preset,
    RatingName,
    Readers,
    Row,
    collapse_spaces,
    format_reason,
    name_subject,
    normalize_name,
)

SOURCE = rule(
    "mnemonic.dramatic.source",
    "Script immunity says how likely the story is to spare a character. It is either a rating of its own, for "
    "example one called Important, or the Talent Lucky. Tables can play without it.",
    "dramatic considerations",
)
REASON_NEEDED = SharedRefusal("reason-needed", "Give a reason.")
OFF = Refusal(SOURCE, "dramatic-off", "This table plays without script immunity.")
RATING_NEEDED = Refusal(
    SOURCE,
    "importance-needed",
    "This table rates script immunity for every check. Name a rating.",
)
NOT_RATED_HERE = Refusal(
    SOURCE,
    "importance-not-ruled-here",
    "Script immunity is not rated for this check. Leave the rating out.",
)


def read_source(dials: Dials, state: Character) -> str:
    """Return the source of a character's script immunity: `off`, or the rating that counts, as ruled for the character
    or else as the option says.
    """
    return dials.dramatic_source if dials.dramatic_source == "off" else state.source or dials.dramatic_source


@guards
def may_have_immunity(dials: Dials) -> Refused | None:
    return OFF() if dials.dramatic_source == "off" else None


# --- rating script immunity -------------------------------------------------------------------------------------------


def say_importance(fact: ImportanceRated, names: Names) -> str:
    replaced_phrase = f" and no longer {fact.replaces}" if fact.replaces not in (None, fact.rating) else ""
    return f"{name_subject(names)} is {fact.rating} {fact.label}{replaced_phrase}{format_reason(fact.reason)}."


@fact("importance-rated", says=say_importance)
class ImportanceRated:
    """Subject: the character. Its script immunity was rated. The rating counts until the next one."""

    label: Title
    rating: RatingName
    number: int
    replaces: RatingName | None
    reason: Reason
    seen_by: Readers | None = None


@changes
@once_created
def put_importance(state: Character, fact: ImportanceRated) -> Character | None:
    return changed(state, importance=Importance(fact.label, fact.rating, fact.number, None, fact.seen_by))


@declares(
    "rate-importance",
    REFEREE,
    says="The referee rates {character}'s script immunity.",
    records=(ImportanceRated,),
)
class RateImportance:
    """Rate a character's script immunity: how likely the story is to spare the character. The rating counts until you
    give another one.

    `preset`: some ratings are suggested for each part. If you choose a part, the rating must be one of them.
    """

    character: CharacterId
    rating: Annotated[
        RatingName, Says("Rating", "Leave it out to use the first rating suggested for the part in the story.")
    ] = ""
    reason: Reason = ""
    preset: Annotated[Preset | None, Says("Part in the story")] = None


@decides
def rate_importance(draft: Draft, do: RateImportance) -> None:
    """Rate how likely the story is to spare the character. A fixed rating that has been used can be changed only with a
    reason.
    """
    require(may_rule(draft))
    state, dials = draft.character(do.character), draft.dials
    with draft.write_secretly(list_readers(dials, do.character, state.known_to)):
        require(may_have_immunity(dials))
        if do.preset is not None:
            row = _read_preset_rating(dials, do.preset, do.rating or None)
        else:
            row = _read_rating(dials, do.rating)
        is_fixed = dials.dramatic_approach == "fixed" and read_source(dials, state) == "important"
        if is_fixed and state.importance is not None and state.resisted and not do.reason.strip():
            raise REASON_NEEDED.under(SOURCE)
        replaces = state.importance.rating if state.importance is not None else None
        _record_importance(draft, do.character, row, replaces, do.reason)


def _read_rating(dials: Dials, rating: str) -> Row:
    return ladders.read_rating_row(ladders.read_ratings(dials), rating)


def _record_importance(draft: Draft, character_id: str, row: Row, replaces: str | None, reason: str) -> None:
    """Record the rating, for the seats that may read it. The fact lists these seats."""
    name, number = row
    label = collapse_spaces(draft.dials.dramatic_label)
    draft.about(character_id, ImportanceRated(label, name, number, replaces, reason, draft.readers))
    draft.by(SOURCE, number, rating=name, approach=draft.dials.dramatic_approach)


# --- ratings suggested for a part in the story ------------------------------------------------------------------------

PRESETS_RULE = rule(
    "mnemonic.dramatic.presets",
    "Suggested ratings of script immunity are Very or Extremely for player characters and major villains, "
    "Moderately for henchmen, friends and family, and lower ratings for extras.",
    "dramatic considerations",
)
NOT_OF_PRESET = Refusal(
    PRESETS_RULE,
    "not-of-preset",
    "That rating does not fit this part in the story ({preset}). Choose one of these: {suggested}.",
)
ASK_IMPORTANCE = Question("importance", "Say {purpose}.")


def say_preset_taken(do: TakePreset, names: Names) -> str:
    rating_phrase = f", {do.rating.strip()}" if do.rating and do.rating.strip() else ""
    return f"Part in the story: {words(do.preset)}{rating_phrase}."


@choice("take-preset", by="asked", says=say_preset_taken)
class TakePreset:
    """Choose the character's part in the story, and one of the ratings suggested for that part."""

    preset: Annotated[Preset, Says("Part in the story")]
    rating: Annotated[
        RatingName | None, Says("Rating", "Leave it out to use the first rating suggested for the part in the story.")
    ] = None


@choice("name-rating", by="asked", says="The rating is {rating}.")
class NameRating:
    """Choose any rating on the campaign's ladder."""

    rating: RatingName


def _read_preset_rating(dials: Dials, preset: Preset, rating: str | None) -> Row:
    """Return the rating suggested for a part in the story: the one named, or else the first."""
    suggested_names = PRESETS[preset]
    name = suggested_names[0] if rating is None else rating
    if normalize_name(name) not in map(normalize_name, suggested_names):
        raise NOT_OF_PRESET(preset=preset, suggested=list(suggested_names))
    return _read_rating(dials, name)


def rate_at_enrolment(draft: Draft, character_id: str, name: str) -> Asking[None]:
    """Ask the referee how important a new character is, and record the rating. The presets can be chosen by name. The
    answer is as secret as the rating.
    """
    referee, dials = read_referee(draft), draft.dials
    audience = list_readers(dials, character_id, None)
    offer_text = "; ".join(f"{words(preset)}: {' or '.join(ratings)}" for preset, ratings in PRESETS.items())
    answer = yield from ask(
        referee,
        TakePreset,
        NameRating,
        slot=ASK_IMPORTANCE(),
        purpose=f"how {collapse_spaces(dials.dramatic_label)} {name} is ({offer_text})",
        audience=audience,
        within=_list_answer_shapes(dials),
    )
    try:
        if isinstance(answer, TakePreset):
            row = _read_preset_rating(dials, answer.preset, answer.rating)
        else:
            row = _read_rating(dials, answer.rating)
    except Refused as refusal:
        raise Unfit(refusal.rule, refusal.code, audience, **refusal.context) from None
    with draft.write_secretly(audience):
        _record_importance(draft, character_id, row, None, "")


def _list_answer_shapes(dials: Dials) -> Iterator[Shape]:
    """Yield the ratings of the ladder, and the suggested ratings that are on it."""
    ladder = ladders.read_ratings(dials)
    yield Shape(NameRating, {"rating": Among(tuple(name for name, _ in ladder))})
    for preset, suggested_names in PRESETS.items():
        known_names = tuple(name for name in suggested_names if ladders.has_rating(ladder, name))
        omitted_choice = (None,) if ladders.has_rating(ladder, suggested_names[0]) else ()
        yield Shape(TakePreset, {"preset": Among((preset,)), "rating": Among((*omitted_choice, *known_names))})


@offers
def offer_immunity(seen: Seen, draft: Draft) -> Iterator[Move]:
    if may_rule(draft) is None and may_have_immunity(draft.dials) is None and draft.roster:
        yield from offer_to_referees(draft, _list_moves(draft))


def _list_moves(draft: Draft) -> Iterator[Move]:
    character_domain = Among(draft.roster)
    yield Move(RuleImmunity, {"character": character_domain, "source": OPEN, "known_to": OPEN})
    if draft.ladder:
        yield Move(RateImportance, {"character": character_domain, "rating": Among(draft.ratings)})
    for preset, suggested_names in PRESETS.items():
        known_names = tuple(name for name in suggested_names if draft.read_number(name) is not None)
        omitted_choice = ("",) if suggested_names[0] in known_names else ()
        if known_names:
            fields: dict[str, Domain] = {"preset": Among((preset,)), "rating": Among((*omitted_choice, *known_names))}
            yield Move(RateImportance, {"character": character_domain, **fields})


# --- readers of the rating --------------------------------------------------------------------------------------------

HIDDEN = rule(
    "mnemonic.dramatic.hidden",
    "When a character makes a check to resist, and you are not allowed to know that character's rating of script"
    " immunity, you see only the roll, any fluke and the new Status.",
    "dramatic considerations",
)


def list_readers(dials: Dials, character_id: str, known_to: KnownTo | None) -> Audience:
    """Return the seats that may read a character's rating of script immunity."""
    referees = REFEREES if dials.dramatic_seen_by_gm else CHAIR
    match known_to or ("everybody" if dials.dramatic_visible else "referee"):
        case "everybody":
            return None
        case "player":
            return (*referees, str(character(character_id)))
        case _:
            return referees


def list_readers_of_resistance(dials: Dials, character_id: str, state: Character) -> Audience:
    """Return the seats that may read the parts of a resisting check. With a known Talent, the parts would reveal the
    rating.
    """
    return list_readers(dials, character_id, state.known_to) if read_source(dials, state) == "important" else None


@fact("shown-as", says="{subject}'s levels of Status are called {status_names}.")
class ShownAs:
    """Subject: the character. From now on, its Status and its script immunity are shown as stated here. `status_names`:
    the names of its levels of Status. `importance_seen_by`: the seats that may currently see its ratings of script
    immunity.
    """

    status_names: tuple[Title, ...]
    importance_seen_by: Readers | None


@changes
@once_created
def show_as(state: Character, fact: ShownAs) -> Character | None:
    """Change who may read the ratings given so far, and the names of the levels. Each later rating
    has its own readers.
    """
    readers, importance = fact.importance_seen_by, state.importance
    return changed(
        state,
        status_names=fact.status_names,
        importance=changed(importance, seen_by=readers) if importance is not None else None,
        open=len(state.importances),
        open_to=readers,
    )


def record_shown_as(draft: Draft, dials: Dials, character_id: str, known_to: KnownTo | None) -> None:
    """Record the names of a character's levels under these options, and who may read its ratings so far."""
    level_names = tuple(map(collapse_spaces, dials.status_names))
    draft.about(character_id, ShownAs(level_names, list_readers(dials, character_id, known_to)))


@fact(
    "immunity-ruled",
    says="{subject}'s script immunity is set[ to {source}][ (known to {known_to})][ (“{reason}”)].",
)
class ImmunityRuled:
    """Subject: the character. The referee ruled which rating counts as its script immunity, and who may know that
    rating. If a field is empty, the options decide.
    """

    source: Immunity | None
    known_to: KnownTo | None
    reason: Reason


@changes
@once_created
def put_immunity(state: Character, fact: ImmunityRuled) -> Character | None:
    return changed(state, source=fact.source, known_to=fact.known_to)


@declares(
    "rule-immunity",
    REFEREE,
    says="The referee sets {character}'s script immunity and decides who may know about it[ (“{reason}”)].",
    records=(ImmunityRuled, ShownAs),
)
class RuleImmunity:
    """Decide for one character what the options decide for the whole table: which rating is the character's script
    immunity, and who may know that rating and its effects. Leave a field out to follow the options.
    """

    character: CharacterId
    source: Annotated[Immunity | None, Says("Rating used")] = None
    known_to: Annotated[KnownTo | None, Says("Who may know the rating")] = None
    reason: Reason = ""


@decides
def rule_immunity(draft: Draft, do: RuleImmunity) -> None:
    """Rule for one character, in place of the table's options, whether Lucky is its script immunity and what players
    may know.
    """
    require(may_rule(draft))
    draft.character(do.character)
    require(may_have_immunity(draft.dials))
    draft.about(do.character, ImmunityRuled(do.source, do.known_to, do.reason))
    record_shown_as(draft, draft.dials, do.character, do.known_to)
    draft.by(SOURCE, do.source or "as the table")
    draft.by(HIDDEN, do.known_to or "as the table")


# --- resisting with script immunity -----------------------------------------------------------------------------------

APTITUDE = rule(
    "mnemonic.dramatic.aptitude",
    "With script immunity, the Aptitude to resist an injury is the rating of script immunity plus a Talent. A Life"
    " Role replaces the Talent if its rating is higher.",
    "dramatic considerations",
)


@fact("importance-ruled", says="{subject} is {rating} {label} for this check.")
class ImportanceRuled:
    """Subject: the character. Its script immunity was rated for this one check to resist."""

    check: CheckId
    label: Title
    rating: RatingName
    number: int
    seen_by: Readers | None = None


@changes
@once_created
def add_importance(state: Character, fact: ImportanceRuled) -> Character | None:
    importance = Importance(fact.label, fact.rating, fact.number, fact.check, fact.seen_by)
    return changed(state, importances=state.importances.with_last(importance))


def record_importance_anew(
    draft: Draft, character_id: str, state: Character, check_id: str, rating: RatedTrait | None
) -> None:
    """Record the rating for this check, if the table rates script immunity for each check."""
    if rating is not None and is_rated_anew(draft.dials, state):
        draft.about(character_id, ImportanceRuled(check_id, rating.name, rating.rating, rating.number, draft.readers))


def is_rated_anew(dials: Dials, state: Character) -> bool:
    """Return whether script immunity is rated again for each resisting check of this character."""
    return read_source(dials, state) == "important" and dials.dramatic_approach == "per_check"


@guards
def may_name_importance(
    dials: Dials, state: Character, rating_name: str | None, assignment_id: str | None
) -> Refused | None:
    """Refuse a rating if the resisting check uses no script immunity, or a fixed rating."""
    if rating_name is None:
        return None
    refused = may_have_immunity(dials)
    if refused is not None:
        return refused
    return NOT_RATED_HERE() if assignment_id is not None or not is_rated_anew(dials, state) else None


@guards
def may_use_fixed_rating(dials: Dials, ladder: Ladder, state: Character) -> Refused | None:
    """Refuse a check for which there is no fixed rating, or a fixed rating that is not on the ladder."""
    if state.importance is None:
        return UNRATED.under(SOURCE, trait=collapse_spaces(dials.dramatic_label))
    rating_name = state.importance.rating
    return None if ladders.has_rating(ladder, rating_name) else ladders.UNKNOWN_RATING(rating=rating_name)


def read_immunity_rating(dials: Dials, ladder: Ladder, state: Character, rating_name: str | None) -> RatedTrait:
    """Return the rating that takes part in a resisting check. Refuses `unrated`, `importance-needed`,
    `unknown-rating`.
    """
    if read_source(dials, state) == "lucky":
        return read_trait(dials, ladder, state, "talent", LUCKY)
    label = collapse_spaces(dials.dramatic_label)
    if dials.dramatic_approach == "per_check":
        if rating_name is None:
            raise RATING_NEEDED()
        return RatedTrait("importance", label, *ladders.read_rating_row(ladder, rating_name))
    require(may_use_fixed_rating(dials, ladder, state))
    assert state.importance is not None, "`may_use_fixed_rating` has checked this"
    return RatedTrait("importance", label, *ladders.read_rating_row(ladder, state.importance.rating))


def add_importance_up(
    ladder: Ladder, importance: RatedTrait, talent: RatedTrait, roles: tuple[RatedTrait, ...]
) -> Aptitude:
    """Return the sum of Importance and the Talent. A larger Life Role takes the Talent's place. Lucky cannot count
    twice.
    """
    largest_trait = max(roles, key=lambda role: role.number, default=talent)
    counted_trait = largest_trait if largest_trait.number > talent.number else talent
    if (counted_trait.kind, normalize_name(counted_trait.name)) == (importance.kind, normalize_name(importance.name)):
        raise TWO_TRAITS(trait=counted_trait.name)
    total = add_up(ladder, "dramatic", importance, counted_trait)
    choice_step = step(
        APTITUDE, total.number, importance=importance.number, talent=talent.number, other=counted_trait.name
    )
    return Aptitude(total.number, "dramatic", total.traits, None, (*total.because, choice_step), importance)
