"""Experience Dice in a MIB: who rolls them, against whom they go, and where they go afterwards."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ledger.rules.kernel.kit import (
    OPEN,
    AccountName,
    Among,
    Asking,
    CharacterId,
    Domain,
    Move,
    Names,
    Posting,
    Question,
    Reason,
    RecordedFacts,
    Refusal,
    Refused,
    SeatId,
    Seen,
    Thrown,
    changed,
    changes,
    decides,
    declares,
    fact,
    offers,
    require,
    roll,
    rule,
    seat,
    throws,
)
from ledger.rules.scattershot import accounts, conditions, rolls
from ledger.rules.scattershot.agreement import BASIC_MIB, BY_A_PLAYER
from ledger.rules.scattershot.draft import EXPERIENCE, FACE, NONE, Draft
from ledger.rules.scattershot.scene import Die, Reaction, Resolution, Side, in_its_resolution, list_opposers, notice
from ledger.rules.scattershot.totals import (
    CONTRIBUTE,
    LOANER,
    LOANER_USE,
    MANY_RESISTORS,
    Bid,
    find_route,
    may_route,
    may_take,
)
from ledger.rules.scattershot.words import (
    ACTOR,
    BAD_D6,
    BAD_NUMBER,
    FREEBIE_OWN_ACTION_ONLY,
    NO_SUCH_EXPECTATION,
    NO_SUCH_ROLL,
    REACTION,
    UNKNOWN_DIE_KIND,
    WRONG_PHASE,
    DieId,
    DieKind,
    DieWord,
    ExpectationName,
    Face,
    ResolutionId,
    RollTarget,
    Sign,
    TraitName,
    is_die_kind,
    name_roll,
    say_reason,
)

FREEBIE = rule(
    "scattershot.xd.freebie",
    "If an Advantage or a Genre Expectation favors a Persona's Action, the Persona's Player gets a Freebie:"
    " a die for that Action only.",
    "Freebies",
)
FREEBIE_IN_FAVOUR_ONLY = Refusal(
    FREEBIE, "freebie-in-favour-only", "A Freebie can only be added to a roll, not subtracted."
)
FREEBIE_ALREADY_USED = Refusal(
    FREEBIE, "freebie-already-used", "[{expectation}][{advantage}] can give no more Freebies for this Action."
)
AGAINST = rule(
    "scattershot.xd.against",
    "An Experience Die is used against the Player whose Action it makes worse. If it makes nobody's Action"
    " worse, it is used against nobody.",
    "Experience Dice",
    outcome="seat",
)
DICE = {"own": "an Experience Die", "freebie": "a Freebie", "loaner": "a Loaner", "saved": "a saved Loaner"}


def say_contributed(fact: ExperienceDieRolled, names: Names) -> str:
    what, use = DICE[fact.kind], say_reason((fact.use or "").split(": ", 2)[-1])  # `use` is target, kind and name
    way = f"adds {what} to" if fact.sign > 0 else f"subtracts {what} from"
    against = f" and goes against {names.name(seat(fact.against))}" if fact.against is not None else ""
    return f"{names.name(seat(fact.by))} {way} {name_roll(fact.target, names)}{use}: it shows {fact.face}{against}."


@fact("experience-die-rolled", says=say_contributed, headline=17, kw_only=True)
class ExperienceDieRolled:
    """An Experience Die was added to a MIB or subtracted from it. `against`: the Player it was used against, if any.
    `from`, `to`: the accounts it moves between. `use`: for a Freebie, where it came from.
    """

    resolution: ResolutionId
    die: DieId
    by: SeatId
    kind: DieKind
    face: int
    sign: int
    target: RollTarget
    against: SeatId | None
    borrower: SeatId | None
    use: Reason | None
    from_: AccountName
    to: AccountName
    #: The account it goes to when the totals are called.
    final: AccountName


@changes
@in_its_resolution
def put_die(resolution: Resolution, fact: ExperienceDieRolled) -> Resolution | None:
    id = fact.target.removeprefix(REACTION)
    side, reaction = resolution.sides.get(fact.target), resolution.reactions.get(id) if id != fact.target else None
    if side is None and (reaction is None or reaction.answered):
        return None
    die = Die(fact.die, fact.by, fact.kind, fact.face, fact.borrower, fact.final)
    dice = (*resolution.dice, die) if fact.to != fact.final else resolution.dice
    freebies = (*resolution.freebies, fact.use) if fact.use is not None else resolution.freebies
    if side is None or reaction is not None:
        assert reaction is not None
        noticed = changed(reaction, mib=reaction.mib + fact.sign * fact.face)
        return notice(changed(resolution, dice=dice, freebies=freebies), id, noticed)
    more = changed(side, experience=side.experience + fact.sign * fact.face, dice_rolled=side.dice_rolled + 1)
    return changed(resolution, dice=dice, freebies=freebies, sides={**resolution.sides, fact.target: more})


def say_contributes(do: ContributeDie, names: Names) -> str:
    who = f" by {names.name(seat(do.player))}" if do.player is not None else ""
    what, use = DICE.get(do.die, "a die"), say_reason(do.advantage or do.expectation or "")
    way = "subtracted from" if do.sign == -1 else "added to"
    return f"{what} is {way} {name_roll(do.target, names)}{who}{use}."


@declares("contribute-die", BY_A_PLAYER, says=say_contributes, records=(ExperienceDieRolled, rolls.RollReported))
class ContributeDie:
    """Roll an Experience Die, and add it to a MIB or subtract it from one.

    `die`: `own` is from your purse; `freebie` is for this Action only; `loaner` is borrowed now; `saved` is a Loaner
    that you saved. `face`: what the die shows; leave it out to be asked. `sign`: 1 adds the die, -1 subtracts it.
    `target`: whose MIB changes: `actor`, or the id of a Resistor. For a Reaction roll, it is `reaction:` and the id of
    the Character. `against`: the Resistor that the die is used against, if there are several. `borrower`: who borrowed
    the saved Loaner. `advantage`: the Advantage that gives the Freebie. `expectation`: the Genre Expectation that gives
    the Freebie. `player`: who rolls; leave it out for yourself.
    """

    resolution: ResolutionId
    die: DieWord = "own"
    face: Face | None = None
    sign: Sign = 1
    target: RollTarget = "actor"
    against: CharacterId | None = None
    borrower: SeatId | None = None
    advantage: TraitName | None = None
    expectation: ExpectationName | None = None
    player: SeatId | None = None


@decides
def contribute(draft: Draft, do: ContributeDie) -> Asking[None]:
    """Roll an Experience Die for any Player present, while the Decision Phase is open."""
    bid, source, final = check_bid(draft, do)
    face = check_face(do.face)
    if face is None:
        face = yield from ask_face(bid.by)
    put_down(draft, bid, face, source, final)
    resolution = draft.resolution(do.resolution)
    if do.target in resolution.sides and rolls.is_rolled(resolution, do.target):
        rolls.report_roll(draft, do.resolution, do.target)


def find_opponent(resolution: Resolution, by: str, sign: int, target: str, named: str | None) -> str | None:
    """Return the Player a die goes against, or None."""
    if is_reaction(target):
        return _find_reaction(resolution, target).player if sign < 0 else None
    if sign < 0:
        return resolution.sides[target].player
    if target != ACTOR:
        return resolution.player
    if resolution.actor is None:
        return resolution.target if resolution.target != by else None
    rolling = list_opposers(resolution)
    return resolution.sides[named or rolling[0]].player if rolling else None


def _may_go_against(resolution: Resolution, do: ContributeDie) -> Refused | None:
    """Refuse a MIB that is not there. A die for the Actor must name one of several Resistors who roll, and no other."""
    if is_reaction(do.target):
        return None
    if do.target not in resolution.sides:
        return NO_SUCH_ROLL.under(AGAINST, target=do.target)
    if do.sign < 0 or do.target != ACTOR or resolution.actor is None:
        return None
    rolling = list_opposers(resolution)
    if do.against is not None and do.against not in rolling:
        return NO_SUCH_ROLL.under(AGAINST, against=do.against)
    is_open = do.against is None and len(rolling) > 1
    return NO_SUCH_ROLL.under(MANY_RESISTORS, resistors=list(rolling)) if is_open else None


def _find_reaction(resolution: Resolution, target: str) -> Reaction:
    """Return the Reaction that a die changes."""
    return resolution.reactions[target.removeprefix(REACTION)]


def is_reaction(target: str) -> bool:
    return target.startswith(REACTION)


def is_unopposed(resolution: Resolution) -> bool:
    """Return whether no Resistor rolls.

    A plot device is opposed by its target, unless that is the Player who rolls it.
    """
    return resolution.target in (None, resolution.player) if resolution.actor is None else not list_opposers(resolution)


def check_bid(draft: Draft, do: ContributeDie) -> tuple[Bid, str, str]:
    """Return the die, the account it comes from and the account it goes to. Checks everything except its face."""
    player = draft.player(do.player)
    draft.check_no_solo(CONTRIBUTE)
    resolution = draft.resolution(do.resolution)
    require(may_bid(draft, do, resolution, player))
    bid = _make_bid(draft, do, resolution, player)
    return bid, *find_route(draft, bid)


def may_bid(draft: Draft, do: ContributeDie, resolution: Resolution, player: str) -> Refused | None:
    """Refuse a die that this Player cannot roll for this resolution. Its face is not checked."""
    refused = (
        _may_change(resolution, do.target)
        or _may_be_rolled(do)
        or _may_go_against(resolution, do)
        or (_may_be_freebie(draft, do, resolution, player) if do.die == "freebie" else None)
    )
    if refused is not None:
        return refused
    bid = _make_bid(draft, do, resolution, player)
    return may_route(draft, bid) or may_take(draft, bid, find_route(draft, bid)[0])


def _may_be_rolled(do: ContributeDie) -> Refused | None:
    if not is_die_kind(do.die):
        return UNKNOWN_DIE_KIND.under(CONTRIBUTE, die=do.die)
    is_sign = type(do.sign) is int and do.sign in (1, -1)
    return None if is_sign else BAD_NUMBER.under(EXPERIENCE, sign=str(do.sign))


def _make_bid(draft: Draft, do: ContributeDie, resolution: Resolution, player: str) -> Bid:
    assert is_die_kind(do.die)
    goes_against = find_opponent(resolution, player, do.sign, do.target, do.against)
    use = _name_use(do) if do.die == "freebie" else None
    borrower = do.borrower if do.die == "saved" else None
    return Bid(
        do.resolution,
        player,
        do.die,
        do.sign,
        do.target,
        goes_against,
        draft.proprietor(resolution.subject),
        borrower,
        use,
        is_reaction(do.target) or is_unopposed(resolution),
    )


def _may_change(resolution: Resolution, target: str) -> Refused | None:
    """Refuse a MIB outside the Decision Phase, and a Reaction that is missing, answered, or in another phase."""
    reacts = is_reaction(target)
    if resolution.phase != ("opportunity" if reacts else "decision"):
        return WRONG_PHASE.under(EXPERIENCE, phase=resolution.phase)
    if not reacts:
        return None
    reaction = resolution.reactions.get(target.removeprefix(REACTION))
    if reaction is None:
        return NO_SUCH_ROLL.under(conditions.REACT, target=target)
    return WRONG_PHASE.under(EXPERIENCE, phase=resolution.phase) if reaction.answered else None


def _may_be_freebie(draft: Draft, do: ContributeDie, resolution: Resolution, player: str) -> Refused | None:
    """Refuse a Freebie that does not help the Player's own Persona, or that nothing gives (any more).

    Advantages give one, Expectations several.
    """
    reacts = is_reaction(do.target)
    side: Side | Reaction = _find_reaction(resolution, do.target) if reacts else resolution.sides[do.target]
    persona = resolution.actor if do.target == ACTOR else do.target.removeprefix(REACTION)
    if persona is None or side.player != player:
        return FREEBIE_OWN_ACTION_ONLY.under(FREEBIE, target=do.target)
    if do.sign < 0:
        return FREEBIE_IN_FAVOUR_ONLY()
    if do.expectation is not None:
        listed = draft.campaign().expectations.get(do.expectation)
        if listed is None or listed.kind != "freebie" or not draft.is_for(listed, player, persona):
            return NO_SUCH_EXPECTATION.under(FREEBIE, expectation=do.expectation)
        is_used = resolution.freebies.count(_name_use(do)) >= listed.value
        return FREEBIE_ALREADY_USED(expectation=do.expectation) if is_used else None
    held = [listed.name for listed in draft.who(persona).advantages]
    if do.advantage not in held:
        return NO_SUCH_EXPECTATION.under(FREEBIE, advantage=do.advantage)
    own = f"{do.target}: advantage: "
    once = draft.dials.freebies_per_action == "one"
    is_used = _name_use(do) in resolution.freebies or (
        once and any(name.startswith(own) for name in resolution.freebies)
    )
    return FREEBIE_ALREADY_USED(advantage=do.advantage) if is_used else None


def _name_use(do: ContributeDie) -> str:
    """Return what gives the Freebie, as it is recorded."""
    if do.expectation is not None:
        return f"{do.target}: expectation: {do.expectation}"
    return f"{do.target}: advantage: {do.advantage}"


def check_face(face: object) -> int | None:
    if face is not None and (type(face) is not int or not 1 <= face <= 6):
        raise BAD_D6.under(BASIC_MIB, face=str(face))
    return face


ASK_EXPERIENCE = Question("experience", "What does your Experience Die show?")


def ask_face(player: str) -> Asking[int]:
    (face,) = yield from roll(
        seat(player),
        1,
        6,
        slot=ASK_EXPERIENCE(),
        purpose="an Experience Die",
        rule=EXPERIENCE,
        count_code="bad-number",
        face_code="bad-d6",
    )
    return face


def put_down(draft: Draft, bid: Bid, face: int, source: str, final: str) -> None:
    """Put the rolled die on the table or, with immediate handover, into its next account."""
    immediate = draft.dials.dice_handover == "immediate"
    to = final if immediate else accounts.table_of(draft.place().id)
    die = draft.table.new_id()
    rolled = ExperienceDieRolled(
        resolution=bid.resolution,
        die=die,
        by=bid.by,
        kind=bid.kind,
        face=face,
        sign=bid.sign,
        target=bid.target,
        against=bid.against,
        borrower=bid.borrower,
        use=bid.use,
        from_=source,
        to=to,
        final=final,
    )
    moved: list[Posting | None] = [
        accounts.move(accounts.find_dice_account(source), accounts.find_dice_account(to), 1),
        accounts.gain(accounts.spent(bid.by, bid.resolution), 1),
    ]
    if bid.kind == "loaner":
        moved.append(accounts.gain(accounts.karmic(bid.by), 1))
    if bid.kind == "saved" and immediate and bid.borrower is not None:
        moved.append(accounts.lose(accounts.karmic(bid.borrower), 1))
    draft.here(rolled, *moved)
    rule = {"own": CONTRIBUTE, "freebie": FREEBIE, "loaner": LOANER, "saved": LOANER_USE}
    draft.by(EXPERIENCE, bid.sign * face, die=die)
    draft.by(AGAINST, bid.against, target=bid.target, sign=bid.sign)
    draft.by(rule[bid.kind], final, source=source)


# --- offers -----------------------------------------------------------------------------------------------------------


UNSAID: dict[str, Domain] = {"borrower": OPEN, "advantage": OPEN, "expectation": OPEN}


def _list_targets(resolution: Resolution) -> tuple[str, ...]:
    """Return the open MIBs in the Decision Phase, and the Reactions without an answer before that."""
    if resolution.phase == "decision":
        return tuple(resolution.sides)
    if resolution.phase == "opportunity":
        return tuple(f"{REACTION}{id}" for id, reaction in resolution.reactions.items() if not reaction.answered)
    return ()


@throws
def throw_die(do: ContributeDie, ruling: RecordedFacts) -> Iterator[Thrown]:
    yield from list_thrown(ruling, (do.face,))


def list_thrown(ruling: RecordedFacts, faces: Iterable[object]) -> Iterator[Thrown]:
    """Yield the Experience Dice that were typed in. Each belongs to the Player who rolled it."""
    rolled = [about.fact for about in ruling.facts if isinstance(about.fact, ExperienceDieRolled)]
    for face, thrown in zip(faces, rolled, strict=False):
        if face is not None:
            yield Thrown(seat(thrown.by), 6, (thrown.face,))


@offers
def offer_dice(seen: Seen, draft: Draft) -> Iterator[Move]:
    """Yield dice for Players who are present. There are none in Solo Play."""
    if draft.mode() == "solo":
        return
    for player, player_values in draft.list_players_spoken_for(seen, draft.group()):
        for id, resolution in draft.resolutions().items():
            for target in _list_targets(resolution):
                yield from _list_dice(draft, id, resolution, target, player, player_values)


def _list_dice(
    draft: Draft, id: str, resolution: Resolution, target: str, player: str, player_values: Domain
) -> Iterator[Move]:
    """Yield each kind of die, added or subtracted, with the opponents it can have."""
    fields: dict[str, Domain] = {
        "resolution": Among((id,)),
        "target": Among((target,)),
        "face": FACE,
        "player": player_values,
        **UNSAID,
    }
    rolling = list_opposers(resolution) if target == ACTOR and resolution.actor is not None else ()
    for kind, own in _list_kinds(draft, resolution, target, player):
        by_opponent: dict[Domain, list[int]] = {}
        for sign in (1, -1):
            named = _allow_opponents(
                draft,
                ContributeDie(id, kind, None, sign, target, player=player, **_read_single_values(own)),
                resolution,
                rolling,
            )
            if named is not None:
                by_opponent.setdefault(named, []).append(sign)
        for named, signs in by_opponent.items():
            die: dict[str, Domain] = {"die": Among((kind,)), "sign": Among(tuple(signs)), "against": named}
            yield Move(ContributeDie, {**fields, **die, **own}, of=player)


def _list_kinds(
    draft: Draft, resolution: Resolution, target: str, player: str
) -> Iterator[tuple[str, dict[str, Domain]]]:
    """Yield the kinds of dice a Player may have: own dice, Loaners, saved Loaners, the rolling Persona's Freebies."""
    yield "own", {}
    yield "loaner", {}
    for borrower in draft.players():
        if draft.balance(accounts.saved(player, borrower)) >= 1:
            yield "saved", {"borrower": Among((borrower,))}
    persona = resolution.actor if target == ACTOR else target.removeprefix(REACTION)
    if persona is None or persona not in draft.known:
        return
    for name in dict.fromkeys(held.name for held in draft.who(persona).advantages):
        yield "freebie", {"advantage": Among((name,)), "expectation": NONE}
    for name, listed in draft.campaign().expectations.items():
        if listed.kind == "freebie":
            yield "freebie", {"expectation": Among((name,))}


def _allow_opponents(
    draft: Draft, do: ContributeDie, resolution: Resolution, rolling: tuple[str, ...]
) -> Domain | None:
    """Allow the values of `against`, or None if this die cannot be rolled.

    The field counts only for a die added to the Actor's MIB. It then names a Resistor who rolls.
    """
    if do.sign < 0 or do.target != ACTOR or resolution.actor is None:
        return OPEN if _is_allowed(draft, do, None) else None
    opponents = tuple(name for name in (None, *rolling) if _is_allowed(draft, do, name))
    return Among(opponents) if opponents else None


def _read_single_values(own: dict[str, Domain]) -> dict[str, str]:
    """Return the single value of each field."""
    return {name: str(domain.values[0]) for name, domain in own.items() if isinstance(domain, Among) and domain != NONE}


def _is_allowed(draft: Draft, do: ContributeDie, named: str | None) -> bool:
    """Return whether the rules accept this die. Nothing is recorded."""
    die = ContributeDie(
        do.resolution, do.die, None, do.sign, do.target, named, do.borrower, do.advantage, do.expectation, do.player
    )
    return may_bid(draft, die, draft.resolution(do.resolution), draft.player(do.player)) is None
