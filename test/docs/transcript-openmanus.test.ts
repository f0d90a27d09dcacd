import { expect, it } from 'vitest';
import { createPlanCommand } from '../../src/commands/task-commands.ts';
import { planningTool } from '../../src/tools/planning/planning-tool.ts';
import { call, openPlanning } from '../tools/planning-session.ts';
import { readTranscript } from './transcript.ts';

it('the transcript for users of OpenManus happens as it says', () => {
  const { answer } = openPlanning();
  const command = createPlanCommand(planningTool);
  const say = (input: string): string =>
    answer(command.run(input.replace(/^\/plan /, ''), { ...call, task: null, queued: 0, decider: 'anybody' })).result;
  const exchanges = readTranscript('test/docs/transcripts/openmanus.md');
  expect(exchanges.length).toBeGreaterThan(5);
  expect(exchanges.map(({ input }) => ({ input, output: say(input) }))).toEqual(exchanges);
});
