import { hash } from 'node:crypto';
import { promisify } from 'node:util';
import { constants, deflate, deflateSync, inflate } from 'node:zlib';
import type { z } from 'zod';
import { ModelCall } from '../../../contracts/model-call.ts';

/** The texts of a call. */
const CallBody = ModelCall.pick({ prompt: true, answer: true, failure: true });
export type CallBody = z.infer<typeof CallBody>;

/** A system prompt, which most calls of an owner share: it is stored once. */
export interface SharedText {
  readonly text: string;
  /** SHA-256, as base64. */
  readonly hash: string;
}

/** The texts of a call as they are written: what it shares with others apart. */
export interface WrittenBody {
  readonly body: Uint8Array;
  readonly system: SharedText | null;
}

/** Bodies up to so many characters are kept as they are: to compress one takes longer than to store it. */
const PLAIN_CHARS_MAX = 4_096;

/** Longest shared text, in characters: it is compressed inside the commit that stores it, in less than a millisecond. */
const SHARED_CHARS_MAX = 64 * 1_024;

/** Shared texts that are remembered with their hashes: calls that share one come one after the other. */
const SHARED_KEPT = 32;

const FAST = { level: constants.Z_BEST_SPEED };

/** How a body begins that is kept as it is; zlib's own begin with another byte. */
const PLAIN_START = '{'.charCodeAt(0);

const compress = promisify(deflate);
const decompress = promisify(inflate);

/** Makes the function that gives the texts of a call as they are kept. Long ones are compressed in another thread. */
export const createWriteBody = (): ((body: CallBody) => Promise<WrittenBody>) => {
  const known = new Map<string, SharedText>();

  const sharedText = (text: string): SharedText => {
    const made = known.get(text) ?? { text, hash: hash('sha256', text, 'base64') };
    if (known.size >= SHARED_KEPT) known.clear();
    known.set(text, made);
    return made;
  };

  return async (body) => {
    const { prompt } = body;
    const isShared = prompt !== null && prompt.system !== '' && prompt.system.length <= SHARED_CHARS_MAX;
    const text = JSON.stringify(isShared ? { ...body, prompt: { ...prompt, system: '' } } : body);
    return {
      body: text.length <= PLAIN_CHARS_MAX ? Buffer.from(text) : await compress(text, FAST),
      system: isShared ? sharedText(prompt.system) : null,
    };
  };
};

/** A shared text as it is kept. */
export const writeShared = ({ text }: SharedText): Uint8Array => deflateSync(text, FAST);

const textOf = async (bytes: Uint8Array): Promise<Buffer> =>
  bytes[0] === PLAIN_START ? Buffer.from(bytes) : decompress(bytes);

/** The texts of a call that was kept; `system` is what it shares with others, null where its body has that. */
export const readBody = async (bytes: Uint8Array, system: Uint8Array | null): Promise<CallBody> => {
  const body = CallBody.parse(JSON.parse((await textOf(bytes)).toString('utf8')));
  if (system === null || body.prompt === null) return body;
  return { ...body, prompt: { ...body.prompt, system: (await textOf(system)).toString('utf8') } };
};

/** What is known of a call beside its texts, the effect and the time apart. */
export type CallFacts = Omit<ModelCall, 'effect_id' | 'started_at' | keyof CallBody>;
