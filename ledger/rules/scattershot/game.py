"""The Game and the table: Critical Juncture and Epic Index, the Players present, and modes of Play with their lulls."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from ledger.rules.kernel.kit import (
    ANYONE,
    GM,
    Among,
    Asking,
    CloseScene,
    CloseSession,
    Move,
    Names,
    OpenSession,
    Posting,
    Question,
    Reason,
    Refusal,
    Refused,
    SeatId,
    Seen,
    SetDial,
    Some,
    changed,
    changes,
    decides,
    declares,
    fact,
    json_types,
    list_dial_fields,
    offers,
    require,
    rule,
)
from ledger.rules.scattershot import accounts, conditions, resources, totals
from ledger.rules.scattershot.agreement import Claiming, ask_for_decliner, check_claim
from ledger.rules.scattershot.chart import BAND, NUMBERS, check_dials
from ledger.rules.scattershot.dials import Dials
from ledger.rules.scattershot.draft import EXPERIENCE, NO, ORDER, PHASES, SOME_TEXT, YES, Draft, make_any_of
from ledger.rules.scattershot.scene import Fight, Scene, in_its_scope
from ledger.rules.scattershot.state import Campaign
from ledger.rules.scattershot.words import (
    NOT_AT_THE_TABLE,
    NOT_IN_MECHANICAL_PLAY,
    WITHOUT_TURNS,
    WRONG_PHASE,
    ChartRow,
    Mode,
    ModeWithoutTurns,
    Scope,
    SessionId,
    is_without_turns,
    name_seats,
    say_reason,
    whether,
)

GAME_HAS_BEGUN = Refusal(NUMBERS, "game-has-begun", "The Game has already begun[, so {dial} can no longer change].")


@fact("game-begun", says="The Game begins, with a Critical Juncture of {cj} and an Epic Index of {ei}.")
class GameBegun:
    """The Game began. `cj`: the Critical Juncture. `ei`: the Epic Index."""

    cj: int
    ei: int


@changes
def begin_game(state: Campaign, fact: GameBegun) -> Campaign:
    return changed(state, begun=True, cj=fact.cj, ei=fact.ei)


@fact(
    "chart-adopted",
    says=whether("rows", "The table uses its own UE Chart.", "The table uses the standard UE Chart."),
    changes=None,
)
class ChartAdopted:
    """The UE Chart of the campaign was set. `rows`: its rows, as `{from, to, facets}`; empty for the standard chart."""

    rows: tuple[ChartRow, ...]


@decides
def set_dial(draft: Draft, do: SetDial) -> None:
    """Check the new value of an option. The Critical Juncture and the Epic Index are fixed once the Game has begun."""
    field = list_dial_fields(Dials).get(do.name)
    if field is None:
        return
    if do.name in ("critical-juncture", "epic-index") and draft.read_campaign().begun:
        raise GAME_HAS_BEGUN(dial=do.name)
    value = json_types.convert(do.value, json_types.load_hints(Dials)[field.name])
    check_dials(replace(draft.dials, **{field.name: value}), do.name, str(field.metadata["rule"]))
    if do.name == "ue-chart":
        draft.campaign_wide(ChartAdopted(tuple(value or ())))
        draft.by(BAND, len(value or ()))


@declares("begin-game", GM, says="The Game begins.", records=(GameBegun,))
class BeginGame:
    """Begin the Game. After that, the Critical Juncture and the Epic Index cannot change. If you do not declare this,
    the Game begins with the first Session.
    """


def may_begin_game(draft: Draft) -> Refused | None:
    return GAME_HAS_BEGUN() if draft.read_campaign().begun else None


@decides
def begin_declared_game(draft: Draft, do: BeginGame) -> None:
    require(may_begin_game(draft))
    _begin(draft)


def _begin(draft: Draft) -> None:
    dials = draft.dials
    draft.campaign_wide(GameBegun(dials.critical_juncture, dials.epic_index))
    draft.by(NUMBERS, dials.critical_juncture + dials.epic_index, index=dials.epic_index)


@decides
def open_session(draft: Draft, do: OpenSession) -> None:
    """Begin the Game with the first Session, unless it has already begun."""
    if may_begin_game(draft) is None:
        _begin(draft)


# --- the table --------------------------------------------------------------------------------------------------------


SEATED_SENTENCE = whether(
    "clockwise", "The Players sit clockwise: {clockwise}.", "The Players sit in the order in which they joined."
)


@fact("players-seated", says=SEATED_SENTENCE)
class PlayersSeated:
    """The Players' order around the table was set: their seats, clockwise."""

    clockwise: tuple[SeatId, ...]


