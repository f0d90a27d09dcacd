import { CallbackState } from '../../contracts/callback.ts';
import { LOCAL_OWNER } from '../../contracts/ids.ts';
import type { Config } from '../app/config/config.ts';
import { CURSOR, type Page } from '../lib/page.ts';
import { jsonLine } from '../lib/printable.ts';
import { type Client, createClient } from './client.ts';
import { CommandFailure } from './command-failure.ts';
import { commandName } from './command-name.ts';
import { connectTo } from './connection.ts';
import { exitCode } from './exit-code.ts';
import { chosenUrl, loadClientSettings, type ServiceOptions } from './open-service.ts';
import { table } from './table.ts';
import { hostTimezone, noteLine } from './terminal.ts';

/** Items that a command lists at once, and the most that it may be told to. */
const ITEMS_DEFAULT = 50;
const ITEMS_MAX = 500;

/** The options of a command that lists. */
export interface ListOptions extends ServiceOptions {
  limit?: string;
  cursor?: string;
  owner?: string;
  json?: true;
}

/** What there is, by page: of a service at an address, or of a data folder, whether or not a service runs on it. */
export interface Lists extends Pick<Client, 'sessions' | 'tasks' | 'waiting' | 'callbacks'> {
  /** The zone in which times are shown. */
  timezone: string;
  close(): Promise<void>;
}

/** The page that the options ask for. */
export const pageWanted = ({ limit, cursor }: ListOptions): { limit: number; cursor?: string } => {
  const items = limit === undefined ? ITEMS_DEFAULT : Number(limit);
  if (limit !== undefined && (!/^[1-9]\d{0,2}$/.test(limit) || items > ITEMS_MAX))
    throw new CommandFailure(`--limit must be 1 to ${ITEMS_MAX}`, exitCode.usage);
  if (cursor !== undefined && !CURSOR.test(cursor))
    throw new CommandFailure('--cursor must be what the page before named', exitCode.usage);
  return { limit: items, ...(cursor !== undefined && { cursor }) };
};

/** Whom the configured key speaks for; undefined where the folder decides. */
const ownerOf = ({ apiKeys, apiKey }: Config): string | undefined => apiKeys.find(({ key }) => key === apiKey)?.owner;

/** Opens what the options name. A service at an address is asked; else the data folder is read, beside the service that may run there. */
export const openLists = async (options: ListOptions): Promise<Lists> => {
  const settings = await loadClientSettings(options.dataDir);
  const { config } = settings;
  const timezone = config.timezone ?? hostTimezone();
  const url = chosenUrl(options, settings);
  if (url !== null) {
    const { sessions, tasks, waiting, callbacks } = createClient(connectTo(url), config.apiKey);
    return { sessions, tasks, waiting, callbacks, timezone, close: async () => {} };
  }
  const { openAdmin } = await import('../app/open-admin.ts');
  const stored = await openAdmin(config.dataDir).openLists(options.owner ?? ownerOf(config), LOCAL_OWNER);
  const { owner, reads, close } = stored;
  const pageOf = ({ limit = ITEMS_DEFAULT, cursor }: { limit?: number; cursor?: string }) => ({ limit, after: cursor });
  return {
    sessions: (page) => reads.sessions(owner, pageOf(page)),
    tasks: (sessionId, page) => reads.tasks(owner, sessionId, pageOf(page)),
    waiting: (states, page) => reads.waiting(owner, states, pageOf(page)),
    // Who may read the folder may read what goes to the webhook.
    callbacks: (state, page) => {
      const states = state === undefined ? CallbackState.options : [state];
      return reads.callbacks({ owner, isOperator: true }, states, pageOf(page));
    },
    timezone,
    close,
  };
};

/** A time as a table shows it, `2026-11-22 09:12`. */
export const shownTime = (iso: string, timezone: string): string =>
  new Intl.DateTimeFormat('sv-SE', { timeZone: timezone, dateStyle: 'short', timeStyle: 'short' }).format(
    new Date(iso),
  );

/** How a page of a list is printed. */
export interface ListFormat<Item> {
  titles: readonly string[];
  rowOf(item: Item): string[];
  /** What is said where there is nothing. */
  none: string;
  /** What to type next, where there is something. */
  hint?: string;
  /** The command that lists the same, without its cursor. */
  again: readonly string[];
}

/** Says on standard error what is no part of the list. */
export const note = (text: string): void => console.error(noteLine(text, process.stderr));

/** Prints a page: a table on standard output, or a line of JSON for each item; what else there is to say on standard error. */
export const printList = <Item>(
  { items, next }: Page<Item>,
  { titles, rowOf, none, hint, again }: ListFormat<Item>,
  isJson: boolean,
): void => {
  if (isJson) for (const item of items) console.log(jsonLine(item));
  else if (items.length === 0) note(none);
  else console.log(table(titles, items.map(rowOf)));
  if (hint !== undefined && items.length > 0 && !isJson) note(hint);
  if (next !== null) note(`More: ${[commandName(), ...again, '--cursor', next].join(' ')}`);
};
