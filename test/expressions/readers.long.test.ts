import { expect, it } from 'vitest';
import { INPUT_BYTES_MAX, STEP_CHARS_MAX, TOOL_INPUT_CHARS_MAX } from '../../contracts/limits.ts';
import { english } from '../../contracts/messages/en/catalogue.ts';
import { NamedPlanId, UpdateNamedPlan } from '../../contracts/named-plan.ts';
import { languageOf, plainLine } from '../../contracts/text.ts';
import { isCancelPhrase, isContinuePhrase, isNo, isSameQuestion, isYes } from '../../machines/phrases.ts';
import { routeInput } from '../../machines/route-input.ts';
import { prefersAsync, wantsEvents } from '../../src/http/routes/turns.ts';
import { printable } from '../../src/lib/printable.ts';
import { goalParts } from '../../src/models/offline/plan.ts';
import { isQuestion, understand } from '../../src/models/offline/understand.ts';
import { block, oneLine as promptLine } from '../../src/models/prompts/block.ts';
import { classifyFailure, classifyRefusal } from '../../src/models/verdict.ts';
import { readInput } from '../../src/tools/defined/read-input.ts';
import { plainText } from '../../src/tools/internet-search/readable-results.ts';
import { resultText } from '../../src/tools/mcp/result-text.ts';
import { readPlanningJson } from '../../src/tools/planning/read-input.ts';
import { parseWhen } from '../../src/when/parse-when.ts';
import { parseRepeatableWhen } from '../../src/when/repetition-words.ts';
import { BLOCKED_MS_MAX, blockedFor } from './blocked-for.ts';
import { HOSTILE_CHARS, hostileTexts } from './hostile-text.ts';

const now = { now: Date.UTC(2026, 10, 22), timezone: 'Asia/Shanghai', language: 'en' } as const;
const anyObject = { type: 'object', properties: { a: { type: 'string' } } };
const around = {
  activity: 'free',
  isTaskPaused: true,
  hasConversation: true,
  isModelConfigured: true,
  onBusy: 'enqueue',
} as const;

/** Longest header line that Node lets in, in bytes. */
const HEADER_CHARS_MAX = 16 * 1024;

const quietly = (work: () => unknown) => (): void => {
  try {
    work();
  } catch {
    // A refusal is as good as an answer here: only the time counts.
  }
};

/** What reads text from outside, with the longest text that ever reaches it where that is less than 1 MB. */
const endpoint = { settings: null, apiKey: 'key', urlEnd: null };

const readers: [name: string, read: (text: string) => unknown, charsMax: number][] = [
  ['a turn, routed', (text) => routeInput(text, around), INPUT_BYTES_MAX],
  ['a command, routed', (text) => routeInput(`/${text}`, around), INPUT_BYTES_MAX],
  ['a continue phrase', isContinuePhrase, HOSTILE_CHARS],
  ['a cancel phrase', isCancelPhrase, HOSTILE_CHARS],
  ['a yes', isYes, HOSTILE_CHARS],
  ['a no', isNo, HOSTILE_CHARS],
  ['a question asked again', (text) => isSameQuestion(text, 'When?'), STEP_CHARS_MAX],
  ['the language of a text', languageOf, HOSTILE_CHARS],
  ['a goal, by the offline model', goalParts, INPUT_BYTES_MAX],
  ['a goal after a verb, by the offline model', (text) => goalParts(`schedule ${text}`.slice(0, 2_000)), 2_000],
  ['a step, by the offline model', understand, STEP_CHARS_MAX],
  ['a todo, by the offline model', (text) => understand(`Add a todo: ${text}`), STEP_CHARS_MAX],
  ['a Chinese todo, by the offline model', (text) => understand(`添加待办：${text}`), STEP_CHARS_MAX],
  ['a question, by the offline model', isQuestion, STEP_CHARS_MAX],
  ['a time', (text) => parseWhen(text, now), HOSTILE_CHARS],
  ['a time that repeats', (text) => parseRepeatableWhen(`every ${text}`, now), HOSTILE_CHARS],
  ['a Chinese time that repeats', (text) => parseRepeatableWhen(`每${text}`, now), HOSTILE_CHARS],
  ['a block of a prompt', (text) => block('untrusted', { tool: 'x' }, text, 10_000), HOSTILE_CHARS],
  ['a line of a prompt', (text) => promptLine(text, 500), 100_000],
  ['a plain line', (text) => plainLine(text, 200), HOSTILE_CHARS],
  ['a plain line without a limit', (text) => plainLine(text), HOSTILE_CHARS],
  ['a text for a terminal', printable, HOSTILE_CHARS],
  ['a search result', plainText, HOSTILE_CHARS],
  ["an MCP server's result", (text) => resultText({ content: [{ type: 'text', text }] }, 'en'), HOSTILE_CHARS],
  ["a tool's input", (text) => readInput(`{"a":${text}`, 'x', anyObject, 'en'), TOOL_INPUT_CHARS_MAX],
  ["a tool's input in words", (text) => readInput(text, 'x', anyObject, 'en'), TOOL_INPUT_CHARS_MAX],
  ["the planning tool's input", (text) => readPlanningJson(`{"command":"create","plan_id":"${text}"}`, 'en'), 32_000],
  ["a plan's name", (text) => NamedPlanId.safeParse(text), 256 * 1024],
  ["a plan's steps", (text) => UpdateNamedPlan.safeParse({ steps: [text] }), 256 * 1024],
  [
    'a header that prefers',
    (text) => [prefersAsync({ prefer: text }), wantsEvents({ accept: text })],
    HEADER_CHARS_MAX,
  ],
  [
    "a provider's error",
    (text) => classifyFailure(new Error(text), false, endpoint).reason(english.models),
    HOSTILE_CHARS,
  ],
  [
    "a provider's refusal",
    (text) => {
      const refusal = { status: 400, said: text, body: text, retryAfter: text, isSpent: false };
      return classifyRefusal(refusal, endpoint).reason(english.models);
    },
    HOSTILE_CHARS,
  ],
];

const texts = new Map<number, [name: string, text: string][]>();

const textsOf = (chars: number): [name: string, text: string][] => {
  const known = texts.get(chars) ?? hostileTexts(chars);
  texts.set(chars, known);
  return known;
};

it.each(readers)(`%s is read or refused within ${BLOCKED_MS_MAX} ms, whatever it is`, (_name, read, charsMax) => {
  const slow = textsOf(Math.min(charsMax, HOSTILE_CHARS)).flatMap(([name, text]) => {
    const ms = blockedFor(quietly(() => read(text)));
    return ms > BLOCKED_MS_MAX ? [`${name}: ${ms} ms`] : [];
  });
  expect(slow).toEqual([]);
});
