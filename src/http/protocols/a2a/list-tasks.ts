import { type ListTasksRequest, type ListTasksResponse, type Task, TaskState } from '@a2a-js/sdk';
import { RequestMalformedError } from '@a2a-js/sdk/errors';
import type { Engine } from '../../../engine/port.ts';
import { CURSOR } from '../../../lib/page.ts';
import { sessionNamed } from '../request.ts';
import { stateOf, taskOf } from './wire.ts';

/** Tasks of a page, where the request says nothing else, and at most. */
const PAGE_TASKS = 50;
const PAGE_TASKS_MAX = 100;

/** Contexts that are read for one page, and tasks of one: an owner may have 100,000 sessions without a task that is asked for. */
const READ_MAX = 1_000;

/**
 * A page of an owner's tasks: those of one context, or of all, the most recently used context first. A page ends with a whole
 * context, so it may be longer or shorter than asked for, and empty though others follow. Rejects with an error of A2A for what can't
 * be listed.
 */
export const listTasks = async (
  engine: Pick<Engine, 'sessions' | 'tasks' | 'countTasks'>,
  owner: string,
  { contextId, status, pageSize = PAGE_TASKS, pageToken }: ListTasksRequest,
): Promise<ListTasksResponse> => {
  if (pageSize < 1 || pageSize > PAGE_TASKS_MAX)
    throw new RequestMalformedError(`pageSize must be 1 to ${PAGE_TASKS_MAX}`);
  if (pageToken !== '' && (contextId !== '' || !CURSOR.test(pageToken)))
    throw new RequestMalformedError('pageToken is not known');
  const named = contextId === '' ? null : sessionNamed(contextId);
  const isAny = status === TaskState.TASK_STATE_UNSPECIFIED || status === TaskState.UNRECOGNIZED;
  const isWanted = (state: TaskState | undefined): boolean => isAny || status === state;

  const tasks: Task[] = [];
  let nextPageToken = pageToken;
  for (let read = 0; read < READ_MAX && tasks.length < pageSize; read += 1) {
    const after = nextPageToken === '' ? undefined : nextPageToken;
    const { items, next } =
      named === null
        ? await engine.sessions(owner, { limit: 1, after })
        : { items: [{ session_id: named }], next: null };
    for (const { session_id } of items) {
      const page = await engine.tasks(owner, session_id, { limit: READ_MAX });
      const found = page.items.map((task) => taskOf(task, session_id, null));
      tasks.push(...found.filter((task) => isWanted(task.status?.state)).reverse());
    }
    nextPageToken = next ?? '';
    if (next === null) break;
  }
  const counts = await engine.countTasks(owner, named);
  const totalSize = counts
    .filter(({ state, outcome }) => isWanted(stateOf({ state: state === 'running' ? 'acting' : state, outcome })))
    .reduce((sum, { count }) => sum + count, 0);
  return { tasks, nextPageToken, pageSize, totalSize };
};
