"""The Reaction roll of who is Off-Guard."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from ledger.rules.kernel.chapters import Question, changes, decides, declares, fact, offers, require, throws
from ledger.rules.kernel.contract import Posting
from ledger.rules.kernel.declarations import ANYONE
from ledger.rules.kernel.domains import CharacterId, SeatId
from ledger.rules.kernel.moves import Among, Domain, Move, Shape, Some
from ledger.rules.kernel.phrases import Names, listed
from ledger.rules.kernel.questions import Asking
from ledger.rules.kernel.seen import Seen
from ledger.rules.kernel.subjects import character, seat
from ledger.rules.kernel.thrown import RecordedFacts, Thrown
from ledger.rules.scattershot import accounts, conditions, game, ratings
from ledger.rules.scattershot.agreement import faces_of, two_d10
from ledger.rules.scattershot.draft import FACE, TWO_D10, Draft, check_whole, may_go_on, rating_of
from ledger.rules.scattershot.experience import asked_face, checked_face
from ledger.rules.scattershot.scene import Reaction, Resolution, in_its_resolution, notice
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
    signed,
)


def say_reaction(done: OffGuardReactionRolled, names: Names) -> str:
    who = names.name(character(done.character))
    dice = listed(str(face) for face in done.dice)
    more = f", {listed(signed(face) for face in done.experience)} with Experience Dice" if done.experience else ""
    notices = "notices the Action and must respond" if done.engaged else "does not notice the Action in time"
    return f"{who} is Off-Guard and makes a Reaction roll: {dice}{more}, a MIB of {done.mib}. {who} {notices}."


@fact("off-guard-reaction-rolled", says=say_reaction, headline=12, kw_only=True)
class OffGuardReactionRolled:
    """A Character who was Off-Guard made a Reaction roll. `experience`: the Experience Dice, negative if they were
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
def react_of_persona(one: Resolution, fact: OffGuardReactionRolled) -> Resolution:
    return notice(one, fact.character, Reaction(fact.player, fact.mib))


@dataclass(frozen=True, slots=True)
class ExtraDie:
    """An Experience Die from your own purse that you add to a Reaction roll or subtract from it.

    `face`: what the die shows; leave it out to be asked. `sign`: 1 adds the die, -1 subtracts it.
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

    `faces`: what the two ten-sided dice show; leave them out to be asked. `modifiers`: what makes the roll easier or
    harder. `experience`: Experience Dice that change the roll.
    """

    resolution: ResolutionId
    character: CharacterId
    faces: D10Faces | None = None
    modifiers: tuple[ratings.Modifier, ...] = ()
    experience: tuple[ExtraDie, ...] = ()


ASK_REACTION = Question("reaction", "{who} rolls two ten-sided dice to notice the Action in time.")


@decides
def react(draft: Draft, do: ReactOffGuard) -> Asking[None]:
    """Reaction + modifiers - 2 - 2d10 + Experience Dice, 0 or more."""
    one = draft.resolution(do.resolution)
    require(may_go_on(one, "opportunity"))
    owner = draft.must_play(do.character, conditions.REACT)
    if one.engaged.get(do.character) != "off-guard":
        raise WRONG_PHASE.under(conditions.REACT, character=do.character)
    require(game.may_use_mechanics(draft))
    who = draft.who(do.character)
    modifiers = sum(check_whole(given.amount, ratings.MODIFIERS) for given in do.modifiers)
    signs, typed = [given.sign for given in do.experience], [checked_face(given.face) for given in do.experience]
    if any(type(sign) is not int or sign not in (1, -1) for sign in signs):
        raise BAD_NUMBER.under(conditions.REACT, signs=str(signs))
    if do.experience:
        _check_own_dice(draft, owner, len(do.experience))
    faces = faces_of(do.faces, 2, 10, conditions.REACT, BAD_D10)
    if faces is None:
        faces = yield from two_d10(do.character, ASK_REACTION(), "a Reaction roll")
    shown = []
    for face in typed:
        shown.append(face if face is not None else (yield from asked_face(owner)))  # noqa: PERF401
    experience = tuple(sign * face for sign, face in zip(signs, shown, strict=True))
    rating = rating_of(who, "reaction") or 0
    automatic = conditions.situation(draft, do.character)
    mib = rating + modifiers + automatic + OFF_GUARD_PENALTY - sum(faces) + sum(experience)
    reacted = OffGuardReactionRolled(
        resolution=do.resolution,
        character=do.character,
        player=owner,
        dice=faces,
        experience=experience,
        mib=mib,
        engaged=mib >= 0,
    )
    spent = accounts.gained(accounts.spent(owner, do.resolution), len(experience))
    draft.here(reacted, _reaction_dice(draft, owner, signs), spent)
    draft.by(conditions.REACT, mib, reaction=rating, modifiers=modifiers + automatic, dice=list(faces))


