/** The words of a goal: an item that writes a todo, runs one of the ledger's tools, or asks the user. */
export const WORDS = ['todo', 'once', 'again', 'ask'] as const;
type Word = (typeof WORDS)[number] | typeof APPROVED;

/** The word for an item that runs a tool of the ledger which waits for a yes. */
export const APPROVED = 'approved';

/** A request to the model, as far as it matters here; read from the prompt alone. */
export interface Question {
  contract: 'plan' | 'thought' | 'replan';
  goal: string;
  /** The session's name, which prefixes every input. */
  session_id: string;
  prompt: string;
}

/** How often an answer is no contract at all, one in so many: rejected answers are committed too. */
const GARBAGE_EVERY = 41;

/** The text that one item writes, asks or runs with: its own in the whole run. */
export const itemText = (goal: string, id: string): string => `${goal.split(':')[0]?.replace(' ', '-')}-${id}`;

const itemsOf = (goal: string): { id: string; step: string }[] => {
  const [, words = ''] = goal.split(': ');
  return words
    .split(' ')
    .filter((word) => [...WORDS, APPROVED].includes(word as Word))
    .map((word, i) => ({ id: `i${i + 1}`, step: `${word} ${itemText(goal, `i${i + 1}`)}` }));
};

/** A text of a request: a string, or blocks that follow one another. */
type WireText = string | { text: string }[];

const wholeText = (text: WireText): string =>
  typeof text === 'string' ? text : text.map((block) => block.text).join('');

/** Reads a request's body. Throws for a prompt that is not one of the service's. */
export const readQuestion = (body: { system: WireText; messages: { content: WireText }[] }): Question => {
  const system = wholeText(body.system);
  const prompt = body.messages.map(({ content }) => wholeText(content)).join('\n');
  const [, contract] = [...prompt.matchAll(/^(?:Contract|Due): (plan|thought|replan)$/gm)].at(-1) ?? [];
  const [, goal] = /<goal>\n(.*)\n<\/goal>/.exec(prompt) ?? [];
  const [, session_id] = /^(\S+) /.exec(goal ?? '') ?? [];
  if (contract === undefined || goal === undefined || session_id === undefined)
    throw new Error(`a prompt that names no contract or goal: ${system.slice(0, 80)} ${prompt.slice(0, 200)}`);
  return { contract: contract as Question['contract'], goal, session_id, prompt };
};

const act = (tool: string, input: string): unknown => ({
  status: 'continue',
  current_step: `calling ${tool}`,
  next_action: { tool, input },
});
const concluded = (response: string): unknown => ({ status: 'done', current_step: 'concluding', response });

const thoughtOn = (word: Word, text: string, prompt: string): unknown => {
  if (prompt.includes('<result of=')) return concluded(`seen what ${text} gave`);
  switch (word) {
    case 'todo':
      return act('todo', `add ${text}`);
    case 'once':
      return act('ledger_once', text);
    case 'again':
      return act('ledger_again', text);
    case APPROVED:
      return act('ledger_approved', text);
    case 'ask':
      return prompt.includes('<clarification ')
        ? concluded('was answered')
        : { status: 'ask_user', current_step: 'asking', question: `What about ${text}?` };
    default:
      return word satisfies never;
  }
};

const think = ({ prompt }: Question): unknown => {
  const [, word, text = ''] = /Your item:\n<plan>\n\S+: (\w+) (\S+)/.exec(prompt) ?? [];
  return word === undefined ? concluded('nothing to do') : thoughtOn(word as Word, text, prompt);
};

const replan = ({ goal, prompt }: Question): unknown => {
  const completed = [...prompt.matchAll(/^- \[completed\] (\S+) /gm)].map(([, id]) => id);
  const isAnswered = prompt.includes('<clarification ');
  const left = itemsOf(goal).filter(
    ({ id, step }) => !completed.includes(id) && !(isAnswered && /^(ask|approved) /.test(step)),
  );
  return left.length > 0
    ? { status: 'replanned', plan: left, response: null }
    : { status: 'done', plan: [], response: `finished ${goal}` };
};

/** The answer's text: the same for the same prompt, but for the odd one (`answer` counts them) that is no contract. */
export const answerText = (question: Question, answer: number): string => {
  if (answer % GARBAGE_EVERY === 0) return 'I would rather not say.';
  switch (question.contract) {
    case 'plan':
      return JSON.stringify({ status: 'planned', plan: itemsOf(question.goal) });
    case 'thought':
      return JSON.stringify(think(question));
    case 'replan':
      return JSON.stringify(replan(question));
    default:
      return question.contract satisfies never;
  }
};
