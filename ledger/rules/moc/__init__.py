"""Moment of Clarity: dice, beads, cards and chips, based on the wiki page MoC.

Each heading of the source is a module, or part of one. `RULESET` combines these modules. This module also defines the
order of publication, the labels, the secrets, the numbers that are stored twice, and ready-made characters.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import chain

from ledger.rules.kernel.kit import (
    GM_ONLY,
    AnyRuleset,
    Held,
    Places,
    SceneOpened,
    Secret,
    Subject,
    Twice,
    Upcast,
    character,
    commands,
    find_kind,
    require,
    ruleset,
)
from ledger.rules.kernel.kit import describe_transfers as say_moved
from ledger.rules.moc import (
    actions,
    beads,
    beads_used,
    buying,
    cards,
    cards_on_dice,
    characters,
    chips,
    damage,
    deciding,
    dials,
    dice,
    draft,
    fate,
    hands,
    hits,
    holdings,
    negotiating,
    other_dice,
    own_dice,
    own_tables,
    pools,
    prices,
    recovery,
    resisting,
    resolving,
    rolling,
    scenes,
    stacks,
    story,
    targets,
    trading,
    trumps,
    turns,
    words,
)
from ledger.rules.moc.draft import Draft, get_actor_finder, may_act
from ledger.rules.moc.shown import show_table, view
from ledger.rules.moc.state import Campaign, Character, Play, Scene, Seat, State, list_actions
from ledger.rules.moc.words import CHARACTERISTIC_WORDS, REASON_WORDS, SPEECH, say_card

__all__ = ["RULESET"]

#: Parts of rule ids, or whole ids, in the order in which the guide prints the rules. The first match decides a rule's
#: place.
READING_ORDER = """
    dice.faces dice.open-ended dice.effect-number dice.successes level.resolve level.required action.by-em
    level.meaning tn skill.entry skill.target-number skill.pool skill.tokens skill.extended skill.gm-dice
    opposed.net split.divide split.one-pool split.pre-empt card.hand card.once card.secret card.value card.class
    card.to-beads card.shift card.dice card.other card.trade trump.order trump.stack trump.effect trump.fiat
    chip.value chip.trade-up chip.trade-down chip.limit chip.exchange chip.automatic-success
    chip.character-point fate.penalty fate.purse fate.nominate fate.inherit bead.allowance bead.allocate
    bead.regenerate bead.use story.tiers tell story.action-beads char.budget char.cost char.raise char.tokens
    char.active char.derived adv.dice adv.period-dice adv.weapons-master adv.superhuman adv.bits adv.contacts
    adv.negotiate combat.initiative combat.to-hit combat.location combat.damage-pool combat.damage-roll
    combat.resist combat.apply combat.dazed combat.fatigue recover.scene recover.action recover.damage move.rate
    move.half-action move.fumble adv.martial-arts adv.effect adv.pool
"""

#: The order in which declarations and choices are published. New ones go last.
PUBLISHED = """
    set-table-row open-arc close-arc enlarge-purse end-turn buy propose-trait counter-trait approve-trait
    lose-background sacrifice inherit-chips set-status draw-hand draw-villains exchange-card shift-beads force-vortex
    trade-cards trade-up trade-down give-back exchange-chip chip-to-point award-chip penalise nominate
    tally-nominations allocate-beads announce-scene use-session-bead force-discard narrate use-card veto-story
    amend-story recover-scene grant-recovery declare-recovery complete-recovery lose-action heal move declare-action
    grant-dice spend-token use-period-dice use-bit play-beads roll-dice play-card declare-successes
    take-off-successes trump trump-by-fiat shift-failure determine-action claim-success resolve tell-consequence
    change-story play-beads-on-dice roll-initiative play-card-on-initiative score-hit set-location roll-damage
    play-card-on-damage resist-damage apply-harm use-beads set-trait-effect
    approve veto keep discard ignore lay allocate leave agree agree-for decline give