def _check_own_dice(draft: Draft, player: str, n: int) -> None:
    """N dice of one's own purse, or (where the table plays so) of the Gamemaster's stock."""
    draft.check_no_solo(CONTRIBUTE)
    draft.player(player)
    if not draft.is_gm(player):
        if draft.balance(accounts.purse(player)) < n:
            raise NOT_ENOUGH_DICE.under(CONTRIBUTE, has=draft.balance(accounts.purse(player)))
    elif draft.dials.gm_dice == "stock":
        draft.check_stock(n, CONTRIBUTE)
    else:
        raise GM_HOLDS_NO_DICE.under(CONTRIBUTE)


def _reaction_dice(draft: Draft, owner: str, signs: list[int]) -> Posting | None:
    """Dice added to one's own unopposed roll go against nobody; subtracted, they come back."""
    kept = draft.dials.self_against == "returns" and draft.dials.unopposed_dice == "only-when-nobody"
    gone = sum(1 for sign in signs if sign > 0 or not kept)
    return accounts.moved(draft.purse_of(owner), accounts.STOCK, gone)


@throws
def throw_reaction(do: ReactOffGuard, told: RecordedFacts) -> Iterator[Thrown]:
    """Experience Dice are the Player's."""
    for rolled in (about.fact for about in told.facts):
        if isinstance(rolled, OffGuardReactionRolled):
            if do.faces is not None:
                yield Thrown(character(rolled.character), 10, rolled.dice)
            pairs = zip(do.experience, rolled.experience, strict=False)
            typed = tuple(abs(face) for die, face in pairs if die.face is not None)
            if typed:
                yield Thrown(seat(rolled.player), 6, typed)


@offers
def offer_reactions(seen: Seen, draft: Draft) -> Iterator[Move]:
    """With dice of one's own, as far as there are some."""
    if game.may_use_mechanics(draft) is not None:
        return
    for id, one in draft.resolutions().items():
        for who in one.engaged if one.phase == "opportunity" else ():
            if one.engaged[who] == "off-guard" and who in draft.known and draft.mine((who,)):
                dice = _own_dice(draft, draft.owner(who))
                extra = Shape(ExtraDie, {"face": FACE, "sign": Among((1, -1))})
                rolled: Domain = Some(extra, 0, dice, repeats=True) if dice != 0 else Among(((),))
                fields: dict[str, Domain] = {"resolution": Among((id,)), "character": Among((who,)), "faces": TWO_D10}
                yield Move(ReactOffGuard, {**fields, "modifiers": ratings.ANY_MODIFIERS, "experience": rolled}, of=who)


def _own_dice(draft: Draft, player: str) -> int | None:
    """How many a Player can roll into a Reaction; None: without limit."""
    if draft.mode() == "solo" or player not in draft.group():
        return 0
    if not draft.is_gm(player):
        return max(0, draft.balance(accounts.purse(player)))
    if draft.dials.gm_dice != "stock":
        return 0
    return max(0, draft.stock) if draft.stock is not None else None
