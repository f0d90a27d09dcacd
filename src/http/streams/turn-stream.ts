import type { FastifyReply, FastifyRequest } from 'fastify';
import type { AnswerNews } from '../../../contracts/stream.ts';
import { isSettled } from '../../../contracts/task.ts';
import type { TraceEntry } from '../../../contracts/trace.ts';
import type { TurnView } from '../../../contracts/turn-view.ts';
import { narrate } from '../../history/narrate.ts';
import type { Narration } from '../../history/narration.ts';
import { ServiceError } from '../../lib/errors.ts';
import type { SessionsApi } from '../../runtime/port.ts';
import type { MetricsSource } from '../../telemetry/port.ts';
import { problemOf } from '../server/problem.ts';
import { type EventStreams, writeMessage } from './event-stream.ts';

/** The sessions, as far as the stream of a turn reads them. */
export type StreamedSessions = Pick<
  SessionsApi,
  'followLive' | 'session' | 'sessionTrace' | 'taskTrace' | 'turn' | 'wait' | 'watch'
>;

interface StreamParts {
  engine: StreamedSessions;
  metrics: Pick<MetricsSource, 'eventStreamed'>;
  streams: Pick<EventStreams, 'textOf'>;
}

/** Makes models stream for a turn that is about to be submitted, from its first answer until the reply is closed. */
export const watchFrom = (
  engine: Pick<SessionsApi, 'watch'>,
  owner: string,
  sessionId: string,
  { raw }: FastifyReply,
): void => {
  if (!raw.destroyed) raw.once('close', engine.watch(owner, sessionId));
};

const beginsTurn = ({ event }: TraceEntry, turnId: string): boolean => 'turn_id' in event && event.turn_id === turnId;

/** A seq after which all entries of the turn come. */
const seqBefore = async (engine: StreamedSessions, owner: string, { id, session_id }: TurnView): Promise<number> => {
  // The order matters: a turn without a task starts after the last entry so far.
  const { last_seq } = await engine.session(owner, session_id);
  const { task_id } = await engine.turn(owner, id);
  if (task_id === null) return last_seq;
  for await (const entry of engine.taskTrace(owner, task_id)) if (beginsTurn(entry, id)) return entry.seq - 1;
  return last_seq;
};

/**
 * The turn's own entries as they happen, without gaps or repetition, from its beginning to the one after which its task
 * settles. With `watch` it includes the answer as it is written.
 */
export async function* turnEntries(
  { engine, metrics }: Pick<StreamParts, 'engine' | 'metrics'>,
  owner: string,
  turn: TurnView,
  finished: Promise<unknown>,
  signal: AbortSignal,
  watch: boolean,
): AsyncGenerator<Narration | AnswerNews> {
  const over = new AbortController();
  const isFinished = finished.then(
    () => true,
    () => false,
  );
  void isFinished.then(() => over.abort());
  let seen = await seqBefore(engine, owner, turn);
  async function* ofSession(): AsyncGenerator<Narration | AnswerNews> {
    yield* engine.followLive(owner, turn.session_id, seen, AbortSignal.any([signal, over.signal]), watch);
    // The turn may have finished before its last entries were followed. A service that stops reads no more.
    if ((await isFinished) && !signal.aborted)
      yield* narrate<never>(engine.sessionTrace(owner, turn.session_id, seen), (id) => engine.taskTrace(owner, id));
  }
  let taskId: string | null = null;
  for await (const item of ofSession()) {
    if ('data' in item) {
      if (item.data.task_id === taskId) yield item;
      continue;
    }
    const { entry } = item;
    seen = entry.seq;
    if (taskId === null && beginsTurn(entry, turn.id)) taskId = entry.task_id;
    if (taskId === null || entry.task_id !== taskId || entry.state === null) continue;
    metrics.eventStreamed();
    yield item;
    if (isSettled(entry.state)) return;
  }
}

/**
 * The turn's trace entries with what they tell, and the finished turn last (SPEC 11). A problem takes its place if the
 * service stops or the session is removed first.
 */
export async function* turnMessages(
  parts: StreamParts,
  owner: string,
  turn: TurnView,
  signal: AbortSignal,
  request: Pick<FastifyRequest, 'turnStatus'>,
): AsyncGenerator<string> {
  const finished = parts.engine.wait(owner, turn.id, signal);
  try {
    for await (const item of turnEntries(parts, owner, turn, finished, signal, true)) yield parts.streams.textOf(item);
    const data = await finished;
    request.turnStatus = data.status;
    yield writeMessage({ event: 'turn', data });
  } catch (error) {
    if (signal.aborted || !(error instanceof ServiceError)) throw error;
    yield writeMessage({ event: 'problem', data: problemOf(error.code, error.message) });
  }
}
