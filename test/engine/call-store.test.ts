import { expect, it } from 'vitest';
import { readBody, writeBody, writeShared } from '../../src/store/call-body.ts';

const tools = [{ name: 'look_up', description: 'Schlägt nach. 查找', schema: { type: 'object', required: ['part'] } }];

const bodyWith = (system: string, withTools: boolean) => ({
  prompt: { ...(withTools && { tools }), system, messages: [{ role: 'user' as const, content: 'Hello, 你好' }] },
  answer: 'Done',
  failure: null,
});

it.each([
  ['nothing', '', false, false],
  ['a usual system prompt', 'You plan. 你来计划。'.repeat(500), false, true],
  ['the same with tools', 'You plan. 你来计划。'.repeat(500), true, true],
  ['tools alone', '', true, true],
])(
  'a call is read as it was written, with shared texts stored separately: %s',
  async (_, system, withTools, isShared) => {
    const written = await writeBody(bodyWith(system, withTools));
    expect(written.system !== null).toBe(isShared);
    expect(String(written.body)).not.toContain('look_up');
    const shared = written.system === null ? null : writeShared(written.system);
    expect(await readBody(written.body, shared)).toEqual(bodyWith(system, withTools));
  },
);

it('a call that an earlier build kept is read with the system prompt that it shares', async () => {
  const stored = JSON.stringify({ ...bodyWith('', false) });
  const shared = writeShared({ text: 'You plan.', hash: '' });
  expect(await readBody(stored, shared)).toEqual(bodyWith('You plan.', false));
});
