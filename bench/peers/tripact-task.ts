import { completedItems } from '../../machines/plan-items.ts';
import type { Model, ModelReply, ModelRequest } from '../../src/models/port.ts';
import type { OutsideTool } from '../../src/tools/port.ts';
import { began, canned, thinking, toolResult } from './effects.ts';
import { fill, type Shape } from './workload.ts';

/** Effects done before this one: an effect's id ends in its number in the task. */
const doneBefore = (effectId: string): number => Number(effectId.slice(effectId.lastIndexOf('.') + 1)) - 1;

const stepsOf = ({ items }: Shape): string[] =>
  Array.from({ length: items }, (_, i) => `Check part ${i} of the release`);

const act = (round: number) => ({
  status: 'continue',
  current_step: thinking(170),
  next_action: { tool: 'look_up', input: `release part ${round & 7} limit 20` },
  question: null,
  response: null,
});
const done = { status: 'done', current_step: thinking(150), response: fill('The part is complete.', 110) };
const ask = { status: 'ask_user', current_step: thinking(170), question: fill('Which branch is meant?', 80) };
const answer = { status: 'done', plan: [], response: fill('Every part was checked.', 150) };

/** The same task as in `effects.ts`, in Tripact's three contracts. */
const answerTo = ({ contract, task }: ModelRequest, shape: Shape): string => {
  const completed = completedItems(task).length;
  const steps = stepsOf(shape);
  if (contract === 'plan') return canned(`planned ${shape.items}`, () => ({ status: 'planned', plan: steps }));
  if (contract === 'replan') {
    if (completed === shape.items) return canned('answer', () => answer);
    const plan = steps.slice(completed);
    return canned(`replanned ${completed}/${shape.items}`, () => ({ status: 'replanned', plan, response: null }));
  }
  const round = task.successful_steps - completed * shape.actions;
  if (shape.asks && completed === 2 && round === 1 && task.questions_asked === 0) return canned('ask', () => ask);
  return round < shape.actions ? canned(`continue ${round & 7}`, () => act(round)) : canned('done', () => done);
};

const usage = { input_tokens: 812, output_tokens: 77 };
const reply = (text: string): ModelReply => ({ text, fault: 'none', usage });

/** A model without latency that plays a session's task in the shape that `shapeOf` returns. */
export const taskModel = (shapeOf: (session: string) => Shape): Model => ({
  name: 'bench',
  answer: async (request) => {
    began(doneBefore(request.effect_id));
    return reply(answerTo(request, shapeOf(request.task.session_id)));
  },
});

/** A tool without latency whose results are 500 characters. */
export const taskTool: OutsideTool = {
  name: 'look_up',
  description: 'looks something up',
  usage: 'look_up <words>',
  writes: false,
  effect: 'idempotent',
  run: async (_, { effect_id }) => {
    const before = doneBefore(effect_id);
    began(before);
    return { ok: true, result: toolResult(before >> 1) };
  },
};
