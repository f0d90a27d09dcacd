import { createOpenAiCompatibleModel } from '../../../src/models/ai-sdk/ai-sdk.ts';
import type { ServerModelOptions } from '../../../src/models/retry.ts';
import { type LoggedLine, type ModelUnderTest, SECRET_KEY } from '../anthropic/model.ts';

/** The real adapter on the real packages of the AI SDK, against `url`, with pauses that take no time and no jitter. */
export const chatModelAgainst = (url: string, options: Partial<ServerModelOptions> = {}): ModelUnderTest => {
  const { apiKey = SECRET_KEY, ...rest } = options;
  const logged: LoggedLine[] = [];
  const waits: number[] = [];
  const model = createOpenAiCompatibleModel({
    model: 'test-model',
    baseURL: `${url}/v1`,
    ...(apiKey !== '' && { apiKey }),
    timeoutMs: 20_000,
    log: { warn: (fields, message) => logged.push({ ...fields, message }) },
    random: () => 0,
    wait: async (ms) => {
      waits.push(ms);
    },
    ...rest,
  });
  return { model, logged, waits };
};
