import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { RerunLane, RerunTask } from '../../contracts/rerun.ts';
import type { TripactConfig } from '../../src/app/define-config.ts';
import type { RerunTraces } from '../../src/app/rerun-traces.ts';
import type { Model } from '../../src/models/port.ts';
import { readRecording } from '../../src/rerun/recording.ts';
import { type RecordOptions, recordTrace, scriptedModel } from '../../src/testing/testing.ts';
import { defineTool } from '../../src/tools/define-tool.ts';
import { acts, asks, concludes, finishes, plans, replans } from '../support/engine/model-answers.ts';
import { rerunOffline } from '../support/rerun/rerun-offline.ts';

/** A shop whose tools count how often they ran. */
const openShop = () => {
  const ran = { price: 0, order: 0 };
  const config: TripactConfig = {
    tools: [
      defineTool({
        name: 'price',
        description: 'Tells a price.',
        input: z.object({ article: z.string() }),
        writes: false,
        run: ({ article }) => {
          ran.price += 1;
          return `${article}: ${ran.price} euros`;
        },
      }),
      defineTool({
        name: 'order',
        description: 'Orders an article.',
        input: z.object({ article: z.string() }),
        approval: ({ article }) => (article === 'cake' ? { ask: `Order ${article}` } : 'run'),
        run: ({ article }) => {
          ran.order += 1;
          return `ordered ${article} as number ${ran.order}`;
        },
      }),
    ],
  };
  return { ran, config };
};

const order = [
  plans('Order tea'),
  asks('Green or black?'),
  replans('Order it'),
  acts('price', '{"article":"tea"}'),
  acts('order', '{"article":"tea"}'),
  finishes(),
  concludes('Tea is ordered'),
];

const inputs = ['Order tea', 'green'];

const recordedBy = async (given: RecordOptions) => (await recordTrace(given)).trace;

const rerunOf = async (trace: readonly unknown[], given: Partial<RerunTraces> = {}) => {
  const { config: file } = openShop();
  const [task] = (await rerunOffline(await readRecording(trace), { file, concurrency: 2, ...given })).tasks;
  return task!;
};

const laneOf = ({ lanes }: RerunTask, name: RerunLane['lane']) => lanes.find(({ lane }) => lane === name)!;

const script = (...answers: Parameters<typeof scriptedModel>[0][]): Model => scriptedModel(answers.flat() as never);

