/**
 * The words of a goal: an item that writes a todo, runs one of the ledger's tools, does several of these, or asks the
 * user.
 */
export const WORDS = ['todo', 'once', 'again', 'several', 'ask'] as const;
type Word = (typeof WORDS)[number] | typeof APPROVED;

/** The word for an item that runs a tool of the ledger which needs approval. */
export const APPROVED = 'approved';

/** A request to the model, as far as it matters here, taken only from the prompt. */
export interface Question {
  contract: 'plan' | 'thought' | 'replan';
  goal: string;
  /** The session's name, which prefixes every input. */
  session_id: string;
  prompt: string;
  /** The model is offered tools; otherwise it answers by text. */
  isNative: boolean;
}

interface Call {
  name: string;
  input: Record<string, unknown>;
}

/** An answer: calls in order, or only text. */
export interface Answer {
  text: string;
  calls: Call[];
}

/** One in this many answers violates every contract: rejected answers are committed too. */
const GARBAGE_EVERY = 41;

/** One in this many answers of a model with tools is the contract's JSON, and one in this many is a single call. */
const TEXT_EVERY = 5;
const ONE_CALL_EVERY = 7;

/** The text that one item writes, asks or runs with, unique in the whole run. */
export const itemText = (goal: string, id: string): string => `${goal.split(':')[0]?.replace(' ', '-')}-${id}`;

interface Item {
  id: string;
  step: string;
}

const itemsOf = (goal: string): Item[] => {
  const [, words = ''] = goal.split(': ');
  return words
    .split(' ')
    .filter((word) => [...WORDS, APPROVED].includes(word as Word))
    .map((word, i) => ({ id: `i${i + 1}`, step: `${word} ${itemText(goal, `i${i + 1}`)}` }));
};

/** A text of a request: a string, or consecutive blocks. */
type WireText = string | { text: string }[];

const wholeText = (text: WireText): string =>
  typeof text === 'string' ? text : text.map((block) => block.text).join('');

/** Reads a request's body. Throws for a prompt that is not the service's. */
export const readQuestion = (body: {
  system: WireText;
  messages: { content: WireText }[];
  tools?: unknown[];
}): Question => {
  const system = wholeText(body.system);
  const prompt = body.messages.map(({ content }) => wholeText(content)).join('\n');
  const [, contract] = [...prompt.matchAll(/^(?:Contract|Due): (plan|thought|replan)$/gm)].at(-1) ?? [];
  const [, goal] = /<goal>\n(.*)\n<\/goal>/.exec(prompt) ?? [];
  const [, session_id] = /^(\S+) /.exec(goal ?? '') ?? [];
  if (contract === undefined || goal === undefined || session_id === undefined)
    throw new Error(`a prompt that names no contract or goal: ${system.slice(0, 80)} ${prompt.slice(0, 200)}`);
  return {
    contract: contract as Question['contract'],
    goal,
    session_id,
    prompt,
    isNative: body.tools !== undefined,
  };
};

/** A tool and its command line. */
interface Work {
  tool: string;
  input: string;
}

const workOn = (word: Word, text: string): Work[] => {
  /** The text of the n-th of several; each ends like its item's. */
  const part = (n: number): string => text.replace(/(i\d+)$/, `${n}-$1`);
  switch (word) {
    case 'todo':
      return [{ tool: 'todo', input: `add ${text}` }];
    case 'once':
      return [{ tool: 'ledger_once', input: text }];
    case 'again':
      return [{ tool: 'ledger_again', input: text }];
    case 'several':
      return [
        { tool: 'todo', input: `add ${part(1)}` },
        { tool: 'ledger_again', input: part(2) },
        { tool: 'ledger_once', input: part(3) },
        { tool: 'todo', input: `add ${part(4)}` },
      ];
    case APPROVED:
      return [{ tool: 'ledger_approved', input: text }];
    case 'ask':
      return [];
    default:
      return word satisfies never;
  }
};

const isAnswered = (prompt: string): boolean => /^(?:They answered|The user said meanwhile):$/m.test(prompt);

