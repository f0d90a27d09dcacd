import type { Engine } from '../../../src/runtime/port.ts';
import type { Seam } from './crash-seams.ts';
import { type OpenedEngine, type OpenedSetup, startEngine } from './open-engine.ts';
import { spyOnStore } from './store-spy.ts';

/** One service through all its crashes: after each crash the next process starts on the same data folder. */
export interface Restarts {
  /** The seams passed so far, by all processes. */
  readonly seams: readonly Seam[];
  /** Uses the service until it answers. A use that a crash interrupts is repeated on the next process. */
  use<Value>(ask: (engine: Engine) => Promise<Value>): Promise<Value>;
  /** The running process. */
  current(): Promise<OpenedEngine>;
  /** Rejects if the outcome of this effect is already in the store. */
  assertNoOutcome(effectId: string): Promise<void>;
}

/** Starts the first process. `crashAt` gets the number of each seam, counted from 1 over all processes. */
export const startWithRestarts = (
  setup: Omit<OpenedSetup, 'crashAt'> & { dataDir: string },
  crashAt: (nth: number) => boolean,
): Restarts => {
  const seams: Seam[] = [];
  let crashed = Promise.withResolvers<null>();
  let isCrashed = true;
  let opened: Promise<OpenedEngine> | undefined;

  const passes = (seam: Seam): boolean => {
    seams.push(seam);
    if (!crashAt(seams.length)) return false;
    isCrashed = true;
    crashed.resolve(null);
    return true;
  };

  const running = (): Promise<OpenedEngine> => {
    if (isCrashed || opened === undefined) {
      isCrashed = false;
      crashed = Promise.withResolvers();
      opened = startEngine({ ...setup, crashAt: passes });
    }
    return opened;
  };

  return {
    seams,
    current: running,
    use: async (ask) => {
      for (;;) {
        const { engine } = await running();
        const crash = crashed.promise;
        try {
          const answer = await Promise.race([ask(engine).then((value) => ({ value })), crash]);
          if (answer !== null) return answer.value;
        } catch (error) {
          if (!isCrashed) throw error;
        }
      }
    },
    assertNoOutcome: async (effectId) => {
      const spy = await spyOnStore(setup.dataDir);
      const outcomes = await spy.outcomesOf(effectId).finally(spy.close);
      if (outcomes !== 0) throw new Error(`effect ${effectId} is performed again after its outcome was stored`);
    },
  };
};
