import {
  createOpenAiCompatibleModel,
  type OpenAiCompatibleOptions,
} from '../../../src/models/ai-sdk/openai-compatible.ts';
import { idleMsUnder } from '../../../src/models/limited-fetch.ts';
import { type LoggedLine, type ModelUnderTest, SECRET_KEY } from '../anthropic/model.ts';

/** The real adapter on the real packages of the AI SDK, against `url`, with pauses that take no time and no jitter. */
export const chatModelAgainst = (url: string, options: Partial<OpenAiCompatibleOptions> = {}): ModelUnderTest => {
  const { timeoutMs = 20_000, apiKey = SECRET_KEY, idleMs = idleMsUnder(timeoutMs), ...rest } = options;
  const logged: LoggedLine[] = [];
  const waits: number[] = [];
  const model = createOpenAiCompatibleModel({
    model: 'test-model',
    baseURL: `${url}/v1`,
    ...(apiKey !== '' && { apiKey }),
    idleMs,
    timeoutMs,
    log: { warn: (fields, message) => logged.push({ ...fields, message }) },
    random: () => 0,
    wait: async (ms) => {
      waits.push(ms);
    },
    ...rest,
  });
  return { model, logged, waits };
};
