import { z } from 'zod';
import { UserView } from '../../contracts/access.ts';
import { CallbackView } from '../../contracts/callback.ts';
import { SessionView, ToolServerView, ToolView, WaitingState, WaitingTask } from '../../contracts/http.ts';
import { messages } from '../../contracts/messages/messages.ts';
import { languageOf } from '../../contracts/text.ts';
import { TaskView } from '../../contracts/turn-view.ts';
import { toolText } from '../commands/commands.ts';
import { CURSOR } from '../lib/page.ts';
import { jsonLine, printable, printableLines } from '../lib/printable.ts';
import { type Client, ITEMS_MAX, pathOf } from './client.ts';
import { sessionCommand, withService } from './connection.ts';
import { wrongUsage } from './failure.ts';
import type { CliOptions } from './settings.ts';
import { table } from './table.ts';
import { noteTo, usedText } from './terminal.ts';

const ITEMS_DEFAULT = 50;

interface List<Item extends z.ZodType> {
  path: string;
  query?: Record<string, string | undefined>;
  item: Item;
  titles: readonly string[];
  /** The texts of an item's row; `time` formats a time as `2026-11-22 09:12`. */
  row(item: z.infer<Item>, time: (iso: string) => string): string[];
  none: string;
  hint?: string;
}

/** Prints a page: a table on standard output, or a line of JSON for each item; everything else on standard error. */
export const showPage = async <Item extends z.ZodType>(
  { limit, cursor, json, ...where }: CliOptions,
  listIn: (client: Client) => List<Item> | Promise<List<Item>>,
): Promise<void> => {
  const items = limit === undefined ? ITEMS_DEFAULT : Number(limit);
  if (limit !== undefined && (!/^[1-9]\d{0,2}$/.test(limit) || items > ITEMS_MAX))
    throw wrongUsage(`--limit must be 1 to ${ITEMS_MAX}`);
  if (cursor !== undefined && !CURSOR.test(cursor))
    throw wrongUsage('--cursor must be the value that the previous page named');
  const note = noteTo(process.stderr);
  await withService(where, 'list', 'read', async ({ client, timezone: timeZone }) => {
    const format = new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'short' });
    const { path, query, item, titles, row, none, hint } = await listIn(client);
    const page = await client.page(path, { ...query, limit: items, cursor }, item);
    const rows = page.items.map((each) => row(each, (iso) => format.format(new Date(iso))));
    if (json === true) for (const each of page.items) console.log(jsonLine(each));
    else if (rows.length === 0) note(none);
    else console.log(table(titles, rows));
    if (hint !== undefined && rows.length > 0 && json !== true) note(hint);
    if (page.next !== null) note(`There are more: list them by the same command with --cursor ${page.next}`);
  });
};

/** The question of a waiting task, or why it is paused, in the language of its goal. */
const waitsFor = ({ goal, pause_reason }: TaskView, question: string | null): string =>
  question ?? (pause_reason === null ? goal : messages(languageOf(goal)).progress.pause[pause_reason]);

/** The waiting task of each session: the one that asks, else the one that was paused last. */
const waitingBySession = async (client: Client): Promise<ReadonlyMap<string, WaitingTask>> => {
  const waiting = new Map<string, WaitingTask>();
  for await (const item of client.all('tasks', WaitingTask))
    if (waiting.get(item.session_id)?.task.state !== 'awaiting_user') waiting.set(item.session_id, item);
  return waiting;
};

/** `tripact sessions`: the sessions, most recently used first, with what each waits for. */
export const showSessions = ({ search, ...options }: CliOptions): Promise<void> =>
  showPage(options, async (client) => {
    const waiting = options.json === true ? new Map() : await waitingBySession(client);
    return {
      path: 'sessions',
      query: { q: search },
      item: SessionView,
      titles: ['SESSION', 'STATE', 'LAST USED', 'WAITS FOR'],
      row: ({ session_id, active_task, queue, updated_at }, time) => {
        const waits = waiting.get(session_id);
        const task = active_task ?? waits?.task ?? null;
        const state = task?.state ?? (queue.length > 0 ? 'queued' : 'idle');
        const question = task?.state === 'awaiting_user' ? (waits?.question ?? null) : null;
        return [session_id, state, time(updated_at), task === null ? '' : waitsFor(task, question)];
      },
      none: 'There are no sessions',
    };
  });

