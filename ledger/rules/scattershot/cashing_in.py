"""Experience Dice in exchange for characteristics lost in Play, and Experience Dice rolled to develop a Persona."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from ledger.rules.kernel.kit import (
    ANYONE,
    Among,
    Asking,
    Between,
    CharacterId,
    Domain,
    Move,
    Names,
    Question,
    Reason,
    RecordedFacts,
    Refusal,
    Refused,
    Seen,
    Thrown,
    changed,
    changes,
    character,
    decides,
    declares,
    fact,
    listed,
    offers,
    once_created,
    require,
    roll,
    rule,
    seat,
    throws,
)
from ledger.rules.scattershot import accounts, chart, evolving, persona, resources, totals
from ledger.rules.scattershot.agreement import DiceDeclined, ask_to_grant_dice, decline_dice, read_faces
from ledger.rules.scattershot.draft import Draft, check_positive, group_alike
from ledger.rules.scattershot.state import Advantage, Character, EffectIndexed
from ledger.rules.scattershot.words import (
    BAD_D6,
    BAD_NUMBER,
    FREEBIE_OWN_ACTION_ONLY,
    GM_HOLDS_NO_DICE,
    LOANER_AGAINST_NOBODY,
    NOT_ENOUGH_DICE,
    RATING_BELOW_MINIMUM,
    D6Faces,
    Natural,
    OwnCharacteristic,
    Positive,
    Rating,
    count_development_points,
    is_natural,
    is_positive,
    read_statistic,
    say,
    say_count,
    whether,
)

POINTS_FOR_DICE = rule(
    "scattershot.persona.cash-in",
    "If Play removes a characteristic from a Persona, its Player can exchange the Development Points in it"
    " for Experience Dice.",
    "Creating/Evolving a Character",
)
CASH_IN = rule(
    "scattershot.xd.cash-in",
    "When Play removes a characteristic, each Development Point in it is worth 1 Experience Die.",
    "Buy or Spend Them",
)
NOT_ENOUGH_POINTS_INVESTED = Refusal(
    CASH_IN,
    "not-enough-points-invested",
    "There are not enough Development Points in {rating}[ to give up {points}].",
)
DISADVANTAGE_CANNOT_BE_CASHED_IN = Refusal(
    CASH_IN,
    "disadvantage-cannot-be-cashed-in",
    "{disadvantage} is a Disadvantage. Disadvantages cannot be cashed in, unless an option allows it.",
)


@fact(
    "characteristic-cashed-in",
    says=whether(
        "left",
        "{subject} cashes in {points:point|points} of {rating} for as many dice, and {left:point is|points are} left.",
        "{subject} cashes in {points:point|points} of {rating} for as many dice, and none is left.",
    ),
    headline=26,
)
class CharacteristicCashedIn:
    """Points of a characteristic were exchanged for the same number of Experience Dice. `left`: how many points the
    characteristic still has.
    """

    rating: Rating
    points: int
    left: int


@changes
@once_created
def cash_in_characteristic(state: Character, fact: CharacteristicCashedIn) -> Character | None:
    lowered_rating = state.ratings.get(fact.rating)
    if lowered_rating is None:
        return _cash_in_trait(state, fact)
    training = lowered_rating.training - fact.points
    talent, training = lowered_rating.talent + min(0, training), max(0, training)
    if talent + training > 0 or lowered_rating.kind in ("statistic", "free-skill"):
        return evolving.put_points(state, fact.rating, talent, training)
    return changed(
        state,
        ratings={name: rating for name, rating in state.ratings.items() if name != fact.rating},
        effects={name: effect for name, effect in state.effects.items() if name != fact.rating},
        resources={name: maximum for name, maximum in state.resources.items() if name != fact.rating},
    )


def _cash_in_trait(state: Character, fact: CharacteristicCashedIn) -> Character | None:
    if any(advantage.name == fact.rating for advantage in state.advantages):
        return changed(state, advantages=_take_points(state.advantages, fact))
    if any(disadvantage.name == fact.rating for disadvantage in state.disadvantages):
        return changed(state, disadvantages=_take_points(state.disadvantages, fact))
    return None


def _take_points(traits: tuple[Advantage, ...], fact: CharacteristicCashedIn) -> tuple[Advantage, ...]:
    """Return the traits with these points taken from the first trait of this name. A trait without
    points is left out.
    """
    trait_index = [trait.name for trait in traits].index(fact.rating)
    points_left = traits[trait_index].value - fact.points if type(traits[trait_index].value) is int else 0
    kept_traits = (changed(traits[trait_index], value=points_left),) if points_left > 0 else ()
    return (*traits[:trait_index], *kept_traits, *traits[trait_index + 1 :])


@declares(
    "cash-in",
    ANYONE,
    says="{character} cashes in {points:point|points} of {characteristic}[: {reason}].",
    records=(CharacteristicCashedIn, EffectIndexed, resources.DamageListed, DiceDeclined),
)
class CashIn:
    """Give up Development Points of a characteristic that the Character lost in Play, and get an Experience Die for
    each. The Gamemaster must grant this, or all Players present if the table plays that way.

    `characteristic`: a Rating, Advantage or Disadvantage of the Character.
    """

    character: CharacterId
    characteristic: OwnCharacteristic
    points: Positive = 1
    reason: Reason = ""


ASK_CASH_IN = Question("cash-in", "{purpose}. Do you grant it?")


def may_lower_rating(draft: Draft, char_state: Character, name: str, points_left: int, points: int) -> Refused | None:
    """Refuse a lowered Rating for which the UE Chart has no row. A Rating that is removed is not looked up."""
    rating = char_state.ratings.get(name)
    if rating is None or (points_left == 0 and rating.kind not in ("statistic", "free-skill")):
        return None
    return persona.may_index_anew(draft, char_state, name, changed(rating, training=rating.training - points))


@decides
def cash_in(draft: Draft, do: CashIn) -> Asking[None]:
    """Once it is granted that the characteristic was lost in Play, give a die for each point given up."""
    owner = draft.check_plays(do.character, CASH_IN)
    points = check_positive(do.points, CASH_IN)
    char_state, char_id, name = draft.read_character(do.character), do.character, read_statistic(do.characteristic)
    points_left = _read_invested_points(draft, char_id, name) - points
    if points_left < 0:
        raise NOT_ENOUGH_POINTS_INVESTED(rating=name, points=points)
    rating = char_state.ratings.get(name)
    minimum = draft.dials.stat_minimum_points
    if rating is not None and rating.kind == "statistic" and points_left < minimum:
        raise RATING_BELOW_MINIMUM.under(persona.STATISTIC, statistic=name, least=rating.base + minimum)
    draft.check_stock(points, CASH_IN)
    require(may_lower_rating(draft, char_state, name, points_left, points))
    if not (yield from ask_to_grant_dice(draft, CASH_IN, ASK_CASH_IN(), _say_cashing(points, name))):
        decline_dice(draft, CASH_IN, owner, "cash-in", name)
        return
    given_up = min(points, draft.balance(accounts.name_invested(char_id)))
    number_after = (
        rating.value - points if rating is not None and (points_left > 0 or rating.kind == "statistic") else 0
    )
    surplus = draft.balance(accounts.name_resource(char_id, name)) - number_after if name in char_state.resources else 0
    draft.about(
        char_id,
        CharacteristicCashedIn(name, points, points_left),
        accounts.make_loss(accounts.name_invested(char_id), given_up),
        accounts.make_posting(accounts.STOCK, draft.find_purse(owner), points),
        accounts.make_loss(accounts.name_resource(char_id, name), surplus),
    )
    evolving.record_indexed_values(draft, char_id, name)
    draft.by(CASH_IN, points, rating=name, left=points_left)
    draft.by(POINTS_FOR_DICE, points)


def _read_invested_points(draft: Draft, char_id: str, name: str) -> int:
    """Return the points in a characteristic.

    Refuses `disadvantage-cannot-be-cashed-in`, `not-enough-points-invested`.
    """
    char_state = draft.read_character(char_id)
    if name in char_state.ratings:
        return char_state.ratings[name].points
    for trait in char_state.advantages:
        if trait.name == name:
            return int(trait.value)
    for trait in char_state.disadvantages:
        if trait.name == name:
            if not draft.dials.cash_in_disadvantages:
                raise DISADVANTAGE_CANNOT_BE_CASHED_IN(disadvantage=name)
            return int(trait.value)
    raise NOT_ENOUGH_POINTS_INVESTED(rating=name)


def _say_cashing(points: int, name: str) -> str:
    die_noun, point_noun = ("Die", "Point") if points == 1 else ("Dice", "Points")
    return f"{points} Experience {die_noun} for {points} Development {point_noun} of {name}"


@offers
def offer_to_cash_in(seen: Seen, draft: Draft) -> Iterator[Move]:
    """Yield moves that give up points, limited by the points of the characteristic and the dice in the stock."""
    own_ids = draft.filter_mine(draft.roster)
    ids_by_offer: dict[tuple[int, tuple[str, ...]], list[str]] = {}
    for char_id in own_ids:
        char_state, names_by_points = draft.read_character(char_id), dict[int, list[str]]()
        for name, points in _read_points_by_name(draft, char_state).items():
            most = points if draft.stock_left is None else min(points, draft.stock_left)
            if most >= 1 and (name not in char_state.ratings or not chart.can_leave_chart(draft, char_state, name, 0)):
                names_by_points.setdefault(most, []).append(name)
            elif most >= 1:
                points_domain = evolving.find_points_domain(most, partial(_may_give_up, draft, char_state, name))
                if points_domain is not None:
                    yield Move(
                        CashIn,
                        {"character": Among((char_id,)), "characteristic": Among((name,)), "points": points_domain},
                    )
        for most, names in names_by_points.items():
            ids_by_offer.setdefault((most, tuple(names)), []).append(char_id)
    for (most, characteristics), ids in ids_by_offer.items():
        fields: dict[str, Domain] = {"characteristic": Among(characteristics), "points": Between(1, most)}
        yield Move(CashIn, {"character": Among(tuple(ids)), **fields})


def _read_points_by_name(draft: Draft, char_state: Character) -> dict[str, int]:
    """Return how many points of each characteristic can be given up. Disadvantages count only if the table allows it.

    If a Rating and a trait share a name, the Rating counts; if several traits do, the first counts.
    """
    statistic_minimum = draft.dials.stat_minimum_points
    disadvantages = char_state.disadvantages if draft.dials.cash_in_disadvantages else ()
    points_by_name = {trait.name: int(trait.value) for trait in reversed((*char_state.advantages, *disadvantages))}
    return points_by_name | {
        name: rating.points - (statistic_minimum if rating.kind == "statistic" else 0)
        for name, rating in char_state.ratings.items()
    }


def _may_give_up(draft: Draft, char_state: Character, name: str, points: int) -> Refused | None:
    return may_lower_rating(draft, char_state, name, char_state.ratings[name].points - points, points)


DEVELOP = rule(
    "scattershot.xd.develop",
    "To develop a Persona, a Player rolls one or more Experience Dice together. A total of 6 gives 1"
    " Development Point, and every 4 more give another.",
    "Buy or Spend Them",
    step="A total of {total} gives {out:Development Point|Development Points}.",
)


def say_developed(fact: DevelopmentRolled, names: Names) -> str:
    face_list = listed(str(face) for face in fact.faces)
    point_phrase = "1 Development Point" if fact.points == 1 else f"{fact.points or 'no'} Development Points"
    dice_clause = (
        f"the dice show {face_list}, a total of {fact.total}" if len(fact.faces) > 1 else f"the die shows {face_list}"
    )
    return say(f"{{subject}} gains {point_phrase}: {dice_clause}.", fact, names)


@fact("development-rolled", says=say_developed, headline=25, kw_only=True)
class DevelopmentRolled:
    """A Player's own dice and Loaners were rolled together to develop a Persona."""

    faces: tuple[int, ...]
    own: int
    loaners: int
    total: int
    points: int


