import { Readable } from 'node:stream';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { z } from 'zod';
import { FeedbackLine } from '../../../contracts/feedback.ts';
import { ReplayResult } from '../../../contracts/http.ts';
import { REPLAY_BYTES_MAX } from '../../../contracts/limits.ts';
import { ModelCall, ModelCallSummary } from '../../../contracts/model-call.ts';
import { TraceEntry } from '../../../contracts/trace.ts';
import { replayInProcess } from '../../history/replay-in-process.ts';
import { ServiceError, unless } from '../../lib/errors.ts';
import type { SessionsApi } from '../../runtime/port.ts';
import type { RouteParts } from './port.ts';
import { NDJSON, routesOf, seqParam, sequenceOf } from './schemas.ts';

async function* linesOf(...parts: readonly AsyncIterable<TraceEntry | FeedbackLine>[]): AsyncGenerator<string> {
  for (const part of parts) for await (const line of part) yield `${JSON.stringify(line)}\n`;
}

/**
 * Sends a trace line by line, entries before feedback, as fast as its reader accepts it. Never holds the whole trace in
 * memory.
 */
const sendTrace = (
  reply: FastifyReply,
  entries: AsyncIterable<TraceEntry>,
  ...feedback: readonly AsyncIterable<FeedbackLine>[]
): FastifyReply => reply.type(NDJSON).send(Readable.from(linesOf(entries, ...feedback), { objectMode: false }));

const KEPT =
  'Calls are kept for TRIPACT_KEEP_PROMPTS days, separate from the trace, and written shortly after they end. ';

/** The body's description. The body is parsed line by line, so no schema validates it as a whole. */
const Trace = {
  description: 'A trace, one entry a line',
  type: 'array',
  items: { $ref: '#/components/schemas/TraceEntry' },
} as const;

interface Parts extends Pick<RouteParts, 'replays' | 'skills'> {
  engine: Pick<
    SessionsApi,
    | 'callsOfEffect'
    | 'modelCalls'
    | 'session'
    | 'sessionFeedback'
    | 'sessionTrace'
    | 'task'
    | 'taskFeedback'
    | 'taskTrace'
  >;
}

/** A line of a trace: an entry, or behind all entries what a user thought of a reply. */
const TraceLine = z.union([TraceEntry, FeedbackLine]);

const FEEDBACK =
  'Behind the entries stands what users thought of its replies, a line each with `feedback`, which a replay leaves out.';

/** Throws `OPERATOR_REQUIRED` if one of the tasks is not the owner's, whether it exists or not. */
const refuseOthers = async (
  engine: Pick<SessionsApi, 'task'>,
  owner: string,
  tasks: readonly string[],
): Promise<void> => {
  for (const task of tasks)
    if ((await unless(['TASK_NOT_FOUND'], engine.task(owner, task))) === null)
      throw new ServiceError(
        'OPERATOR_REQUIRED',
        'The trace contains a task that is not yours: only operators can replay it',
      );
};

/** Longest replay, in milliseconds: a trace of 16 MiB takes some seconds. */
const REPLAY_MS_MAX = 30_000;

/** Traces of sessions and tasks, stored model calls, and `POST /v1/replay`, which changes nothing (SPEC 11, 12). */
export const addTraceRoutes = (app: FastifyInstance, { engine, replays, skills }: Parts): void => {
  const { route, list } = routesOf(app, 'traces');
  const schema = { response: { 200: sequenceOf('One entry a line, then the feedback', NDJSON, TraceLine) } };

  route('GET /v1/sessions/:session_id/trace', 'getSessionTrace', {
    summary: "A session's whole trace",
    description: `All its tasks, and entries without a task, such as reminders. Without \`after\` it can be replayed as it is. ${FEEDBACK} With \`after\` there is none.`,
    query: z.strictObject({ after: seqParam('Seq of the last entry to leave out; default: none.') }),
    schema,
    handle: async ({ owner, params: { session_id }, query: { after } }, reply) => {
      // Loads the session first, so that an unknown one gives a problem and not a broken stream.
      await engine.session(owner, session_id);
      const trace = engine.sessionTrace(owner, session_id, Number(after ?? 0));
      return after === undefined
        ? sendTrace(reply, trace, engine.sessionFeedback(owner, session_id))
        : sendTrace(reply, trace);
    },
  });

  route('GET /v1/tasks/:task_id/trace', 'getTaskTrace', {
    summary: "A task's own trace",
    description: `From the entry that opened it. It can be replayed as it is. ${FEEDBACK}`,
    schema,
    handle: async ({ owner, params: { task_id } }, reply) => {
      await engine.task(owner, task_id);
      return sendTrace(reply, engine.taskTrace(owner, task_id), engine.taskFeedback(owner, task_id));
    },
  });

  list('/v1/tasks/:task_id/calls', 'listModelCalls', {
    summary: 'The model calls of a task',
    description: `${KEPT}In the order in which they ended, without their texts; a repeated call is listed each time.`,
    items: { calls: ModelCallSummary },
    read: ({ owner, params }, page) => engine.modelCalls(owner, params.task_id, page),
  });

  list('/v1/tasks/:task_id/calls/:effect_id', 'getModelCalls', {
    summary: 'The exact prompt and answer of a model call',
    description:
      `${KEPT}One for each time that the model was asked for this effect, oldest first. Empty if the effect is not a ` +
      'model call, is not over, or its calls are no longer kept.',
    items: { calls: ModelCall },
    read: ({ owner, params }, page) => engine.callsOfEffect(owner, params.task_id, params.effect_id, page),
  });

  void app.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser<Buffer>(NDJSON, { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
    routesOf(scope, 'traces').route('POST /v1/replay', 'replayTrace', {
      summary: 'Replay a trace and compare it entry by entry',
      description:
        'Runs its events through the machine without performing or storing anything, and reports the first difference, if any. Users can replay traces of their own tasks, operators all traces.',
      schema: { consumes: [NDJSON] },
      options: {
        bodyLimit: REPLAY_BYTES_MAX,
        // Before the body is read, since that takes time.
        preParsing: async (request, reply) => {
          replays.take(request, reply);
        },
      },
      body: z.unknown().meta(Trace),
      returns: ReplayResult,
      success: 'The trace replays, or the first difference',
      handle: async ({ body, owner, role }) => {
        if (!(body instanceof Buffer)) throw new ServiceError('UNSUPPORTED_MEDIA_TYPE', `Send the trace as ${NDJSON}`);
        const { result, tasks } = await replayInProcess(body, REPLAY_MS_MAX, skills);
        if (role !== 'operator') await refuseOthers(engine, owner, tasks);
        return ReplayResult.parse(result);
      },
    });
  });
};
