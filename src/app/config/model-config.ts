/** The model that answers when only a key or a base URL is given: able enough to plan, and priced for many calls. */
export const ANTHROPIC_MODEL_DEFAULT = 'claude-sonnet-5-5';

/** How to reach the providers of models, whichever of them is asked. */
export interface ProviderSettings {
  anthropic: { apiKey?: string; baseURL?: string };
  openai: { apiKey?: string; baseURL?: string };
}

export type ModelConfig =
  | { kind: 'offline' }
  | { kind: 'anthropic'; model: string; apiKey?: string; baseURL?: string }
  | { kind: 'openai-compatible'; model: string; apiKey?: string; baseURL: string };

/** How TRIPACT_MODEL is written: the provider, and the model's name on its server. */
export const WRITTEN_MODEL = /^(offline|anthropic(:\S{1,200})?|openai-compatible:\S{1,200})$/;

/** The same for people. */
export const WRITTEN_MODEL_ALLOWED = 'offline, anthropic, anthropic:<model> or openai-compatible:<model>';

/** The model that a text of the form `WRITTEN_MODEL` names, where its provider can be reached; else what is to be set, to follow the text. */
export const modelNamed = (written: string, { anthropic, openai }: ProviderSettings): ModelConfig | string => {
  if (written === 'offline') return { kind: 'offline' };
  const colon = written.indexOf(':');
  const [provider, name] = colon < 0 ? [written, ''] : [written.slice(0, colon), written.slice(colon + 1)];
  if (provider === 'openai-compatible') {
    const { baseURL } = openai;
    if (baseURL === undefined)
      return 'needs TRIPACT_OPENAI_BASE_URL: where /chat/completions begins, such as http://127.0.0.1:1234/v1.';
    return { kind: 'openai-compatible', model: name, ...openai, baseURL };
  }
  if (anthropic.apiKey === undefined && anthropic.baseURL === undefined)
    return 'needs ANTHROPIC_API_KEY, or ANTHROPIC_BASE_URL for a server of your own; without a model of its own, TRIPACT_MODEL=offline works.';
  return { kind: 'anthropic', model: name || ANTHROPIC_MODEL_DEFAULT, ...anthropic };
};
