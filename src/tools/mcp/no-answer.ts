import { type JSONRPCErrorResponse, type JSONRPCMessage, parseJSONRPCMessage } from '@modelcontextprotocol/client';

/** What the errors below carry: none that a server sends has it. */
const NO_ANSWER = Symbol('no answer');

/** What is said of what is no message of the protocol. */
export const NOT_VALID = 'not valid JSON-RPC';

/** An answer that says that what came in its place is none, so that its call ends. */
export const noAnswer = (id: string | number): JSONRPCErrorResponse => ({
  jsonrpc: '2.0',
  id,
  error: { code: 0, message: NOT_VALID, data: NO_ANSWER },
});

/** Whether an error is that of `noAnswer`. */
export const isNoAnswer = ({ data }: { data?: unknown }): boolean => data === NO_ANSWER;

/** Reads a message. What has the id of a call and is no answer of the protocol, such as a result of `null`, is `noAnswer`; throws at what else is no message. */
export const readMessage = (json: string): JSONRPCMessage => {
  const said: unknown = JSON.parse(json);
  try {
    return parseJSONRPCMessage(said);
  } catch (error) {
    const { id, method } = Object(said) as { id?: unknown; method?: unknown };
    if ((typeof id === 'number' || typeof id === 'string') && typeof method !== 'string') return noAnswer(id);
    throw error;
  }
};

/** A fault of the library's schema for messages, as far as it is read here. */
interface Issue {
  path?: unknown[];
  keys?: string[];
  errors?: Issue[][];
}

/** Whether the library threw this at a message that is no request, no notification and no answer: it has no method. */
export const isFaultOfAnswer = (error: Error): boolean => {
  const { issues } = error as { issues?: Issue[] };
  return (issues ?? []).some(
    ({ keys = [], errors = [] }) =>
      keys.some((key) => ['result', 'error', 'method'].includes(key)) ||
      errors.flat().some(({ path }) => path?.[0] === 'method'),
  );
};
