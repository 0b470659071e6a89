// A ruling of each game with types made by openapi-typescript: `node play.js ADDRESS [OPERATOR_TOKEN]`.
// Prints a line for each game.

import createClient from "openapi-fetch";
import type { components, paths } from "./schema.js";

declare const process: { argv: string[] };

type Schemas = components["schemas"];
type Ruling = Schemas["Ruling"];
// What waits: for an answer, or, where it changes the past, for the consent of others.
type Waiting = Schemas["Waiting"] | Schemas["Proposal"];

function be<T>(told: { data?: T; error?: unknown }): T {
  if (told.data === undefined) throw new Error(JSON.stringify(told.error));
  return told.data;
}

function isRuling(told: Ruling | Waiting): told is Ruling {
  return "number" in told;
}

// A body with `"preview": true` is answered with a preview or, if it changes the past, a comparison; any other with what
// was kept.
type Foreseen = { preview: true } | Schemas["Comparison"];

function kept<T extends object>(told: T): Exclude<T, Foreseen> {
  if ("preview" in told || "counts" in told) throw new Error("nobody asked for a preview");
  return told as Exclude<T, Foreseen>;
}

class Game {
  private constructor(
    private readonly client: ReturnType<typeof createClient<paths>>,
    private readonly path: { campaign: string },
    private readonly seat: string,
  ) {}

  static async open(address: string, operator: string, system: Schemas["OpenCampaign"]["system"]): Promise<Game> {
    const first = createClient<paths>({ baseUrl: address, headers: { Authorization: `Bearer ${operator}` } });
    const opened = be(
      await first.POST("/campaigns", {
        params: { header: { "Idempotency-Key": crypto.randomUUID() } },
        body: { name: "Made for it", system, gm: { name: "Ann" } },
      }),
    );
    const token = opened.seat.token;
    const client = createClient<paths>({ baseUrl: address, headers: { Authorization: `Bearer ${token}` } });
    return new Game(client, { campaign: opened.id }, opened.seat.id);
  }

  async enrol(name: string, sheet: Schemas["AnySheet"]): Promise<string> {
    const body = { name, seat: this.seat, sheet };
    const made = kept(
      be(await this.client.POST("/campaigns/{campaign}/characters", { params: { path: this.path }, body })),
    );
    if (!isRuling(made) || made.character === null) throw new Error("nobody was enrolled");
    return made.character;
  }

  async scene(...cast: string[]): Promise<void> {
    const body = { title: "A yard", cast };
    be(await this.client.POST("/campaigns/{campaign}/scenes", { params: { path: this.path }, body }));
  }

  async say(body: Schemas["Declare"]): Promise<Ruling | Waiting> {
    return kept(be(await this.client.POST("/campaigns/{campaign}/rulings", { params: { path: this.path }, body })));
  }

  async declare(said: Schemas["AnyInput"], ...answers: Schemas["AnyAnswer"][]): Promise<Ruling> {
    const made = await this.say({ declare: said, answers });
    if (!isRuling(made)) throw new Error("it waits");
    return made;
  }

  async answer(waiting: Ruling | Waiting, answer: Schemas["AnyAnswer"]): Promise<Ruling | Waiting> {
    if (isRuling(waiting)) throw new Error("it does not wait");
    const path = { ...this.path, waiting: waiting.id };
    return be(
      await this.client.POST("/campaigns/{campaign}/waiting/{waiting}/answers", { params: { path }, body: { answer } }),
    );
  }
}

// Two declare, and the dice of one are typed in when the ledger asks.
async function intensity(game: Game): Promise<Ruling> {
  const traits = [{ name: "Stubborn", base: 10 }, { name: "Loyal", base: 8 }, { name: "Gladiator", base: 8 }];
  const sheet: Schemas["intensity_Sheet"] = { kind: "main", traits };
  const sarah = await game.enrol("Sarah", sheet);
  const steve = await game.enrol("Steve", sheet);
  await game.scene(sarah, steve);
  await game.declare({ kind: "open-round", participants: [sarah, steve] });
  await game.declare({ kind: "declare", char: sarah, target: steve, level: "calm", trait: "Stubborn" });
  await game.declare({ kind: "declare", char: steve, level: "calm", trait: "Loyal" });
  let told = await game.say({ declare: { kind: "roll", participants: [sarah] }, dice: "table" });
  told = await game.answer(told, { dice: { sides: 6, faces: [4] } });
  told = await game.answer(told, { dice: { sides: 10, faces: [7] } });
  if (!isRuling(told)) throw new Error("it still waits");
  return told;
}

