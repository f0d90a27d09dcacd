import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { expectTrace, recordTrace, scriptedModel } from 'tripact/testing';
import { expect, it, onTestFinished } from 'vitest';
import { loadConfigFile } from '../../src/app/config-file.ts';
import { fencedBlocks } from './fenced-blocks.ts';

it("README's agent pays back what a person approved, and nothing else", async () => {
  const folder = mkdtempSync(join(tmpdir(), 'tripact-readme-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  symlinkSync(resolve('node_modules'), join(folder, 'node_modules'));
  writeFileSync(join(folder, 'tripact.config.ts'), fencedBlocks('README.md', 'ts')[0] ?? '');
  const config = await loadConfigFile(folder);
  const refund = (euros: number) => ({
    status: 'continue',
    current_step: 'Pay it back',
    next_action: { tool: 'refund', input: JSON.stringify({ order: 'order 17', euros }) },
  });
  const model = scriptedModel({
    plan: { status: 'planned', plan: ['Pay order 17 back'] },
    thought: [refund(200), refund(20), { status: 'done' }],
    replan: [
      { status: 'replanned', plan: ['Pay order 17 back'] },
      ({ task }) => ({ status: 'done', response: task.observations.at(-1)?.result }),
    ],
  });
  const inputs = ['Order 17 arrived broken: pay the 20 euros back', 'no, 20 and not 200', 'yes'];
  const { replies, trace } = await recordTrace({ config, model, inputs });
  expect(replies).toEqual([
    expect.stringContaining('"euros":200'),
    expect.stringContaining('"euros":20}'),
    '20 euros go back for order 17',
  ]);
  const ran = trace.filter(({ event }) => event.type === 'observation.recorded');
  expect(ran).toHaveLength(1);
  await expectTrace(trace).toReplay();
});