@changes
def note_seating(state: Campaign, fact: PlayersSeated) -> Campaign:
    return changed(state, clockwise=fact.clockwise)


@declares("seat-players", GM, says=SEATED_SENTENCE, records=(PlayersSeated,))
class SeatPlayers:
    """Set the order in which the Players sit around the table. If you do not declare this, they sit clockwise in the
    order in which they joined.

    `clockwise`: the seats in clockwise order.
    """

    clockwise: tuple[SeatId, ...]


@decides
def seat_players(draft: Draft, do: SeatPlayers) -> None:
    players = draft.list_players()
    if sorted(do.clockwise) != sorted(set(do.clockwise)) or not set(do.clockwise) <= set(players):
        raise NOT_AT_THE_TABLE.under(ORDER, clockwise=list(do.clockwise))
    draft.campaign_wide(PlayersSeated(do.clockwise))


def say_present(do_or_fact: Attend | AttendanceNoted, names: Names) -> str:
    players = name_seats(do_or_fact.present, names) if do_or_fact.present else "Nobody"
    return f"{players} {'are' if len(do_or_fact.present) > 1 else 'is'} present in the Session."


@fact("attendance-noted", says=say_present)
class AttendanceNoted:
    """The Players who are present in the Session were recorded."""

    session: SessionId
    present: tuple[SeatId, ...]


@changes
def note_attendance(state: Campaign, fact: AttendanceNoted) -> Campaign:
    return changed(state, present=fact.present, present_in=fact.session)


@declares("attend", GM, says=say_present, records=(AttendanceNoted,))
class Attend:
    """Set which Players are present in the Session. If you do not declare this, all Players are."""

    present: tuple[SeatId, ...]


@decides
def note_present(draft: Draft, do: Attend) -> None:
    session = draft.table.session
    for seat_id in do.present:
        if seat_id not in draft.list_players():
            raise NOT_AT_THE_TABLE.under(EXPERIENCE, player=seat_id)
    draft.campaign_wide(AttendanceNoted(session or "", do.present))


# --- offers -----------------------------------------------------------------------------------------------------------


@offers
def offer_play(seen: Seen, draft: Draft) -> Iterator[Move]:
    """Yield moves that begin the Game, set the order of the seats, and note who is present."""
    if may_begin_game(draft) is None:
        yield Move(BeginGame)
    yield Move(SeatPlayers, {"clockwise": Some(Among(draft.list_players()))})
    yield Move(Attend, {"present": make_any_of(draft.list_players())})


# --- modes of Play ----------------------------------------------------------------------------------------------------


SOLO_PLAY = rule(
    "scattershot.play.solo",
    "In Solo Play, one Player plays alone and changes only what is their own. The only use of Experience"
    " Dice is to develop a Persona.",
    "Solo Play",
)
GENERAL_PLAY = rule(
    "scattershot.play.general",
    "In General Play there are no rolls and no Turns. The Speaker says what happens. Any Player may call for"
    " Specific Play.",
    "General Play",
    outcome="seat",
)
NO_MECHANICS_IN_GENERAL_PLAY = Refusal(
    GENERAL_PLAY, "no-mechanics-in-general-play", "There are no rolls in General Play. Call for Specific Play first."
)
SPECIFIC_PLAY = rule(
    "scattershot.play.specific",
    "In Specific Play, Players can roll for Actions, but there are no Turns.",
    "Specific Play",
)
MECHANICAL_PLAY = rule(
    "scattershot.play.mechanical",
    "In Mechanical Play, Characters act in the order of their Turns. Nobody can use a plot device.",
    "Mechanical Play",
)
LULL = rule(
    "scattershot.play.lull",
    "When Mechanical Play ends, there is a lull. Penalties that have been waiting for it take effect.",
    "Results",
)
RULES_BY_MODE: Mapping[Mode, str] = {"solo": SOLO_PLAY, "general": GENERAL_PLAY, "specific": SPECIFIC_PLAY}
END = rule(
    "scattershot.mech.end",
    "The caller or the Group can end Mechanical Play at a Scope. All Turns, forfeited Actions and Combat"
    " Advantage at that Scope end with it. Mechanical Play at other Scopes continues.",
    "Turn Sequencing",
)


def say_shifted(fact: PlayModeShifted, names: Names) -> str:
    previous_mode_phrase = f" follows {fact.from_.title()} Play" if fact.from_ != fact.to else " continues"
    return f"{fact.to.title()} Play{previous_mode_phrase}{say_reason(fact.reason)}."


