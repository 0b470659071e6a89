"""The Reaction roll of a Character that is Off-Guard."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from ledger.rules.kernel.kit import (
    ANYONE,
    Among,
    Asking,
    CharacterId,
    Domain,
    Move,
    Names,
    Posting,
    Question,
    RecordedFacts,
    SeatId,
    Seen,
    Shape,
    Some,
    Thrown,
    changes,
    character,
    decides,
    declares,
    fact,
    listed,
    offers,
    require,
    seat,
    throws,
)
from ledger.rules.scattershot import accounts, conditions, game, ratings
from ledger.rules.scattershot.agreement import read_faces, roll_two_d10
from ledger.rules.scattershot.draft import FACE, TWO_D10, Draft, check_whole, find_rating, may_act_in
from ledger.rules.scattershot.experience import ask_face, check_face
from ledger.rules.scattershot.scene import Reaction, Resolution, in_its_resolution, put_reaction
from ledger.rules.scattershot.totals import CONTRIBUTE
from ledger.rules.scattershot.words import (
    BAD_D10,
    BAD_NUMBER,
    GM_HOLDS_NO_DICE,
    NOT_ENOUGH_DICE,
    OFF_GUARD_PENALTY,
    WRONG_PHASE,
    D10Faces,
    Face,
    ResolutionId,
    Sign,
    show_sign,
)


def say_reaction(fact: OffGuardReactionRolled, names: Names) -> str:
    name = names.name(character(fact.character))
    dice_list = listed(str(face) for face in fact.dice)
    experience_clause = (
        f", {listed(show_sign(face) for face in fact.experience)} with Experience Dice" if fact.experience else ""
    )
    result_phrase = "notices the Action and must respond" if fact.engaged else "does not notice the Action in time"
    roll_phrase = f"{dice_list}{experience_clause}, a MIB of {fact.mib}"
    return f"{name} is Off-Guard and makes a Reaction roll: {roll_phrase}. {name} {result_phrase}."


@fact("off-guard-reaction-rolled", says=say_reaction, headline=12, kw_only=True)
class OffGuardReactionRolled:
    """A Character that was Off-Guard made a Reaction roll. `experience`: the Experience Dice, negative if they were
    subtracted. `engaged`: whether the roll succeeded, so that the Character is Engaged.
    """

    resolution: ResolutionId
    character: CharacterId
    player: SeatId
    dice: tuple[int, ...]
    experience: tuple[int, ...]
    mib: int
    engaged: bool


@changes
@in_its_resolution
def record_reaction(resolution: Resolution, fact: OffGuardReactionRolled) -> Resolution:
    return put_reaction(resolution, fact.character, Reaction(fact.player, fact.mib))


@dataclass(frozen=True, slots=True)
class ExtraDie:
    """An Experience Die from your own purse that you add to a Reaction roll or subtract from it.

    `face`: the number on the die; leave it out to be asked. `sign`: 1 adds the die, -1 subtracts it.
    """

    face: Face | None = None
    sign: Sign = 1


@declares(
    "react-off-guard",
    ANYONE,
    says="{character} is Off-Guard and makes a Reaction roll.",
    records=(OffGuardReactionRolled,),
)
class ReactOffGuard:
    """Make a Reaction roll at -2 for a Persona that is Off-Guard towards the Actor.

    `faces`: the numbers on the two ten-sided dice; leave them out to be asked. `modifiers`: the circumstances that make
    the roll easier or harder. `experience`: Experience Dice that change the roll.
    """

    resolution: ResolutionId
    character: CharacterId
    faces: D10Faces | None = None
    modifiers: tuple[ratings.Modifier, ...] = ()
    experience: tuple[ExtraDie, ...] = ()


ASK_REACTION = Question("reaction", "{who} rolls two ten-sided dice to notice the Action in time.")


@decides
def react(draft: Draft, do: ReactOffGuard) -> Asking[None]:
    """Make the Reaction roll: Reaction, plus modifiers and situation, minus 2, minus 2d10, plus or minus Experience
    Dice. At 0 or more, the Character notices the Action.
    """
    resolution = draft.require_resolution(do.resolution)
    require(may_act_in(resolution, "opportunity"))
    owner = draft.check_plays(do.character, conditions.REACT)
    if resolution.engaged.get(do.character) != "off-guard":
        raise WRONG_PHASE.under(conditions.REACT, character=do.character)
    require(game.may_use_mechanics(draft))
    char_state = draft.read_character(do.character)
    declared_modifiers = sum(check_whole(entry.amount, ratings.MODIFIERS) for entry in do.modifiers)
    signs, faces_or_none = [entry.sign for entry in do.experience], [check_face(entry.face) for entry in do.experience]
    if any(type(sign) is not int or sign not in (1, -1) for sign in signs):
        raise BAD_NUMBER.under(conditions.REACT, signs=str(signs))
    if do.experience:
        _check_own_dice(draft, owner, len(do.experience))
    faces = read_faces(do.faces, 2, 10, conditions.REACT, BAD_D10)
    if faces is None:
        faces = yield from roll_two_d10(do.character, ASK_REACTION(), "a Reaction roll")
    shown_faces = []
    for face in faces_or_none:
        shown_faces.append(face if face is not None else (yield from ask_face(owner)))  # noqa: PERF401
    experience = tuple(sign * face for sign, face in zip(signs, shown_faces, strict=True))
    rating = find_rating(char_state, "reaction") or 0
    situation = conditions.add_up_situation(draft, do.character)
    mib = rating + declared_modifiers + situation + OFF_GUARD_PENALTY - sum(faces) + sum(experience)
    fact = OffGuardReactionRolled(
        resolution=do.resolution,
        character=do.character,
        player=owner,
        dice=faces,
        experience=experience,
        mib=mib,
        engaged=mib >= 0,
    )
    spent_gain = accounts.make_gain(accounts.name_spent(owner, do.resolution), len(experience))
    draft.here(fact, _make_dice_posting(draft, owner, signs), spent_gain)
    draft.by(conditions.REACT, mib, reaction=rating, modifiers=declared_modifiers + situation, dice=list(faces))


def _check_own_dice(draft: Draft, player: str, count: int) -> None:
    """Check that a Player's purse has this many dice. A Gamemaster's dice come from the stock, if the table plays that
    way.
    """
    draft.check_no_solo(CONTRIBUTE)
    draft.require_player(player)
    if not draft.is_gm(player):
        if draft.balance(accounts.name_purse(player)) < count:
            raise NOT_ENOUGH_DICE.under(CONTRIBUTE, has=draft.balance(accounts.name_purse(player)))
    elif draft.dials.gm_dice == "stock":
        draft.check_stock(count, CONTRIBUTE)
    else:
        raise GM_HOLDS_NO_DICE.under(CONTRIBUTE)


def _make_dice_posting(draft: Draft, owner: str, signs: list[int]) -> Posting | None:
    """Return the posting for the dice.

    Dice that are added are not used against any Player. Dice that are subtracted come back, if the table plays that
    way.
    """
    is_subtracted_kept = draft.dials.self_against == "returns" and draft.dials.unopposed_dice == "only-when-nobody"
    dice_lost = sum(1 for sign in signs if sign > 0 or not is_subtracted_kept)
    return accounts.make_posting(draft.find_purse(owner), accounts.STOCK, dice_lost)


@throws
def throw_reaction(do: ReactOffGuard, ruling: RecordedFacts) -> Iterator[Thrown]:
    """Yield the dice that were typed in. The Experience Dice belong to the Player."""
    for rolled_fact in (about.fact for about in ruling.facts):
        if isinstance(rolled_fact, OffGuardReactionRolled):
            if do.faces is not None:
                yield Thrown(character(rolled_fact.character), 10, rolled_fact.dice)
            dice_and_faces = zip(do.experience, rolled_fact.experience, strict=False)
            typed_faces = tuple(abs(face) for die, face in dice_and_faces if die.face is not None)
            if typed_faces:
                yield Thrown(seat(rolled_fact.player), 6, typed_faces)


@offers
def offer_reactions(seen: Seen, draft: Draft) -> Iterator[Move]:
    """Yield moves that make a Reaction roll, with no more Experience Dice than the Player's own."""
    if game.may_use_mechanics(draft) is not None:
        return
    for resolution_id, resolution in draft.read_resolutions().items():
        for engaged_id in resolution.engaged if resolution.phase == "opportunity" else ():
            if (
                resolution.engaged[engaged_id] == "off-guard"
                and engaged_id in draft.roster
                and draft.filter_mine((engaged_id,))
            ):
                dice_count = _count_own_dice(draft, draft.find_owner(engaged_id))
                extra_die = Shape(ExtraDie, {"face": FACE, "sign": Among((1, -1))})
                dice_domain: Domain = Some(extra_die, 0, dice_count, repeats=True) if dice_count != 0 else Among(((),))
                fields: dict[str, Domain] = {
                    "resolution": Among((resolution_id,)),
                    "character": Among((engaged_id,)),
                    "faces": TWO_D10,
                }
                yield Move(
                    ReactOffGuard,
                    {**fields, "modifiers": ratings.ANY_MODIFIERS, "experience": dice_domain},
                    of=engaged_id,
                )


def _count_own_dice(draft: Draft, player: str) -> int | None:
    """Return how many dice a Player can roll into a Reaction, or None if there is no limit."""
    if draft.find_mode() == "solo" or player not in draft.list_group():
        return 0
    if not draft.is_gm(player):
        return max(0, draft.balance(accounts.name_purse(player)))
    if draft.dials.gm_dice != "stock":
        return 0
    return max(0, draft.stock_left) if draft.stock_left is not None else None
