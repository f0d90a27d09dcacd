import { Readable } from 'node:stream';
import { z } from 'zod';
import { ServiceError } from '../errors.ts';
import { parseNdjson } from '../trace/parse-ndjson.ts';
import { replay } from '../trace/replay.ts';
import type { HttpApp, RouteDependencies } from './http-app.ts';
import { problems } from './responses.ts';
import { NDJSON } from './traces.ts';

const ReplayReply = z.union([
  z.object({ ok: z.literal(true), entries: z.number().int() }),
  z.object({ ok: z.literal(false), seq: z.number().int(), expected: z.unknown(), actual: z.unknown() }),
]);

/** The body as it comes in, and no more of it than is allowed. Leaves the connection open for the reply. */
async function* bounded(body: Readable, bytesMax: number): AsyncGenerator<Buffer> {
  let bytes = 0;
  for await (const chunk of body.iterator({ destroyOnReturn: false })) {
    bytes += chunk.length;
    if (bytes > bytesMax) throw new ServiceError('INPUT_TOO_LARGE', `A trace to replay has at most ${bytesMax} bytes`);
    yield chunk;
  }
}

/** `POST /v1/replay`: folds a trace and names the first difference (SPEC 12). Reads no store and changes nothing. */
export const addReplayRoute = (app: HttpApp, { serviceLimits: { replays, replay_bytes } }: RouteDependencies): void => {
  let running = 0;
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
      async ({ body }) => {
        if (!(body instanceof Readable))
          throw new ServiceError('UNSUPPORTED_MEDIA_TYPE', `Send the trace as ${NDJSON}`);
        running += 1;
        try {
          if (running > replays)
            throw new ServiceError('TOO_MANY_REQUESTS', `At most ${replays} traces are replayed at once`);
          return await replay(parseNdjson(bounded(body, replay_bytes)));
        } finally {
          running -= 1;
          // What was not read any more has to be let in before the caller reads the reply.
          body.resume();
        }
      },
    );
  });
};
