import { foldFork } from '../history/fork.ts';
import { ServiceError } from '../lib/errors.ts';
import type { Fork } from '../session/input.ts';
import { turnIn } from '../session/turn-views.ts';
import type { EngineParts } from './engine-parts.ts';
import { newId } from './new-id.ts';
import type { Engine } from './port.ts';
import type { RunningSessions } from './running-sessions.ts';

/**
 * Creates the function that opens a task as a trace opened it, in a new session: a fork of a history that is not stored
 * here, at its first entry. Copies no files.
 */
export const createOpenRecorded =
  ({ now }: Pick<EngineParts, 'now'>, { post }: Pick<RunningSessions, 'post'>): Engine['openRecorded'] =>
  async ({ owner, session_id }, opened, timezone) => {
    const { event, seq } = opened;
    if (event.type !== 'task.opened') throw new ServiceError('EVENT_NOT_ACCEPTED', `Entry ${seq} opens no task`);
    const turn_id = newId('turn', now());
    const { conversation } = event;
    const input: Fork = {
      type: 'fork',
      turn: { owner, session_id, turn_id, input: event.goal },
      forked: {
        type: 'session.forked',
        from_session_id: opened.session_id,
        from_task_id: opened.task_id,
        at_seq: seq,
        ...(conversation.length > 0 && { conversation }),
      },
      history: foldFork({ task_id: newId('task', now()), session_id }, [opened]),
      hasInput: false,
      turnsPerDay: null,
    };
    return turnIn(await post({ owner, session_id }, input, timezone), turn_id);
  };
