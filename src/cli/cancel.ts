import { SessionId } from '../../contracts/ids.ts';
import { languageOf } from '../../contracts/language.ts';
import { messages } from '../../contracts/messages/messages.ts';
import { printable } from '../lib/printable.ts';
import type { Client } from './client.ts';
import { CommandFailure } from './command-failure.ts';
import { exitCode } from './exit-code.ts';
import { openService, type ServiceOptions } from './open-service.ts';

/** Cancels the task of that id, else what the session of that name works on; null: there is neither. */
const cancelIn = async (client: Client, id: string): Promise<{ isCancelled: boolean; text: string } | null> => {
  const task = await client.task(id);
  if (task !== null) {
    const { goal } = await client.cancel(id);
    return { isCancelled: true, text: messages(languageOf(goal)).replies.cancelled(goal) };
  }
  // A turn would make a session that there is not.
  if (!SessionId.safeParse(id).success || (await client.session(id)) === null) return null;
  const { status, output } = await client.turn(id, { input: '/cancel' }, { progress: () => {} });
  return { isCancelled: status === 'cancelled', text: output ?? '' };
};

/** `tripact cancel`: ends a task, or what a session works on, waits for or has paused. Gives the exit code: 1 where nothing was to cancel. */
export const cancel = async (id: string, options: ServiceOptions): Promise<number> => {
  const { client, close } = await openService(options, 'cancel');
  try {
    const cancelled = await cancelIn(client, id);
    if (cancelled === null) throw new CommandFailure(`There is no task and no session "${id}"`);
    console.log(printable(cancelled.text));
    return cancelled.isCancelled ? exitCode.answered : exitCode.failed;
  } finally {
    await close();
  }
};