@changes
@once_created
def note_development_rolled(state: Character, fact: DevelopmentRolled) -> Character:
    """Leave the Character as it is. The fact is only a record."""
    return state


def say_develops(do: Develop, names: Names) -> str:
    dice_phrases = (say_count(do.own, "Experience Die", "Experience Dice"), say_count(do.loaners, "Loaner", "Loaners"))
    return f"{names.name(character(do.character))} develops with {listed(filter(None, dice_phrases))}."


@declares("develop", ANYONE, says=say_develops, records=(DevelopmentRolled,))
class Develop:
    """Roll Experience Dice together to develop a Persona. Their total decides how many Development Points the Persona
    gets.

    `own`: how many dice from the Player's purse are rolled. `loaners`: how many dice are borrowed. `faces`: the numbers
    on the dice; leave this out to be asked. `freebies`: must be 0, because Freebies cannot develop a Persona.
    """

    character: CharacterId
    own: Natural = 1
    loaners: Natural = 0
    faces: D6Faces | None = None
    freebies: Natural = 0


ASK_DEVELOPMENT = Question("development", "What do the Experience Dice for development show?")


@decides
def develop(draft: Draft, do: Develop) -> Asking[None]:
    """Roll a Player's own dice and Loaners together, and give points for the total."""
    char_id = do.character
    player = draft.check_plays(char_id, DEVELOP)
    for count in (do.own, do.loaners, do.freebies):
        if not is_natural(count):
            raise BAD_NUMBER.under(DEVELOP, n=str(count))
    if do.freebies:
        raise FREEBIE_OWN_ACTION_ONLY.under(DEVELOP)
    dice_count = do.own + do.loaners
    if not is_positive(dice_count) or dice_count > 1000:
        raise BAD_NUMBER.under(DEVELOP, n=dice_count)
    if do.own and draft.is_gm(player):
        raise GM_HOLDS_NO_DICE.under(DEVELOP)
    if do.loaners and (draft.is_gm(player) or draft.dials.loaner_unopposed == "refuse"):
        raise LOANER_AGAINST_NOBODY.under(DEVELOP)
    if do.own and draft.balance(accounts.name_purse(player)) < do.own:
        raise NOT_ENOUGH_DICE.under(DEVELOP, has=draft.balance(accounts.name_purse(player)))
    require(totals.may_borrow(draft, player, do.loaners))
    faces = read_faces(do.faces, dice_count, 6, DEVELOP, BAD_D6)
    if faces is None:
        faces = yield from roll(
            seat(player),
            dice_count,
            6,
            slot=ASK_DEVELOPMENT(),
            purpose="Experience Dice for development",
            rule=DEVELOP,
            count_code="bad-number",
            face_code="bad-d6",
        )
    total, points = sum(faces), count_development_points(sum(faces))
    draft.about(
        char_id,
        DevelopmentRolled(faces=faces, own=do.own, loaners=do.loaners, total=total, points=points),
        accounts.make_posting(accounts.name_purse(player), accounts.STOCK, do.own),
        accounts.make_gain(accounts.name_saved(draft.find_gm(), player), do.loaners),
        accounts.make_gain(accounts.name_karmic(player), do.loaners),
        accounts.make_gain(accounts.name_unspent(char_id), points),
    )
    draft.by(DEVELOP, points, total=total)


