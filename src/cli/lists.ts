import type { CallbackState, CallbackView } from '../../contracts/callback.ts';
import { type SessionView, WaitingState, type WaitingTask } from '../../contracts/http.ts';
import { messages } from '../../contracts/messages/messages.ts';
import { languageOf, plainLine } from '../../contracts/text.ts';
import type { TaskView } from '../../contracts/turn-view.ts';
import { CURSOR, type Page } from '../lib/page.ts';
import { jsonLine, printable } from '../lib/printable.ts';
import type { Client, PageWanted } from './client.ts';
import { commandName, wrongUsage } from './failure.ts';
import { openService, type ServiceOptions, serviceWords, sessionCommand } from './open-service.ts';
import { noteLine } from './terminal.ts';

/** Items that a command lists at once, and the most that it may be told to. */
const ITEMS_DEFAULT = 50;
const ITEMS_MAX = 500;

/** Widest text of a cell, in characters: an id and a question are recognized by that much. */
const CELL_CHARS_MAX = 80;

/** The options of a command that lists. */
export interface ListOptions extends ServiceOptions {
  limit?: string;
  cursor?: string;
  json?: true;
}

/** How a page of a list is printed. */
interface ListFormat<Item> {
  titles: readonly string[];
  rowOf(item: Item): string[];
  /** For a list that is empty. */
  none: string;
  /** A line about what to type next, where there is something. */
  hint?: string;
  /** The command that lists the same, without its cursor. */
  again: readonly string[];
}

const pageWanted = ({ limit, cursor }: ListOptions): PageWanted => {
  const items = limit === undefined ? ITEMS_DEFAULT : Number(limit);
  if (limit !== undefined && (!/^[1-9]\d{0,2}$/.test(limit) || items > ITEMS_MAX))
    throw wrongUsage(`--limit must be 1 to ${ITEMS_MAX}`);
  if (cursor !== undefined && !CURSOR.test(cursor)) throw wrongUsage('--cursor must be what the page before named');
  return { limit: items, ...(cursor !== undefined && { cursor }) };
};

/** Rows as columns under their titles; texts of whatever source are made plain, on one line, and cut. */
const table = (titles: readonly string[], rows: readonly (readonly string[])[]): string => {
  const cells = [titles, ...rows].map((row) => row.map((text) => plainLine(text, CELL_CHARS_MAX)));
  const widths = titles.map((_, column) => Math.max(...cells.map((row) => row[column]?.length ?? 0)));
  const lineOf = (row: string[]): string => row.map((text, column) => text.padEnd(widths[column] ?? 0)).join('  ');
  return cells.map((row) => lineOf(row).trimEnd()).join('\n');
};

const note = (text: string): void => console.error(noteLine(text, process.stderr));

/** Prints a page: a table on standard output, or a line of JSON for each item; all else on standard error. */
const printList = <Item>({ items, next }: Page<Item>, format: ListFormat<Item>, isJson: boolean): void => {
  const { titles, rowOf, none, hint, again } = format;
  if (isJson) for (const item of items) console.log(jsonLine(item));
  else if (items.length === 0) note(none);
  else console.log(table(titles, items.map(rowOf)));
  if (hint !== undefined && items.length > 0 && !isJson) note(hint);
  if (next !== null) note(`More: ${[commandName(), ...again, '--cursor', next].join(' ')}`);
};

/** Lists with a service that is closed afterwards. `shownTime` formats a time as a table shows it, `2026-11-22 09:12`. */
const withService = async (
  options: ServiceOptions,
  command: string,
  list: (client: Client, shownTime: (iso: string) => string) => Promise<void>,
): Promise<void> => {
  const { client, timezone, close } = await openService(options, { command, for: 'read' });
  const format = new Intl.DateTimeFormat('sv-SE', { timeZone: timezone, dateStyle: 'short', timeStyle: 'short' });
  try {
    await list(client, (iso) => format.format(new Date(iso)));
  } finally {
    await close();
  }
};

/** The question that a task waits with, or why it is paused, in the language of its goal. */
const waitsFor = ({ goal, pause_reason }: TaskView, question: string | null): string =>
  question ?? (pause_reason === null ? goal : messages(languageOf(goal)).progress.pause[pause_reason]);

/** The waiting task of each of these sessions: the one that asks, else the one that was paused last. */
const waitingBySession = async (
  client: Client,
  sessions: readonly SessionView[],
): Promise<ReadonlyMap<string, WaitingTask>> => {
  const waiting = new Map<string, WaitingTask>();
  const shown = new Set(sessions.map(({ session_id }) => session_id));
  for (let cursor: string | undefined; shown.size > 0; ) {
    const page = await client.waiting(WaitingState.options, {
      limit: ITEMS_MAX,
      ...(cursor !== undefined && { cursor }),
    });
    for (const item of page.items)
      if (shown.has(item.session_id) && waiting.get(item.session_id)?.task.state !== 'awaiting_user')
        waiting.set(item.session_id, item);
    if (page.next === null) break;
    cursor = page.next;
  }
  return waiting;
};

