// Bare appends of Emmett: so many clients at once, each on a stream of its own, for so many seconds; appends per second.
import { getPostgreSQLEventStore } from "@event-driven-io/emmett-postgresql";

const [, , url, clients, seconds, eventsAtOnce] = process.argv;
const store = getPostgreSQLEventStore(url);
await store.schema?.migrate?.();
let until = 0, done = 0;
const play = async (client) => {
  const stream = `bench-${process.pid}-${client}`;
  const events = Array.from({ length: Number(eventsAtOnce) }, (_, place) => ({
    type: "Told", data: { amount: 3, by: "12", ruling: 7, step: place, at: "2026-01-01T00:00:00.000000Z" },
  }));
  let version = 0n;
  while (performance.now() < until) {
    const told = await store.appendToStream(stream, events, { expectedStreamVersion: version || "STREAM_DOES_NOT_EXIST" });
    version = told.nextExpectedStreamVersion;
    done += 1;
  }
};
for (const share of [0.2, 1]) { // warmed up first
  done = 0;
  const started = performance.now();
  until = started + 1000 * Number(seconds) * share;
  await Promise.all(Array.from({ length: Number(clients) }, (_, client) => play(`${share}-${client}`)));
  if (share === 1) console.log((1000 * done) / (performance.now() - started));
}
await store.close();
process.exit(0);