"""

#: The kinds of references in this game, each with the place where its values are listed.
REFERENCES: Mapping[str, str] = {
    "action": "The id of an action, from the `actions` of the scene.",
    "play": "The id of a play, from the `plays` of an action, a hit, an initiative, a healing or part of the story.",
    "play-or-roll": "The id of a play or, for dice, the kind of roll: `roll`, `damage`, `resisting`, `initiative` or"
    " `healing`.",
    "play-or-chip": "The id of a play, or `white chip`.",
    "pile": "The id of an action, a hit, a healing or part of the story; for initiative, the id of the character.",
    "hit": "The id of a hit, from the `hits` of the scene.",
    "change": "The id of part of the story, from the `story` of the scene, or of the campaign between scenes.",
    "trait": "The id of a proposal, from the `traits` of the character.",
    "arc": "The id of an arc, from the campaign's `arc`.",
    "ruling": "The number of a ruling of this campaign.",
    "skill": "The name of a skill, from the `skills` of the campaign.",
    "weapon": "The name of a weapon, from the `weapons` of the campaign.",
    "location": "The name of a hit location, from the `locations` of the campaign.",
    "table-row": "The name of a row: a new one, or one that the campaign lists. For `healing`, this is the damage;"
    " for `ag`, the score; for `uses`, the archetype.",
    "martial-art": "An area of Martial Arts, from the `counts` of the character: `martial-arts:<area>`.",
    "bead-talent": "A Superhuman characteristic or an area of Martial Arts, from the `counts` of the character.",
    "background": "`money`, contacts with their name (`contacts:guards`), or the id of an approved Background.",
    "movement-mode": "`primary`, `secondary`, or the name of a way of moving that the character bought.",
    "purchase-name": "A characteristic, a skill of the campaign, an area of Martial Arts, or the contacts.",
    "effect-of": "For `dice`: a skill, or movement, dodge, to_hit, initiative, damage, resisting or healing. For"
    " `difficulty`: one of these except initiative and damage, or empty for every roll. For"
    " `scene-beads`, `bead-price` and `bead-return`: an Element. For `card-worth`: an Element, or empty"
    " for any card. For `forced-discard`: `one` (a character that the owner chooses) or `all` (everybody"
    " else).",
    "ag": "An AG score, from the `ag` of the campaign.",
    "fraction": "A fraction as text: `3/2`, `0.5`.",
}

#: Labels for the fields of a state and their words, the most important first.
LABELS: Mapping[str, str] = {
    "declare-action": "Declare action",
    "roll-dice": "Roll the dice",
    "resolve": "Finish the action",
    "take-off-successes": "Cancel successes",
    "roll-initiative": "Roll initiative",
    "set-location": "Roll the hit location",
    "roll-damage": "Roll the damage",
    "resist-damage": "Resist the damage",
    "end-turn": "End the turn",
    "tell-consequence": "Say what follows",
    "score-hit": "Score a hit",
    "status": "Status",
    "archetype": "Archetype",
    "damage": "Damage",
    "pain": "Pain",
    "fatigue": "Fatigue",
    "dazed": "Dazed",
    "dodge": "Dodge",
    "turn": "Turn",
    "phase": "Phase",
    "pain_capacity": "Pain capacity",
    "daze_limit": "Daze limit",
    "earned": "Points earned",
    "budget": "Starting points",
    "drawn": "Cards drawn",
    "shown": "Cards that everybody has seen",
    "allocated": "Beads allocated",
    "may_allocate": "Can still allocate beads",
    "asked": "Beads allocated by default",
    "due": "Recovery steps left",
    "counts": "Purchases",
    "heir_of": "Heir of",
    "harmed_by": "Last harmed by",
    "tn": "Target number",
    "ag": "Target numbers by AG",
    "arc": "Arc",
    "arc_name": "Name of the arc",
    "tallied": "Nominations counted",
    "others": "Other characteristics",
    **CHARACTERISTIC_WORDS,
    **holdings.PURCHASE_NAMES,
    "ask_cards": "Ask for cards after the roll",
    "coming": "For the next initiative roll",
    "waive": "Go on after a failure",
    "half": "Takes half an action",
    "half_defence": "Defends with half the dice",
    "resistible": "Damage that can be resisted",
    "unresistible": "Damage that cannot be resisted",
    "one": "A 1 among the dice",
    "of": "Applies to",
    **{card: say_card(card)[:1].upper() + say_card(card)[1:] for card in words.DECK},
}
REFERS: Mapping[str, str] = {
    "others": "word",
    "order": "character",
    "heir_of": "character",
    "attacker": "character",
    "target": "character",
    "owner": "character",
    "last_session": "session",
    "tallied": "session",
    "plays": "character",
    "faces": "character",
    "bonus": "character",
    "dice": "character",
    "answered": "character",
    "actor": "character",
    "waiting": "character",
    "targets": "character",
    "acted_scene": "scene",
    "harmed_by": "id",
    "play": "id",
    "by": "character",
    "card": "word",
    "cards": "word",
    "drawn": "word",
    "kept": "word",
    "hand": "word",
    "pool": "word",
    "shown": "word",
}

#: Names of the fields, in refusals and derivations, that contain character ids.
CHARACTERS_IN = ("cast", "character", "nominee", "source", "target", "targets", "whose", "winners")

#: The units that the table can move by hand.
UNITS: Mapping[str, str] = {
    "chip": "{amount:chip|chips} ({detail})",
    "xp": "{amount} XP",
    "card": "{amount:card|cards}",
    "bead": "{amount:bead|beads} of {detail}",
    "token": "{amount:token|tokens} of {detail}",
    "point": "{amount:120th|120ths} of a point",
    "die": "{amount:period die|period dice}",
}

SECRETS: tuple[Secret, ...] = (
    Secret(
        "The cards of a hand",
        "The player of the character. With the option `hands_seen_by_gm`, the game masters, too, unless the hand"
        " still holds a card that was drawn while the option was off. Everybody sees a card once it is played,"
        " and the rest when the session ends, if `hands_open_after_session` is on.",
        "How many cards a character drew, kept and played, and who traded a card with whom. Nobody can play from a "
        "hand that they cannot see, and refusals reveal nothing about it.",
    ),
    Secret(
        "The deck: which cards are left, in what order, and what was discarded unseen",
        "Nobody. If you use your own deck, anybody who looks at it.",
        "How many cards are left, and whether the table or the ledger deals. You can enter any card from your own"
        " deck, whatever others hold. Only a card that everybody has seen in this session is refused. A player"
        " who draws sees how many cards to draw and how to enter them, never which cards are left. When the"
        " session ends, a `deck-counted` fact names the cards that were entered twice, and the draw can be"
        " corrected. A player who has drawn cards must choose which to keep before anybody else draws.",
    ),
    Secret(
        "The villains' cards",
        "The game masters. Everybody sees a card once it is played.",
        "How many cards were drawn for the scene.",
    ),
    Secret(
        "The dice of an opposed roll: an attack, a dodge, or anything resisted",
        "The player who rolls and the game masters, until the action is resolved. Then everybody.",
        "That it was rolled, how many dice it had before bonus dice, and the successes that are declared or"
        " cancelled. Other players cannot see how many dice the 10s added, or how many successes there are. A white"
        " chip spent on the roll is taken, whatever was rolled. If it was not needed, it goes back when the roll is"
        " shown. A card on somebody else's dice can add points only to the dice before bonus dice.",
    ),
    Secret(
        "A nomination: who nominated whom",
        "The nominating player and the game masters, forever.",
        "A gap in the ruling numbers, which shows that somebody made a nomination. When the nominations are"
        " counted, everybody learns who won, and that all others had fewer nominations than the quorum.",
    ),
)


# --- values stored twice ----------------------------------------------------------------------------------------------


def list_kept_twice(subject: Subject, places: Places) -> Iterator[Twice]:
    """Yield the numbers that are both in a state and in an account."""
    state, cards = places.state(subject), places.balances(subject, "card")
    if isinstance(state, Character):
        yield Twice("hand", len(state.hand), cards.get("hand", 0), account="card")
    if isinstance(state, Scene):
        yield Twice("pool", len(state.pool), cards.get("villains", 0), account="card")


def list_things(subject: Subject, state: State, session: str | None) -> Iterator[Held]:
    """Yield the cards on the table (those played in the open session), in hands and in the villains' pool."""
    yield from (Held(f"card {play.card}") for play in _list_plays(state) if _is_on_table(play, session))
    if isinstance(state, Character):
        yield from (Held(f"card {card}", state.seen_by) for card in state.hand)
    elif isinstance(state, Scene):
        yield from (Held(f"card {card}", GM_ONLY) for card in state.pool)


