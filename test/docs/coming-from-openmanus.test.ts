import { expect, it } from 'vitest';
import { createPlanCommand } from '../../src/commands/plan.ts';
import { call, openPlanning } from '../tools/planning-session.ts';
import { readTranscript } from './transcript.ts';

it('everything that the page for users of OpenManus shows happens as it shows it', () => {
  const { tool } = openPlanning();
  const command = createPlanCommand(tool);
  const say = (input: string): string =>
    input.startsWith('/plan')
      ? command.run(input.slice('/plan'.length).trim(), { ...call, task: null, queued: 0 })
      : tool.run(input, call).result;
  const exchanges = readTranscript('docs/coming-from-openmanus.md');
  expect(exchanges.length).toBeGreaterThan(5);
  expect(exchanges.map(({ input }) => ({ input, output: say(input) }))).toEqual(exchanges);
});
