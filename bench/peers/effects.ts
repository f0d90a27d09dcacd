import { appendFileSync } from 'node:fs';
import { Plan, Replan, Thought } from './contracts.ts';
import { fill, type Outcome, type PlanItem, type Shape, type State } from './workload.ts';

const cache = new Map<string, string>();

/** A model's answer as text, made once for each position in a task: a fake model must cost next to nothing. */
export const canned = (key: string, make: () => unknown): string => {
  const known = cache.get(key);
  if (known !== undefined) return known;
  const text = JSON.stringify(make());
  cache.set(key, text);
  return text;
};

/** Reasoning of a model with that many characters. */
export const thinking = (length: number): string =>
  fill('The notes say which parts changed, so compare them with the tests before going on.', length);

const itemsFrom = (first: number, total: number): PlanItem[] =>
  Array.from({ length: total - first }, (_, i) => ({ id: first + i, title: `Check part ${first + i} of the release` }));

const planText = ({ items }: Shape): string =>
  canned(`plan ${items}`, () => ({ thinking: thinking(70), items: itemsFrom(0, items) }));
const continueText = (round: number): string =>
  canned(`continue ${round & 7}`, () => ({
    decision: 'continue',
    thought: thinking(170),
    tool: { name: round & 1 ? 'read_file' : 'search', args: { query: `release part ${round & 7}`, limit: '20' } },
  }));
const replannedText = (first: number, { items }: Shape): string =>
  canned(`replanned ${first}/${items}`, () => ({
    decision: 'replanned',
    reason: thinking(120),
    items: itemsFrom(first, items),
  }));
const done = { decision: 'done', thought: thinking(150), result: fill('The part is complete.', 110) };
const ask = { decision: 'ask', thought: thinking(170), question: fill('Which branch is meant?', 80) };
const answer = { decision: 'done', reason: thinking(120), answer: fill('Every part was checked.', 150) };

const thoughtText = ({ shape, item, round, asked }: State): string => {
  if (shape.asks && item === 2 && round === 1 && !asked) return canned('ask', () => ask);
  return round < shape.actions ? continueText(round) : canned('done', () => done);
};

const replanText = ({ shape, item }: State): string =>
  item + 1 < shape.items ? replannedText(item + 1, shape) : canned('answer', () => answer);

const results = Array.from({ length: 8 }, (_, n) =>
  fill(`result ${n}: the file lists the parts and their owners;`, 500),
);

/** The result of a tool in a round: 500 characters, never equal in consecutive rounds. */
export const toolResult = (round: number): string => results[round & 7]!;

/** When each effect began, in milliseconds; null while nothing is measured. */
let clock: number[] | null = null;

/** Records from now on when each effect starts; growth measures read the cost of a step from it. */
export const startClock = (): number[] => {
  clock = [];
  return clock;
};

const log = process.env['EFFECT_LOG'] ?? '';
const crashAt = Number(process.env['CRASH_AT'] ?? -1);

/**
 * Records the start of the effect after `done` others. Ends the process with SIGKILL if the crash measure asks for
 * that.
 */
export const began = (done: number): void => {
  clock?.push(performance.now());
  if (log === '') return;
  appendFileSync(log, `${done}\n`);
  if (done === crashAt) process.kill(process.pid, 'SIGKILL');
};

/** Performs the effect that the state calls for: a model call, with its answer parsed and validated, or a tool call. */
export const perform = async (state: State): Promise<Outcome> => {
  began(state.effects);
  switch (state.next) {
    case 'plan':
      return { kind: 'plan', value: Plan.parse(JSON.parse(await Promise.resolve(planText(state.shape)))) };
    case 'thought':
      return { kind: 'thought', value: Thought.parse(JSON.parse(await Promise.resolve(thoughtText(state)))) };
    case 'replan':
      return { kind: 'replan', value: Replan.parse(JSON.parse(await Promise.resolve(replanText(state)))) };
    case 'tool':
      return { kind: 'tool', value: await Promise.resolve(toolResult(state.round)) };
    default:
      throw new Error(`no effect in state ${state.next}`);
  }
};
