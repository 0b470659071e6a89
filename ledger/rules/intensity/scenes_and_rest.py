"""Scenes, which are open one at a time, and the rest after a scene, which ends taxes (chapter Impact)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Annotated

from ledger.rules.intensity.attacks import compute_attack_value
from ledger.rules.intensity.defence import compute_defence_value
from ledger.rules.intensity.dials import Dials
from ledger.rules.intensity.draft import (
    ROUND_OPEN,
    SCENE_OPEN,
    SUBJECT_GONE,
    CurrentScene,
    Draft,
    check_once,
    name_impacts_account,
)
from ledger.rules.intensity.impact import compute_rating, find_used_trait, list_allowed_impacts
from ledger.rules.intensity.out_of_play import OUT, let_fatal_lapse
from ledger.rules.intensity.state import (
    INTENSITY,
    Campaign,
    Character,
    ImpactId,
    OpenAttack,
    Participant,
    Round,
    Scene,
    drop_key,
    list_standing_dice,
    word_people,
)
from ledger.rules.kernel.kit import (
    ANYONE,
    Among,
    CharacterId,
    CloseScene,
    Move,
    Names,
    OpenScene,
    Refusal,
    Refused,
    Says,
    SceneId,
    Seen,
    Some,
    changed,
    changes,
    decides,
    declares,
    fact,
    offers,
    once_created,
    require,
    rule,
    scene,
)

# --- opening a scene -------------------------------------------------------------------------------------------------

OPEN_SCENE = rule(
    "intensity.scene.open",
    "Not in the source: only one scene is open at a time, and every character can take part in it.",
)


def may_open_scene(draft: Draft) -> Refused | None:
    scenes = draft.table.subjects("scene")
    return SCENE_OPEN.under(OPEN_SCENE, scene=scenes[0].id) if scenes else None


@decides
def open_scene(draft: Draft, do: OpenScene) -> None:
    """Open a scene for all characters. A campaign has at most one open scene."""
    require(may_open_scene(draft))
    draft.by(OPEN_SCENE, do.title)


@offers(OpenScene)
def offer_to_open(seen: Seen, draft: Draft) -> Iterator[Move]:
    if may_open_scene(draft) is None:
        yield Move(OpenScene, {"cast": Some(Among(seen.roster))})


# --- rest ------------------------------------------------------------------------------------------------------------

TAXES = rule(
    "intensity.rest.taxes",
    "A 5-minute rest after a scene ends the taxes on the characters who rest.",
    "Impact",
    outcome="character",
)
NO_SCENE_YET = Refusal(TAXES, "no-scene-to-rest-after", "No scene has closed yet. You can rest after a scene.")


def say_rested(fact: RestTaken, names: Names) -> str:
    verb = "takes" if len(fact.characters) == 1 else "take"
    return f"{word_people(names, fact.characters)} {verb} a rest." if fact.characters else "Nobody can rest."


@fact("rest-taken", says=say_rested, changes=None)
class RestTaken:
    """Subject: the campaign. These characters rested."""

    characters: tuple[CharacterId, ...]


@fact("tax-ended", says="A tax on {char} ends.")
class TaxEnded:
    """Subject: the character. One of its taxes ended."""

    impact: ImpactId
    char: CharacterId


@changes
@once_created
def end_tax(state: Character, fact: TaxEnded) -> Character | None:
    return changed(state, impacts=drop_key(state.impacts, fact.impact)) if fact.impact in state.impacts else None


def say_rests(do: Rest, names: Names) -> str:
    return f"A 5-minute rest for {word_people(names, do.characters) if do.characters else 'everybody'}."


@declares("rest", ANYONE, says=say_rests, records=(RestTaken, TaxEnded))
class Rest:
    """Take a 5-minute rest after a scene. `characters`: the characters who rest; leave it out for all characters who
    are not out for good.
    """

    characters: Annotated[tuple[CharacterId, ...], Says("Who rests")] = ()


def may_rest(draft: Draft) -> Refused | None:
    """Refuse a rest before the first scene, and during a scene."""
    if draft.table.subjects("scene"):
        return SCENE_OPEN.under(TAXES)
    return NO_SCENE_YET() if draft.read_campaign().last_scene is None else None


def may_join_rest(draft: Draft, char: str) -> Refused | None:
    return SUBJECT_GONE.under(TAXES, char=char) if draft.is_gone(char) else None


@decides
def rest(draft: Draft, do: Rest) -> None:
    """End the taxes of the characters who rest for five minutes after a scene."""
    for char in do.characters:
        draft.check_character(char)
    check_once(do.characters, TAXES)
    require(may_rest(draft))
    for char in do.characters:
        require(may_join_rest(draft, char))
    take_rest(draft, do.characters)


def take_rest(draft: Draft, named_chars: tuple[str, ...] = ()) -> None:
    """Let the named characters rest, or else all characters who are not out for good."""
    resting_chars = named_chars or list_still_in_play(draft)
    draft.campaign_wide(RestTaken(resting_chars))
    draft.by(TAXES, list(resting_chars), rest=draft.dials.rest)
    end_taxes(draft, resting_chars, TAXES)


def end_taxes(draft: Draft, characters: Iterable[str], rule: str) -> None:
    for char in characters:
        for impact_id, impact in draft.read_character(char).impacts.items():
            if impact.kind == "tax":
                draft.about(char, TaxEnded(impact_id, char), draft.make_posting_from(name_impacts_account(char), 1))
                draft.by(rule, "ended", char=char, trait=impact.trait)


def list_still_in_play(draft: Draft) -> tuple[str, ...]:
    return tuple(char for char in draft.list_character_ids() if not draft.is_gone(char))


@offers
def offer_rest(seen: Seen, draft: Draft) -> Iterator[Move]:
    if may_rest(draft) is None:
        able_chars = tuple(char for char in draft.present if may_join_rest(draft, char) is None)
        yield Move(Rest, {"characters": Some(Among(able_chars))})


HEALING_IS_REST = rule(
    "intensity.heal.rest",
    "Not in the source: a healing moment is also a rest, so it ends taxes. A table may decide that taxes stay.",
)


# --- closing a scene -------------------------------------------------------------------------------------------------

CLOSE_SCENE = rule(
    "intensity.scene.close",
    "Not in the source: a scene can close when no round is open. Characters who were out of play just"
    " for this scene come back.",
    outcome="scene",
)


SCENE_END = rule(
    "intensity.fatal.scene-end",
    "Not in the source: a scene cannot close while anybody holds a fatal impact. A table may decide that fatal"
    " impacts still held are lost when the scene closes.",
)
HELD_FATAL_OPEN = Refusal(
    SCENE_END,
    "held-fatal-open",
    "{holder} must use or give up every held fatal impact before the scene ends.",
)


@fact("returned-to-play", says="{char} is back in play.")
class ReturnedToPlay:
    """Subject: the character. The character was out of play until the end of a scene. That scene has closed, so the
    character is back in play.
    """

    char: CharacterId


@changes
@once_created
def return_after_scene(state: Character, fact: ReturnedToPlay) -> Character | None:
    return changed(state, out=None) if state.out == "scene" else None


@fact("rest-allowed", says="After “{scene}”, characters can rest.")
class RestAllowed:
    """Subject: the campaign. A scene has closed, so characters can rest."""

    scene: SceneId


@changes
def allow_rest(state: Campaign, fact: RestAllowed) -> Campaign:
    return changed(state, last_scene=fact.scene)


def may_close_scene(draft: Draft, current_scene: CurrentScene) -> Refused | None:
    """Refuse to close the scene while a round is open and, if an option says so, while a fatal impact is held."""
    if current_scene.scene.round is not None:
        return ROUND_OPEN.under(CLOSE_SCENE, round=current_scene.scene.round.id)
    if current_scene.scene.fatals and draft.dials.held_fatal_at_scene_end == "must_settle":
        holders = list(dict.fromkeys(fatal.holder for fatal in current_scene.scene.fatals.values()))
        return HELD_FATAL_OPEN(fatals=list(current_scene.scene.fatals), holder=holders)
    return None


@decides
def close_scene(draft: Draft, do: CloseScene) -> None:
    """Close the scene. Characters who were out of play for the scene return."""
    current_scene = CurrentScene(scene(do.scene), draft.table.get(scene(do.scene), Scene))
    require(may_close_scene(draft, current_scene))
    for fatal_id, fatal in current_scene.scene.fatals.items():
        let_fatal_lapse(draft, current_scene, fatal_id, fatal, SCENE_END)
    for char in draft.list_character_ids():
        if draft.read_character(char).out == "scene":
            draft.about(char, ReturnedToPlay(char))
            draft.by(OUT, "returned", char=char)
    draft.campaign_wide(RestAllowed(do.scene))
    draft.by(CLOSE_SCENE, do.scene)
    if draft.dials.rest == "automatic_at_scene_end":
        take_rest(draft)


@offers(CloseScene)
def offer_to_close(seen: Seen, draft: Draft) -> Iterator[Move]:
    current_scene = draft.open_scene
    if current_scene is not None and may_close_scene(draft, current_scene) is None:
        yield Move(CloseScene, {"scene": Among((current_scene.subject.id,))})


# --- views -----------------------------------------------------------------------------------------------------------

LABELS = {
    "maximum": "Maximum",
    "ties_settled": "Resolved ties",
    "attack_value": "Attack value",
    "defence_value": "Defence value",
    "rating": "Impact rating",
    "allowed": "Impacts allowed",
}


def view_scene(scene: Scene, dials: Dials) -> dict[str, object]:
    return {
        "round": _view_round(scene.round, dials) if scene.round is not None else None,
        "fatals": view_fatals(scene),
        "levels": dict(scene.levels),
    }


def view_fatals(scene: Scene) -> list[dict[str, object]]:
    return [
        {
            "fatal": fatal_id,
            "holder": fatal.holder,
            "subject": fatal.subject,
            "trait_used": fatal.trait_used,
            "attack": fatal.attack,
        }
        for fatal_id, fatal in scene.fatals.items()
    ]


def _view_round(round: Round, dials: Dials) -> dict[str, object]:
    return {
        "round": round.id,
        "participants": [
            {"char": char, **_view_participant(participant)} for char, participant in round.participants.items()
        ],
        "order": [list(group) for group in round.groups] if round.groups is not None else None,
        "ties_settled": [list(ranking) for ranking in round.rankings],
        "attack": _view_attack(round, round.attack, dials) if round.attack is not None else None,
    }


def _view_participant(participant: Participant) -> dict[str, object]:
    return {
        "level": participant.level,
        "maximum": INTENSITY[participant.level] if participant.level is not None else None,
        "target": participant.target,
        "trait": participant.trait,
        "text": participant.text,
        "turn": participant.turn,
        "standing": [die.face for die in list_standing_dice(participant)],
        "dice": {
            name: {"size": die.size, "face": die.face, "picked_up": die.picked_up, "defence": die.defence}
            for name, die in participant.dice.items()
        },
    }


def _view_attack(round: Round, attack: OpenAttack, dials: Dials) -> dict[str, object]:
    """Return an attack with its current values, so that everybody can see how points would change them."""
    are_both_in_round = {attack.attacker, attack.defender} <= set(round.participants)
    rating = compute_rating(round, attack) if are_both_in_round else None
    return {
        "attack": attack.id,
        "attacker": attack.attacker,
        "defender": attack.defender,
        "answered": attack.answered,
        "success": attack.success,
        "bought": list(attack.bought),
        "attack_value": compute_attack_value(round, attack) if are_both_in_round else None,
        "defence_value": compute_defence_value(dials, round, attack) if are_both_in_round and attack.answered else None,
        "rating": rating,
        "allowed": list_allowed_impacts(rating, find_used_trait(round, attack.defender)) if rating is not None else [],
    }


def count_dice_on_the_table(round: Round | None) -> dict[str, int]:
    """Return how many dice lie on the table, according to the accounts."""
    counts_by_account: dict[str, int] = {}
    for char, participant in round.participants.items() if round is not None else ():
        defending_count = sum(die.picked_up for die in participant.dice.values())
        counts_by_account |= {
            f"standing-{char}": len(participant.dice) - defending_count,
            f"defence-{char}": defending_count,
        }
    return {name: count for name, count in counts_by_account.items() if count}


def list_declared_levels(round: Round | None) -> dict[str, object]:
    participants: dict[str, Participant] = dict(round.participants) if round is not None else {}
    return {char: participant.level for char, participant in participants.items() if participant.level is not None}
