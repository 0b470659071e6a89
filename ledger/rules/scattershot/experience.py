"""Experience Dice in a MIB: the Players who roll them, the Players they are used against, and the accounts that they go
to.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

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
from ledger.rules.scattershot.scene import (
    Die,
    Reaction,
    Resolution,
    Side,
    in_its_resolution,
    list_opposers,
    put_reaction,
)
from ledger.rules.scattershot.totals import (
    CONTRIBUTE,
    LOANER,
    LOANER_USE,
    MANY_RESISTORS,
    Bid,
    may_route,
    may_take_die,
    work_out_route,
)
from ledger.rules.scattershot.words import (
    ACTOR,
    BAD_D6,
    BAD_NUMBER,
    FREEBIE_OWN_ACTION_ONLY,
    NO_SUCH_EXPECTATION,
    NO_SUCH_ROLL,
    REACTION_PREFIX,
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
DIE_PHRASES = {"own": "an Experience Die", "freebie": "a Freebie", "loaner": "a Loaner", "saved": "a saved Loaner"}


def say_contributed(fact: ExperienceDieRolled, names: Names) -> str:
    die, source = DIE_PHRASES[fact.kind], say_reason((fact.use or "").split(": ", 2)[-1])  # follows target and kind
    verb = f"adds {die} to" if fact.sign > 0 else f"subtracts {die} from"
    against = f" and goes against {names.name(seat(fact.against))}" if fact.against is not None else ""
    return f"{names.name(seat(fact.by))} {verb} {name_roll(fact.target, names)}{source}: it shows {fact.face}{against}."


@fact("experience-die-rolled", says=say_contributed, headline=17, kw_only=True)
class ExperienceDieRolled:
    """An Experience Die was added to a MIB or subtracted from it. `against`: the Player that the die was used against,
    if any. `from`, `to`: the accounts that the die moves between. `use`: for a Freebie, its source.
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
    #: The account that the die goes to when the totals are called out.
    final: AccountName


@changes
@in_its_resolution
def put_die(resolution: Resolution, fact: ExperienceDieRolled) -> Resolution | None:
    char_id = fact.target.removeprefix(REACTION_PREFIX)
    side, reaction = (
        resolution.sides.get(fact.target),
        resolution.reactions.get(char_id) if char_id != fact.target else None,
    )
    if side is None and (reaction is None or reaction.answered):
        return None
    die = Die(fact.die, fact.by, fact.kind, fact.face, fact.borrower, fact.final)
    dice = (*resolution.dice, die) if fact.to != fact.final else resolution.dice
    freebies = (*resolution.freebies, fact.use) if fact.use is not None else resolution.freebies
    if side is None or reaction is not None:
        assert reaction is not None
        reaction_after = changed(reaction, mib=reaction.mib + fact.sign * fact.face)
        return put_reaction(changed(resolution, dice=dice, freebies=freebies), char_id, reaction_after)
    side_after = changed(side, experience=side.experience + fact.sign * fact.face, dice_rolled=side.dice_rolled + 1)
    return changed(resolution, dice=dice, freebies=freebies, sides={**resolution.sides, fact.target: side_after})


def say_contributes(do: ContributeDie, names: Names) -> str:
    player_phrase = f" by {names.name(seat(do.player))}" if do.player is not None else ""
    die_phrase, use_phrase = DIE_PHRASES.get(do.die, "a die"), say_reason(do.advantage or do.expectation or "")
    verb_phrase = "subtracted from" if do.sign == -1 else "added to"
    return f"{die_phrase} is {verb_phrase} {name_roll(do.target, names)}{player_phrase}{use_phrase}."


