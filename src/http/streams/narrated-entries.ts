import type { TraceEntry } from '../../../contracts/trace.ts';
import type { Engine } from '../../engine/port.ts';
import { createNarrator, type Narration } from '../../projections/progress-stream.ts';

/** A trace entry with the state change and the progress that it tells of. */
export interface NarratedEntry {
  entry: TraceEntry;
  narration: Narration;
}

/** A session's entries after a seq, then new ones as they are committed, until `signal` aborts. Without gap or repeat. */
export async function* narratedEntries(
  engine: Pick<Engine, 'follow' | 'taskTrace'>,
  owner: string,
  sessionId: string,
  after: number,
  signal: AbortSignal,
): AsyncGenerator<NarratedEntry> {
  const narrate = createNarrator((taskId) => engine.taskTrace(owner, taskId));
  for await (const entry of engine.follow(owner, sessionId, after, signal))
    yield { entry, narration: await narrate(entry) };
}
