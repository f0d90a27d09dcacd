import { Readable } from 'node:stream';
import { z } from 'zod';
import { ReplayResult } from '../../contracts/http.ts';
import { ServiceError } from '../errors.ts';
import { parseNdjson } from '../trace/parse-ndjson.ts';
import { replay } from '../trace/replay.ts';
import type { HttpApp, RouteDependencies } from './http-app.ts';
import { pacedBody } from './paced-body.ts';
import { json, NDJSON, problems } from './responses.ts';

/** The body as it is described: it is read line by line, and so has no schema that it is parsed with at once. */
const Trace = {
  description: 'A trace, one entry a line',
  type: 'array',
  items: { $ref: '#/components/schemas/TraceEntry' },
} as const;

/** `POST /v1/replay`: folds a trace and names the first difference (SPEC 12). Reads no store and changes nothing. */
export const addReplayRoute = (app: HttpApp, { serviceLimits, limits, replays }: RouteDependencies): void => {
  const pace = { ...limits, bytesMax: serviceLimits.replay_bytes };
  app.register(async (scope: HttpApp) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser(NDJSON, (_request, body, done) => done(null, body));
    scope.post(
      '/v1/replay',
      {
        schema: {
          operationId: 'replayTrace',
          summary: 'Replay a trace and compare it entry by entry',
          description:
            'Folds its events through the machine, and performs and stores nothing. The first difference is named, where there is one.',
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
          replays.take(request, reply);
          return await replay(parseNdjson(pacedBody(body, pace)), { tasksMax: serviceLimits.replay_tasks });
        } finally {
          // What was not read any more has to be let in before the caller reads the reply.
          body.resume();
        }
      },
    );
  });
};
