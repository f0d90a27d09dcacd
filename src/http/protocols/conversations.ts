import type { FastifyReply, FastifyRequest } from 'fastify';
import type { z } from 'zod';
import { problemType } from '../../../contracts/error-code.ts';
import { TurnRequest } from '../../../contracts/http.ts';
import type { TaskView, TurnView } from '../../../contracts/turn-view.ts';
import { Narration } from '../../history/narration.ts';
import { type TurnUpdate, turnUpdates } from '../../history/turn-updates.ts';
import { ServiceError, unless } from '../../lib/errors.ts';
import { questionId } from '../../projections/question.ts';
import type { SessionsApi, Submitted } from '../../runtime/port.ts';
import type { MetricsSource, TraceOf } from '../../telemetry/port.ts';
import { type FieldNames, parsed } from '../server/parsed.ts';
import { setRetryAfter } from '../server/problem.ts';
import { bindTurn, callerTrace } from '../server/request-log.ts';
import { turnEntries, watchFrom } from '../streams/turn-stream.ts';

/** Something that happens in a turn; the last one is the finished turn. */
export type ConversationUpdate =
  | TurnUpdate
  /** More of the answer, while a model writes it; and that all of it so far is void. */
  | { type: 'answer_delta'; text: string }
  | { type: 'answer_retracted' }
  | { type: 'finished'; turn: TurnView };

/** A turn that a front end asks for, and where it belongs. */
export interface Submission {
  session_id: string;
  turn: z.input<typeof TurnRequest>;
  /** The question or the approval that it answers, by its id: refused where that is not open. */
  answers?: string;
  idempotency_key?: string;
  isWatched?: boolean;
  /** The front end's names for the turn's fields, used in refusals. */
  names?: FieldNames;
}

/** Turns read for those of a task: what a session says after it is rarely more. */
const TURNS_READ_MAX = 200;

interface ConversationParts {
  engine: SessionsApi;
  metrics: Pick<MetricsSource, 'eventStreamed'>;
  traceOf: TraceOf;
}

/** Makes the sessions of chat front ends, as their protocols use them beside the engine. */
export const createConversations = (parts: ConversationParts) => {
  const { engine } = parts;
  /** The requests that brought turns, for their lines in the log. */
  const requests = new WeakMap<TurnView, FastifyRequest>();
  return {
    /** Takes a turn in for the request's owner and resolves once it is durable. Rejects with `INVALID_REQUEST` for what is no turn. */
    submit: async (
      request: FastifyRequest,
      reply: FastifyReply,
      { turn, isWatched = false, names = {}, ...place }: Submission,
    ): Promise<Submitted> => {
      const said = parsed(TurnRequest, turn, names);
      if (isWatched) watchFrom(engine, request.owner, place.session_id, reply);
      const submission = { ...said, ...place, input: said.input ?? '', owner: request.owner, ...callerTrace(request) };
      const submitted = await engine.submit(submission).catch((error: unknown) => {
        // Also for the protocols that say in a reply of status 200 that it was refused.
        if (error instanceof ServiceError) setRetryAfter(reply, problemType(error.code), error);
        throw error;
      });
      bindTurn(parts, request, submitted.turn);
      requests.set(submitted.turn, request);
      return submitted;
    },
    /** The question or the approval that a session waits with, by its id and its task; null where it waits for neither, or is not there. */
    openQuestion: async (owner: string, sessionId: string): Promise<{ id: string; task: TaskView } | null> => {
      const task = (await unless(['SESSION_NOT_FOUND'], engine.session(owner, sessionId)))?.active_task ?? null;
      const id = task === null ? null : questionId(task);
      return task === null || id === null ? null : { id, task };
    },
    /** The session of a task and the turns that were said in it, newest first, of the session's newest. Rejects with `TASK_NOT_FOUND`. */
    turnsOf: async (owner: string, taskId: string): Promise<{ session_id: string; turns: TurnView[] }> => {
      for await (const { session_id } of engine.taskTrace(owner, taskId)) {
        const { items } = await engine.turns(owner, session_id, { limit: TURNS_READ_MAX });
        return { session_id, turns: items.filter(({ task_id }) => task_id === taskId) };
      }
      throw new ServiceError('TASK_NOT_FOUND', 'There is no task of that id');
    },
    /** Follows a turn from its beginning to the finished turn, if `watch` with its answer as it is written; a command has the finished turn alone. Rejects with `SHUTTING_DOWN` when the service stops first. */
    updates: async function* (
      owner: string,
      turn: TurnView,
      signal: AbortSignal,
      watch = false,
    ): AsyncGenerator<ConversationUpdate> {
      const finished = engine.wait(owner, turn.id, signal);
      for await (const item of turnEntries(parts, owner, turn, finished, signal, watch))
        if (item instanceof Narration) yield* turnUpdates(item);
        else if (item.event === 'answer.retracted') yield { type: 'answer_retracted' };
        else yield { type: 'answer_delta', text: item.data.text };
      const shown = await finished;
      const request = requests.get(turn);
      if (request !== undefined) request.turnStatus = shown.status;
      yield { type: 'finished', turn: shown };
    },
  };
};
export type Conversations = ReturnType<typeof createConversations>;
