import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { readMessage } from '../../src/models/reply/read-message.ts';
import { recordedReplies } from '../../src/rerun/recorded-replies.ts';
import { readRecording } from '../../src/rerun/recording.ts';
import { expectTrace, recordTrace, scriptedModel } from '../../src/testing/testing.ts';
import { defineTool } from '../../src/tools/define-tool.ts';
import {
  acts,
  asks,
  callFinish,
  callPlan,
  concludes,
  finishes,
  plans,
  replans,
} from '../support/engine/model-answers.ts';
import { goldenLines, goldenNames } from '../support/golden/files.ts';

/** An agent whose one tool tells this price of everything. */
const shop = (euros: string) => ({
  tools: [
    defineTool({
      name: 'price',
      description: 'Tells a price.',
      input: z.object({ article: z.string() }),
      writes: false,
      run: ({ article }) => `${article}: ${euros} euros`,
    }),
  ],
});

/** A conversation of two tasks: the first asks and looks a price up, the second makes calls of the model's API. */
const recorded = async () => {
  const model = scriptedModel([
    plans('Look it up'),
    asks('Which?'),
    replans('Look it up'),
    acts('price', '{"article":"tea"}'),
    finishes(),
    concludes('Tea costs 4.5 euros'),
    [callPlan('Look it up'), { name: 'price', input: { article: 'cake' } }],
    [callFinish('Cake costs 4.5 euros')],
  ]);
  return recordTrace({
    model,
    config: shop('4.5'),
    inputs: ['What does it cost?', 'The tea', { input: 'And cake?', context: 'A guest.' }],
  });
};

describe('scriptedModel.from', () => {
  it('runs an agent as it was recorded: the same answers of the model, to the same inputs', async () => {
    const { replies, trace } = await recorded();
    const model = await scriptedModel.from(trace);
    expect(model.inputs).toEqual(['What does it cost?', 'The tea', { input: 'And cake?', context: 'A guest.' }]);
    const again = await recordTrace({ model, config: shop('4.5'), inputs: model.inputs });
    expect(again.replies).toEqual(replies);
    expect(model.remaining()).toBe(0);
    await expectTrace(again.trace).toReplay();
  });

  it('fails where a tool gives something else, with the entry, the recorded result and the new one', async () => {
    const { trace } = await recorded();
    const { seq } = trace.find(({ event }) => event.type === 'observation.recorded')!;
    const model = await scriptedModel.from(trace);
    await expect(recordTrace({ model, config: shop('5'), inputs: model.inputs })).rejects.toThrow(
      `the run differs from its recording at entry ${seq}: price "{\\"article\\":\\"tea\\"}" gave "tea: 4.5 euros" when it was recorded, and gives "tea: 5 euros" now`,
    );
    const loose = await scriptedModel.from(trace, { ignore: ['price'] });
    const { replies } = await recordTrace({ model: loose, config: shop('5'), inputs: loose.inputs });
    expect(replies.at(-1)).toBe('Cake costs 4.5 euros');
  });

  it('fails where the user says something else, and at a request beyond the recording', async () => {
    const { trace } = await recorded();
    const run = async (...inputs: string[]) =>
      recordTrace({ model: await scriptedModel.from(trace), config: shop('4.5'), inputs });
    await expect(run('What does it cost?', 'The coffee')).rejects.toThrow(
      /at entry \d+: the user said "The tea", and says "The coffee" now/,
    );
    await expect(run('What is it?')).rejects.toThrow(
      'at entry 1: the goal was "What does it cost?", and is "What is it?" now',
    );
    await expect(run('What does it cost?', 'The tea', 'And cake?', 'And coffee?')).rejects.toThrow(
      /no model was asked after it, and this run asks for a plan/,
    );
  });

  it('refuses a trace that does not replay', async () => {
    const lines = goldenLines('ask-and-answer').map((line, i) => (i === 2 ? { ...line, state: 'done' } : line));
    await expect(scriptedModel.from(lines)).rejects.toMatchObject({ code: 'TRACE_NOT_READABLE' });
  });
});

/** The part of a model's event that its reply decides. A refused answer without a text in its event is only known to be refused. */
const meaning = (event: object): unknown => {
  const {
    type,
    reason,
    message,
    reader: _r,
    usage: _u,
    signal: _s,
    notes: _n,
    catalogue: _c,
    ...rest
  } = event as {
    [field: string]: unknown;
  };
  if (reason !== undefined && message === undefined) return { type };
  return JSON.parse(JSON.stringify({ type, reason, ...rest }));
};

describe('the recorded replies of the golden traces', () => {
  it.each(goldenNames)('%s: each becomes the event that it was', async (name) => {
    for (const task of await readRecording(goldenLines(name)))
      for (const { seq, contract, task: asked, reply } of recordedReplies(task)) {
        const { event } = task.entries.find(({ entry }) => entry.seq === seq)!.entry;
        if (reply instanceof Error || !('effect' in event)) continue;
        expect(meaning(readMessage(contract, asked, event.effect, reply))).toEqual(meaning(event));
      }
  });
});