/** `tripact sessions`: the sessions, the most recently used first, with what each waits for. */
export const showSessions = async (options: ListOptions): Promise<void> => {
  const wanted = pageWanted(options);
  const isJson = options.json === true;
  await withService(options, 'sessions', async (client, shownTime) => {
    const page = await client.sessions(wanted);
    const waiting = await waitingBySession(client, isJson ? [] : page.items);
    const rowOf = ({ session_id, active_task, queue, updated_at }: SessionView): string[] => {
      const waits = waiting.get(session_id);
      const task = active_task ?? waits?.task ?? null;
      const state = task?.state ?? (queue.length > 0 ? 'queued' : 'idle');
      const question = task?.state === 'awaiting_user' ? (waits?.question ?? null) : null;
      return [session_id, state, shownTime(updated_at), task === null ? '' : waitsFor(task, question)];
    };
    const titles = ['SESSION', 'STATE', 'LAST USED', 'WAITS FOR'];
    const again = ['sessions', ...serviceWords(options)];
    printList(page, { titles, rowOf, none: 'There are no sessions', again }, isJson);
  });
};

export interface TasksOptions extends ListOptions {
  /** States to list, with a comma between. */
  state?: string;
  /** All tasks of this session, in place of those that wait over all sessions. */
  session?: string;
}

const statesOf = (text: string | undefined): readonly WaitingState[] =>
  text === undefined
    ? WaitingState.options
    : text.split(',').map((word) => {
        const state = WaitingState.safeParse(word.trim());
        if (state.success) return state.data;
        throw wrongUsage(`--state must be ${WaitingState.options.join(' or ')}, or both with a comma`);
      });

/** `tripact tasks`: the tasks that wait over all sessions, longest first; or all tasks of one session, as they were opened. */
export const showTasks = async (options: TasksOptions): Promise<void> => {
  const { session, state } = options;
  const states = statesOf(state);
  const wanted = pageWanted(options);
  const isJson = options.json === true;
  await withService(options, 'tasks', async (client, shownTime) => {
    const again = ['tasks', ...serviceWords(options)];
    if (session !== undefined) {
      const titles = ['TASK', 'STATE', 'STEPS', 'GOAL'];
      const rowOf = ({ id, state, step_count, step_limit, goal }: TaskView): string[] => [
        ...[id, state, `${step_count} of ${step_limit}`, goal],
      ];
      const format = {
        titles,
        rowOf,
        none: 'The session has had no task yet',
        again: [...again, '--session', session],
      };
      return printList(await client.tasks(session, wanted), format, isJson);
    }
    const titles = ['SESSION', 'TASK', 'STATE', 'SINCE', 'WAITS FOR'];
    const rowOf = ({ session_id, task, question, since }: WaitingTask): string[] => [
      ...[session_id, task.id, task.state, shownTime(since), waitsFor(task, question)],
    ];
    if (state !== undefined) again.push('--state', state);
    const hint = `Answer with: ${sessionCommand('run', '<session>', options)} "<answer>"`;
    printList(await client.waiting(states, wanted), { titles, rowOf, none: 'Nothing waits', hint, again }, isJson);
  });
};

export interface CallbackOptions extends ListOptions {
  state?: CallbackState;
}

/** `tripact callbacks`: the callbacks that wait, were delivered, or were given up, newest first. */
export const showCallbacks = async (options: CallbackOptions): Promise<void> => {
  const { state } = options;
  const wanted = pageWanted(options);
  await withService(options, 'callbacks', async (client, shownTime) => {
    const rowOf = ({ id, type, url, state, attempts, created_at, last_error }: CallbackView): string[] => [
      ...[id, type, url ?? 'webhook', state, String(attempts), shownTime(created_at), last_error ?? ''],
    ];
    const titles = ['CALLBACK', 'EVENT', 'TO', 'STATE', 'POSTS', 'SINCE', 'LAST ERROR'];
    const again = ['callbacks', ...serviceWords(options), ...(state === undefined ? [] : ['--state', state])];
    const page = await client.callbacks(state, wanted);
    printList(page, { titles, rowOf, none: 'There is no such callback', again }, options.json === true);
  });
};

/** `tripact callbacks resend`: has a callback posted now, whatever came of it before. */
export const resendCallback = async (id: string, options: ServiceOptions): Promise<void> => {
  const { client, close } = await openService(options, { command: 'callbacks resend', for: 'work' });
  try {
    const { type, url } = await client.resendCallback(id);
    console.error(printable(`${type} is posted again to ${url ?? 'the webhook'}`));
  } finally {
    await close();
  }
};
