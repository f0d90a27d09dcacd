import { type ListTasksRequest, type ListTasksResponse, type Task, TaskState } from '@a2a-js/sdk';
import { RequestMalformedError } from '@a2a-js/sdk/errors';
import { CURSOR } from '../../../lib/page.ts';
import type { Conversations } from '../port.ts';
import { sessionNamed } from '../request.ts';
import { stateOf, taskOf } from './wire.ts';

/** Tasks of a page, where the request says nothing else, and at most. */
const PAGE_TASKS = 50;
const PAGE_TASKS_MAX = 100;

/** Tasks, and sessions, that are read for one page: an owner may have 100,000 sessions without a task that is asked for. */
const READ_MAX = 1_000;

/** Longest plan of a task in a list, in characters of JSON: a longer one is left out. */
const PLAN_CHARS_MAX = 10_000;

const listed = (task: Task): Task => {
  const { plan, ...metadata } = task.metadata ?? {};
  return JSON.stringify(plan).length <= PLAN_CHARS_MAX ? task : { ...task, metadata };
};

/** The tasks of a session, oldest first, at most so many. */
const tasksIn = async (conversations: Conversations, owner: string, session: string, max: number): Promise<Task[]> => {
  const tasks: Task[] = [];
  for (let after: string | null = ''; after !== null && tasks.length < max; ) {
    const page = await conversations.tasks(owner, session, { limit: 100, ...(after !== '' && { after }) });
    tasks.push(...page.items.map((task) => listed(taskOf(task, session, null))));
    after = page.next;
  }
  return tasks.slice(0, max);
};

/** The contexts to read from: the one that is asked for, or the owner's sessions from the cursor on. */
async function* contextsOf(
  conversations: Conversations,
  owner: string,
  { contextId, pageToken }: ListTasksRequest,
): AsyncGenerator<{ session: string; next: string }> {
  if (contextId !== '') return yield { session: sessionNamed(contextId), next: '' };
  for (let after = pageToken; ; ) {
    const page = await conversations.sessions(owner, { limit: 1, ...(after !== '' && { after }) });
    after = page.next ?? '';
    for (const { session_id } of page.items) yield { session: session_id, next: after };
    if (after === '') return;
  }
}

/** How many tasks there are on all pages together. */
const countOf = async (
  conversations: Conversations,
  owner: string,
  { contextId, status }: ListTasksRequest,
): Promise<number> => {
  const counts = await conversations.countTasks(owner, contextId === '' ? null : sessionNamed(contextId));
  const isWanted = ({ state, outcome }: (typeof counts)[number]): boolean =>
    status === TaskState.TASK_STATE_UNSPECIFIED ||
    status === stateOf({ state: state === 'running' ? 'acting' : state, outcome });
  return counts.reduce((sum, each) => sum + (isWanted(each) ? each.count : 0), 0);
};

/**
 * A page of an owner's tasks: those of one context, or of all, the most recently used context first. A page ends with a whole
 * context, so it may be longer or shorter than asked for, and empty though others follow. Rejects with an error of A2A for what can't
 * be listed.
 */
export const listTasks = async (
  conversations: Conversations,
  owner: string,
  request: ListTasksRequest,
): Promise<ListTasksResponse> => {
  const { contextId, status, pageSize = PAGE_TASKS, pageToken } = request;
  if (pageSize < 1 || pageSize > PAGE_TASKS_MAX)
    throw new RequestMalformedError(`pageSize must be 1 to ${PAGE_TASKS_MAX}`);
  if (pageToken !== '' && (contextId !== '' || !CURSOR.test(pageToken)))
    throw new RequestMalformedError('pageToken is not known');
  const isWanted = (task: Task): boolean =>
    status === TaskState.TASK_STATE_UNSPECIFIED || task.status?.state === status;
  const tasks: Task[] = [];
  let nextPageToken = '';
  let read = 0;
  let sessions = 0;
  for await (const { session, next } of contextsOf(conversations, owner, request)) {
    const found = await tasksIn(conversations, owner, session, READ_MAX - read);
    read += found.length;
    sessions += 1;
    tasks.push(...found.reverse().filter(isWanted));
    nextPageToken = next;
    if (tasks.length >= pageSize || read >= READ_MAX || sessions >= READ_MAX) break;
  }
  return { tasks, nextPageToken, pageSize, totalSize: await countOf(conversations, owner, request) };
};
