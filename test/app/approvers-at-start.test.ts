import { pino } from 'pino';
import { expect, it } from 'vitest';
import { startService } from '../support/service/service.ts';

const APPROVALS = JSON.stringify([
  { tools: ['sched*', 'todo'], approval: true, approvers: ['role:finance', 'owner:ada'], self: false },
]);

/** The warnings of a starting service with these settings. */
const warnings = async (env: Record<string, string>) => {
  const lines: { msg: string; tools?: string[] }[] = [];
  const write = (line: string): void => void lines.push(JSON.parse(line));
  await startService([], env, { log: pino({ level: 'warn' }, { write }) });
  return lines.filter(({ msg }) => msg.includes('approvers'));
};

it('rules of approval in the environment hold, and a start warns that they guard nothing where there are no keys', async () => {
  const [warning, ...others] = await warnings({ TRIPACT_APPROVALS: APPROVALS });
  expect(warning?.tools).toEqual(['todo', 'schedule']);
  expect(warning?.msg).toContain('there are no keys: every caller is the local owner and may decide');
  expect(others).toEqual([]);
  expect(await warnings({ TRIPACT_APPROVALS: APPROVALS, TRIPACT_API_KEYS: 'ada:key-of-ada-0123456789' })).toEqual([]);
});

it.each([
  ['[{"tools": "tood", "approval": true}]', /TRIPACT_APPROVALS › 0: "tood" must list tools among todo/],
  ['[{"tools": "todo", "approval": true, "self": false}]', /must be a JSON list/],
  ['[{"tools": "todo", "approval": "maybe"}]', /must be a JSON list/],
  ['{"tools": "todo"', /must be a JSON list/],
])('a start stops for the rule %s, and says what is allowed', async (rules, says) => {
  const start = async () => startService([], { TRIPACT_APPROVALS: rules });
  await expect(start()).rejects.toMatchObject({ code: 'CONFIG_INVALID', message: expect.stringMatching(says) });
});
