import { invalidRequest } from '../request.ts';

/** A message as a front end sends it, in either API. */
export interface Said {
  /** `tool` for the result of a tool of the client's, whatever the API calls it; other kinds of items have their own name. */
  role: string;
  text: string;
  /** Something in it is neither text nor reasoning: an image, a file, audio. */
  hasMedia: boolean;
}

/** Kinds of parts that hold what a model thought: they are left out. */
const REASONING = ['reasoning', 'thinking', 'reasoning_text', 'summary_text'];

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const refuse = (where: string, what: string): never => {
  throw invalidRequest(`${where} ${what}`);
};

const contentOf = (content: unknown, where: string): Pick<Said, 'text' | 'hasMedia'> => {
  if (content === undefined || content === null) return { text: '', hasMedia: false };
  if (typeof content === 'string') return { text: content, hasMedia: false };
  if (!Array.isArray(content)) return refuse(where, 'must be a string or a list of parts');
  const texts: string[] = [];
  let hasMedia = false;
  for (const part of content) {
    if (!isObject(part) || typeof part.type !== 'string') return refuse(where, 'has a part without a type');
    if (typeof part.text === 'string' && !REASONING.includes(part.type)) texts.push(part.text);
    else if (!REASONING.includes(part.type) && part.type !== 'refusal') hasMedia = true;
  }
  return { text: texts.join('\n'), hasMedia };
};

const roleOf = ({ role, type }: Record<string, unknown>, where: string): string => {
  if (role === 'function' || (typeof type === 'string' && /_(output|response)$/.test(type))) return 'tool';
  const named = role ?? type;
  return typeof named === 'string' ? named : refuse(where, 'has no role');
};

/**
 * Reads the messages of Chat Completions or the items of Responses. Throws `INVALID_REQUEST` for what is no list of messages.
 */
export const readMessages = (list: readonly unknown[], field: string): Said[] =>
  list.map((each, index) => {
    const where = `${field}[${index}]`;
    if (!isObject(each)) return refuse(where, 'must be an object');
    return { role: roleOf(each, where), ...contentOf(each.content, `${where}.content`) };
  });

/** The input of a request that ends with the assistant's message: its user asks for more of it. */
const CONTINUE = 'continue';

/** The input of a turn, and what was said before it. */
export interface Asked {
  input: string;
  earlier: readonly Said[];
}

/**
 * The last user message, which is the turn's input; where the assistant spoke last, the user asks to continue. Throws
 * `INVALID_REQUEST` where there is none, for what is not text, and for the result of a tool that the client ran.
 */
export const askedOf = (said: readonly Said[]): Asked => {
  const at = said.findLastIndex(({ role }) => role === 'user' || role === 'assistant' || role === 'tool');
  const last = said[at];
  if (last?.role === 'tool')
    throw invalidRequest('The last message is the result of a tool, but Tripact runs its own tools');
  if (last?.role === 'assistant') return { input: CONTINUE, earlier: said.slice(0, at + 1) };
  if (last?.hasMedia === true)
    throw invalidRequest('Only text can be read; send the message without images, audio and files');
  const input = last?.text.trim() ?? '';
  if (input === '') throw invalidRequest('There is no user message with text');
  return { input, earlier: said.slice(0, at) };
};
