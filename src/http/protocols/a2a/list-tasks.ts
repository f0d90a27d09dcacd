import { type ListTasksRequest, type ListTasksResponse, type Task, TaskState } from '@a2a-js/sdk';
import { RequestMalformedError } from '@a2a-js/sdk/errors';
import { plainLine } from '../../../../contracts/plain-line.ts';
import { createLoopSlices } from '../../../event-loop/loop-slices.ts';
import { CURSOR } from '../../../lib/page.ts';
import type { Conversations } from '../port.ts';
import { sessionNamed } from '../session-name.ts';
import { stateOf, taskOf } from './wire.ts';

/** Tasks of a page, where the request says nothing else, and at most. */
const PAGE_TASKS = 50;
const PAGE_TASKS_MAX = 100;

/** Tasks read for one page, so that a filter that few of them pass does not read a whole history. */
const TASKS_READ_MAX = 1_000;

/** Sessions read for one page: an owner may have 100,000 without a task that is asked for. */
const SESSIONS_READ_MAX = 1_000;

/** Longest goal and plan of a task in a list, and of all tasks of a page, in characters of JSON: tasks may have a plan of a million each. */
const TASK_CHARS_MAX = 10_000;
const PAGE_CHARS_MAX = 1_000_000;

/** Longest goal of a task that is shown without its plan, in characters. */
const GOAL_SHOWN_MAX = 200;

/** However many callers list at once, a few of them read in one turn of the event loop. */
const slices = createLoopSlices();

const charsOf = ({ metadata }: Task): number => JSON.stringify(metadata ?? {}).length;

/** A task as a list has it: without its plan, and with the beginning of its goal, where these are longer than `max` characters. */
const listed = (task: Task, max: number): Task => {
  if (charsOf(task) <= max) return task;
  const { plan, ...metadata } = task.metadata ?? {};
  return { ...task, metadata: { ...metadata, goal: plainLine(String(metadata['goal']), GOAL_SHOWN_MAX) } };
};

/** All tasks of a session, oldest first, at most so many; each page of them in a slice of its own. */
const tasksIn = async (
  conversations: Conversations,
  owner: string,
  session: string,
  max: number,
  signal: AbortSignal,
): Promise<Task[]> => {
  const tasks: Task[] = [];
  for (let after: string | null = null; tasks.length < max; ) {
    const page = await conversations.tasks(owner, session, { limit: 100, ...(after !== null && { after }) });
    tasks.push(...page.items.map((task) => listed(taskOf(task, session, null), TASK_CHARS_MAX)));
    after = page.next;
    if (after === null || signal.aborted) break;
    await slices.next(owner);
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
 * context, so it may be longer or shorter than asked for, and empty though others follow. Each context is read in a slice of the event
 * loop of its own, and none once the signal aborts. Rejects with an error of A2A for what can't be listed.
 */
export const listTasks = async (
  conversations: Conversations,
  owner: string,
  request: ListTasksRequest,
  signal: AbortSignal,
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
  let charsLeft = PAGE_CHARS_MAX;
  for await (const { session, next } of contextsOf(conversations, owner, request)) {
    const found = await tasksIn(conversations, owner, session, TASKS_READ_MAX - read, signal);
    read += found.length;
    sessions += 1;
    for (const task of found.reverse().filter(isWanted)) {
      const shown = listed(task, charsLeft);
      charsLeft = Math.max(0, charsLeft - charsOf(shown));
      tasks.push(shown);
    }
    nextPageToken = next;
    if (tasks.length >= pageSize || read >= TASKS_READ_MAX || sessions >= SESSIONS_READ_MAX) break;
    await slices.next(owner);
    if (signal.aborted) break;
  }
  return { tasks, nextPageToken, pageSize, totalSize: await countOf(conversations, owner, request) };
};
