import { setTimeout as pause } from 'node:timers/promises';
import type { TaskState } from '../../contracts/task.ts';
import { TraceEntry } from '../../contracts/trace.ts';
import { formatEntry } from '../engine/replay/format.ts';
import { parseNdjson } from '../engine/replay/parse-ndjson.ts';
import { traceAsTest } from '../engine/replay/trace-as-test.ts';
import { jsonLine, printable } from '../lib/printable.ts';
import { type Client, createClient } from './client.ts';
import { CommandFailure } from './command-failure.ts';
import { connectTo } from './connection.ts';
import { chosenUrl, loadClientSettings, type ServiceOptions } from './open-service.ts';

/** Polling interval for a store that another process writes, in milliseconds: a person sees no delay. */
const LOOK_MS = 100;

/** States that a task does not leave. */
const ENDED: readonly (TaskState | null)[] = ['done', 'failed', 'cancelled'];

/** Characters of entries that a test is made of at most: a session's trace is far shorter, and what is no service of ours may have no end. */
const TEST_CHARS_MAX = 256 * 1024 * 1024;

export interface TraceOptions extends ServiceOptions {
  follow?: true;
  format: 'text' | 'json';
  /** A vitest test in place of the trace; with `follow`, when the task has ended. */
  asTest?: true;
  owner?: string;
}

type Entries = AsyncGenerator<TraceEntry, void, undefined>;

/** The entries of a data folder's store, then new ones as another process commits them. */
async function* storedEntries(id: string, dataDir: string, { follow, owner }: TraceOptions): Entries {
  const { openAdmin } = await import('../app/open-admin.ts');
  const trace = await openAdmin(dataDir).openTrace(id, owner);
  try {
    for (let seen = 0; ; ) {
      const version = await trace.version();
      for await (const entry of trace.entries(seen)) {
        seen = entry.seq;
        yield entry;
      }
      if (follow !== true) return;
      while ((await trace.version()) === version) await pause(LOOK_MS);
    }
  } finally {
    await trace.close();
  }
}

/** The entries that a service gives, then new ones as they happen. */
async function* servedEntries(id: string, client: Client, { follow }: TraceOptions): Entries {
  const ofTask = await client.trace('tasks', id);
  const response = ofTask ?? (await client.trace('sessions', id));
  if (response?.body == null) throw new CommandFailure(`There is no task and no session "${id}"`);
  let last: TraceEntry | null = null;
  for await (const line of parseNdjson(response.body)) {
    last = TraceEntry.parse(line);
    yield last;
  }
  if (follow !== true) return;
  const sessionId = last?.session_id ?? id;
  for await (const entry of client.follow(sessionId, last?.seq ?? 0))
    if (ofTask === null || entry.task_id === id) yield entry;
}

/** A service at an address is asked; else the data folder is read, beside the service that may run there. */
async function* entriesOf(id: string, options: TraceOptions): Entries {
  const settings = await loadClientSettings(options.dataDir);
  const { config } = settings;
  const url = chosenUrl(options, settings);
  if (url === null) yield* storedEntries(id, config.dataDir, options);
  else yield* servedEntries(id, createClient(connectTo(url), config.apiKey), options);
}

/** `tripact trace`: a task's or a session's trace; with `follow` until a task has ended, or for as long as the session is watched. */
export const showTrace = async (id: string, options: TraceOptions): Promise<void> => {
  const kept: TraceEntry[] = [];
  let chars = 0;
  for await (const entry of entriesOf(id, options)) {
    if (options.asTest === true) {
      kept.push(entry);
      chars += JSON.stringify(entry).length;
      if (chars > TEST_CHARS_MAX) throw new CommandFailure('The trace is too long for a test');
    } else console.log(options.format === 'json' ? jsonLine(entry) : printable(formatEntry(entry)));
    if (options.follow === true && entry.task_id === id && ENDED.includes(entry.state)) break;
  }
  if (options.asTest === true) process.stdout.write(traceAsTest(kept));
};
