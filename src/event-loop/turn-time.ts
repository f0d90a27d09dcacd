/** Time in one turn of the event loop after which no second caller is let on in it, whatever its queue, in milliseconds: four heavy requests at once would each be short enough, and all of them too long. */
export const TURN_MS = 10;

let turnBegan: number | null = null;

/** Milliseconds since this turn of the event loop first asked. */
export const msInTurn = (): number => {
  if (turnBegan === null) {
    turnBegan = performance.now();
    setImmediate(() => {
      turnBegan = null;
    });
  }
  return performance.now() - turnBegan;
};
