import { expect, it } from 'vitest';
import { NamedPlanId } from '../../contracts/named-plan.ts';
import { BLOCKED_MS_MAX, blockedFor } from './blocked-for.ts';

it('A plan name of 240 KB of marks in an order that Unicode changes is refused without holding others up', () => {
  const name = `a${'\u0316\u0301'.repeat(60_000)}`;
  expect(blockedFor(() => expect(NamedPlanId.safeParse(name).success).toBe(false))).toBeLessThan(BLOCKED_MS_MAX);
});
