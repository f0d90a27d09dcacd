import { flushCompileCache } from 'node:module';
import { inOwnTurn } from '../event-loop/own-turn.ts';
import { loadHttpClient } from '../paced-fetch.ts';
import type { Config } from './config/config.ts';
import { modelPackages } from './model-packages.ts';

/** Parts in which a reader's expressions are compiled, each in a turn of the event loop by itself. */
const PARTS = 6;

const inParts = (compile: (part: number) => Promise<void>): (() => Promise<void>)[] =>
  Array.from({ length: PARTS }, (_, part) => () => compile(part));

/** What turns on a model of this kind use of their own. */
const modelModules: Record<Config['model']['kind'], (() => unknown)[]> = {
  anthropic: [
    () => import('../models/http/http-fetch.ts'),
    () => import('../models/anthropic/client.ts'),
    () => import('../models/anthropic/model.ts'),
    () => import('../models/prompts/prompt.ts'),
  ],
  'openai-compatible': [() => import('../models/ai-sdk/openai-compatible.ts')],
  offline: [
    () => import('../models/offline/offline-model.ts'),
    () => import('../when/find-times.ts'),
    ...inParts(async (part) => (await import('../when/find-times.ts')).compileTimes(part, PARTS)),
    async () => (await import('../when/find-times.ts')).findTimes('tomorrow at 3pm'),
    async () => (await import('../models/offline/understand.ts')).understand('remind me tomorrow to call Ann'),
    // Texts that no phrase is try all of them; a Chinese one has them compiled for its wider characters.
    async () => (await import('../models/offline/understand.ts')).understand('so it is'),
    async () => (await import('../when/find-times.ts')).findTimes('明天下午三点'),
    async () => (await import('../models/offline/understand.ts')).understandPhrase('remember 是'),
    async () => (await import('../models/offline/understand.ts')).understandPhrase('是这样'),
  ],
};

const IN_ENGLISH = { now: 0, timezone: 'UTC', language: 'en' } as const;

/**
 * What turns use on any model: the metrics' library, and the readers of times. Each is in a function of its own so that requests are served between
 * two. Readers compile their expressions with the first text, which takes longer than loading them.
 */
const sharedModules: (() => unknown)[] = [
  // Before the first turn's counts ask for it: their own part of it is then a turn of the event loop by itself.
  () => import('prom-client'),
  async () => (await import('../when/temporal.ts')).temporal(),
  async () => (await import('../when/chrono.ts')).chrono.en,
  ...inParts(async (part) => (await import('../when/chrono.ts')).compileDates(part, PARTS)),
  async () => (await import('../when/chrono.ts')).chrono.en.parse('tomorrow at 3pm'),
  async () => (await import('../when/parse-when.ts')).parseWhen('tomorrow at 3pm', IN_ENGLISH),
  async () => (await import('../when/repetition-words.ts')).parseRepeatableWhen('every Monday at 9am', IN_ENGLISH),
  async () => (await import('../when/chrono.ts')).chrono.zh,
  async () => (await import('../when/chrono.ts')).chrono.zh.parse('明天下午三点'),
  async () => (await import('../when/parse-when.ts')).parseWhen('明天下午三点', { ...IN_ENGLISH, language: 'zh' }),
];

/**
 * Loads the modules that the first turns use, once the service listens, one in each turn of the event loop: loaded by a turn itself they would
 * hold up all others. A start does not wait for it. Never rejects: what can't be loaded is reported at its first use.
 */
export const loadAhead = async ({ model }: Pick<Config, 'model'>): Promise<void> => {
  const modules = [...modelModules[model.kind], ...sharedModules].map((load) => () => inOwnTurn(load));
  // Callbacks are posted by it, whatever the model.
  for (const load of [...modelPackages[model.kind], loadHttpClient, ...modules]) {
    try {
      await load();
      await inOwnTurn(flushCompileCache);
    } catch {}
  }
};
