// boardgame.io replaying moves: a blow that takes points from somebody, so many times; the best of the rounds, moves per second.
import internal from "boardgame.io/dist/cjs/internal.js";

const [, , moves, rounds] = process.argv;
const game = {
  setup: () => ({ points: { a: 100, b: 100 }, log: 0 }),
  moves: {
    hit: ({ G }, target, by) => {
      G.points[target] -= by;
      G.log += 1;
    },
  },
};
const reducer = internal.CreateGameReducer({ game });
const told = Array.from({ length: Number(moves) }, (_, place) => ({
  type: "MAKE_MOVE", payload: { type: "hit", args: [place % 2 ? "a" : "b", 1], playerID: "0" },
}));
let best = 0;
for (let round = 0; round < Number(rounds); round += 1) {
  let state = internal.InitializeGame({ game, numPlayers: 2 });
  const started = performance.now();
  for (const action of told) state = reducer(state, action);
  best = Math.max(best, (1000 * told.length) / (performance.now() - started));
  if (state.G.log !== told.length) throw new Error(`${state.G.log} of ${told.length} moves were made`);
}
console.log(best);
