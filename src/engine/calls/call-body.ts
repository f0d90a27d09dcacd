import { promisify } from 'node:util';
import { constants, deflate, deflateSync, inflate } from 'node:zlib';
import type { z } from 'zod';
import { ModelCall } from '../../../contracts/model-call.ts';

/** The texts of a call. */
const CallBody = ModelCall.pick({ prompt: true, answer: true, failure: true });
export type CallBody = z.infer<typeof CallBody>;

/** Longest body that is read, in bytes: no stored one is longer. */
const BODY_BYTES_MAX = 64 * 1024 * 1024;

/** Bodies up to so many characters are kept as they are: to compress one takes longer than to store it. */
const PLAIN_CHARS_MAX = 1_024;

/** Longer bodies are compressed in another thread, which takes twice the processor time and holds up nobody: this many characters take about a millisecond here. */
const OWN_THREAD_CHARS_MAX = 64 * 1_024;

const FAST = { level: constants.Z_BEST_SPEED };

/** How a body begins that is kept as it is; zlib's own begin with another byte. */
const PLAIN_START = '{'.charCodeAt(0);

const compress = promisify(deflate);
const decompress = promisify(inflate);

/** The texts of a call as they are kept: compressed, and fast, for nobody waits for the space that a better level saves. */
export const writeBody = (body: CallBody): Buffer | Promise<Buffer> => {
  const text = JSON.stringify(body);
  if (text.length <= PLAIN_CHARS_MAX) return Buffer.from(text);
  return text.length <= OWN_THREAD_CHARS_MAX ? deflateSync(text, FAST) : compress(text, FAST);
};

const textOf = async (bytes: Uint8Array): Promise<Buffer> =>
  bytes[0] === PLAIN_START ? Buffer.from(bytes) : decompress(bytes, { maxOutputLength: BODY_BYTES_MAX });

/** The texts of a call that was kept. */
export const readBody = async (bytes: Uint8Array): Promise<CallBody> =>
  CallBody.parse(JSON.parse((await textOf(bytes)).toString('utf8')));

/** What is stored of a call beside its texts, the effect and the time apart. */
export const CallFacts = ModelCall.omit({
  effect_id: true,
  started_at: true,
  prompt: true,
  answer: true,
  failure: true,
});
export type CallFacts = z.infer<typeof CallFacts>;

/** The facts of a stored row. */
export const readFacts = (facts: string): CallFacts => CallFacts.parse(JSON.parse(facts));
