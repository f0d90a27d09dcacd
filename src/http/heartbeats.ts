import { createCrowdSlices } from '../event-loop/loop-slices.ts';

/** Streams that are written to at once in one turn of the event loop: thousands may fall silent in the same moment, or be due after the machine slept. */
const inSlices = createCrowdSlices(16);

/** A comment: keeps proxies from closing the connection, and means nothing to readers. */
const HEARTBEAT = ': heartbeat\n\n';

/** A message that was asked for, and its result once there is one. */
interface Asked {
  isOver: boolean;
  answer?: IteratorResult<string>;
  error?: unknown;
}

/**
 * Passes a stream's messages on and fills silences of `everyMs` with heartbeats. Asks for the next message only when its
 * reader has taken the last one.
 */
export async function* withHeartbeats(messages: AsyncIterable<string>, everyMs: number): AsyncGenerator<string> {
  const source = messages[Symbol.asyncIterator]();
  let wake = (): void => {};

  const ask = (): Asked => {
    const asked: Asked = { isOver: false };
    const end = (outcome: Partial<Asked>): void => {
      Object.assign(asked, outcome, { isOver: true });
      wake();
    };
    source.next().then(
      (answer) => end({ answer }),
      (error: unknown) => end({ error }),
    );
    return asked;
  };

  const answerOrSilence = async (): Promise<void> => {
    const { promise, resolve } = Promise.withResolvers<void>();
    wake = resolve;
    const silence = setTimeout(() => inSlices(resolve), everyMs);
    await promise;
    clearTimeout(silence);
  };

  try {
    for (let asked = ask(); ; ) {
      if (!asked.isOver) await answerOrSilence();
      if ('error' in asked) throw asked.error;
      if (asked.answer === undefined) {
        yield HEARTBEAT;
        continue;
      }
      if (asked.answer.done) return;
      yield asked.answer.value;
      asked = ask();
    }
  } finally {
    await source.return?.();
  }
}
