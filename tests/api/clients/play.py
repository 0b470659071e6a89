"""A ruling of each game with a client made by openapi-python-client: `python play.py ADDRESS [OPERATOR_TOKEN]`.

Runs in an environment without this project, beside the package that was made. Prints a line for each game.
"""

from __future__ import annotations

import sys
import uuid
from collections.abc import Callable
from contextlib import closing

from campaign_ledger_client import AuthenticatedClient, models
from campaign_ledger_client.api.campaigns import export_campaign, import_campaign, open_campaign
from campaign_ledger_client.api.characters import enrol_character
from campaign_ledger_client.api.rulings import answer_question, declare_ruling
from campaign_ledger_client.api.scenes import open_scene
from campaign_ledger_client.types import File


class Game:
    """A campaign of one game, its game master, and a scene."""

    def __init__(self, address: str, operator: str, system: str) -> None:
        opening = models.OpenCampaign("Made for it", models.OpenCampaignSystem(system), models.Named("Ann"))
        client = AuthenticatedClient(address, operator)
        opened = open_campaign.sync(client=client, body=opening, idempotency_key=str(uuid.uuid4()))
        assert isinstance(opened, models.OpenedCampaign), opened
        self.id, self.seat = opened.id, opened.seat.id
        self.client = AuthenticatedClient(address, opened.seat.token)
        self.operator = client

    def close(self) -> None:
        for client in (self.client, self.operator):
            client.get_httpx_client().close()

    def enrol(self, name: str, sheet: object) -> str:
        body = models.EnrolCharacter(name, self.seat, sheet)
        made = enrol_character.sync(self.id, client=self.client, body=body)
        assert isinstance(made, models.Ruling), made
        assert made.character is not None
        return str(made.character)

    def scene(self, *cast: str) -> None:
        made = open_scene.sync(self.id, client=self.client, body=models.OpenScene("A yard", list(cast)))
        assert isinstance(made, models.Ruling), made

    def declare(self, said: object, *answers: object) -> models.Ruling:
        body = models.Declare(said, answers=list(answers))
        made = declare_ruling.sync(self.id, client=self.client, body=body)
        assert isinstance(made, models.Ruling), made
        return made

    def waits(self, said: object) -> models.Waiting:
        body = models.Declare(said, dice=models.DeclareDiceType0.TABLE)
        made = declare_ruling.sync(self.id, client=self.client, body=body)
        assert isinstance(made, models.Waiting), made
        return made

    def answer(self, waiting: models.Waiting, sides: int, *faces: int) -> models.Ruling | models.Waiting:
        answer = models.GiveAnswer(models.AnswerDice(models.SaidDice(sides, list(faces))))
        made = answer_question.sync(self.id, waiting.id, client=self.client, body=answer)
        assert isinstance(made, models.Ruling | models.Waiting), made
        return made

    def is_here_already(self) -> None:
        """Its export is a file that can be sent in again: 409, it is here."""
        file = export_campaign.sync(self.id, client=self.client)
        assert isinstance(file, File), file
        refused = import_campaign.sync(client=self.operator, body=file)
        assert isinstance(refused, models.Problem) and refused.status == 409, refused


def intensity(game: Game) -> models.Ruling:
    """Two declare, and the dice of one are typed in when the ledger asks."""
    traits = [models.IntensityTraitLine("Stubborn", 10), models.IntensityTraitLine("Loyal", 8)]
    traits.append(models.IntensityTraitLine("Gladiator", 8))
    sheet = models.IntensitySheet(models.IntensitySheetKind.MAIN, traits)
    sarah, steve = game.enrol("Sarah", sheet), game.enrol("Steve", sheet)
    game.scene(sarah, steve)
    game.declare(models.IntensityOpenRound("open-round", [sarah, steve]))
    calm = models.IntensityDeclareLevel.CALM
    game.declare(models.IntensityDeclare("declare", sarah, calm, target=steve, trait="Stubborn"))
    game.declare(models.IntensityDeclare("declare", steve, calm, trait="Loyal"))
    waiting = game.waits(models.IntensityRoll("roll", participants=[sarah]))
    waiting = game.answer(waiting, 6, 4)
    ruling = game.answer(waiting, 10, 7)
    assert isinstance(ruling, models.Ruling), ruling
    return ruling


def mnemonic(game: Game) -> models.Ruling:
    andrea = game.enrol("Andrea", models.MnemonicSheet(models.MnemonicSheetKind.PLAYER_CHARACTER, "Deputy"))
    game.scene(andrea)
    talent = models.MnemonicRateTraitTraitKind.TALENT
    return game.declare(models.MnemonicRateTrait("rate-trait", andrea, "Quick", talent, "Fairly"))


def moc(game: Game) -> models.Ruling:
    able = models.MocSheetCharacteristics.from_dict({"body": 5, "S": 2})
    ann = game.enrol("Ann", models.MocSheet(models.MocSheetArchetype.HERO, able))
    game.scene(ann)
    return game.declare(
        models.MocDeclareAction("declare-action", ann, primary=models.MocDeclareActionPrimaryType0.BODY)
    )


def mongrel(game: Game) -> models.Ruling:
    """An attack, with the target's choice and the dice said beforehand."""
    able = {"size": 4, "spirit": 4, "physique": 6, "beauty": 2, "speed": 4, "social": 4}
    # Who is more of a Beast acts first.
    giazza, gero = (
        game.enrol(
            name,
            models.MongrelSheet(
                models.MongrelSheetHouse.NUIN,
                5,
                beast,
                demon,
                models.MongrelSheetPrimary.MAN,
                "human",
                models.MongrelSheetSex.MALE,
                models.MongrelSheetAge.ADULT,
                models.MongrelSheetAttributes.from_dict(able),
                [models.MongrelSheetPlusThreeItem.MELEE, models.MongrelSheetPlusThreeItem.BUREAUCRAT],
                [models.MongrelSheetPlusTwoItem.SENSE, models.MongrelSheetPlusTwoItem.ATHLETICS],
                [models.MongrelSheetPlusOneItem.LIE, models.MongrelSheetPlusOneItem.BALANCE],
                power=models.MongrelSheetPower.from_dict({"implanted_weapon": 1}),
            ),
        )
        for name, beast, demon in (("Giazza", 1, 0), ("Gero", 0, 1))
    )
    game.scene(giazza, gero)
    game.declare(models.MongrelOpenConflict("open-conflict", [giazza, gero]))
    expertise, attribute = models.MongrelAttackExpertise.MELEE, models.MongrelAttackAttribute.PHYSIQUE
    attack = models.MongrelAttack("attack", giazza, gero, expertise, attribute)
    defends = models.AnswerChoice(models.MongrelChoiceDefend("defend"))
    return game.declare(attack, defends, models.AnswerDice(models.SaidDice(6, [1, 1, 1, 1])))


def scattershot(game: Game) -> models.Ruling:
    game.enrol("Plain", models.ScattershotSheet())
    return game.declare(models.ScattershotMakeRuling("make-ruling", "Plain", "the bridge holds two"))


GAMES: tuple[Callable[[Game], models.Ruling], ...] = (intensity, mnemonic, moc, mongrel, scattershot)


def main(address: str, operator: str = "nobody") -> None:
    for play in GAMES:
        with closing(Game(address, operator, play.__name__)) as game:
            ruling = play(game)
            assert ruling.status == models.RulingStatus.STANDING, ruling
            game.is_here_already()
        print(f"{play.__name__}: ruling {ruling.number}: {ruling.text}")


if __name__ == "__main__":
    main(*sys.argv[1:])
