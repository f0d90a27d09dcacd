import { stat } from 'node:fs';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { connectionCame } from '../../src/event-loop/connecting.ts';
import { createCrowdSlices, createLoopSlices } from '../../src/event-loop/loop-slices.ts';
import { inNextTurn } from '../../src/event-loop/next-turn.ts';
import { longestBlock, MEASURED_AGAIN } from '../support/longest-block.ts';

const work = (ms: number): void => {
  for (const from = performance.now(); performance.now() - from < ms; );
};

/** Records what is done in each turn of the event loop until `all` has come. */
const turnsOf = async (all: number, begin: (done: (name: string) => void) => void): Promise<string[][]> => {
  const turns: string[][] = [[]];
  begin((name) => turns.at(-1)!.push(name));
  while (turns.flat().length < all) {
    await nextTurn();
    turns.push([]);
  }
  return turns.filter(({ length }) => length > 0);
};

describe('Long work', () => {
  it('of several kinds is done in turns of the event loop of their own, in its order, and quick work together', async () => {
    const turns = await turnsOf(5, (done) => {
      const long = (name: string) => () => {
        work(12);
        done(name);
      };
      inNextTurn(long('commit'));
      inNextTurn(long('sessions'));
      inNextTurn(() => {
        done('again');
        inNextTurn(() => done('later'));
      });
      inNextTurn(() => done('others'));
    });
    expect(turns.slice(0, 2)).toEqual([['commit'], ['sessions']]);
    expect(turns.slice(2).flat()).toEqual(['again', 'others', 'later']);
    expect(turns[2]).toEqual(['again', 'others']);
  });

  it('of callers and of commits takes turns', async () => {
    const turns = await turnsOf(6, (done) => {
      const slices = createLoopSlices();
      const long = (name: string): void => {
        work(12);
        done(name);
      };
      for (const _ of [1, 2, 3]) {
        void slices.next().then(() => long('caller'));
        inNextTurn(() => long('commit'));
      }
    });
    expect(turns).toEqual([['commit'], ['caller'], ['commit'], ['caller'], ['commit'], ['caller']]);
  });

  it('that what was read has led to is counted with what follows in the same turn', async () => {
    const inSlices = createCrowdSlices(2);
    await nextTurn();
    await nextTurn();
    let turn = 0;
    const counting = setInterval(() => {
      turn += 1;
    }, 0);
    const inTurns = await new Promise<number[]>((resolve) => {
      stat('.', () =>
        inSlices(() => {
          work(12);
          const before = turn;
          inNextTurn(() => resolve([before, turn]));
        }),
      );
    });
    clearInterval(counting);
    expect(inTurns[1]).toBeGreaterThan(inTurns[0]!);
  });

  it('of one caller leaves nothing of its turn to the next one', async () => {
    const turns = await turnsOf(2, (done) => {
      for (const name of ['first', 'second'])
        void createLoopSlices()
          .next()
          .then(() => {
            work(12);
            done(name);
          });
    });
    expect(turns).toEqual([['first'], ['second']]);
  });
});

describe('Work of several kinds that comes up at the same moment', () => {
  it('shares the turns of the event loop', MEASURED_AGAIN, async () => {
    const kinds = Array.from({ length: 8 }, () => createLoopSlices());
    const all = kinds.flatMap((slices) => [1, 2].map(() => slices.next().then(() => work(8))));
    expect(await longestBlock(() => Promise.all(all))).toBeLessThan(40);
  });

  it('is done in the order of each kind, and none waits for all of another', async () => {
    const [many, few] = [createLoopSlices(), createLoopSlices()];
    const done: string[] = [];
    const all = [
      ...Array.from({ length: 100 }, (_, i) => many.next().then(() => done.push(`many ${i}`))),
      ...Array.from({ length: 6 }, (_, i) =>
        few.next().then(() => {
          work(12);
          done.push(`few ${i}`);
        }),
      ),
    ];
    await Promise.all(all);
    for (const kind of ['many', 'few']) {
      const own = done.filter((name) => name.startsWith(kind));
      expect(own).toEqual(own.map((_, i) => `${kind} ${i}`));
    }
    expect(done.indexOf('few 5')).toBeLessThan(50);
  });
});

describe('A crowd', () => {
  it('goes on beside long work while connections come in without end', async () => {
    const inSlices = createCrowdSlices(2);
    let isOver = false;
    let longWorks = 0;
    const connect = (): void => {
      if (isOver) return;
      connectionCame();
      setImmediate(connect);
    };
    const workLong = (): void => {
      longWorks += 1;
      work(15);
      if (!isOver) inNextTurn(workLong);
    };
    connect();
    inNextTurn(workLong);
    await new Promise<void>((resolve) => {
      let left = 40;
      for (let i = left; i > 0; i--) inSlices(() => void (--left === 0 && resolve()));
      // Far more turns than all of it needs.
      const giveUp = (): void => void (longWorks > 100 ? resolve() : setImmediate(giveUp));
      giveUp();
    });
    isOver = true;
    expect(longWorks).toBeLessThan(30);
  });

  it('of one owner lets another one on in between', async () => {
    const inSlices = createCrowdSlices(2);
    const done: string[] = [];
    const last = new Promise<void>((resolve) => {
      const end = (name: string): void => void (done.push(name) === 1_001 && resolve());
      for (let i = 0; i < 1_000; i++) inSlices(() => end('ada'), 'ada');
      inSlices(() => end('bob'), 'bob');
    });
    await last;
    expect(done.indexOf('bob')).toBeLessThan(10);
  });

  it('begins at once while connections come in only where it does not wait for them', () => {
    const done: string[] = [];
    const [waiting, other] = [createCrowdSlices(2), createCrowdSlices(2, false)];
    connectionCame();
    waiting(() => done.push('work'));
    other(() => done.push('the end of a connection'));
    expect(done).toEqual(['the end of a connection']);
  });

  it('begins at once as far as there is room, and the others follow', async () => {
    const inSlices = createCrowdSlices(2);
    const done: number[] = [];
    await nextTurn();
    await nextTurn();
    const last = new Promise<void>((resolve) => {
      for (let i = 0; i < 20; i++) inSlices(() => void (done.push(i) === 20 && resolve()));
    });
    expect(done).toEqual([0, 1]);
    await last;
    expect(done).toEqual(Array.from({ length: 20 }, (_, i) => i));
  });
});
