import { completedItems } from '../machines/plan-items.ts';
import type { Model, ModelReply, ModelRequest } from '../src/models/port.ts';
import type { OutsideTool } from '../src/tools/port.ts';

/** Items of the plan, and tool actions on each before its last thought: 1 plan, 15 thoughts, 10 tools, 5 replans. */
const ITEMS = 5;
const ACTIONS = 2;

/** Effects of one such task, and the rows that it takes: the effects and the event that opens it. */
export const EFFECTS = 1 + ITEMS * (2 * ACTIONS + 2);

const fill = (text: string, length: number): string => text.repeat(Math.ceil(length / text.length)).slice(0, length);
const steps = Array.from({ length: ITEMS }, (_, i) => `Check part ${i} of the release`);
const reasoning = fill('The notes say which parts changed, so compare them with the tests before going on. ', 150);

const answers = {
  plan: JSON.stringify({ status: 'planned', plan: steps }),
  act: [0, 1].map((n) =>
    JSON.stringify({
      status: 'continue',
      current_step: reasoning,
      next_action: { tool: 'look_up', input: `release part ${n} limit 20` },
      question: null,
      response: null,
    }),
  ),
  done: JSON.stringify({ status: 'done', current_step: reasoning, response: fill('The part is complete. ', 110) }),
  ask: JSON.stringify({ status: 'ask_user', current_step: reasoning, question: fill('Which branch is meant? ', 80) }),
  replanned: steps.map((_, i) => JSON.stringify({ status: 'replanned', plan: steps.slice(i), response: null })),
  answer: JSON.stringify({ status: 'done', plan: [], response: fill('Every part was checked. ', 150) }),
};

const usage = { input_tokens: 812, output_tokens: 77 };
const reply = (text: string): ModelReply => ({ text, fault: 'none', usage });

const answerTo = ({ contract, task, item_id }: ModelRequest, actions: number, asks: boolean): string => {
  const done = completedItems(task).length;
  if (contract === 'plan') return answers.plan;
  if (contract === 'replan') return done < ITEMS ? answers.replanned[done]! : answers.answer;
  if (asks && done === 2 && task.questions_asked === 0) return answers.ask;
  const acted = task.successful_steps - done * actions;
  return item_id !== null && acted < actions ? answers.act[acted % 2]! : answers.done;
};

/** A model without latency that drives a task through 31 effects; with `asks` it asks once, on the third item. */
export const benchModel = ({ actions = ACTIONS, asks = false } = {}): Model => ({
  name: 'bench',
  answer: async (request) => reply(answerTo(request, actions, asks)),
});

const results = Array.from({ length: 8 }, (_, n) =>
  fill(`result ${n}: the file lists the parts and their owners; `, 500),
);

/** A tool without latency whose results are 500 characters, never equal twice in a row. */
export const benchTool = (): OutsideTool => {
  let calls = 0;
  return {
    name: 'look_up',
    description: 'looks something up',
    usage: 'look_up <words>',
    writes: false,
    effect: 'idempotent',
    run: async () => ({ ok: true, result: results[calls++ % results.length]! }),
  };
};
