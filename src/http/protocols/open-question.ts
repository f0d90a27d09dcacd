import type { TaskView } from '../../../contracts/turn-view.ts';
import { questionId } from '../../projections/question-id.ts';
import { unless } from '../unless.ts';
import type { Conversations } from './port.ts';

/** The question or the approval that a session waits with, by its id and its task; null where it waits for neither, or is not there. */
export const openQuestion = async (
  { session }: Pick<Conversations, 'session'>,
  owner: string,
  sessionId: string,
): Promise<{ id: string; task: TaskView } | null> => {
  const task = (await unless(['SESSION_NOT_FOUND'], session(owner, sessionId)))?.active_task ?? null;
  const id = task === null ? null : questionId(task);
  return task === null || id === null ? null : { id, task };
};

/** True for the id of a question that asks for approval of an action. */
export const asksApproval = (id: string): boolean => id.startsWith('approval-');
