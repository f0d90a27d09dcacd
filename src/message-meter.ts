import { MCP_MESSAGE_VALUES_MAX, MESSAGE_DEPTH_MAX } from '../contracts/limits.ts';

/** Longest message, in bytes. */
const MESSAGE_BYTES_MAX = 4 * 1024 * 1024;

/** What JSON and event streams are made of, as bytes of UTF-8. */
const [NEW_LINE, RETURN, QUOTE, COMMA, COLON, BRACKET, BACKSLASH, BRACKET_END, BRACE, BRACE_END] = [
  0x0a, 0x0d, 0x22, 0x2c, 0x3a, 0x5b, 0x5c, 0x5d, 0x7b, 0x7d,
];

/** Where one message ends: at each line (a pipe), at an empty line (an event stream), or with the body. */
export type MessageEnd = 'line' | 'empty_line' | 'body';

/** What is not parsed, because of its size: a message, or lines that hold none. */
export class MessageTooLarge extends Error {
  override name = 'MessageTooLarge';
}

/** Gets the bytes of a connection as they come in, and gives how many the message has so far that they end with. Throws `MessageTooLarge` at a message with more bytes, values or levels than one may have. */
export type MessageMeter = (chunk: Uint8Array) => number;

/** What the meter knows of the message that comes in. */
interface Progress {
  bytes: number;
  values: number;
  /** Objects and lists that are open here. */
  depth: number;
  isInString: boolean;
  isEscaped: boolean;
  isLineEmpty: boolean;
}

/** Counts on in one chunk; one loop without calls, for it sees every byte. */
const count = (chunk: Uint8Array, end: MessageEnd, progress: Progress, valuesMax: number): void => {
  let { bytes, values, depth, isInString, isEscaped, isLineEmpty } = progress;
  for (let i = 0; i < chunk.length; i += 1) {
    const byte = chunk[i];
    bytes += 1;
    if (byte === NEW_LINE) {
      if (end === 'line' || (end === 'empty_line' && isLineEmpty)) {
        bytes = 0;
        values = 0;
        depth = 0;
      }
      // No string of JSON goes over a line's end.
      isInString = false;
      isEscaped = false;
      isLineEmpty = true;
      continue;
    }
    isLineEmpty &&= byte === RETURN;
    if (isEscaped) isEscaped = false;
    else if (isInString) {
      isEscaped = byte === BACKSLASH;
      isInString = byte !== QUOTE;
    } else if (byte === QUOTE) {
      // A whole text is passed over by its end where that is plain to see; a line's end in it is no JSON anyway.
      const close = end === 'body' ? chunk.indexOf(QUOTE, i + 1) : -1;
      isInString = close === -1 || chunk[close - 1] === BACKSLASH;
      if (!isInString) {
        bytes += close - i;
        i = close;
      }
    } else if (byte === BRACKET_END || byte === BRACE_END) depth -= 1;
    else if (byte === COMMA || byte === COLON || byte === BRACKET || byte === BRACE) {
      values += 1;
      if (byte === BRACKET || byte === BRACE) depth += 1;
      if (values > valuesMax || depth > MESSAGE_DEPTH_MAX) break;
    }
    if (bytes > MESSAGE_BYTES_MAX) break;
  }
  Object.assign(progress, { bytes, values, depth, isInString, isEscaped, isLineEmpty });
};

/**
 * Makes the meter of one connection. A message is parsed and validated as a whole, so its size alone does not bound that: 1 MB of keys
 * takes longer than 8 MB of text, and what is written again fails on thousands of levels. It counts what separates and holds values outside strings, in time linear in the bytes, and parses nothing. `valuesOf`: the most values, asked for at each chunk.
 */
export const createMessageMeter = (end: MessageEnd, valuesOf = (): number => MCP_MESSAGE_VALUES_MAX): MessageMeter => {
  const progress: Progress = {
    ...{ bytes: 0, values: 0, depth: 0 },
    ...{ isInString: false, isEscaped: false, isLineEmpty: true },
  };
  return (chunk) => {
    const valuesMax = valuesOf();
    count(chunk, end, progress, valuesMax);
    if (progress.bytes > MESSAGE_BYTES_MAX)
      throw new MessageTooLarge(`a message has more than ${MESSAGE_BYTES_MAX} bytes`);
    if (progress.values > valuesMax) throw new MessageTooLarge(`a message has more than ${valuesMax} values`);
    if (progress.depth > MESSAGE_DEPTH_MAX)
      throw new MessageTooLarge(`a message has more than ${MESSAGE_DEPTH_MAX} levels of objects and lists`);
    return progress.bytes;
  };
};
