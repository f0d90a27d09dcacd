import type { FileKinds } from '../../contracts/file.ts';

/** The models that answer if only a key or base URL is given: able enough to plan, and affordable for many calls. */
export const ANTHROPIC_MODEL_DEFAULT = 'claude-sonnet-5-5';
export const OPENAI_MODEL_DEFAULT = 'gpt-6.1-terra';

/** How to reach the providers of models, whichever of them is used. */
export interface ProviderSettings {
  anthropic: { apiKey?: string; baseURL?: string };
  openai: { apiKey?: string; baseURL?: string };
  openrouter: { apiKey?: string };
}

/** Default addresses of servers with `/chat/completions`. */
const ADDRESSES = {
  ollama: 'http://127.0.0.1:11434/v1',
  llamacpp: 'http://127.0.0.1:8080/v1',
  vllm: 'http://127.0.0.1:8000/v1',
  lmstudio: 'http://127.0.0.1:1234/v1',
  openrouter: 'https://openrouter.ai/api/v1',
};

/** A server with `/chat/completions`, as TRIPACT_MODEL names it. */
export type CompatibleServer = keyof typeof ADDRESSES | 'openai-compatible';

export type ModelConfig =
  | { kind: 'offline' }
  | { kind: 'anthropic'; model: string; apiKey?: string; baseURL?: string }
  | { kind: 'openai'; model: string; apiKey: string; baseURL?: string }
  | { kind: 'openai-compatible'; server: CompatibleServer; model: string; apiKey?: string; baseURL: string };

const SERVERS = ['openai-compatible', ...Object.keys(ADDRESSES)];

/** The format of TRIPACT_MODEL: the provider, and the model's name on its server. */
export const WRITTEN_MODEL = new RegExp(
  `^(offline|(anthropic|openai)(:\\S{1,200})?|(${SERVERS.join('|')}):\\S{1,200})$`,
);

/** The format for people. */
export const WRITTEN_MODEL_ALLOWED = `offline, anthropic:<model>, openai:<model>, or <server>:<model> with ${SERVERS.join(', ')} as the server`;

/**
 * A model of a server with `/chat/completions`, or what has to be set. A key is only sent to its own provider: the one
 * for OpenAI also goes to the server of TRIPACT_OPENAI_BASE_URL, and to no other.
 */
const compatibleModel = (
  server: CompatibleServer,
  model: string,
  { openai, openrouter }: ProviderSettings,
): ModelConfig | string => {
  if (openai.baseURL !== undefined)
    return { kind: 'openai-compatible', server, model, ...openai, baseURL: openai.baseURL };
  if (server === 'openai-compatible')
    return 'needs TRIPACT_OPENAI_BASE_URL: where /chat/completions begins, such as http://127.0.0.1:1234/v1.';
  const known: ModelConfig = { kind: 'openai-compatible', server, model, baseURL: ADDRESSES[server] };
  if (server !== 'openrouter') return known;
  return openrouter.apiKey === undefined ? 'needs OPENROUTER_API_KEY.' : { ...known, apiKey: openrouter.apiKey };
};

/**
 * The model in a text of the form `WRITTEN_MODEL`, if its provider is usable; else what has to be set, as a phrase that
 * follows the text.
 */
export const modelNamed = (written: string, providers: ProviderSettings): ModelConfig | string => {
  if (written === 'offline') return { kind: 'offline' };
  const colon = written.indexOf(':');
  const [provider, name] = colon < 0 ? [written, ''] : [written.slice(0, colon), written.slice(colon + 1)];
  const { anthropic, openai } = providers;
  if (provider === 'openai') {
    const { apiKey } = openai;
    if (apiKey === undefined) return 'needs OPENAI_API_KEY.';
    return { kind: 'openai', model: name || OPENAI_MODEL_DEFAULT, ...openai, apiKey };
  }
  if (provider !== 'anthropic') return compatibleModel(provider as CompatibleServer, name, providers);
  if (anthropic.apiKey === undefined && anthropic.baseURL === undefined)
    return 'needs ANTHROPIC_API_KEY, or ANTHROPIC_BASE_URL for a server of your own; without a model of its own, TRIPACT_MODEL=offline works.';
  return { kind: 'anthropic', model: name || ANTHROPIC_MODEL_DEFAULT, ...anthropic };
};

/**
 * The provider whose model answers if none is chosen: the one with a key. A key beside an address is for the server
 * there, whose models are not known.
 */
export const suggestedModel = ({ anthropic, openai }: ProviderSettings): string => {
  if (Object.keys(anthropic).length > 0) return 'anthropic';
  return openai.apiKey !== undefined && openai.baseURL === undefined ? 'openai' : 'offline';
};

/** The name of a model in logs, usage and prices. */
export const modelName = (model: ModelConfig): string => {
  if (model.kind === 'offline') return 'offline';
  return `${model.kind === 'openai-compatible' ? model.server : model.kind}:${model.model}`;
};

/** Models behind OpenRouter that look at images. */
const SEEING = /^(anthropic\/claude|openai\/(gpt-[4-9]|o\d)|google\/gemini)/;

/** The kinds of files that a model looks at if the settings do not say. */
const usualFiles = (model: ModelConfig): FileKinds => {
  switch (model.kind) {
    case 'offline':
      return [];
    case 'anthropic':
      // Other servers speak the same API for models that see nothing.
      return model.model.startsWith('claude') ? ['image', 'pdf'] : [];
    case 'openai':
      return ['image', 'pdf'];
    case 'openai-compatible':
      return model.server === 'openrouter' && SEEING.test(model.model) ? ['image'] : [];
    default:
      return model satisfies never;
  }
};

/** The kinds of files that a model looks at, by TRIPACT_MODEL_FILES: under its name, its beginning, or for every model. */
export const filesOf = (model: ModelConfig, set: ReadonlyMap<string, FileKinds> | null): FileKinds => {
  const name = modelName(model);
  const meant = [...(set ?? [])].filter(([written]) =>
    written.endsWith('*') ? name.startsWith(written.slice(0, -1)) : written === name,
  );
  return meant.sort(([one], [other]) => other.length - one.length)[0]?.[1] ?? usualFiles(model);
};
