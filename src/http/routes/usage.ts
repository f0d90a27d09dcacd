import { z } from 'zod';
import { QuotaView, quotaView } from '../../../contracts/quota.ts';
import { totalTokens } from '../../../contracts/usage.ts';
import { UsageDay } from '../../../contracts/usage-day.ts';
import type { OwnerQuotas } from '../../access/port.ts';
import type { Engine } from '../../engine/port.ts';
import type { HttpApp } from '../http-app.ts';
import { nextCursor, Paging, pageOf } from '../paging.ts';
import { json, problems } from '../responses.ts';

/** What `GET /v1/usage` needs. */
export interface UsageParts {
  engine: Pick<Engine, 'usageToday' | 'usageByDay'>;
  quotas: Pick<OwnerQuotas, 'of'>;
  now(): number;
}

/** `GET /v1/usage`: what the owner used today and on each day before, and may still use today (SPEC 6, 9, 11). */
export const addUsageRoute = (app: HttpApp, { engine, quotas, now }: UsageParts): void => {
  app.get(
    '/v1/usage',
    {
      schema: {
        operationId: 'getUsage',
        summary: 'What you used, by day and model',
        description:
          'Tokens by kind, model calls, turns that a task answered, and what it cost by the prices at the time. Days are in UTC, newest first. ' +
          '`cost` is absent where a price of any call is not known. `quota` is what you may use a day, and what of it is left; null: any number.',
        tags: ['limits'],
        querystring: Paging,
        response: {
          200: json(
            'A page of days',
            z.object({ today: UsageDay, quota: QuotaView.nullable(), days: z.array(UsageDay), next: nextCursor }),
          ),
          ...problems,
        },
      },
    },
    async ({ owner, query }) => {
      const [today, { items, next }, quota] = await Promise.all([
        engine.usageToday(owner),
        engine.usageByDay(owner, pageOf(query)),
        quotas.of(owner),
      ]);
      const used = { turns: today.turns, tokens: totalTokens(today.usage) };
      return { today, quota: quota === null ? null : quotaView(quota, used, now()), days: [...items], next };
    },
  );
};
