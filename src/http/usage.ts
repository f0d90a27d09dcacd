import { z } from 'zod';
import { UsageDay } from '../../contracts/usage-day.ts';
import type { HttpApp, RouteDependencies } from './http-app.ts';
import { nextCursor, Paging, pageOf } from './paging.ts';
import { json, problems } from './responses.ts';

/** `GET /v1/usage`: what the owner used today and on each day before (SPEC 9, 11). */
export const addUsageRoute = (app: HttpApp, { engine }: RouteDependencies): void => {
  app.get(
    '/v1/usage',
    {
      schema: {
        operationId: 'getUsage',
        summary: 'What you used, by day and model',
        description:
          'Tokens by kind, model calls, turns that a task answered, and what it cost by the prices at the time. Days are in UTC, newest first. ' +
          '`cost` is absent where a price of any call is not known.',
        tags: ['limits'],
        querystring: Paging,
        response: {
          200: json('A page of days', z.object({ today: UsageDay, days: z.array(UsageDay), next: nextCursor })),
          ...problems,
        },
      },
    },
    async ({ owner, query }) => {
      const [today, { items, next }] = await Promise.all([
        engine.usageToday(owner),
        engine.usageByDay(owner, pageOf(query)),
      ]);
      return { today, days: [...items], next };
    },
  );
};