/**
 * `tripact tasks`: the waiting tasks of all sessions, longest waiting first; or all tasks of one session, in the order
 * in which they were opened.
 */
export const showTasks = async ({ session, state, ...options }: CliOptions): Promise<void> => {
  if (session !== undefined)
    return showPage(options, () => ({
      path: pathOf('sessions', session, 'tasks'),
      item: TaskView,
      titles: ['TASK', 'STATE', 'STEPS', 'GOAL'],
      row: ({ id, state, step_count, step_limit, goal }) => [id, state, `${step_count} of ${step_limit}`, goal],
      none: 'The session has had no task yet',
    }));
  if (state !== undefined && !z.array(WaitingState).safeParse(state.split(',').map((word) => word.trim())).success)
    throw wrongUsage(`--state must be ${WaitingState.options.join(' or ')}, or both with a comma`);
  return showPage(options, () => ({
    path: 'tasks',
    query: { state: state?.replaceAll(/\s/g, '') },
    item: WaitingTask,
    titles: ['SESSION', 'TASK', 'STATE', 'SINCE', 'WAITS FOR'],
    row: ({ session_id, task, question, since }, time) => [
      ...[session_id, task.id, task.state, time(since), waitsFor(task, question)],
    ],
    none: 'Nothing waits',
    hint: `Answer with: ${sessionCommand('run', '<session>', options)} "<answer>"`,
  }));
};

/** `tripact callbacks`: pending, delivered and given-up callbacks, newest first. */
export const showCallbacks = ({ state: wanted, ...options }: CliOptions): Promise<void> =>
  showPage(options, () => ({
    path: 'callbacks',
    query: { state: wanted },
    item: CallbackView,
    titles: ['CALLBACK', 'EVENT', 'TO', 'STATE', 'POSTS', 'SINCE', 'LAST ERROR'],
    row: ({ id, type, url, state, attempts, created_at, last_error }, time) => [
      ...[id, type, url ?? 'webhook', state, String(attempts), time(created_at), last_error ?? ''],
    ],
    none: 'There is no such callback',
  }));

/** `tripact users list`: the users of front ends by name, one a line, with their usage today. */
export const showUsers = (options: CliOptions): Promise<void> =>
  withService(options, 'users list', 'read', async ({ client }) => {
    for await (const user of client.all('users', UserView))
      console.log(options.json === true ? jsonLine(user) : printable(`${user.user}  ${usedText(user)}`));
  });

/** `tripact users remove`: removes a user of a front end and everything stored for them. */
export const removeUser = (user: string, options: CliOptions): Promise<void> =>
  withService(options, 'users remove', 'read', async ({ client }) => {
    await client.remove(pathOf('users', user));
    console.error(printable(`Removed everything stored for ${user}`));
  });

/** `tripact callbacks resend`: posts a callback now, whatever its state. */
export const resendCallback = (id: string, options: CliOptions): Promise<void> =>
  withService(options, 'callbacks resend', 'work', async ({ client }) => {
    const { type, url } = await client.post(pathOf('callbacks', id, 'resend'), CallbackView);
    console.error(printable(`${type} is posted again to ${url ?? 'the webhook'}`));
  });

/** `tripact tools`: every tool with its usage on standard output; unreachable MCP servers and A2A agents on standard error. */
export const showTools = (options: CliOptions): Promise<void> =>
  withService(options, 'tools', 'tools', async ({ client }) => {
    for await (const { source: kind, server, ...tool } of client.all('tools', ToolView)) {
      const origin = kind === 'mcp' || kind === 'a2a' ? { kind, server: server ?? '' } : { kind };
      console.log(printableLines(toolText({ ...tool, origin }, 'en')));
    }
    const listed = await client.get('tools?limit=1', z.object({ servers: z.array(ToolServerView) }));
    for (const { name, kind, state, reason } of listed?.servers ?? [])
      if (state !== 'connected') {
        const what = kind === 'mcp' ? 'MCP server' : 'A2A agent';
        console.error(printable(`${what} ${name}: ${state}${reason === null ? '' : `, ${reason}`}`));
      }
  });
