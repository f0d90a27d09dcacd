import type { TaskView } from '../../../contracts/http.ts';
import { ServiceError } from '../../errors.ts';
import { questionId } from '../../projections/question-id.ts';
import type { Conversations } from './port.ts';

/** The question or the approval that a session waits with, by its id and its task; null where it waits for neither, or is not there. */
export const openQuestion = async (
  { session }: Pick<Conversations, 'session'>,
  owner: string,
  sessionId: string,
): Promise<{ id: string; task: TaskView } | null> => {
  try {
    const { active_task: task } = await session(owner, sessionId);
    const id = task === null ? null : questionId(task);
    return task === null || id === null ? null : { id, task };
  } catch (error) {
    if (error instanceof ServiceError && error.code === 'SESSION_NOT_FOUND') return null;
    throw error;
  }
};