def _is_on_table(play: Play, session: str | None) -> bool:
    """Return whether the card of a play is on the table, that is, was played in the open session and not returned."""
    return bool(play.card) and not play.returned and play.session == (session or "")


def _list_plays(state: State) -> Iterator[Play]:
    match state:
        case Character():
            yield from state.laid
            yield from state.healing.plays if state.healing is not None else ()
        case Scene():
            initiative = state.initiative
            yield from chain.from_iterable(action.plays for action in list_actions(state))
            yield from chain.from_iterable(damage.plays for damage in state.damage.values())
            yield from chain.from_iterable((*initiative.plays.values(), *initiative.waiting.values()))
            yield from chain.from_iterable(part.plays for part in state.story.values())
        case Campaign():
            yield from chain.from_iterable(part.plays for part in state.story.values())


# --- ready-made characters --------------------------------------------------------------------------------------------

PEOPLE: Mapping[str, characters.Sheet] = {
    "Juno Castellan": characters.Sheet(
        archetype="hero",
        characteristics={"body": 3, "mind": 2, "spirit": 2, "Sp": 2, "C": 3},
        skills={"Firearms": 3, "Dodge": 3, "Pilot": 2, "Running": 2, "Intimidation": 2},
        purchases=(holdings.Purchase("swiftness"), holdings.Purchase("action-hero", period="scene", level=3)),
    ),
    "Anselm Quade": characters.Sheet(
        archetype="enigma",
        characteristics={"body": 2, "mind": 3, "spirit": 2, "R": 3, "K": 2},
        skills={"Knowledge": 4, "First Aid": 3, "Search": 2, "Cryptography": 2, "Deception": 2},
        purchases=(holdings.Purchase("contacts", "the archive", worth=100, loyalty=2), holdings.Purchase("vortex")),
    ),
    "Ilse Varga": characters.Sheet(
        archetype="protagonist",
        characteristics={"body": 2, "mind": 3, "spirit": 2, "Sp": 2, "P": 3, "L": 2},
        skills={"Stealth": 3, "Search": 3, "Gambling": 2, "Persuasion": 2, "Computers": 2},
        purchases=(
            holdings.Purchase("bits", "locks", level=3),
            holdings.Purchase("floating-dice", period="session", level=2),
        ),
    ),
    "Tomas Brandt": characters.Sheet(
        archetype="architect",
        characteristics={"body": 2, "mind": 2, "spirit": 3, "W": 3, "Pr": 2},
        skills={"Persuasion": 3, "Negotiation": 3, "Intimidation": 2, "Deception": 2, "Psychic Focus": 2},
        purchases=(
            holdings.Purchase("contacts", "the dockers' union", worth=300, loyalty=3),
            holdings.Purchase("money"),
            holdings.Purchase("extra-bead-scene", level=2),
            holdings.Purchase("extra-bead-session", level=2),
        ),
        disadvantages={"owes the wrong people": 3},
    ),
    "Kestrel": characters.Sheet(
        archetype="wildcard",
        characteristics={"body": 2, "mind": 2, "spirit": 2, "Sp": 2, "L": 3, "C": 2, "Co": 2},
        skills={
            "Driving": 3,
            "Deception": 3,
            "Gambling": 3,
            "Stealth": 3,
            "Search": 3,
            "Thrown Weapons": 2,
            "Brawling": 2,
            "Running": 1,
        },
    ),
    "Warden Hask": characters.Sheet(
        archetype="hero",
        characteristics={"body": 4, "mind": 2, "S": 2, "T": 2, "W": 2},
        skills={"Melee Weapons": 3, "Brawling": 3, "Intimidation": 4, "Search": 2},
        villain=True,
    ),
}


