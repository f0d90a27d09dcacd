import { FeedbackLine } from '../../contracts/feedback.ts';
import type { TaskState } from '../../contracts/task.ts';
import { TraceEntry } from '../../contracts/trace.ts';
import { isFeedbackLine } from '../history/feedback-line.ts';
import { formatEntry, formatFeedback } from '../history/format.ts';
import { parseNdjson } from '../history/parse-ndjson.ts';
import { traceAsTest } from '../history/trace-as-test.ts';
import { jsonLine, printable } from '../lib/printable.ts';
import type { Client } from './client.ts';
import { withService } from './connection.ts';
import { CommandFailure } from './failure.ts';
import type { CliOptions } from './settings.ts';

const ENDED: readonly (TaskState | null)[] = ['done', 'failed', 'cancelled'];

/** A line of a trace, checked but not replaced: the chain covers an entry as it was written. */
const asLine = (line: unknown): TraceEntry | FeedbackLine => {
  (isFeedbackLine(line) ? FeedbackLine : TraceEntry).parse(line);
  return line as TraceEntry | FeedbackLine;
};

async function* linesOf(id: string, client: Client, isFollowed: boolean): AsyncGenerator<TraceEntry | FeedbackLine> {
  const ofTask = await client.trace('tasks', id);
  const response = ofTask ?? (await client.trace('sessions', id));
  if (response?.body == null) throw new CommandFailure(`There is no task and no session "${id}"`);
  let last: TraceEntry | null = null;
  for await (const line of parseNdjson(response.body)) {
    const read = asLine(line);
    if (!isFeedbackLine(read)) last = read;
    yield read;
  }
  if (!isFollowed) return;
  for await (const entry of client.follow(last?.session_id ?? id, last?.seq ?? 0))
    if (ofTask === null || entry.task_id === id) yield entry;
}

const proseOf = (line: TraceEntry | FeedbackLine): string =>
  isFeedbackLine(line) ? formatFeedback(line) : formatEntry(line);

/**
 * `tripact trace`: a task's or session's trace; with `follow` until a task has ended, or indefinitely for a session.
 */
export const showTrace = async (id: string, { follow, format, asTest, ...where }: CliOptions): Promise<void> =>
  withService(where, 'trace', follow ? 'work' : 'read', async ({ client }) => {
    const kept: TraceEntry[] = [];
    for await (const line of linesOf(id, client, follow === true)) {
      const isEntry = !isFeedbackLine(line);
      if (asTest !== true) console.log(format === 'json' ? jsonLine(line) : printable(proseOf(line)));
      else if (isEntry) kept.push(line);
      if (follow && isEntry && line.task_id === id && ENDED.includes(line.state)) break;
    }
    if (asTest === true) process.stdout.write(traceAsTest(kept));
  });