describe('a rerun', () => {
  it('has the recorded outcome with the same answers of the model, and runs no tool', async () => {
    const { ran, config } = openShop();
    const trace = await recordedBy({ config, model: script(order), inputs });
    const before = { ...ran };
    const task = await rerunOf(trace, { file: config, again: script(order) });
    expect(laneOf(task, 'again')).toMatchObject({
      ...{ same: true, ended: null, first_difference: null, response: 'Tea is ordered' },
      ...{ state: 'done', outcome: 'completed', calls: 7, tool_calls: 2, misses: 0 },
      writes: [{ tool: 'order', input: '{"article":"tea"}' }],
    });
    expect(laneOf(task, 'again').steps).toBe(laneOf(task, 'recorded').steps);
    expect(task.changes).toEqual([]);
    expect(ran).toEqual(before);
  });

  it('compares a candidate: other words at the same outcome, and the first entry that differs', async () => {
    const { config } = openShop();
    const trace = await recordedBy({ config, model: script(order), inputs });
    const candidate = script([
      plans('Order tea'),
      asks('Which tea: green or black?'),
      replans('Order it'),
      acts('order', '{ "article": "tea" }'),
      finishes(),
      concludes('Done, your tea comes'),
    ]);
    const task = await rerunOf(trace, { again: script(order), candidate });
    expect(laneOf(task, 'candidate')).toMatchObject({
      same: true,
      reworded: [{ recorded: 'Green or black?', came: 'Which tea: green or black?', answer: 'green' }],
      first_difference: {
        ...{ recorded_type: 'thought.made', path: 'question' },
        ...{ recorded: 'Green or black?', came: 'Which tea: green or black?' },
      },
    });
  });

  it('ends a lane at a call that the recording has not, and names it', async () => {
    const { ran, config } = openShop();
    const trace = await recordedBy({ config, model: script(order), inputs });
    const before = { ...ran };
    const candidate = script([plans('Order'), acts('order', '{"article":"tea"}'), acts('order', '{"article":"tea"}')]);
    const task = await rerunOf(trace, { file: config, again: script(order), candidate });
    expect(laneOf(task, 'candidate')).toMatchObject({
      same: false,
      ended: { kind: 'unrecorded_call', call: { tool: 'order', input: '{"article":"tea"}' }, nth: 2 },
    });
    expect(ran).toEqual(before);
  });

  it('lets tools that only read run for such a call with live reads, and no other tool', async () => {
    const { ran, config } = openShop();
    const trace = await recordedBy({ config, model: script(order), inputs });
    const before = { ...ran };
    const candidate = script([
      plans('Order'),
      acts('price', '{"article":"green tea"}'),
      acts('order', '{"article":"green tea"}'),
    ]);
    const task = await rerunOf(trace, { file: config, liveReads: true, again: script(order), candidate });
    expect(laneOf(task, 'candidate')).toMatchObject({
      ...{ same: false, tool_calls: 1 },
      ended: { kind: 'unrecorded_call', call: { tool: 'order' } },
    });
    expect(ran).toEqual({ price: before.price + 1, order: before.order });
  });

  it('answers approvals as they were: by tool, input and the recorded verdict of the policy', async () => {
    const { config } = openShop();
    const cake = [plans('Order'), acts('order', '{"article":"cake"}'), finishes(), concludes('Cake is ordered')];
    const trace = await recordedBy({ config, model: script(cake), inputs: ['Order cake', { type: 'approve' }] });
    const task = await rerunOf(trace, {
      again: script(cake),
      candidate: script([plans('Order'), acts('order', '{"article":"a cake"}')]),
    });
    expect(laneOf(task, 'again')).toMatchObject({ same: true, first_difference: null });
    expect(laneOf(task, 'candidate')).toMatchObject({
      same: false,
      ended: { kind: 'unrecorded_call', call: { tool: 'order', input: '{"article":"a cake"}' }, nth: 1 },
    });
  });

  it('says what has changed since the recording, and runs with what was recorded', async () => {
    const { config } = openShop();
    const settings = { TRIPACT_MAX_STEPS: 3 };
    const trace = await recordedBy({ config: { ...config, settings }, model: script(order), inputs });
    const task = await rerunOf(trace, { file: {}, again: script(order) });
    expect(task.changes).toEqual([
      { what: 'tool', name: 'price', recorded: expect.stringContaining('side_by_side'), now: null },
      { what: 'tool', name: 'order', recorded: expect.stringContaining('policy'), now: null },
      { what: 'limit', name: 'max_steps', recorded: '3', now: '60' },
    ]);
    expect(laneOf(task, 'recorded')).toMatchObject({ state: 'paused', pause_reason: 'step_limit' });
    expect(laneOf(task, 'again')).toMatchObject({ state: 'paused', same: true, first_difference: null });
  });

  it("works as the task's agent of today does, with other instructions for the candidate alone", async () => {
    const agents = { clerk: { instructions: 'You sell tea.', tools: ['price'] }, desk: { instructions: 'You help.' } };
    const { config } = openShop();
    const answers = [plans('Look'), acts('price', '{"article":"tea"}'), finishes(), concludes('1 euro')];
    const trace = await recordedBy({
      config: { ...config, agents },
      model: script(answers),
      inputs: [{ input: 'Price of tea', agent: 'clerk' }],
    });
    const [again, candidate] = [scriptedModel([...answers]), scriptedModel([...answers])];
    const task = await rerunOf(trace, { file: { ...config, agents }, again, candidate, instructions: 'Be brief.' });
    expect([task.changes, laneOf(task, 'again').same, laneOf(task, 'candidate').same]).toEqual([[], true, true]);
    expect(again.requests[0]).toMatchObject({ instructions: 'You sell tea.', tools: [{ name: 'price' }, {}] });
    expect(candidate.requests[0]).toMatchObject({ instructions: 'Be brief.', tools: [{ name: 'price' }, {}] });
    const gone = await rerunOf(trace, { file: config, again: script(answers) });
    expect(gone.changes[0]).toEqual({ what: 'agent', name: 'clerk', recorded: 'clerk', now: null });
    expect(laneOf(gone, 'again')).toMatchObject({ same: true, first_difference: null });
  });

  it('stops at the cost that it may have, and calls no outcome the same then', async () => {
    const { config } = openShop();
    const trace = await recordedBy({ config, model: script(order), inputs });
    const usage = { input_tokens: 1_000_000, output_tokens: 0 };
    const paid = order.map((text) => ({ text, usage }));
    const prices = { currency: 'USD', models: { scripted: { input: 1, output: 1 } } };
    const task = await rerunOf(trace, { file: { ...config, prices }, maxCost: '3', again: script(paid) });
    expect(laneOf(task, 'again')).toMatchObject({
      ...{ same: null, calls: 3, cost: { amount: '3', currency: 'USD' } },
      ended: { kind: 'max_cost', text: '3 of 3 are spent' },
    });
  });
});