# --- the game ---------------------------------------------------------------------------------------------------------

#: Declarations of the kernel to which the game adds a rule that depends on the options.
ON_OPTIONS = frozenset(
    {
        commands.Enrol,
        commands.Retire,
        commands.OpenScene,
        commands.CloseScene,
        commands.OpenSession,
        commands.CloseSession,
        commands.SetDial,
    }
)


def check_first(draft: Draft, do: object) -> None:
    """Refuse a declaration for a character who is out of the game."""
    if type(do) in ON_OPTIONS or type(do) not in commands.INPUTS:
        _ = draft.dials
    find_actor = get_actor_finder(type(do)) if type(do) not in commands.INPUTS else None
    char_id = find_actor(draft.table, do) if find_actor is not None else None
    if char_id and draft.table.has(character(char_id)):
        require(may_act(draft, char_id))


def sort_as_published(classes: Sequence[type[object]]) -> tuple[type[object], ...]:
    """Return declarations or choices in the order in which they are published."""
    index_by_kind = {kind: index for index, kind in enumerate(PUBLISHED.split())}
    return tuple(sorted(classes, key=lambda kind: index_by_kind.get(find_kind(kind), len(index_by_kind))))


def add_scene_opening(headlines: Sequence[type[object]]) -> tuple[type[object], ...]:
    """Return the headlines with `SceneOpened`, a fact of the kernel, inserted before `CharacterCreated`."""
    index = headlines.index(characters.CharacterCreated)
    return (*headlines[:index], SceneOpened, *headlines[index:])


