import { pino } from 'pino';
import { afterEach, expect, it, vi } from 'vitest';
import { askPolicy, POLICY_MS } from '../../src/runtime/perform/ask-policy.ts';
import type { ApprovalPolicy } from '../../src/tools/port.ts';
import { quickTool } from '../support/engine/controlled-tools.ts';

const call = {
  owner: 'ada',
  session_id: 's1',
  now: 0,
  timezone: 'UTC',
  language: 'zh' as const,
  metadata: {},
  goal: 'Dig',
  exposed: null,
};

/** The verdict of a policy, and what the log says of it. */
const asking = (policy: ApprovalPolicy) => {
  const lines: Record<string, unknown>[] = [];
  const log = pino({}, { write: (line: string) => lines.push(JSON.parse(line)) });
  const verdict = askPolicy(log, { ...quickTool('dig'), approval: policy }, 'deep', call);
  return { verdict, lines };
};

afterEach(() => {
  vi.useRealTimers();
});

it('asks a person where a policy takes too long, and logs why', async () => {
  vi.useFakeTimers();
  const { verdict, lines } = asking(() => new Promise(() => {}));
  await vi.advanceTimersByTimeAsync(POLICY_MS);
  expect(await verdict).toEqual({ verdict: 'ask', reason: '它的审批策略无法作出决定。' });
  expect(lines).toMatchObject([{ tool: 'dig', session_id: 's1', reason: 'no verdict within 5000 ms' }]);
});

it('logs why a policy failed', async () => {
  const failing = asking(() => {
    throw new Error('no database');
  });
  await failing.verdict;
  const odd = asking(() => ({ ask: 5 }) as never);
  await odd.verdict;
  expect([...failing.lines, ...odd.lines]).toMatchObject([{ reason: 'no database' }, { reason: 'it gave no verdict' }]);
});

it('keeps a summary and a reason on one line, and drops blank ones', async () => {
  const { verdict } = asking(() => ({ ask: ' Dig\n a hole ', reason: ' ' }));
  expect(await verdict).toEqual({ verdict: 'ask', summary: 'Dig a hole' });
  expect(await asking(() => ({ deny: '' })).verdict).toEqual({ verdict: 'deny' });
});

it('gives a tool without a schema its text', async () => {
  const { verdict } = asking((input) => ({ ask: `Dig ${input}` }));
  expect(await verdict).toEqual({ verdict: 'ask', summary: 'Dig deep' });
});
