import type { IncomingMessage } from 'node:http';
import type { Problem, StateChange } from '../../../contracts/http.ts';
import type { TraceEntry } from '../../../contracts/trace.ts';
import type { TurnView } from '../../../contracts/turn-view.ts';

/** One message of an event stream as a browser sees it. */
export type ReadMessage =
  | { event: 'trace'; id: string; data: TraceEntry }
  | { event: 'state'; id: string; data: StateChange }
  | { event: 'progress'; id: string; data: { kind: string; text: string; task_id: string } }
  | { event: 'answer.delta'; data: { task_id: string; attempt: number; text: string } }
  | { event: 'answer.retracted'; data: { task_id: string; attempt: number } }
  | { event: 'turn'; data: TurnView }
  | { event: 'problem'; data: Problem };

const parse = (block: string): ReadMessage => {
  const fields = block.split('\n').map((line) => {
    const [, field = '', value = ''] = /^(\w+): (.*)$/.exec(line) ?? [];
    return [field, field === 'data' ? JSON.parse(value) : value];
  });
  return Object.fromEntries(fields) as ReadMessage;
};

/** Every block of the stream as it arrives, including comments, until it ends or its reader stops. */
export async function* readBlocks(response: IncomingMessage): AsyncGenerator<string> {
  let rest = '';
  response.setEncoding('utf8');
  for await (const chunk of response) {
    const blocks = (rest + chunk).split('\n\n');
    rest = blocks.pop()!;
    yield* blocks;
  }
}

/** The stream's messages, until it ends or its reader stops. */
export async function* readMessages(response: IncomingMessage): AsyncGenerator<ReadMessage> {
  for await (const block of readBlocks(response)) if (block.includes('event: ')) yield parse(block);
}

/** All messages until the stream ends. */
export const readAll = async (response: IncomingMessage): Promise<ReadMessage[]> => {
  const messages: ReadMessage[] = [];
  for await (const message of readMessages(response)) messages.push(message);
  return messages;
};

/** Reads messages up to and including the first match, then disconnects. Throws if the stream ends before. */
export const readUntil = async (
  response: IncomingMessage,
  isLast: (message: ReadMessage) => boolean,
): Promise<ReadMessage[]> => {
  const messages: ReadMessage[] = [];
  for await (const message of readMessages(response)) {
    messages.push(message);
    if (isLast(message)) return messages;
  }
  throw new Error(`the stream ended after ${messages.length} messages`);
};

/** The trace entries among the messages. */
export const entriesOf = (messages: ReadMessage[]): TraceEntry[] =>
  messages.flatMap((message) => (message.event === 'trace' ? [message.data] : []));

/** The changes of state among the messages, each as `state/phase`. */
export const statesOf = (messages: ReadMessage[]): string[] =>
  messages.flatMap((message) => (message.event === 'state' ? [`${message.data.state}/${message.data.phase}`] : []));

/** The progress lines among the messages, by kind. */
export const progressOf = (messages: ReadMessage[]): string[] =>
  messages.flatMap((message) => (message.event === 'progress' ? [message.data.kind] : []));
