import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { act, answer, done, plan, replanned, startService } from '../support/service/service.ts';
import { startReferenceAgent } from '../tools/coding-agent-bridge.ts';

const bridgeFolder = (): string => {
  const bridgeDir = mkdtempSync(join(tmpdir(), 'tripact-bridge-'));
  onTestFinished(() => rmSync(bridgeDir, { recursive: true, force: true }));
  return bridgeDir;
};

it('a step tagged [CODE] goes to the coding agent, a failed report is retried in its session, and the end is reported', async () => {
  const bridgeDir = bridgeFolder();
  const service = await startService(
    [
      plan('[CODE] Write the page', 'Tell the user'),
      act('coding_agent', 'fail: Write the page'),
      act('coding_agent', 'Write the page again'),
      done('The page is there'),
      replanned('Tell the user'),
      done(),
      answer('Done: the page is written.'),
    ],
    { TRIPACT_BRIDGE_DIR: bridgeDir },
  );
  await startReferenceAgent(bridgeDir);
  const turn = await service.say('s1', 'Write me a page');
  expect(turn).toMatchObject({ status: 'answered', task: { successful_steps: 1, failed_steps: 1, step_count: 8 } });
  const calls = (await service.trace('s1'))
    .flatMap(({ effects }) => effects)
    .filter(({ type }) => type === 'tool.call');
  expect(calls.map(({ params }) => params)).toEqual([
    expect.objectContaining({ tool: 'coding_agent', executor: 'coding_agent', input: 'fail: Write the page' }),
    expect.objectContaining({ tool: 'coding_agent', executor: 'coding_agent', input: 'Write the page again' }),
  ]);
  const processed = join(bridgeDir, 'commands', 'processed');
  expect(readdirSync(processed).filter((name) => name.startsWith('task-'))).toHaveLength(2);
  const ends = (): string[] =>
    readdirSync(join(bridgeDir, 'commands', 'pending'))
      .map((name) => readFileSync(join(bridgeDir, 'commands', 'pending', name), 'utf8'))
      .filter((text) => text.includes('command_type: end'));
  await expect.poll(() => ends()).toHaveLength(1);
});
