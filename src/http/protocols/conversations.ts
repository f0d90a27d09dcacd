import type { FastifyReply, FastifyRequest } from 'fastify';
import type { z } from 'zod';
import { problemType } from '../../../contracts/error-code.ts';
import { TurnRequest } from '../../../contracts/http.ts';
import { messages } from '../../../contracts/messages/messages.ts';
import { Language } from '../../../contracts/text.ts';
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
import { type OfferedFile, type WrittenParts, writtenIn } from './written-files.ts';

/** An update of a turn; the last one is the finished turn. */
export type ConversationUpdate =
  | TurnUpdate
  /** More of the answer while a model writes it, or the retraction of everything written so far. */
  | { type: 'answer_delta'; text: string }
  | { type: 'answer_retracted' }
  | ({ type: 'finished' } & FinishedTurn);

/** A finished turn, and the files that its task wrote during it. */
export interface FinishedTurn {
  turn: TurnView;
  files: readonly OfferedFile[];
}

/** A turn that a front end submits, and where it belongs. */
export interface Submission {
  session_id: string;
  turn: z.input<typeof TurnRequest>;
  /** The id of the question or approval that the turn answers. Refused where that one is not open. */
  answers?: string;
  idempotency_key?: string;
  isWatched?: boolean;
  /** The front end's names for the turn's fields, used in refusals. */
  names?: FieldNames;
}

/** A refusal of a file by the front end's name for a turn's files. */
const named = (error: unknown, { files }: FieldNames): unknown => {
  if (!(error instanceof ServiceError) || files === undefined) return error;
  const { code, message, errors } = error;
  if (errors?.[0]?.path.startsWith('body.files') !== true) return error;
  return new ServiceError(code, message, { errors: [{ path: files, message }] });
};

/** True for words that only say that something is done: those that a page offers beside a link. */
const saysDone = (input: string): boolean =>
  Language.options.some((language) => messages(language).forms.done === input.trim().toLowerCase());

/** Turns read to find those of a task. A session rarely has more turns after it. */
const TURNS_READ_MAX = 200;

interface ConversationParts extends WrittenParts {
  engine: SessionsApi;
  metrics: Pick<MetricsSource, 'eventStreamed'>;
  traceOf: TraceOf;
}

/** Creates the operations on sessions that the protocols of chat front ends share. */
export const createConversations = (parts: ConversationParts) => {
  const { engine } = parts;
  /** The requests that submitted turns, for their log lines. */
  const requests = new WeakMap<TurnView, FastifyRequest>();

  /**
   * The turn that began by itself when a user had signed in, in answer to this question; null: there is none. A page that
   * showed the question cannot know of it.
   */
  const turnOfSignIn = async (owner: string, sessionId: string, question: string): Promise<TurnView | null> => {
    const turns =
      (await unless(['SESSION_NOT_FOUND'], engine.turns(owner, sessionId, { limit: TURNS_READ_MAX })))?.items ?? [];
    const asking = turns.findIndex(({ task }) => task !== null && questionId(task) === question);
    const next = turns[asking - 1];
    return next?.by?.via === 'sign_in' && next.task_id === turns[asking]?.task_id ? next : null;
  };

  return {
    /**
     * Submits a turn for the request's owner and resolves once it is durable. "done" to a sign-in that is over gives the
     * turn that it began. Rejects with `INVALID_REQUEST` where the turn is malformed.
     */
    submit: async (
      request: FastifyRequest,
      reply: FastifyReply,
      { turn, isWatched = false, names = {}, ...place }: Submission,
    ): Promise<Submitted> => {
      const said = parsed(TurnRequest, turn, names);
      if (isWatched) watchFrom(engine, request.owner, place.session_id, reply);
      const submission = {
        ...said,
        ...place,
        input: said.input ?? '',
        owner: request.owner,
        by: request.by,
        decider: request.decider,
        ...callerTrace(request),
      };
      const submitted = await engine.submit(submission).catch(async (error: unknown) => {
        const isLate = error instanceof ServiceError && error.code === 'QUESTION_NOT_OPEN';
        const begun =
          isLate && place.answers !== undefined && saysDone(submission.input)
            ? await turnOfSignIn(request.owner, place.session_id, place.answers)
            : null;
        if (begun !== null) return { turn: begun, isNew: false };
        // Also for protocols that report a refusal in a reply with status 200.
        if (error instanceof ServiceError) setRetryAfter(reply, problemType(error.code), error);
        throw named(error, names);
      });
      bindTurn(parts, request, submitted.turn);
      requests.set(submitted.turn, request);
      return submitted;
    },
    /**
     * The open question or approval of a session, with its id and task; null where there is none, or no such session.
     */
    openQuestion: async (owner: string, sessionId: string): Promise<{ id: string; task: TaskView } | null> => {
      const task = (await unless(['SESSION_NOT_FOUND'], engine.session(owner, sessionId)))?.active_task ?? null;
      const id = task === null ? null : questionId(task);
      return task === null || id === null ? null : { id, task };
    },
    /**
     * The session of a task and the task's turns, newest first, among the session's newest turns. Rejects with
     * `TASK_NOT_FOUND`.
     */
    turnsOf: async (owner: string, taskId: string): Promise<{ session_id: string; turns: TurnView[] }> => {
      for await (const { session_id } of engine.taskTrace(owner, taskId)) {
        const { items } = await engine.turns(owner, session_id, { limit: TURNS_READ_MAX });
        return { session_id, turns: items.filter(({ task_id }) => task_id === taskId) };
      }
      throw new ServiceError('TASK_NOT_FOUND', 'There is no task with that id');
    },
    /**
     * Follows a turn from its beginning to the finished turn. With `watch` it includes the answer as it is written; a
     * command yields only the finished turn. Rejects with `SHUTTING_DOWN` when the service stops first.
     */
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
      yield { type: 'finished', turn: shown, files: await writtenIn(parts, owner, [shown]) };
    },
  };
};
export type Conversations = ReturnType<typeof createConversations>;