@declares("contribute-die", BY_A_PLAYER, says=say_contributes, records=(ExperienceDieRolled, rolls.RollReported))
class ContributeDie:
    """Roll an Experience Die, and add it to a MIB or subtract it from one.

    `die`: `own` is from your purse; `freebie` is for this Action only; `loaner` is borrowed now; `saved` is a Loaner
    that you saved. `face`: the number on the die; leave it out to be asked. `sign`: 1 adds the die, -1 subtracts it.
    `target`: the side whose MIB changes: `actor`, or the id of a Resistor. For a Reaction roll, it is `reaction:` and
    the id of the Character. `against`: the Resistor that the die is used against, if there are several. `borrower`: the
    Player who borrowed the saved Loaner. `advantage`: the Advantage that gives the Freebie. `expectation`: the Genre
    Expectation that gives the Freebie. `player`: the Player who rolls; leave it out for yourself.
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
    bid, source_account, final_account = work_out_bid(draft, do)
    face = check_face(do.face)
    if face is None:
        face = yield from ask_face(bid.by)
    put_down_die(draft, bid, face, source_account, final_account)
    resolution = draft.require_resolution(do.resolution)
    if do.target in resolution.sides and rolls.is_rolled(resolution, do.target):
        rolls.report_roll(draft, do.resolution, do.target)


def find_opponent(resolution: Resolution, player: str, sign: int, target: str, resistor: str | None) -> str | None:
    """Return the Player against whom a die is used, or None if it is used against nobody."""
    if is_reaction_target(target):
        return _find_reaction(resolution, target).player if sign < 0 else None
    if sign < 0:
        return resolution.sides[target].player
    if target != ACTOR:
        return resolution.player
    if resolution.actor is None:
        return resolution.target if resolution.target != player else None
    resistors = list_opposers(resolution)
    return resolution.sides[resistor or resistors[0]].player if resistors else None


def _may_go_against(resolution: Resolution, do: ContributeDie) -> Refused | None:
    """Refuse a die for a MIB that does not exist. If several Resistors roll, a die for the Actor must name one of them,
    and cannot name another Character.
    """
    if is_reaction_target(do.target):
        return None
    if do.target not in resolution.sides:
        return NO_SUCH_ROLL.under(AGAINST, target=do.target)
    if do.sign < 0 or do.target != ACTOR or resolution.actor is None:
        return None
    resistors = list_opposers(resolution)
    if do.against is not None and do.against not in resistors:
        return NO_SUCH_ROLL.under(AGAINST, against=do.against)
    is_unnamed = do.against is None and len(resistors) > 1
    return NO_SUCH_ROLL.under(MANY_RESISTORS, resistors=list(resistors)) if is_unnamed else None


def _find_reaction(resolution: Resolution, target: str) -> Reaction:
    return resolution.reactions[target.removeprefix(REACTION_PREFIX)]


def is_reaction_target(target: str) -> bool:
    return target.startswith(REACTION_PREFIX)


def is_unopposed(resolution: Resolution) -> bool:
    """Return whether no Resistor rolls.

    A plot device is opposed by its target, unless its target is the Player who rolls it.
    """
    return resolution.target in (None, resolution.player) if resolution.actor is None else not list_opposers(resolution)


def work_out_bid(draft: Draft, do: ContributeDie) -> tuple[Bid, str, str]:
    """Return the die, the account it comes from and the account it goes to. Check everything except the face of the
    die.
    """
    player = draft.require_player(do.player)
    draft.check_no_solo(CONTRIBUTE)
    resolution = draft.require_resolution(do.resolution)
    require(may_bid(draft, do, resolution, player))
    bid = _make_bid(draft, do, resolution, player)
    return bid, *work_out_route(draft, bid)


def may_bid(draft: Draft, do: ContributeDie, resolution: Resolution, player: str) -> Refused | None:
    """Refuse a die that this Player cannot roll for this resolution. Its face is not checked."""
    refused = (
        _may_change_mib(resolution, do.target)
        or _may_be_rolled(do)
        or _may_go_against(resolution, do)
        or (_may_be_freebie(draft, do, resolution, player) if do.die == "freebie" else None)
    )
    if refused is not None:
        return refused
    bid = _make_bid(draft, do, resolution, player)
    return may_route(draft, bid) or may_take_die(draft, bid, work_out_route(draft, bid)[0])


def _may_be_rolled(do: ContributeDie) -> Refused | None:
    if not is_die_kind(do.die):
        return UNKNOWN_DIE_KIND.under(CONTRIBUTE, die=do.die)
    is_valid_sign = type(do.sign) is int and do.sign in (1, -1)
    return None if is_valid_sign else BAD_NUMBER.under(EXPERIENCE, sign=str(do.sign))


def _make_bid(draft: Draft, do: ContributeDie, resolution: Resolution, player: str) -> Bid:
    assert is_die_kind(do.die)
    goes_against = find_opponent(resolution, player, do.sign, do.target, do.against)
    use = _name_freebie_use(do) if do.die == "freebie" else None
    borrower = do.borrower if do.die == "saved" else None
    return Bid(
        do.resolution,
        player,
        do.die,
        do.sign,
        do.target,
        goes_against,
        draft.find_proprietor(resolution.subject),
        borrower,
        use,
        is_reaction_target(do.target) or is_unopposed(resolution),
    )


def _may_change_mib(resolution: Resolution, target: str) -> Refused | None:
    """Refuse a change to a MIB outside the Decision Phase, and to a Reaction that is missing, answered, or outside the
    Opportunity Phase.
    """
    is_reacting = is_reaction_target(target)
    if resolution.phase != ("opportunity" if is_reacting else "decision"):
        return WRONG_PHASE.under(EXPERIENCE, phase=resolution.phase)
    if not is_reacting:
        return None
    reaction = resolution.reactions.get(target.removeprefix(REACTION_PREFIX))
    if reaction is None:
        return NO_SUCH_ROLL.under(conditions.REACT, target=target)
    return WRONG_PHASE.under(EXPERIENCE, phase=resolution.phase) if reaction.answered else None


def _may_be_freebie(draft: Draft, do: ContributeDie, resolution: Resolution, player: str) -> Refused | None:
    """Refuse a Freebie that does not help the Player's own Persona, or that no Advantage or Expectation gives any more.

    An Advantage gives one Freebie; an Expectation can give several.
    """
    is_reacting = is_reaction_target(do.target)
    side: Side | Reaction = _find_reaction(resolution, do.target) if is_reacting else resolution.sides[do.target]
    persona = resolution.actor if do.target == ACTOR else do.target.removeprefix(REACTION_PREFIX)
    if persona is None or side.player != player:
        return FREEBIE_OWN_ACTION_ONLY.under(FREEBIE, target=do.target)
    if do.sign < 0:
        return FREEBIE_IN_FAVOUR_ONLY()
    if do.expectation is not None:
        expectation = draft.read_campaign().expectations.get(do.expectation)
        if expectation is None or expectation.kind != "freebie" or not draft.is_for(expectation, player, persona):
            return NO_SUCH_EXPECTATION.under(FREEBIE, expectation=do.expectation)
        is_freebie_used = resolution.freebies.count(_name_freebie_use(do)) >= expectation.value
        return FREEBIE_ALREADY_USED(expectation=do.expectation) if is_freebie_used else None
    advantage_names = [expectation.name for expectation in draft.read_character(persona).advantages]
    if do.advantage not in advantage_names:
        return NO_SUCH_EXPECTATION.under(FREEBIE, advantage=do.advantage)
    own_prefix = f"{do.target}: advantage: "
    is_one_per_action = draft.dials.freebies_per_action == "one"
    is_freebie_used = _name_freebie_use(do) in resolution.freebies or (
        is_one_per_action and any(name.startswith(own_prefix) for name in resolution.freebies)
    )
    return FREEBIE_ALREADY_USED(advantage=do.advantage) if is_freebie_used else None


def _name_freebie_use(do: ContributeDie) -> str:
    """Return the name under which the source of the Freebie is recorded."""
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


def put_down_die(draft: Draft, bid: Bid, face: int, source_account: str, final_account: str) -> None:
    """Put the rolled die on the table or, if dice are handed over immediately, into its next account."""
    is_immediate = draft.dials.dice_handover == "immediate"
    next_account = final_account if is_immediate else accounts.name_table(draft.place().id)
    die_id = draft.table.new_id()
    fact = ExperienceDieRolled(
        resolution=bid.resolution,
        die=die_id,
        by=bid.by,
        kind=bid.kind,
        face=face,
        sign=bid.sign,
        target=bid.target,
        against=bid.against,
        borrower=bid.borrower,
        use=bid.use,
        from_=source_account,
        to=next_account,
        final=final_account,
    )
    postings: list[Posting | None] = [
        accounts.make_posting(accounts.find_dice_account(source_account), accounts.find_dice_account(next_account), 1),
        accounts.make_gain(accounts.name_spent(bid.by, bid.resolution), 1),
    ]
    if bid.kind == "loaner":
        postings.append(accounts.make_gain(accounts.name_karmic(bid.by), 1))
    if bid.kind == "saved" and is_immediate and bid.borrower is not None:
        postings.append(accounts.make_loss(accounts.name_karmic(bid.borrower), 1))
    draft.here(fact, *postings)
    rules_by_kind = {"own": CONTRIBUTE, "freebie": FREEBIE, "loaner": LOANER, "saved": LOANER_USE}
    draft.by(EXPERIENCE, bid.sign * face, die=die_id)
    draft.by(AGAINST, bid.against, target=bid.target, sign=bid.sign)
    draft.by(rules_by_kind[bid.kind], final_account, source=source_account)


# --- offers -----------------------------------------------------------------------------------------------------------


ALL_OPEN: dict[str, Domain] = {"borrower": OPEN, "advantage": OPEN, "expectation": OPEN}


def _list_targets(resolution: Resolution) -> tuple[str, ...]:
    """Return the targets for dice: in the Decision Phase the open MIBs, and before it the Reactions
    without an answer.
    """
    if resolution.phase == "decision":
        return tuple(resolution.sides)
    if resolution.phase == "opportunity":
        return tuple(
            f"{REACTION_PREFIX}{char_id}" for char_id, reaction in resolution.reactions.items() if not reaction.answered
        )
    return ()


@throws
def throw_die(do: ContributeDie, ruling: RecordedFacts) -> Iterator[Thrown]:
    yield from list_thrown(ruling, (do.face,))


def list_thrown(ruling: RecordedFacts, faces: Iterable[object]) -> Iterator[Thrown]:
    """Yield the Experience Dice that were typed in. Each die belongs to the Player who rolled it."""
    rolled_facts = [about.fact for about in ruling.facts if isinstance(about.fact, ExperienceDieRolled)]
    for face, rolled_fact in zip(faces, rolled_facts, strict=False):
        if face is not None:
            yield Thrown(seat(rolled_fact.by), 6, (rolled_fact.face,))


@offers
def offer_dice(seen: Seen, draft: Draft) -> Iterator[Move]:
    """Yield moves that roll dice, for Players who are present. There are none in Solo Play."""
    if draft.find_mode() == "solo":
        return
    for player, player_values in draft.list_players_spoken_for(seen, draft.list_group()):
        for resolution_id, resolution in draft.read_resolutions().items():
            for target in _list_targets(resolution):
                yield from _list_die_moves(draft, resolution_id, resolution, target, player, player_values)


def _list_die_moves(
    draft: Draft, resolution_id: str, resolution: Resolution, target: str, player: str, player_values: Domain
) -> Iterator[Move]:
    """Yield moves for each kind of die, added or subtracted, with the opponents that it can be used against."""
    fields: dict[str, Domain] = {
        "resolution": Among((resolution_id,)),
        "target": Among((target,)),
        "face": FACE,
        "player": player_values,
        **ALL_OPEN,
    }
    resistors = list_opposers(resolution) if target == ACTOR and resolution.actor is not None else ()
    for kind, kind_fields in _list_kinds(draft, resolution, target, player):
        signs_by_domain: dict[Domain, list[int]] = {}
        for sign in (1, -1):
            values = _read_first_values(kind_fields)
            example_do = ContributeDie(resolution_id, kind, None, sign, target, player=player, **values)
            opponents_domain = _find_opponents_domain(draft, example_do, resolution, resistors)
            if opponents_domain is not None:
                signs_by_domain.setdefault(opponents_domain, []).append(sign)
        for domain, signs in signs_by_domain.items():
            die_fields: dict[str, Domain] = {"die": Among((kind,)), "sign": Among(tuple(signs)), "against": domain}
            yield Move(ContributeDie, {**fields, **die_fields, **kind_fields}, of=player)


def _list_kinds(
    draft: Draft, resolution: Resolution, target: str, player: str
) -> Iterator[tuple[str, dict[str, Domain]]]:
    """Yield the kinds of dice that a Player may roll: own dice, Loaners, saved Loaners, the rolling
    Persona's Freebies.
    """
    yield "own", {}
    yield "loaner", {}
    for borrower in draft.list_players():
        if draft.balance(accounts.name_saved(player, borrower)) >= 1:
            yield "saved", {"borrower": Among((borrower,))}
    persona = resolution.actor if target == ACTOR else target.removeprefix(REACTION_PREFIX)
    if persona is None or persona not in draft.roster:
        return
    for name in dict.fromkeys(advantage.name for advantage in draft.read_character(persona).advantages):
        yield "freebie", {"advantage": Among((name,)), "expectation": NONE}
    for name, expectation in draft.read_campaign().expectations.items():
        if expectation.kind == "freebie":
            yield "freebie", {"expectation": Among((name,))}


def _find_opponents_domain(
    draft: Draft, do: ContributeDie, resolution: Resolution, resistors: tuple[str, ...]
) -> Domain | None:
    """Return the domain of `against`, or None if this die cannot be rolled.

    The field counts only for a die added to the Actor's MIB. In that case it names a Resistor who rolls.
    """
    if do.sign < 0 or do.target != ACTOR or resolution.actor is None:
        return OPEN if _may_roll_against(draft, do, None) else None
    opponents = tuple(name for name in (None, *resistors) if _may_roll_against(draft, do, name))
    return Among(opponents) if opponents else None


def _read_first_values(fields: dict[str, Domain]) -> dict[str, str]:
    """Return the first value of each field with listed values; fields whose only value is None are left out."""
    domains = {name: domain for name, domain in fields.items() if domain != NONE}
    return {name: str(domain.values[0]) for name, domain in domains.items() if isinstance(domain, Among)}


def _may_roll_against(draft: Draft, do: ContributeDie, resistor: str | None) -> bool:
    """Return whether the rules accept this die against this Resistor. Nothing is recorded."""
    resolution, player = draft.require_resolution(do.resolution), draft.require_player(do.player)
    return may_bid(draft, replace(do, against=resistor), resolution, player) is None
