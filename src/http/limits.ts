import { z } from 'zod';
import { LimitView, limitViews } from '../../contracts/limit-views.ts';
import type { HttpApp, RouteDependencies } from './http-app.ts';
import { json, problems } from './responses.ts';

/** `GET /v1/limits`: all that grows, where it ends, and what of it is used (SPEC 11). */
export const addLimitsRoute = (
  app: HttpApp,
  { engine, serviceLimits, stepsMax, streams, bodies, waiting, replays }: RouteDependencies,
): void => {
  app.get(
    '/v1/limits',
    {
      schema: {
        operationId: 'listLimits',
        summary: 'What may grow, and where it ends',
        description:
          '`scope` says whose count a limit is of; `used` is yours, or of all for the service, and null where it is not counted as a ' +
          'whole. `at_limit` is a status, or what happens instead.',
        tags: ['limits'],
        response: { 200: json('All limits', z.object({ limits: z.array(LimitView) })), ...problems },
      },
    },
    async ({ owner }) => ({
      limits: limitViews(serviceLimits, stepsMax, {
        ...(await engine.usage(owner)),
        receiving_bytes: bodies.receiving.used(owner),
        receiving_bytes_in_all: bodies.receiving.usedInAll(),
        answering_bytes: bodies.answering.used(owner),
        answering_bytes_in_all: bodies.answering.usedInAll(),
        waiting_requests: waiting.used(owner),
        event_streams: streams.used(owner),
        event_streams_in_all: streams.usedInAll(),
        replays: replays.used(owner),
        replays_in_all: replays.usedInAll(),
      }),
    }),
  );
};
