import type { TaskState } from '../../contracts/task.ts';
import { TraceEntry } from '../../contracts/trace.ts';
import { formatEntry } from '../history/format.ts';
import { parseNdjson } from '../history/parse-ndjson.ts';
import { traceAsTest } from '../history/trace-as-test.ts';
import { jsonLine, printable } from '../lib/printable.ts';
import type { Client } from './client.ts';
import { withService } from './connection.ts';
import { CommandFailure } from './failure.ts';
import type { CliOptions } from './settings.ts';

const ENDED: readonly (TaskState | null)[] = ['done', 'failed', 'cancelled'];

async function* entriesOf(id: string, client: Client, isFollowed: boolean): AsyncGenerator<TraceEntry> {
  const ofTask = await client.trace('tasks', id);
  const response = ofTask ?? (await client.trace('sessions', id));
  if (response?.body == null) throw new CommandFailure(`There is no task and no session "${id}"`);
  let last: TraceEntry | null = null;
  for await (const line of parseNdjson(response.body)) {
    // Only checked, not replaced: the chain covers the line as it was written.
    TraceEntry.parse(line);
    last = line as TraceEntry;
    yield last;
  }
  if (!isFollowed) return;
  for await (const entry of client.follow(last?.session_id ?? id, last?.seq ?? 0))
    if (ofTask === null || entry.task_id === id) yield entry;
}

/**
 * `tripact trace`: a task's or session's trace; with `follow` until a task has ended, or indefinitely for a session.
 */
export const showTrace = async (id: string, { follow, format, asTest, ...where }: CliOptions): Promise<void> =>
  withService(where, 'trace', follow ? 'work' : 'read', async ({ client }) => {
    const kept: TraceEntry[] = [];
    for await (const entry of entriesOf(id, client, follow === true)) {
      if (asTest === true) kept.push(entry);
      else console.log(format === 'json' ? jsonLine(entry) : printable(formatEntry(entry)));
      if (follow && entry.task_id === id && ENDED.includes(entry.state)) break;
    }
    if (asTest === true) process.stdout.write(traceAsTest(kept));
  });
