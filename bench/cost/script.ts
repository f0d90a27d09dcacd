import type { Call, Dialogue } from '../gold/play.ts';
import type { Asked, Message, Prompt } from './wire.ts';

/** One turn of a dialogue, as the scripted model answers it. */
export interface Turn {
  calls: Call[];
  /** Whether each call is its own item, or all calls of the turn are one item. */
  itemACall: boolean;
}

/** Answers a prompt of a turn by the gold calls. Reads from the prompt only what is due and how far the turn is. */
export type Script = (turn: Turn, prompt: Prompt) => Message;

/** The most items of a plan, by Tripact's default. */
const ITEMS_MAX = 12;

/** Characters of a result that a model carries on. */
const CARRIED_CHARS = 100;

export const turnsOf = ({ turns }: Dialogue, itemACall: boolean): Turn[] =>
  turns.map(({ calls }) => ({ calls, itemACall: itemACall && calls.length <= ITEMS_MAX }));

const asked = ({ tools }: Prompt, { tool, args }: Call): Asked => {
  const name = tools.find((each) => [tool, `bfcl_${tool}`, `mcp__bfcl__${tool}`].includes(each));
  if (name === undefined) throw new Error(`no tool ${tool} in the prompt`);
  return { name, input: args };
};

const byCalls = (...calls: Asked[]): Message => ({ calls, text: '' });
const byText = (text: string): Message => ({ calls: [], text });

/** The answer to the user: the same words for every agent. */
const answerTo = ({ calls }: Turn): string =>
  calls.length === 0
    ? 'Nothing had to be done for that.'
    : `I have done what you asked for: ${calls.map(({ tool }) => tool).join(', ')} went through.`;

/** A model in a plain loop of tool calls: one call a message, then the answer. */
export const plain: Script = (turn, prompt) => {
  const call = turn.calls[prompt.results.length];
  return call === undefined ? byText(answerTo(turn)) : byCalls(asked(prompt, call));
};

/** The words of an item. */
const stepOf = ({ tool, args }: Call): string =>
  `${tool.replaceAll('_', ' ')} ${Object.values(args).map(String).join(' ')}`.slice(0, 60).trim();

const itemsOf = ({ calls, itemACall }: Turn): string[] =>
  itemACall ? calls.map(stepOf) : ['Do what the user asks for'];

/** The state of a task, as shown by the text of Tripact's prompt. */
interface Shown {
  due: string;
  done: number;
  itemsDone: number;
  lastResult: string;
}

const shownIn = (said: string): Shown => {
  const results = [...said.matchAll(/^<result of="bfcl_[^\n]*\n([\s\S]*?)\n<\/result>/gm)];
  return {
    due: [...said.matchAll(/^(?:Due|Contract): (\w+)$/gm)].at(-1)?.[1] ?? '',
    done: results.length,
    itemsDone: [...said.matchAll(/^<item id="/gm)].length,
    lastResult: results.at(-1)?.[1] ?? '',
  };
};

/** The text that an item's end carries on: the values of its result, or for all calls of a turn that they succeeded. */
const carried = (turn: Turn, { lastResult }: Shown): string =>
  turn.itemACall
    ? lastResult.slice(0, CARRIED_CHARS)
    : `${turn.calls.map(({ tool }) => tool).join(', ')} went through.`;

/**
 * A model that follows Tripact's rules: a plan with the first action, an item's end with the next action or the answer.
 */
export const chaining: Script = (turn, prompt) => {
  const shown = shownIn(prompt.said);
  const { calls, itemACall } = turn;
  const response = answerTo(turn);
  if (calls.length === 0) return byCalls({ name: 'finish', input: { response } });
  const next = calls[shown.done];
  if (next === undefined)
    return byCalls(
      { name: 'item_done', input: { result: carried(turn, shown) } },
      { name: 'finish', input: { response } },
    );
  const act = asked(prompt, next);
  if (shown.done === 0) return byCalls({ name: 'plan', input: { items: itemsOf(turn) } }, act);
  return itemACall
    ? byCalls({ name: 'item_done', input: { result: carried(turn, shown), plan: 'unchanged' } }, act)
    : byCalls(act);
};

/**
 * The same, but a turn of one item has no plan, as the rules advise: its first call is the tool's, its last one finish.
 */
export const chainingWithoutNeedlessPlans: Script = (turn, prompt) => {
  if (turn.itemACall && turn.calls.length > 1) return chaining(turn, prompt);
  const next = turn.calls[shownIn(prompt.said).done];
  return byCalls(next === undefined ? { name: 'finish', input: { response: answerTo(turn) } } : asked(prompt, next));
};

/** The same with LangChain's todo list: written with the first call, and again with the first call of each item. */
export const todos: Script = (turn, prompt) => {
  const done = prompt.results.filter((result) => !result.startsWith('Updated todo list')).length;
  const next = turn.calls[done];
  if (next === undefined) return byText(answerTo(turn));
  const statusAt = (i: number): string => {
    if (i === done || !turn.itemACall) return 'in_progress';
    return i < done ? 'completed' : 'pending';
  };
  const items = itemsOf(turn).map((content, i) => ({ content, status: statusAt(i) }));
  const isNew = done === 0 || turn.itemACall;
  return byCalls(...(isNew ? [{ name: 'write_todos', input: { todos: items } }] : []), asked(prompt, next));
};

/** A model that makes one call a message, whatever is due. */
export const oneByOne: Script = (turn, prompt) => {
  const shown = shownIn(prompt.said);
  const next = turn.calls[shown.done];
  if (next === undefined || turn.calls.length === 0)
    return byCalls({ name: 'finish', input: { response: answerTo(turn) } });
  if (shown.due === 'plan') return byCalls({ name: 'plan', input: { items: itemsOf(turn) } });
  if (turn.itemACall && shown.itemsDone < shown.done)
    return byCalls({ name: 'item_done', input: { result: carried(turn, shown), plan: 'unchanged' } });
  return byCalls(asked(prompt, next));
};

/** A model that answers one contract a message, in JSON text. */
export const byContracts: Script = (turn, prompt) => {
  const shown = shownIn(prompt.said);
  const { calls, itemACall } = turn;
  const next = calls[shown.done];
  const json = (answer: object): Message => byText(JSON.stringify(answer));
  const nothing = { next_action: null, question: null, options: null, response: null, outcome: null };
  if (shown.due === 'plan')
    return json({ status: 'planned', goal: null, plan: calls.length === 0 ? [] : itemsOf(turn) });
  if (shown.due === 'replan' && next !== undefined && calls.length > 0)
    return json({ status: 'keep', plan: [], response: null, outcome: null });
  if (shown.due === 'replan') return json({ status: 'done', plan: [], response: answerTo(turn), outcome: null });
  const isItemOver = next === undefined || (itemACall && shown.itemsDone < shown.done);
  if (isItemOver)
    return json({
      status: 'done',
      current_step: null,
      ...nothing,
      response: calls.length === 0 ? null : carried(turn, shown),
    });
  return json({
    status: 'continue',
    current_step: itemACall ? stepOf(next) : 'Do what the user asks for',
    ...nothing,
    next_action: { tool: `bfcl_${next.tool}`, input: JSON.stringify(next.args) },
  });
};
