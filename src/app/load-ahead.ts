import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import type { Config } from '../config.ts';

/** How long a service is left to its first requests, in milliseconds: those that waited for the start have their replies by then. */
const FIRST_REQUESTS_MS = 500;

/** What every turn on a model of this kind uses of its own. */
const modelModules: Record<Config['model']['kind'], (() => unknown)[]> = {
  anthropic: [
    () => import('../models/http/http-fetch.ts'),
    () => import('../models/anthropic/client.ts'),
    () => import('../models/anthropic/model.ts'),
    () => import('../models/prompts/prompt.ts'),
  ],
  'openai-compatible': [() => import('../models/ai-sdk/openai-compatible.ts')],
  offline: [() => import('../models/offline/offline-model.ts')],
};

/** What turns use that name a time, and the metrics' library, each in a function of its own so that requests are served between two. */
const laterModules: (() => unknown)[] = [
  // Before the first turn's counts ask for it: their own part of it is then a turn of the event loop by itself.
  () => import('prom-client'),
  async () => (await import('../when/temporal.ts')).temporal(),
  async () => (await import('../when/chrono.ts')).chrono(),
  // Parsers compile their expressions with the first text, which takes longer than loading them.
  async () => (await import('../when/chrono.ts')).chrono().en.parse('tomorrow at 3pm'),
  async () => (await import('../when/chrono.ts')).chrono().zh.parse('明天下午三点'),
];

const loadEach = async (modules: readonly (() => unknown)[]): Promise<void> => {
  for (const load of modules) {
    await nextTurn();
    try {
      await load();
    } catch {}
  }
};

/**
 * Loads the modules that the first turns use, once the service listens, one in each turn of the event loop: loaded by a turn itself they would
 * hold up all others. What not every turn needs comes after the first requests. A start does not wait for it, and a process that ends does not.
 * Never rejects: what can't be loaded is reported at its first use.
 */
export const loadAhead = async ({ model }: Pick<Config, 'model'>): Promise<void> => {
  await loadEach(modelModules[model.kind]);
  await sleep(FIRST_REQUESTS_MS, undefined, { ref: false });
  await loadEach(laterModules);
};
