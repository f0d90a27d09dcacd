import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { QuotaView, quotaView, Role } from '../../../contracts/access.ts';
import { LimitView, limitViews } from '../../../contracts/service-limits.ts';
import { totalTokens, UsageDay } from '../../../contracts/usage.ts';
import type { RouteParts } from './port.ts';
import { routesOf } from './schemas.ts';

type Parts = Pick<
  RouteParts,
  'engine' | 'accessStore' | 'model' | 'version' | 'serviceLimits' | 'streams' | 'waiting' | 'replays' | 'now'
>;

/** `GET /v1/me`, who calls and what answers; `GET /v1/limits`, the limits that a caller can meet; `GET /v1/usage`, what was used by day and may still be used today (SPEC 6, 9, 11). */
export const addLimitRoutes = (app: FastifyInstance, parts: Parts): void => {
  const { engine, accessStore, model, version, serviceLimits, streams, waiting, replays, now } = parts;
  const { route, list } = routesOf(app, 'limits');

  route('GET /v1/me', 'getMe', {
    summary: 'Who you are here, and what answers you',
    description:
      '`model` is the name of the model that answers: `offline` for the rules that need none. `voice` is how it is asked to answer: ' +
      'by tool calls (`native`), or by JSON text; absent for a model that is sent no prompt.',
    returns: z.object({
      owner: z.string(),
      role: Role,
      model: z.string(),
      voice: z.enum(['native', 'text']).optional(),
      version: z.string(),
    }),
    handle: async ({ owner, role }) => {
      const voice = model.voice?.();
      return { owner, role, model: model.name, ...(voice !== undefined && { voice }), version };
    },
  });

  route('GET /v1/limits', 'listLimits', {
    summary: 'What is limited, and what you use of it',
    description:
      '`scope` says whose count a limit is of; `used` is yours, or of all for the service, and null where it is not counted as a ' +
      'whole. `at_limit` is a status, or what happens instead.',
    returns: z.object({ limits: z.array(LimitView) }),
    handle: async ({ owner }) => ({
      limits: limitViews(serviceLimits, {
        ...(await engine.usage(owner)),
        waiting_requests: waiting.used(owner),
        event_streams: streams.used(owner),
        replays: replays.used(owner),
      }),
    }),
  });

  list('/v1/usage', 'getUsage', {
    summary: 'What you used, by day and model',
    description:
      'Tokens by kind, model calls, turns that a task answered, and what it cost by the prices at the time. Days are in UTC, newest first. ' +
      '`cost` is absent where a price of any call is not known. `quota` is what you may use a day, and what of it is left; null: any number.',
    items: { days: UsageDay },
    more: { today: UsageDay, quota: QuotaView.nullable() },
    read: async ({ owner }, page) => {
      const [today, days, quota] = await Promise.all([
        engine.usageToday(owner),
        engine.usageByDay(owner, page),
        accessStore.quotas.of(owner),
      ]);
      const used = { turns: today.turns, tokens: totalTokens(today.usage) };
      return { ...days, today, quota: quota === null ? null : quotaView(quota, used, now()) };
    },
  });
};
