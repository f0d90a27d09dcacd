/** Longest that other work waits while connections come in, in milliseconds; then it has as long, or one slice that may take longer. */
const CONNECTING_MS = 10;

/** Longest that work waits in all as connections come in again and again, in milliseconds; then it waits a part of the time, and who opens and closes them without end costs others little. */
const WAITED_MS_MAX = 300;

const WAITED_PART = 1 / 5;

/** What work has waited, less its part of the time that has passed. */
let waitedMs = 0;

let countedAt = 0;

let isWaiting = false;

const countWaited = (): void => {
  const ms = performance.now() - countedAt;
  waitedMs = Math.max(0, waitedMs + (isWaiting ? ms : 0) - ms * WAITED_PART);
  countedAt += ms;
};

/** Since when connections have come in; null where none came in this turn of the event loop or the one before. */
let connectingSince: number | null = null;

let noneCame: NodeJS.Immediate | undefined;

/** Other work has gone on since then. */
let hasWorked = false;

/**
 * A connection came in. Node takes one in each turn of the event loop, so what is done in slices waits until no more come: a thousand that come at once would
 * each wait for as many slices otherwise.
 */
export const connectionCame = (): void => {
  connectingSince ??= performance.now();
  clearImmediate(noneCame);
  noneCame = setImmediate(() => {
    noneCame = setImmediate(() => {
      connectingSince = null;
      countWaited();
      isWaiting = false;
    });
  });
};

/** Begins the time of the other side where this one's is over; gives whether work is to wait. */
const takeTurns = (since: number): boolean => {
  countWaited();
  const ms = countedAt - since;
  const mayWait = waitedMs < WAITED_MS_MAX;
  if (mayWait && hasWorked && ms >= 2 * CONNECTING_MS) {
    connectingSince = countedAt;
    hasWorked = false;
  } else hasWorked = !mayWait || ms >= CONNECTING_MS;
  isWaiting = !hasWorked;
  return isWaiting;
};

/** What is said in this turn of the event loop; null: nothing yet. */
let waitsInTurn: boolean | null = null;

/**
 * Whether work is to wait in this turn of the event loop, as connections come in. To be asked before each piece of it: what it gave counts, so that work has as long as connections in
 * the end. All who ask in one turn are told the same: else who asks behind work that always takes the rest of its time would wait for ever.
 */
export const waitsForConnections = (): boolean => {
  if (connectingSince === null) return false;
  if (waitsInTurn === null) {
    waitsInTurn = takeTurns(connectingSince);
    setImmediate(() => {
      waitsInTurn = null;
    });
  }
  return waitsInTurn;
};
