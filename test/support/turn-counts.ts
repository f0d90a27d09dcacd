import { setImmediate as nextTurn } from 'node:timers/promises';

/** Counts calls, and knows the most of one turn of the event loop. */
export const callsInTurns = () => {
  let inTurn = 0;
  let most = 0;
  return {
    count: (): void => {
      if (inTurn === 0)
        setImmediate(() => {
          inTurn = 0;
        });
      inTurn += 1;
      most = Math.max(most, inTurn);
    },
    most: (): number => most,
  };
};

/** Runs work that counts what it does, and gives how much that was in each turn of the event loop, the one before it began first. */
export const countedTurns = async <Result>(
  work: (count: () => void) => Promise<Result>,
): Promise<{ result: Result; inTurns: number[] }> => {
  const inTurns: number[] = [];
  let inTurn = 0;
  let isDone = false;
  const counting = (async () => {
    while (!isDone) {
      inTurns.push(inTurn);
      inTurn = 0;
      await nextTurn();
    }
  })();
  const result = await work(() => {
    inTurn += 1;
  });
  isDone = true;
  await counting;
  return { result, inTurns };
};