/** The rest of the work on an item: a question, or calls whose results are not in the log. */
type Left = { question: string } | { work: Work[] };

const leftOf = ({ step }: Item, prompt: string): Left => {
  const [word, text = ''] = step.split(' ') as [Word, string?];
  if (word === 'ask' && !isAnswered(prompt)) return { question: `What about ${text}?` };
  if (![...WORDS, APPROVED].includes(word)) return { work: [] };
  return { work: workOn(word, text).filter(({ tool, input }) => !prompt.includes(` was taken: ${tool} ${input}\n`)) };
};

/** The items of the plan at the end of the prompt. */
const shownItems = (prompt: string): (Item & { mark: string })[] =>
  [...prompt.matchAll(/^\[(.)\] (\S+): (\S+ \S+)/gm)].map(([, mark = '', id = '', step = '']) => ({ mark, id, step }));

const currentItem = (prompt: string): Item | undefined => shownItems(prompt).find(({ mark }) => mark === '>');

const itemsLeft = ({ goal, prompt }: Question): Item[] => {
  const completed = shownItems(prompt).flatMap(({ mark, id }) => (mark === 'x' ? [id] : []));
  return itemsOf(goal).filter(
    ({ id, step }) => !completed.includes(id) && !(isAnswered(prompt) && /^(ask|approved) /.test(step)),
  );
};

const response = (goal: string): string => `finished ${goal}`;

/** One contract's answer as JSON. */
const contractAnswer = (question: Question): unknown => {
  const { contract, goal, prompt } = question;
  if (contract === 'plan') return { status: 'planned', plan: itemsOf(goal) };
  if (contract === 'replan') {
    const plan = itemsLeft(question);
    return plan.length > 0
      ? { status: 'replanned', plan, response: null }
      : { status: 'done', plan, response: response(goal) };
  }
  const current = currentItem(prompt);
  const left = current === undefined ? { work: [] } : leftOf(current, prompt);
  if ('question' in left) return { status: 'ask_user', current_step: 'asking', question: left.question };
  const [next] = left.work;
  if (next === undefined) return { status: 'done', current_step: 'concluding', response: `seen ${current?.step}` };
  return { status: 'continue', current_step: `calling ${next.tool}`, next_action: next };
};

/** The calls that begin an item, all at once. */
const begin = (item: Item, prompt: string): Call[] => {
  const left = leftOf(item, prompt);
  if ('question' in left) return [{ name: 'ask_user', input: left }];
  return left.work.map(({ tool, input }) => ({ name: tool, input: { input } }));
};

/**
 * As much as one message can contain: all work of an item at once, and with its end the beginning of the next one, or
 * the answer.
 */
const message = (question: Question): Call[] => {
  const { contract, goal, prompt } = question;
  const finish = { name: 'finish', input: { response: response(goal) } };
  if (contract !== 'thought') {
    const items = contract === 'plan' ? itemsOf(goal) : itemsLeft(question);
    const [first] = items;
    return first === undefined ? [finish] : [{ name: 'plan', input: { items } }, ...begin(first, prompt)];
  }
  const current = currentItem(prompt);
  if (current === undefined) return [finish];
  const calls = begin(current, prompt);
  if (calls.length > 0) return calls;
  const result = `seen ${current.step}`;
  const next = shownItems(prompt).find(({ mark }) => mark === ' ');
  if (next === undefined) return [{ name: 'item_done', input: { result } }, finish];
  return [{ name: 'item_done', input: { result, plan: 'unchanged' } }, ...begin(next, prompt)];
};

/**
 * The answer: the same for the same prompt, except for occasional ones (`nth` counts them) that violate the contract,
 * are JSON, or are a single call.
 */
export const answerTo = (question: Question, nth: number): Answer => {
  if (nth % GARBAGE_EVERY === 0) return { text: 'I would rather not say.', calls: [] };
  if (!question.isNative || nth % TEXT_EVERY === 0)
    return { text: JSON.stringify(contractAnswer(question)), calls: [] };
  const calls = message(question);
  return { text: '', calls: nth % ONE_CALL_EVERY === 0 ? calls.slice(0, 1) : calls };
};
