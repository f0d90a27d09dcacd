import { hash } from 'node:crypto';
import { promisify } from 'node:util';
import { constants, deflate, deflateSync, inflate } from 'node:zlib';
import { z } from 'zod';
import { ModelCall, SentPrompt } from '../../contracts/model-call.ts';
import type { PageRequest } from '../lib/page.ts';

const CallBody = ModelCall.pick({ prompt: true, answer: true, calls: true, failure: true });
export type CallBody = z.infer<typeof CallBody>;

/** A body as stored. `system_chars`: where the tools begin in the shared text, after the system prompt. */
const StoredBody = CallBody.extend({ system_chars: z.number().int().min(0).optional() });

/** A system prompt with its tools, shared by most calls of an owner and stored once. */
export interface SharedText {
  readonly text: string;
  /** SHA-256, as base64. */
  readonly hash: string;
}

/** The texts of a call as they are written, with the shared part separate. */
export interface WrittenBody {
  /** JSON, compressed if that is worthwhile. */
  readonly body: string | Uint8Array;
  readonly system: SharedText | null;
}

/** Longest body that is stored uncompressed, in characters: compressing it would take longer than storing it. */
const PLAIN_CHARS_MAX = 4_096;

const FAST = { level: constants.Z_BEST_SPEED };

const compress = promisify(deflate);
const decompress = promisify(inflate);

/** The texts of a call as they are stored. Long ones are compressed in another thread. */
export const writeBody = async ({ prompt, ...rest }: CallBody): Promise<WrittenBody> => {
  const { tools, system = '', messages = [] } = prompt ?? {};
  const shared = tools === undefined ? system : `${system}${JSON.stringify(tools)}`;
  const isShared = shared !== '';
  // Where the tools begin. A call by an earlier build, or without tools, shares only its system prompt.
  const withTools = tools !== undefined && { system_chars: system.length };
  const text = JSON.stringify({ ...rest, prompt: isShared ? { system: '', messages } : prompt, ...withTools });
  return {
    body: text.length <= PLAIN_CHARS_MAX ? text : await compress(text, FAST),
    system: isShared ? { text: shared, hash: hash('sha256', shared, 'base64') } : null,
  };
};

export const writeShared = ({ text }: SharedText): Uint8Array => deflateSync(text, FAST);

/** The texts of a stored call; `system` is the shared part, null if its body contains it. */
export const readBody = async (stored: string | Uint8Array, system: Uint8Array | null): Promise<CallBody> => {
  const json: unknown = JSON.parse(typeof stored === 'string' ? stored : String(await decompress(stored)));
  const { system_chars, ...body } = StoredBody.parse(json);
  if (system === null || body.prompt === null) return body;
  const shared = String(await decompress(system));
  if (system_chars === undefined) return { ...body, prompt: { ...body.prompt, system: shared } };
  const tools = SentPrompt.shape.tools.parse(JSON.parse(shared.slice(system_chars)));
  return { ...body, prompt: { ...body.prompt, system: shared.slice(0, system_chars), tools } };
};

/** The facts of a call beside its texts, effect and time. */
export type CallFacts = Omit<ModelCall, 'effect_id' | 'started_at' | keyof CallBody>;

/** A stored model call, with its texts as stored if they were requested. */
export interface ListedCall extends Omit<ModelCall, keyof CallBody> {
  readonly body: string | Uint8Array | null;
  /** The text shared with other calls; null: its body contains everything. */
  readonly system: Uint8Array | null;
}

export interface KeptCall extends CallFacts, WrittenBody {
  readonly task_id: string;
  readonly effect_id: string;
  /** When it was made, in epoch milliseconds. */
  readonly at: number;
}

export interface CallQuery extends PageRequest {
  readonly owner: string;
  readonly task_id: string;
  /** Only those for this effect, with their texts. */
  readonly effect_id?: string;
}
