import type { TraceEntry } from '../../../contracts/trace.ts';
import type { TurnView } from '../../../contracts/turn-view.ts';
import type { Engine } from '../../engine/port.ts';
import { ServiceError } from '../../lib/errors.ts';
import { beginsTurn, createNarrator, createTurnSpan, type Narration } from '../../projections/narrator.ts';
import type { RouteDependencies } from '../http-app.ts';
import { problemOf } from '../problem.ts';
import { writeEntry, writeMessage } from './event-stream.ts';

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

/** What it takes to follow a turn. */
export type TurnReading = Pick<RouteDependencies, 'engine' | 'metrics'>;

/** A seq after which all of the turn's entries come. */
const seqBefore = async (engine: Engine, owner: string, { id, session_id }: TurnView): Promise<number> => {
  // In this order: a turn that is in no task yet starts after the last entry so far.
  const { last_seq } = await engine.session(owner, session_id);
  const { task_id } = await engine.turn(owner, id);
  if (task_id === null) return last_seq;
  for await (const entry of engine.taskTrace(owner, task_id)) if (beginsTurn(entry, id)) return entry.seq - 1;
  return last_seq;
};

/** A session's entries with their messages until the turn is finished, without gap or repeat; the reader may stop earlier. */
async function* itemsUntil(
  { engine }: TurnReading,
  owner: string,
  turn: TurnView,
  finished: Promise<unknown>,
  signal: AbortSignal,
): AsyncGenerator<NarratedEntry> {
  const over = new AbortController();
  const end = (): void => over.abort();
  finished.then(end, end);
  let seen = await seqBefore(engine, owner, turn);
  try {
    const stop = AbortSignal.any([signal, over.signal]);
    for await (const item of narratedEntries(engine, owner, turn.session_id, seen, stop)) {
      seen = item.entry.seq;
      yield item;
    }
    // The turn may have been finished before its last entries were followed. A service that stops reads no more.
    const isFinished = await finished.then(
      () => true,
      () => false,
    );
    if (signal.aborted || !isFinished) return;
    const narrate = createNarrator((taskId) => engine.taskTrace(owner, taskId));
    for await (const entry of engine.sessionTrace(owner, turn.session_id, seen))
      yield { entry, narration: await narrate(entry) };
  } finally {
    end();
  }
}

/** The turn's own trace entries as they happen, from its beginning to the one after which its task settles. */
export async function* turnItems(
  parts: TurnReading,
  owner: string,
  turn: TurnView,
  finished: Promise<unknown>,
  signal: AbortSignal,
): AsyncGenerator<NarratedEntry> {
  const placeOf = createTurnSpan(turn.id);
  for await (const item of itemsUntil(parts, owner, turn, finished, signal)) {
    const place = placeOf(item.entry);
    if (place === 'outside') continue;
    parts.metrics.eventStreamed();
    yield item;
    if (place === 'last') break;
  }
}

/**
 * The turn's own trace entries with what they have to tell as they happen, from its beginning on, and the finished turn as
 * the last message (SPEC 11). When the service stops first, the last message is the problem, and the turn itself continues after
 * the restart; so it is where its session is removed first.
 */
export async function* turnMessages(
  parts: TurnReading,
  owner: string,
  turn: TurnView,
  signal: AbortSignal,
): AsyncGenerator<string> {
  const finished = parts.engine.wait(owner, turn.id, signal);
  try {
    for await (const { entry, narration } of turnItems(parts, owner, turn, finished, signal))
      yield writeEntry(entry, narration);
    yield writeMessage({ event: 'turn', data: await finished });
  } catch (error) {
    if (signal.aborted || !(error instanceof ServiceError)) throw error;
    yield writeMessage({ event: 'problem', data: problemOf(error.code, error.message) });
  }
}
