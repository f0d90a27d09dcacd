import { isUtf8 } from 'node:buffer';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { ReplayResult } from '../../../contracts/http.ts';
import { REPLAY_BYTES_MAX } from '../../../contracts/limits.ts';
import type { Engine } from '../../engine/port.ts';
import { replayInWorker } from '../../engine/replay/replay-in-worker.ts';
import { ServiceError } from '../../lib/errors.ts';
import { addScope } from '../add-scope.ts';
import { encodingFault } from '../body-parsers.ts';
import type { HttpApp, RouteDependencies } from '../http-app.ts';
import { json, NDJSON, problems } from '../responses.ts';
import { unless } from '../unless.ts';

/** The body as it is described: it is read line by line, and so has no schema that it is parsed with at once. */
const Trace = {
  description: 'A trace, one entry a line',
  type: 'array',
  items: { $ref: '#/components/schemas/TraceEntry' },
} as const;

const isTaskOf = async (engine: Engine, owner: string, taskId: string): Promise<boolean> =>
  (await unless(['TASK_NOT_FOUND'], engine.task(owner, taskId))) !== null;

/** Throws `OPERATOR_REQUIRED` where one of the tasks is not the owner's, known or not. */
const refuseOthers = async (engine: Engine, owner: string, tasks: readonly string[]): Promise<void> => {
  for (const task of tasks)
    if (!(await isTaskOf(engine, owner, task)))
      throw new ServiceError(
        'OPERATOR_REQUIRED',
        'The trace has a task that is none of yours: operators alone replay it',
      );
};

/** Longest that a trace may take to replay, in milliseconds: one of 16 MiB takes some seconds. */
const REPLAY_MS_MAX = 30_000;

/**
 * `POST /v1/replay`: folds a trace and names the first difference (SPEC 12). Changes nothing, and reads of the store only whether a user's
 * trace is the user's own.
 */
export const addReplayRoute = (app: HttpApp, { engine, replays }: RouteDependencies): void => {
  void addScope(app, 'replay', async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser<Buffer>(NDJSON, { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
    scope.withTypeProvider<ZodTypeProvider>().post(
      '/v1/replay',
      {
        bodyLimit: REPLAY_BYTES_MAX,
        // Before the body is read, for it takes time to come in.
        preParsing: async (request, reply) => {
          const encoding = encodingFault(request);
          if (encoding !== null) throw encoding;
          replays.take(request, reply);
        },
        schema: {
          operationId: 'replayTrace',
          summary: 'Replay a trace and compare it entry by entry',
          description:
            'Folds its events through the machine, and performs and stores nothing. The first difference is named, where there is one. Users replay traces of their own tasks, operators any.',
          tags: ['traces'],
          consumes: [NDJSON],
          body: z.unknown().meta(Trace),
          response: { 200: json('The trace replays, or the first difference', ReplayResult), ...problems },
        },
      },
      async ({ body, owner, role }) => {
        if (!(body instanceof Buffer)) throw new ServiceError('UNSUPPORTED_MEDIA_TYPE', `Send the trace as ${NDJSON}`);
        if (!isUtf8(body)) throw new ServiceError('TRACE_NOT_READABLE', 'The trace is not UTF-8');
        const { result, tasks } = await replayInWorker(body.toString(), REPLAY_MS_MAX);
        if (role !== 'operator') await refuseOthers(engine, owner, tasks);
        return result;
      },
    );
  });
};
