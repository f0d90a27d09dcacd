import { type ListTasksRequest, type ListTasksResponse, TaskState } from '@a2a-js/sdk';
import { RequestMalformedError } from '@a2a-js/sdk/errors';
import type { Engine } from '../../../engine/port.ts';
import { CURSOR } from '../../../lib/page.ts';
import { sessionNamed } from '../request.ts';
import { stateOf, taskOf } from './wire.ts';

const PAGE_TASKS = 50;
const PAGE_TASKS_MAX = 100;

/** Tasks that are read of one context. */
const TASKS_READ_MAX = 1_000;

/** A page of an owner's tasks by context, the most recently used first. A context is never cut in two, so a page may be longer or shorter than asked for. */
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

  const { items, next } =
    named === null
      ? await engine.sessions(owner, { limit: pageSize, after: pageToken || undefined })
      : { items: [{ session_id: named }], next: null };
  const listed = items.map(async ({ session_id }) => {
    const page = await engine.tasks(owner, session_id, { limit: TASKS_READ_MAX });
    return page.items.map((task) => taskOf(task, session_id, null)).reverse();
  });
  const tasks = (await Promise.all(listed)).flat().filter((task) => isWanted(task.status?.state));
  const counts = await engine.countTasks(owner, named);
  const totalSize = counts
    .filter(({ state, outcome }) => isWanted(stateOf({ state: state === 'running' ? 'acting' : state, outcome })))
    .reduce((sum, { count }) => sum + count, 0);
  return { tasks, nextPageToken: next ?? '', pageSize, totalSize };
};
