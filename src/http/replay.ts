import { Readable } from 'node:stream';
import { z } from 'zod';
import { ServiceError } from '../errors.ts';
import { parseNdjson } from '../trace/parse-ndjson.ts';
import { replay } from '../trace/replay.ts';
import type { HttpApp, RouteDependencies } from './http-app.ts';
import { pacedBody } from './paced-body.ts';
import { problems } from './responses.ts';
import { NDJSON } from './traces.ts';

const ReplayReply = z.union([
  z.object({ ok: z.literal(true), entries: z.number().int() }),
  z.object({ ok: z.literal(false), seq: z.number().int(), expected: z.unknown(), actual: z.unknown() }),
]);

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
          summary: 'Replay a trace and compare it entry by entry',
          tags: ['traces'],
          consumes: [NDJSON],
          body: z.unknown().meta({ description: 'A trace, one entry a line' }),
          response: { 200: ReplayReply, ...problems },
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
