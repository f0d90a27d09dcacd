import type { Config } from './config/config.ts';

const IN_ENGLISH = { now: 0, timezone: 'UTC', language: 'en' } as const;

const modelModules: Record<Config['model']['kind'], () => Promise<unknown>> = {
  anthropic: () =>
    Promise.all([
      import('../models/http/http-fetch.ts'),
      import('../models/anthropic/client.ts'),
      import('../models/anthropic/model.ts'),
      import('../models/prompts/prompt.ts'),
    ]),
  'openai-compatible': () => import('../models/ai-sdk/openai-compatible.ts'),
  offline: async () => {
    const [{ understand }] = await Promise.all([
      import('../models/offline/understand.ts'),
      import('../models/offline/offline-model.ts'),
    ]);
    understand('remind me tomorrow to call Ann');
    understand('提醒我明天给安打电话');
  },
};

/** Readers of times compile their expressions with the first text, which takes longer than loading them. */
const readTimes = async (): Promise<void> => {
  const { parseWhen } = await import('../when/parse-when.ts');
  parseWhen('tomorrow at 3pm', IN_ENGLISH);
  parseWhen('明天下午三点', { ...IN_ENGLISH, language: 'zh' });
};

/** Loads what the first turn uses, so that a service that is ready answers it at once. Never rejects: what can't be loaded is reported at its first use. */
export const loadFirstTurn = async ({ model }: Pick<Config, 'model'>): Promise<void> => {
  await Promise.allSettled([modelModules[model.kind](), readTimes(), import('prom-client')]);
};
