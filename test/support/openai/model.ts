import {
  type CompatibleModelOptions,
  createOpenAiCompatibleModel,
  createOpenAiModel,
} from '../../../src/models/ai-sdk/openai.ts';
import { type LoggedLine, type ModelUnderTest, SECRET_KEY } from '../anthropic/model.ts';

/** Options of a model under test: pauses take no time and have no jitter. */
const underTest = () => {
  const logged: LoggedLine[] = [];
  const waits: number[] = [];
  const options = {
    model: 'test-model',
    timeoutMs: 20_000,
    log: { warn: (fields: object, message: string) => void logged.push({ ...fields, message }) },
    random: () => 0,
    wait: async (ms: number) => {
      waits.push(ms);
    },
  };
  return { logged, waits, options };
};

/** The real adapter on the real packages of the AI SDK, against `url`. */
export const chatModelAgainst = (url: string, given: Partial<CompatibleModelOptions> = {}): ModelUnderTest => {
  const { apiKey = SECRET_KEY, ...rest } = given;
  const { options, ...seen } = underTest();
  const key = apiKey === '' ? {} : { apiKey };
  return { model: createOpenAiCompatibleModel({ ...options, baseURL: `${url}/v1`, ...key, ...rest }), ...seen };
};

/** The same for OpenAI's own API. */
export const openAiModelAgainst = (
  url: string,
  given: Partial<Parameters<typeof createOpenAiModel>[0]> = {},
): ModelUnderTest => {
  const { options, ...seen } = underTest();
  return { model: createOpenAiModel({ ...options, baseURL: `${url}/v1`, apiKey: SECRET_KEY, ...given }), ...seen };
};
