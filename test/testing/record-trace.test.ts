import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { z } from 'zod';
import { expectTrace, recordTrace, scriptedModel } from '../../src/testing/testing.ts';
import { defineTool } from '../../src/tools/define-tool.ts';
import { temporaryFolder } from '../support/cli/cli-process.ts';
import {
  acts,
  asks,
  callFinish,
  callPlan,
  callTool,
  concludes,
  finishes,
  plans,
} from '../support/engine/model-answers.ts';

describe('recordTrace', () => {
  it('runs the agent through the service: turns, replies, and a trace that replays', async () => {
    const model = scriptedModel([plans('Ask'), asks('Which?'), concludes('The red one')]);
    const { turns, replies, trace } = await recordTrace({ model, inputs: ['Pick one', 'red'] });
    expect(turns.map(({ status }) => status)).toEqual(['asking', 'answered']);
    expect(replies).toEqual(['Please confirm: Which?', 'The red one']);
    expect(trace.map(({ event }) => event.type)).toEqual([
      'task.opened',
      'plan.made',
      'thought.made',
      'answer.received',
      'replan.made',
    ]);
    await expectTrace(trace).toReplay();
    expect(model.remaining()).toBe(0);
  });

  it("takes a message's calls as the model makes them: a list, or a list with text beside it", async () => {
    const model = scriptedModel([
      { calls: [callPlan('Note it'), callTool('todo', 'add Tea')], text: 'One thing to note.' },
      [callTool('todo', 'add Milk'), callTool('todo', 'add Bread')],
      [callFinish('Noted')],
    ]);
    const { replies, trace } = await recordTrace({ model, inputs: ['Note tea, milk and bread'] });
    expect(replies).toEqual(['Noted']);
    expect(trace[1]).toMatchObject({ event: { type: 'plan.made', message: { text: 'One thing to note.' } } });
    expect(trace.filter(({ event }) => event.type === 'observation.recorded')).toHaveLength(3);
    expect([model.requests.length, model.remaining()]).toEqual([3, 0]);
    await expectTrace(trace).toReplay();
  });

  it('runs the tools of the configuration for real, in a folder that is removed afterwards', async () => {
    let workspace = '';
    const note = defineTool({
      name: 'note',
      description: 'Writes a note.',
      input: z.object({ text: z.string() }),
      run: ({ text }, call) => {
        workspace = call.workspace;
        writeFileSync(join(workspace, 'note.txt'), text);
        return `wrote ${text}`;
      },
    });
    const config = { tools: [note], verify: [async () => ({ ok: true, output: 'fine' })] };
    const model = scriptedModel([plans('Write'), acts('note', 'Hello'), finishes(), concludes('Written')]);
    const { turns, trace } = await recordTrace({ model, config, inputs: ['Write hello'] });
    expect(turns[0]).toMatchObject({ output: 'Written', task: { successful_steps: 1 } });
    const events = trace.map(({ event }) => event);
    expect(events).toContainEqual(expect.objectContaining({ type: 'observation.recorded', result: 'wrote Hello' }));
    expect(events).toContainEqual(expect.objectContaining({ type: 'verification.finished', ok: true }));
    expect(workspace).not.toBe('');
    expect(existsSync(workspace)).toBe(false);
  });

  it('takes the settings of the configuration, and an executor answers by the given model', async () => {
    const config = {
      settings: { TRIPACT_MAX_STEPS: 1, TRIPACT_DATA_DIR: '/nowhere', TRIPACT_MODEL: 'anthropic' },
      executors: [{ name: 'poet', description: 'Writes poems', model: 'anthropic:claude', prompt: 'Rhyme.' }],
    };
    const model = scriptedModel([plans('[POET] Write'), finishes()]);
    const { turns } = await recordTrace({ model, config, inputs: ['Write'] });
    expect(turns[0]).toMatchObject({ status: 'paused', task: { pause_reason: 'step_limit', step_limit: 1 } });
    expect(model.requests.at(-1)?.task.plan_items[0]).toMatchObject({ executor: 'poet' });
  });

  it('fails where the script has run out, and leaves no folder', async () => {
    const parent = temporaryFolder();
    vi.stubEnv('TMPDIR', parent);
    const recording = recordTrace({ model: scriptedModel([plans('Look')]), inputs: ['Go'] });
    await expect(recording).rejects.toThrow('no answer left for thought');
    expect(readdirSync(parent)).toEqual([]);
  });
});
