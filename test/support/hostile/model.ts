import { endlessBody, message, rawBody, resetInBody, silence, slowBody } from '../anthropic/answers.ts';
import type { Respond } from '../anthropic/messages.ts';

/** Characters of the longest answers: near what the service takes at all. */
const LONG_CHARS = 7_000_000;

const deep = (chars: number): string => `${'['.repeat(chars / 2)}${']'.repeat(chars / 2)}`;

/** A body that is shorter or longer than its `content-length`. */
const withLength =
  (body: string, length: number): Respond =>
  (response) => {
    response.strictContentLength = false;
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': length });
    response.write(body);
  };

/** Ways in which a model at `/v1/messages` may behave that no model should. None of them is an answer that keeps a contract. */
export const hostileModel = {
  neverAnswers: silence(),
  slow: slowBody('Let me think about that', { pieces: 200, gapMs: 100 }),
  endless: endlessBody(),
  diesInMessage: resetInBody(),
  announcesMore: withLength('{"type":"message"}', 1_000_000),
  announcesLess: withLength('{"type":"message"}', 3),
  deepBody: rawBody(deep(LONG_CHARS)),
  deepText: message(deep(LONG_CHARS)),
  deepObjects: message('{"a":'.repeat(200_000)),
  manyObjects: message('{a:1} '.repeat(160_000)),
  manyBlocks: message('', { content: Array.from({ length: 200_000 }, () => ({ type: 'text', text: 'x' })) }),
  manyKeys: message(`{${Array.from({ length: 60_000 }, (_, i) => `"k${i}":0`).join(',')}}`),
  longPlan: message({ status: 'planned', plan: Array.from({ length: 50_000 }, (_, i) => `Step ${i}`) }),
  longStep: message(`[Step]${' '.repeat(400_000)}x\ry`),
  thinksForEver: message('<think>'.repeat(140_000)),
  oddUsage: message('{}', { usage: { input_tokens: -1, output_tokens: 1e308, cache_read_input_tokens: 'many' } }),
  oddTypes: rawBody('{"type":"message","content":[null,1,{"type":"text","text":{}},[[]]],"stop_reason":[]}'),
  nothing: rawBody('null'),
} as const satisfies Record<string, Respond>;

/** The name of one of them. */
export type HostileModelBehaviour = keyof typeof hostileModel;
