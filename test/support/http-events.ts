import type { IncomingMessage } from 'node:http';

/** One message of an event stream as a browser would see it; a comment has no data. */
export interface ReadMessage {
  id?: string;
  event?: string;
  comment?: string;
  // biome-ignore lint/suspicious/noExplicitAny: the shape is what the test is about
  data?: any;
}

const parse = (block: string): ReadMessage => {
  const message: Record<string, unknown> = {};
  for (const line of block.split('\n')) {
    const [, field = '', value = ''] = /^([^:]*): ?(.*)$/.exec(line) ?? [];
    message[field === '' ? 'comment' : field] = field === 'data' ? JSON.parse(value) : value;
  }
  return message;
};

/** Every block of the stream as it comes in, comments and all, until it ends or its reader stops. */
export async function* readBlocks(response: IncomingMessage): AsyncGenerator<ReadMessage> {
  let rest = '';
  response.setEncoding('utf8');
  for await (const chunk of response) {
    const blocks = (rest + chunk).split('\n\n');
    rest = blocks.pop()!;
    for (const block of blocks) yield parse(block);
  }
}

/** The stream's messages, until it ends or its reader stops. */
export async function* readMessages(response: IncomingMessage): AsyncGenerator<ReadMessage> {
  for await (const block of readBlocks(response)) if (block.event !== undefined) yield block;
}

/** Reads messages up to and with the first one that is looked for; then hangs up. Throws when the stream ends before. */
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
