import type { TaskView } from '../../../../contracts/http.ts';
import { ServiceError } from '../../../errors.ts';
import type { Conversations } from '../port.ts';

const MARK = '.question.';

/** The tool call that stands for what a waiting task asks. Between two questions of a task at least one step is counted, so no two have the same id. */
export const questionIdOf = ({ id, step_count }: Pick<TaskView, 'id' | 'step_count'>): string =>
  `${id}${MARK}${step_count}`;

/** The task that asked a question; null for an id that no question has. */
export const taskOfQuestion = (questionId: string): string | null => {
  const at = questionId.lastIndexOf(MARK);
  return at === -1 ? null : questionId.slice(0, at);
};

/** The question that a session waits with; null where none is open. */
export const openQuestion = async (
  { session }: Conversations,
  owner: string,
  sessionId: string,
): Promise<string | null> => {
  try {
    const { active_task: task } = await session(owner, sessionId);
    return task?.state === 'awaiting_user' ? questionIdOf(task) : null;
  } catch (error) {
    if (error instanceof ServiceError && error.code === 'SESSION_NOT_FOUND') return null;
    throw error;
  }
};