@fact("play-mode-shifted", says=say_shifted)
class PlayModeShifted:
    """The scene's mode of Play changed. `from`, `to`: the modes."""

    from_: Mode
    to: Mode
    reason: Reason


@changes
def shift_mode_of_scene(state: Scene, fact: PlayModeShifted) -> Scene:
    return changed(state, mode=fact.to)


@fact("speaker-changed", says="{to} is now the Speaker[, after {from}].")
class SpeakerChanged:
    """Another Player became the Speaker of the scene."""

    from_: SeatId | None
    to: SeatId


@changes
def change_speaker(state: Scene, fact: SpeakerChanged) -> Scene:
    return changed(state, speaker=fact.to)


@fact("mechanical-play-ended", says="Mechanical Play ends in Round {rounds}.", headline=19)
class MechanicalPlayEnded:
    """Mechanical Play ended at this Scope. It may continue at another Scope."""

    rounds: int
    scope: Scope


@changes
def end_mechanical_play(state: Scene, fact: MechanicalPlayEnded) -> Scene | None:
    if fact.scope not in state.fights:
        return None
    return changed(state, fights={scope: fight for scope, fight in state.fights.items() if scope != fact.scope})


@fact(
    "mechanical-play-goes-on",
    says="Mechanical Play continues: {by} wants to end it, but {against} does not.",
    headline=18,
)
class MechanicalPlayGoesOn:
    """Mechanical Play continued. `by`: the seat that wanted to end it. `against`: the seat that declined."""

    scope: Scope
    by: SeatId
    against: SeatId


@changes
@in_its_scope
def note_play_goes_on(fight: Fight, fact: MechanicalPlayGoesOn) -> Fight:
    return fight


def say_shifts(do: ShiftMode, names: Names) -> str:
    return f"{do.mode.title()} Play from now on{say_reason(do.reason)}."


@declares(
    "shift-mode",
    ANYONE,
    says=say_shifts,
    records=(
        PlayModeShifted,
        MechanicalPlayEnded,
        MechanicalPlayGoesOn,
        conditions.OffGuardSet,
        resources.PenaltyTookEffect,
    ),
)
class ShiftMode:
    """Shift the scene to Solo, General or Specific Play. If the scene is in Mechanical Play, this ends it, as
    `end-mechanical-play` does.

    `claimed`: whether a Gamemaster records that the other Players agreed. This needs a `reason`.
    """

    mode: ModeWithoutTurns
    reason: Reason = ""
    claimed: bool = False


@decides
def shift_mode(draft: Draft, do: ShiftMode) -> Asking[None]:
    """Change the mode of Play, and end Mechanical Play if it is under way."""
    scene = draft.read_scene()
    if not is_without_turns(do.mode):
        raise NOT_IN_MECHANICAL_PLAY.under(MECHANICAL_PLAY, mode=do.mode)
    fights = tuple(draft.read_fights().values())
    if not (yield from ask_to_end(draft, fights, do)):
        return
    for fight in fights:
        end_fight(draft, fight)
    draft.here(PlayModeShifted(scene.mode, do.mode, do.reason))
    draft.by(RULES_BY_MODE[do.mode], do.mode, before=scene.mode)


ASK_END = Question("end", "Do you agree to end Mechanical Play?")


def ask_to_end(draft: Draft, fights: Iterable[Fight], do: Claiming) -> Asking[bool]:
    """Return whether Mechanical Play ends. The Player who called for it can end it; otherwise the Group is asked.

    A Gamemaster may state that the Group agreed.
    """
    author = draft.table.by
    others_fights = [fight for fight in fights if fight.caller != author.seat]
    if check_claim(draft, END, do) or not others_fights:
        return True
    decliner = yield from ask_for_decliner(draft, draft.list_group(), END, ASK_END(), "The end of Mechanical Play")
    if decliner is None:
        return True
    for fight in others_fights:
        draft.here(MechanicalPlayGoesOn(fight.scope, author.seat, decliner))
    draft.by(END, False, by=author.seat, against=decliner)
    return False


def end_fight(draft: Draft, fight: Fight) -> None:
    """End Mechanical Play at its Scope. Actions and Combat Advantage are lost; pending penalties take effect."""
    ids = tuple(fight.standing)
    draft.here(MechanicalPlayEnded(fight.round, fight.scope), *list_losses(draft, ids, ids))
    for char_id, standing in fight.standing.items():
        if standing.all_out == "focusing":
            draft.about(char_id, conditions.OffGuardSet((), None))
    draft.by(END, fight.round)
    draft.by(LULL, fight.round)
    for subject in draft.table.subjects("character"):
        is_still_fighting = any(subject.id in other.standing for other in draft.read_scene().fights.values())
        if subject.id in ids or (draft.table.is_open(subject) and not is_still_fighting):
            apply_pending_penalty(draft, subject.id)