_MADE: AnyRuleset = ruleset(
    "moc",
    title="Moment of Clarity",
    source="MoC, benscondo.wiki-rpg.com: the rules document of 10/19",
    edition=3,
    chapters=(
        words,
        dials,
        dice,
        draft,
        holdings,
        turns,
        hands,
        stacks,
        pools,
        own_dice,
        beads,
        buying,
        prices,
        negotiating,
        actions,
        cards,
        trading,
        cards_on_dice,
        story,
        rolling,
        resolving,
        beads_used,
        deciding,
        hits,
        damage,
        recovery,
        resisting,
        other_dice,
        chips,
        characters,
        fate,
        targets,
        trumps,
        scenes,
        own_tables,
    ),
    draft=Draft,
    states={"campaign": Campaign, "seat": Seat, "character": Character, "scene": Scene},
    dials=dials.Dials,
    sheet=characters.Sheet,
    accounts=holdings.ACCOUNTS,
    view=view,
    reading_order=READING_ORDER,
    first=check_first,
    seen_as=show_table,
    says={commands.Adjust: say_moved(UNITS)},
    named={"change": "id", "play": "id"},
    words=REASON_WORDS,
    speech=SPEECH,
    characters_in=CHARACTERS_IN,
    secrets=SECRETS,
    references=REFERENCES,
    people=PEOPLE,
    maker=prices.MAKER,
    bad_dial="unknown-dial-value",
    check_dials=dials.check_dial,
    kept_twice=list_kept_twice,
    things=list_things,
    upcasters=(Upcast("location-set", to=2, change=lambda stored: {**stored, "face": None}),),
)
for _kind in _MADE.inputs:
    get_actor_finder(_kind)
RULESET: AnyRuleset = replace(
    _MADE,
    labels=LABELS,
    refers=REFERS,
    inputs=sort_as_published(_MADE.inputs),
    choices=sort_as_published(_MADE.choices),
    phrases=replace(
        _MADE.phrases, seats=frozenset({"player", "seat"}), headlines=add_scene_opening(_MADE.phrases.headlines)
    ),
)
