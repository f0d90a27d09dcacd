import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Config } from '../config.ts';

/** What the first turns on a model of this kind use of its own. */
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

/** What the first turns use, each in a function of its own so that requests are served between two. */
const modulesFor = ({ model }: Pick<Config, 'model'>): (() => unknown)[] => [
  ...modelModules[model.kind],
  async () => (await import('../when/temporal.ts')).temporal(),
  // Parsers compile their expressions with the first text, which takes longer than loading them.
  async () => (await import('../when/chrono.ts')).chrono().en.parse('tomorrow at 3pm'),
  async () => (await import('../when/chrono.ts')).chrono().zh.parse('明天下午三点'),
  () => import('prom-client'),
];

/**
 * Loads the modules that the first turns use, once the service listens, one in each turn of the event loop: loaded by the first turn itself they would
 * hold up all others. A start does not wait for it. Never rejects: what can't be loaded is reported at its first use.
 */
export const loadAhead = async (config: Pick<Config, 'model'>): Promise<void> => {
  for (const load of modulesFor(config)) {
    await nextTurn();
    try {
      await load();
    } catch {}
  }
};
