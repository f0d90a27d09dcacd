import { MCP_LARGE_MESSAGES_MAX, MCP_LARGE_WAITING_MAX } from '../../../contracts/limits.ts';
import { askingOwner } from '../../event-loop/asking-owner.ts';
import { createRoundRobin } from '../../event-loop/round-robin.ts';
import { MessageTooLarge } from '../../message-meter.ts';

/** Bytes of a message from which on it is a large one: the first ones read of it may be twice as many. */
const LARGE_BYTES = 32 * 1024;

/** Those of all servers that wait, each with up to 0.4 MB on its way through the libraries. */
let waitingInAll = 0;

/** What a response asks before it is read further. */
export interface LargeMessage {
  /** Resolves when a message may be read of which so many bytes came in. Rejects where it ended meanwhile, and with `MessageTooLarge` where too many wait. */
  read(bytes: number): Promise<void>;
  /** It is here or broke off; the next one is read. */
  end(): void;
}

/** Gives what one response asks; `signal` ends its waiting. */
export type LargeMessages = (signal?: AbortSignal | null) => LargeMessage;

/**
 * Has few large messages of a server read at once, however many calls it answers: the others wait, those of
 * each owner in their order, and owners by turns.
 */
export const createLargeMessages = (): LargeMessages => {
  let reading = 0;
  /** Each begins to read; false where it waits no more. */
  const waiting = createRoundRobin<() => boolean>();
  const readNext = (): void => {
    for (let begin = waiting.shift(); begin !== undefined; begin = waiting.shift()) if (begin()) return;
    reading -= 1;
  };
  return (signal) => {
    const owner = askingOwner.getStore();
    let isReading = false;
    let leave = (): void => {};
    const turn = (): Promise<void> =>
      new Promise((resolve, reject) => {
        let isOver = false;
        waitingInAll += 1;
        const left = (): void => {
          if (!isOver) waitingInAll -= 1;
          isOver = true;
          reject(new Error('it ended while it waited to be read'));
        };
        leave = left;
        signal?.addEventListener('abort', left, { once: true });
        waiting.push(owner, () => {
          signal?.removeEventListener('abort', left);
          if (isOver) return false;
          waitingInAll -= 1;
          isOver = true;
          isReading = true;
          resolve();
          return true;
        });
      });
    const end = (): void => {
      leave();
      if (!isReading) return;
      isReading = false;
      readNext();
    };
    return {
      end,
      async read(bytes) {
        if (bytes <= LARGE_BYTES) return end();
        if (isReading) return;
        if (reading === MCP_LARGE_MESSAGES_MAX) {
          if (waitingInAll < MCP_LARGE_WAITING_MAX) return turn();
          throw new MessageTooLarge(`more than ${MCP_LARGE_WAITING_MAX} long messages of MCP servers came in at once`);
        }
        reading += 1;
        isReading = true;
      },
    };
  };
};
