import { hash } from 'node:crypto';
import { promisify } from 'node:util';
import { constants, deflate, deflateSync, inflate } from 'node:zlib';
import type { z } from 'zod';
import { ModelCall } from '../../contracts/model-call.ts';
import type { PageRequest } from '../lib/page.ts';

const CallBody = ModelCall.pick({ prompt: true, answer: true, calls: true, failure: true });
export type CallBody = z.infer<typeof CallBody>;

/** A system prompt, which most calls of an owner share: it is stored once. */
export interface SharedText {
  readonly text: string;
  /** SHA-256, as base64. */
  readonly hash: string;
}

/** The texts of a call as they are written: what it shares with others apart. */
export interface WrittenBody {
  /** JSON, where it is worth it compressed. */
  readonly body: string | Uint8Array;
  readonly system: SharedText | null;
}

/** Bodies up to so many characters are kept as they are: to compress one takes longer than to store it. */
const PLAIN_CHARS_MAX = 4_096;

const FAST = { level: constants.Z_BEST_SPEED };

const compress = promisify(deflate);
const decompress = promisify(inflate);

/** Gives the texts of a call as they are kept. Long ones are compressed in another thread. */
export const writeBody = async (body: CallBody): Promise<WrittenBody> => {
  const { prompt, ...said } = body;
  const isShared = prompt !== null && prompt.system !== '';
  const text = JSON.stringify({ ...said, prompt: isShared ? { ...prompt, system: '' } : prompt });
  return {
    body: text.length <= PLAIN_CHARS_MAX ? text : await compress(text, FAST),
    system: isShared ? { text: prompt.system, hash: hash('sha256', prompt.system, 'base64') } : null,
  };
};

export const writeShared = ({ text }: SharedText): Uint8Array => deflateSync(text, FAST);

/** The texts of a call that was kept; `system` is what it shares with others, null where its body has that. */
export const readBody = async (stored: string | Uint8Array, system: Uint8Array | null): Promise<CallBody> => {
  const body = CallBody.parse(JSON.parse(typeof stored === 'string' ? stored : String(await decompress(stored))));
  if (system === null || body.prompt === null) return body;
  return { ...body, prompt: { ...body.prompt, system: String(await decompress(system)) } };
};

/** The facts of a call beside its texts, the effect and the time apart. */
export type CallFacts = Omit<ModelCall, 'effect_id' | 'started_at' | keyof CallBody>;

/** A kept model call; its texts as they are stored, where they were asked for. */
export interface ListedCall extends Omit<ModelCall, keyof CallBody> {
  readonly body: string | Uint8Array | null;
  /** The text that it shares with other calls; null: its body has all. */
  readonly system: Uint8Array | null;
}

export interface KeptCall extends CallFacts, WrittenBody {
  readonly task_id: string;
  readonly effect_id: string;
  /** When it was made, epoch milliseconds. */
  readonly at: number;
}

export interface CallQuery extends PageRequest {
  readonly owner: string;
  readonly task_id: string;
  /** Only those for this effect, and with their texts. */
  readonly effect_id?: string;
}