async function mnemonic(game: Game): Promise<Ruling> {
  const andrea = await game.enrol("Andrea", { kind: "player_character", primary_role: "Deputy" });
  await game.scene(andrea);
  return game.declare({ kind: "rate-trait", character: andrea, trait: "Quick", trait_kind: "talent", rating: "Fairly" });
}

async function moc(game: Game): Promise<Ruling> {
  const ann = await game.enrol("Ann", { archetype: "hero", characteristics: { body: 5, S: 2 } });
  await game.scene(ann);
  const does: Schemas["moc_AnyInput"] = { kind: "declare-action", character: ann, primary: "body" };
  return game.declare(does);
}

// An attack, with the target's choice and the dice said beforehand.
async function mongrel(game: Game): Promise<Ruling> {
  const sheet: Schemas["mongrel_Sheet"] = {
    house: "nuin", man: 5, beast: 1, demon: 0, primary: "man", body: "human", sex: "male", age: "adult",
    attributes: { size: 4, spirit: 4, physique: 6, beauty: 2, speed: 4, social: 4 },
    plus_three: ["melee", "bureaucrat"], plus_two: ["sense", "athletics"], plus_one: ["lie", "balance"],
    power: { implanted_weapon: 1 },
  };
  const giazza = await game.enrol("Giazza", sheet);
  const gero = await game.enrol("Gero", { ...sheet, beast: 0, demon: 1 }); // who is more of a Beast acts first
  await game.scene(giazza, gero);
  await game.declare({ kind: "open-conflict", participants: [giazza, gero] });
  const does: Schemas["mongrel_AnyInput"] = {
    kind: "attack", actor: giazza, target: gero, expertise: "melee", attribute: "physique",
  };
  return game.declare(does, { choice: { kind: "defend" } }, { dice: { sides: 6, faces: [1, 1, 1, 1] } });
}

async function scattershot(game: Game): Promise<Ruling> {
  await game.enrol("Plain", {});
  const does: Schemas["scattershot_AnyInput"] = { kind: "make-ruling", subject: "Plain", text: "the bridge holds two" };
  return game.declare(does);
}

// The kind tells what else there is: this compiles only where the union of a game is told apart by it.
export function whom(said: Schemas["intensity_AnyInput"]): string[] {
  switch (said.kind) {
    case "open-round":
      return said.participants;
    case "attack":
      return [said.char];
    default:
      return [];
  }
}

const games = { intensity, mnemonic, moc, mongrel, scattershot };
const [address = "", operator = "nobody"] = process.argv.slice(2);
for (const [name, play] of Object.entries(games)) {
  const game = await Game.open(address, operator, name as keyof typeof games);
  const ruling = await play(game);
  if (ruling.status !== "standing") throw new Error(JSON.stringify(ruling));
  console.log(`${name}: ruling ${ruling.number}: ${ruling.text}`);
}

// What is wrong is an error of the compiler, which says so here where it is none.
// @ts-expect-error: no such level
export const level: Schemas["intensity_AnyInput"] = { kind: "declare", char: "1", level: "angry" };
// @ts-expect-error: a word of another game
export const word: Schemas["intensity_AnyInput"] = { kind: "barter", character: "1", text: "a lamp" };
// @ts-expect-error: no such field
export const field: Schemas["AnyInput"] = { kind: "barter", character: "1", text: "a lamp", price: 3 };
// @ts-expect-error: one too few
export const few: Schemas["AnyInput"] = { kind: "barter", character: "1" };
