import { describe, expect, it } from 'vitest';
import type { SessionView } from '../../contracts/http.ts';
import type { ListedUsageDay, ToolUsage, UsageDay } from '../../contracts/usage.ts';
import { spentByModel, spentByTask, spentByTool } from '../../src/console/system/spent.ts';

const used = (model: string, tokens: number, amount?: string, currency = 'USD') => ({
  model,
  calls: 2,
  usage: { input_tokens: tokens, output_tokens: 0, cache_read_tokens: 0, cache_written_tokens: 0 },
  ...(amount !== undefined && { cost: { amount, currency } }),
});

const day = (...models: ReturnType<typeof used>[]) => ({ models }) as UsageDay;

describe('costs by model', () => {
  it('adds up the days of each model, the most expensive first', () => {
    const days = [day(used('cheap', 900, '0.01'), used('dear', 10, '2')), day(used('cheap', 100, '0.03'))];
    expect(spentByModel(days)).toEqual([
      { model: 'dear', calls: 2, tokens: 10, cost: { amount: 2, currency: 'USD' } },
      { model: 'cheap', calls: 4, tokens: 1_000, cost: { amount: 0.04, currency: 'USD' } },
    ]);
  });

  it('knows no sum where a part has no cost or another currency', () => {
    expect(spentByModel([day(used('m', 1, '1')), day(used('m', 1))])).toMatchObject([{ cost: null }]);
    expect(spentByModel([day(used('m', 1, '1')), day(used('m', 1, '1', 'EUR'))])).toMatchObject([{ cost: null }]);
  });
});

describe('costs by tool', () => {
  const called = (tool: string, calls: number, model_calls: number, amount?: string): ToolUsage => {
    const cost = amount === undefined ? {} : { cost: { amount, currency: 'USD' } };
    return { tool, calls, failed: 1, duration_ms: 500, model_calls, ...cost };
  };
  const toolDay = (...tools: ToolUsage[]) => ({ tools }) as ListedUsageDay;

  it('adds up the days of each tool, that with the most calls first', () => {
    const days = [
      toolDay(called('mail', 1, 1, '0.5'), called('web', 2, 1, '0.1')),
      toolDay(called('web', 3, 2, '0.2')),
    ];
    const [web, mail] = spentByTool(days);
    expect(web).toEqual({
      tool: 'web',
      calls: 5,
      failed: 2,
      duration_ms: 1_000,
      model_calls: 3,
      cost: expect.anything(),
    });
    expect(web?.cost?.amount).toBeCloseTo(0.3);
    expect(mail).toMatchObject({ tool: 'mail', calls: 1, cost: { amount: 0.5, currency: 'USD' } });
  });

  it('knows no cost where one model call has none, and needs none of a day without model calls', () => {
    expect(spentByTool([toolDay(called('web', 1, 1, '1')), toolDay(called('web', 1, 1))])[0]?.cost).toBeNull();
    expect(spentByTool([toolDay(called('web', 1, 1, '1')), toolDay(called('web', 1, 0))])[0]?.cost).toEqual({
      amount: 1,
      currency: 'USD',
    });
    expect(spentByTool([toolDay(called('web', 1, 0))])[0]?.cost).toBeNull();
  });
});

describe('costs by task', () => {
  it('lists last tasks with a cost, the most expensive first, by their title', () => {
    const session = (session_id: string, title: string | null, amount?: string) =>
      ({
        session_id,
        title,
        last_task: { id: `task_${session_id}`, ...(amount && { cost: { amount, currency: 'USD' } }) },
      }) as SessionView;
    const none = { ...session('none', null), last_task: null };
    expect(spentByTask([session('a', 'Tea', '0.1'), session('b', null, '3'), session('c', 'C'), none])).toEqual([
      { session: 'b', task: 'task_b', title: 'b', cost: { amount: 3, currency: 'USD' } },
      { session: 'a', task: 'task_a', title: 'Tea', cost: { amount: 0.1, currency: 'USD' } },
    ]);
  });
});
