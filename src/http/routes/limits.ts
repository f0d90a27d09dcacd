import { z } from 'zod';
import { QuotaView, quotaView } from '../../../contracts/access.ts';
import { LimitView, limitViews } from '../../../contracts/service-limits.ts';
import { totalTokens, UsageDay } from '../../../contracts/usage.ts';
import type { HttpApp, RouteDependencies } from '../http-app.ts';
import { json, operations, Paging, page, pageOf } from './schemas.ts';

const described = operations('limits');

/** `GET /v1/limits`, the limits that a caller can meet, and `GET /v1/usage`, what was used by day and may still be used today (SPEC 6, 9, 11). */
export const addLimitRoutes = (app: HttpApp, parts: RouteDependencies): void => {
  const { engine, accessStore, serviceLimits, streams, waiting, replays, now } = parts;
  app.get(
    '/v1/limits',
    described('listLimits', 'What is limited, and what you use of it', {
      description:
        '`scope` says whose count a limit is of; `used` is yours, or of all for the service, and null where it is not counted as a ' +
        'whole. `at_limit` is a status, or what happens instead.',
      response: { 200: json('All limits', z.object({ limits: z.array(LimitView) })) },
    }),
    async ({ owner }) => ({
      limits: limitViews(serviceLimits, {
        ...(await engine.usage(owner)),
        waiting_requests: waiting.used(owner),
        event_streams: streams.used(owner),
        replays: replays.used(owner),
      }),
    }),
  );

  app.get(
    '/v1/usage',
    described('getUsage', 'What you used, by day and model', {
      description:
        'Tokens by kind, model calls, turns that a task answered, and what it cost by the prices at the time. Days are in UTC, newest first. ' +
        '`cost` is absent where a price of any call is not known. `quota` is what you may use a day, and what of it is left; null: any number.',
      querystring: Paging,
      response: { 200: page('days', UsageDay, { today: UsageDay, quota: QuotaView.nullable() }) },
    }),
    async ({ owner, query }) => {
      const [today, { items, next }, quota] = await Promise.all([
        engine.usageToday(owner),
        engine.usageByDay(owner, pageOf(query)),
        accessStore.quotas.of(owner),
      ]);
      const used = { turns: today.turns, tokens: totalTokens(today.usage) };
      return { today, quota: quota === null ? null : quotaView(quota, used, now()), days: [...items], next };
    },
  );
};