def list_losses(draft: Draft, ids: Sequence[str], others: Sequence[str]) -> list[Posting | None]:
    """Return postings that remove these Characters' Actions, and all Combat Advantage between them and the others."""
    place_id = draft.place().id
    pairs = {
        pair for char_id in ids for other in others if char_id != other for pair in ((char_id, other), (other, char_id))
    }
    account_names = [
        *(accounts.name_actions(place_id, char_id) for char_id in ids),
        *(accounts.name_advantage(place_id, holder, foe) for holder, foe in sorted(pairs)),
    ]
    return [accounts.make_loss(account, draft.balance(account)) for account in account_names]


def apply_pending_penalty(draft: Draft, char_id: str) -> None:
    """Make a pending penalty of this Character take effect, if there is one."""
    if pending_penalty := draft.read_character(char_id).pending:
        draft.about(char_id, resources.PenaltyTookEffect(char_id, pending_penalty, True))
        draft.by(LULL, pending_penalty, character=char_id)


def may_use_mechanics(draft: Draft) -> Refused | None:
    """Refuse rules mechanics in General Play."""
    return NO_MECHANICS_IN_GENERAL_PLAY() if draft.find_mode() == "general" else None


def may_close_scene(scene_id: str, scene: Scene) -> Refused | None:
    """Refuse to close a scene while dice are on the table."""
    dice_count = sum(len(resolution.dice) for resolution in scene.resolutions.values())
    return WRONG_PHASE.under(PHASES, scene=scene_id, dice=dice_count) if dice_count else None


@decides
def close_scene(draft: Draft, do: CloseScene) -> None:
    """End Mechanical Play with the scene. This is refused while dice are on the table."""
    if draft.table.scene is None or draft.table.scene.id != do.scene:
        return
    require(may_close_scene(do.scene, draft.read_scene()))
    for fight in draft.read_scene().fights.values():
        end_fight(draft, fight)
    _end_residuals(draft, "scene")


def _end_residuals(draft: Draft, until: str) -> None:
    for subject in draft.table.subjects("character"):
        for residual in draft.read_character(subject.id).residuals:
            if residual.until == until:
                draft.about(subject.id, conditions.ResidualEnded(residual.residual))


@declares("pass-word", ANYONE, says="{to} becomes the Speaker.", records=(SpeakerChanged,))
class PassWord:
    """Make a Player the Speaker, who describes what happens in the scene."""

    to: SeatId


def may_pass_word(scene: Scene) -> Refused | None:
    return NOT_IN_MECHANICAL_PLAY.under(MECHANICAL_PLAY) if scene.mode == "mechanical" else None


@decides
def pass_word(draft: Draft, do: PassWord) -> None:
    scene = draft.read_scene()
    require(may_pass_word(scene))
    if do.to not in draft.list_players():
        raise NOT_AT_THE_TABLE.under(GENERAL_PLAY, player=do.to)
    draft.here(SpeakerChanged(scene.speaker, do.to))
    draft.by(GENERAL_PLAY, do.to)


@decides
def close_session(draft: Draft, do: CloseSession) -> None:
    """Return and expire Loaners (`xd.loaner`, `xd.loaner-expiry`), and end Residuals that last for the Session."""
    totals.return_loaners(draft)
    totals.expire_loaners(draft)
    _end_residuals(draft, "session")


@offers
def offer_modes(seen: Seen, draft: Draft) -> Iterator[Move]:
    scene = draft.open_scene
    if scene is None:
        return
    yield Move(ShiftMode, {"mode": Among(WITHOUT_TURNS), "claimed": NO})
    if draft.is_by_gm:
        yield Move(ShiftMode, {"mode": Among(WITHOUT_TURNS), "claimed": YES, "reason": SOME_TEXT})
    if may_pass_word(scene) is None:
        yield Move(PassWord, {"to": Among(draft.list_players())})


@offers(CloseScene)
def offer_to_close(seen: Seen, draft: Draft) -> Iterator[Move]:
    place = draft.open_place
    can_close_place = place is None or may_close_scene(place.id, draft.read_scene()) is None
    if closable_ids := tuple(
        scene_id for scene_id in seen.scenes if can_close_place or place is None or scene_id != place.id
    ):
        yield Move(CloseScene, {"scene": Among(closable_ids)})
