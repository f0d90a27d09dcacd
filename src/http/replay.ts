import { Readable } from 'node:stream';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { ReplayResult } from '../../contracts/http.ts';
import type { Engine } from '../engine/port.ts';
import { parseNdjson } from '../engine/replay/parse-ndjson.ts';
import { replay } from '../engine/replay/replay.ts';
import { ServiceError } from '../lib/errors.ts';
import { addScope } from './add-scope.ts';
import { encodingFault } from './body-parsers.ts';
import type { HttpApp, RouteDependencies } from './http-app.ts';
import { pacedBody } from './paced-body.ts';
import { json, NDJSON, problems } from './responses.ts';
import { unless } from './unless.ts';

/** The body as it is described: it is read line by line, and so has no schema that it is parsed with at once. */
const Trace = {
  description: 'A trace, one entry a line',
  type: 'array',
  items: { $ref: '#/components/schemas/TraceEntry' },
} as const;

const isTaskOf = async (engine: Engine, owner: string, taskId: string): Promise<boolean> =>
  (await unless(['TASK_NOT_FOUND'], engine.task(owner, taskId))) !== null;

/** Lets the entries of an owner's own tasks through; throws `OPERATOR_REQUIRED` at the first of any other, known or not. */
async function* ownEntries(
  entries: AsyncIterable<unknown>,
  isOwn: (taskId: string) => Promise<boolean>,
): AsyncGenerator<unknown> {
  const own = new Set<unknown>();
  for await (const entry of entries) {
    const { task_id } = (entry ?? {}) as { task_id?: unknown };
    if (typeof task_id === 'string' && !own.has(task_id)) {
      if (!(await isOwn(task_id)))
        throw new ServiceError(
          'OPERATOR_REQUIRED',
          'The trace has a task that is none of yours: operators alone replay it',
        );
      own.add(task_id);
    }
    yield entry;
  }
}

/**
 * `POST /v1/replay`: folds a trace and names the first difference (SPEC 12). Changes nothing, and reads of the store only whether a user's
 * trace is the user's own.
 */
export const addReplayRoute = (app: HttpApp, { engine, serviceLimits, limits, replays }: RouteDependencies): void => {
  const pace = { ...limits, bytesMax: serviceLimits.replay_bytes };
  void addScope(app, 'replay', async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser(NDJSON, (_request, body, done) => done(null, body));
    scope.withTypeProvider<ZodTypeProvider>().post(
      '/v1/replay',
      {
        config: { isStreamed: true },
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
      async (request, reply) => {
        const { body } = request;
        if (!(body instanceof Readable))
          throw new ServiceError('UNSUPPORTED_MEDIA_TYPE', `Send the trace as ${NDJSON}`);
        try {
          const encoding = encodingFault(request);
          if (encoding !== null) throw encoding;
          replays.take(request, reply);
          const entries = parseNdjson(pacedBody(body, pace));
          const { owner, role } = request;
          const isOwn = (taskId: string): Promise<boolean> => isTaskOf(engine, owner, taskId);
          const allowed = role === 'operator' ? entries : ownEntries(entries, isOwn);
          return await replay(allowed);
        } finally {
          // What was not read any more has to be let in before the caller reads the reply.
          body.resume();
        }
      },
    );
  });
};
