import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { QuotaView, quotaView, Role } from '../../../contracts/access.ts';
import { LimitView, limitViews } from '../../../contracts/service-limits.ts';
import { ListedUsageDay, UsageDay } from '../../../contracts/usage.ts';
import type { SessionsApi } from '../../runtime/port.ts';
import type { RouteParts } from './port.ts';
import { routesOf } from './schemas.ts';

interface Parts
  extends Pick<
    RouteParts,
    | 'accessStore'
    | 'currency'
    | 'model'
    | 'version'
    | 'serviceLimits'
    | 'streams'
    | 'waiting'
    | 'replays'
    | 'reruns'
    | 'now'
  > {
  engine: Pick<SessionsApi, 'usage' | 'usageByDay' | 'usageToday'>;
}

/**
 * `GET /v1/me`: the caller, and the model that answers. `GET /v1/limits`: the limits that a caller can reach. `GET
 * /v1/usage`: usage by day, and what is left of today's quota (SPEC 6, 9, 11).
 */
export const addLimitRoutes = (app: FastifyInstance, parts: Parts): void => {
  const { engine, accessStore, currency, model, version, serviceLimits, streams, waiting, replays, reruns, now } =
    parts;
  const { route, list } = routesOf(app, 'limits');

  route('GET /v1/me', 'getMe', {
    summary: 'Who you are here, and which model answers',
    description:
      '`model` is the name of the model that answers; `offline` is the built-in rules without a model. `voice` is how the model is asked to answer: ' +
      'by tool calls (`native`) or by JSON text; absent for a model without prompts.',
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
    summary: 'The limits, and how much of each you use',
    description:
      '`scope` says per what a limit counts; `used` is your usage, or that of everybody for the service, and null where it is not counted as a ' +
      'whole. `at_limit` is a status, or what happens instead.',
    returns: z.object({ limits: z.array(LimitView) }),
    handle: async ({ owner }) => ({
      limits: limitViews(serviceLimits, {
        ...(await engine.usage(owner)),
        waiting_requests: waiting.used(owner),
        event_streams: streams.used(owner),
        replays: replays.used(owner),
        reruns: reruns.running(owner),
      }),
    }),
  });

  list('/v1/usage', 'getUsage', {
    summary: 'Your usage, by day, model and tool',
    description:
      'Tokens by kind, model calls, turns that a task answered, and the cost by the prices at the time. Days are in UTC, newest first. ' +
      '`cost` is absent where the price of any call is not known. `tools` of a day are the calls of tools in tasks: `cost` is that of the model ' +
      'calls that asked for them, as tools say no cost of their own. `quota` is your daily quota and what is left of it today; null: unlimited.',
    items: { days: ListedUsageDay },
    more: { today: UsageDay, quota: QuotaView.nullable() },
    read: async ({ owner }, page) => {
      const [today, days, quota] = await Promise.all([
        engine.usageToday(owner),
        engine.usageByDay(owner, page),
        accessStore.quotas.of(owner),
      ]);
      return { ...days, today, quota: quota === null ? null : quotaView(quota, today, currency, now()) };
    },
  });
};