MOST_DICE = 1000


@throws
def throw_development(do: Develop, ruling: RecordedFacts) -> Iterator[Thrown]:
    for rolled_fact in (about.fact for about in ruling.facts):
        if isinstance(rolled_fact, DevelopmentRolled) and do.faces is not None:
            yield Thrown(character(do.character), 6, rolled_fact.faces)


@offers
def offer_to_develop(seen: Seen, draft: Draft) -> Iterator[Move]:
    """Yield moves with at least one die, never for a Gamemaster. Faces are asked for."""
    own_ids = draft.filter_mine(draft.roster)
    for (own, loaners), id_domain in group_alike(
        own_ids, lambda char_id: _count_dice_to_roll(draft, draft.find_owner(char_id))
    ):
        if own:
            fields: dict[str, Domain] = {"own": Between(1, own), "loaners": Between(0, loaners)}
            yield Move(Develop, {"character": id_domain, **fields})
        if loaners:
            yield Move(Develop, {"character": id_domain, "own": Between(0, own), "loaners": Between(1, loaners)})


def _count_dice_to_roll(draft: Draft, player: str) -> tuple[int, int] | None:
    """Return how many dice the Player owns, and how many more Loaners the Player can have. Return None for a
    Gamemaster.
    """
    if draft.is_gm(player):
        return None
    own = min(MOST_DICE // 2, max(0, draft.balance(accounts.name_purse(player))))
    loaners_left = draft.count_loaners_left(player) if draft.dials.loaner_unopposed != "refuse" else 0
    return own, min(MOST_DICE // 2, loaners_left) if loaners_left is not None else MOST_DICE // 2
