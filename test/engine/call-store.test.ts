import { expect, it } from 'vitest';
import { readBody, writeBody, writeShared } from '../../src/store/call-body.ts';

const bodyWith = (system: string) => ({
  prompt: { system, messages: [{ role: 'user' as const, content: 'Hello, 你好' }] },
  answer: 'Done',
  failure: null,
});

it.each([
  ['none', '', false],
  ['a usual one', 'You plan. 你来计划。'.repeat(500), true],
])('a call is read as it was written, its system prompt apart where many share it: %s', async (_, system, isShared) => {
  const written = await writeBody(bodyWith(system));
  expect(written.system !== null).toBe(isShared);
  const shared = written.system === null ? null : writeShared(written.system);
  expect(await readBody(written.body, shared)).toEqual(bodyWith(system));
});
