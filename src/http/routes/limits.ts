import { z } from 'zod';
import { LimitView, limitViews } from '../../../contracts/service-limits.ts';
import type { HttpApp, RouteDependencies } from '../http-app.ts';
import { json, problems } from '../responses.ts';

/** `GET /v1/limits`: the limits that a caller can meet, and what of them is used (SPEC 11). */
export const addLimitsRoute = (
  app: HttpApp,
  { engine, serviceLimits, streams, waiting, replays }: RouteDependencies,
): void => {
  app.get(
    '/v1/limits',
    {
      schema: {
        operationId: 'listLimits',
        summary: 'What is limited, and what you use of it',
        description:
          '`scope` says whose count a limit is of; `used` is yours, or of all for the service, and null where it is not counted as a ' +
          'whole. `at_limit` is a status, or what happens instead.',
        tags: ['limits'],
        response: { 200: json('All limits', z.object({ limits: z.array(LimitView) })), ...problems },
      },
    },
    async ({ owner }) => ({
      limits: limitViews(serviceLimits, {
        ...(await engine.usage(owner)),
        waiting_requests: waiting.used(owner),
        event_streams: streams.used(owner),
        replays: replays.used(owner),
      }),
    }),
  );
};
