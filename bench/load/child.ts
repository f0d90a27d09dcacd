import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

/** Starts a process of a measurement, by its file below `bench/`. */
export const startChild = (script: string, ...args: string[]): ChildProcess =>
  fork(join(import.meta.dirname, '..', script), args);

/** The next message of a process; rejects when it ends instead. */
export const nextMessage = async <Message>(child: ChildProcess): Promise<Message> => {
  const ended = new AbortController();
  try {
    const [message] = await Promise.race([
      once(child, 'message', { signal: ended.signal }),
      once(child, 'exit', { signal: ended.signal }).then(() => {
        throw new Error(`${child.spawnargs.join(' ')} ended early`);
      }),
    ]);
    return message as Message;
  } finally {
    ended.abort();
  }
};

/** Sends a process a message, and gives what it answers. */
export const ask = <Message>(child: ChildProcess, message: object | string = 'go'): Promise<Message> => {
  const answer = nextMessage<Message>(child);
  child.send(message);
  return answer;
};
