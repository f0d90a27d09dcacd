import type { generateText, LanguageModel, ModelMessage, Output, SystemModelMessage } from 'ai';
import type { JsonSchema } from '../../../contracts/answer.ts';
import { type Prompt, type PromptPart, textOf } from '../prompts/prompt-text.ts';

/** What the AI SDK is asked with, besides the model. */
export type Ask = Parameters<typeof generateText>[0];

/** The mark of the one provider that wants marks; the others cache by themselves what comes first. */
const CACHE_MARK = { anthropic: { cacheControl: { type: 'ephemeral' } } };

const providerOf = (model: LanguageModel): string => (typeof model === 'string' ? model : model.provider);

/** Only Anthropic's API takes marks. Others get each text whole: many servers take neither blocks nor several system messages. */
const takesMarks = (model: LanguageModel): boolean => providerOf(model).includes('anthropic');

const mark = ({ isStable }: PromptPart) => (isStable ? { providerOptions: CACHE_MARK } : {});

const system = (parts: readonly PromptPart[], withMarks: boolean): SystemModelMessage[] =>
  withMarks
    ? parts.map((part) => ({ role: 'system', content: part.text, ...mark(part) }))
    : [{ role: 'system', content: textOf(parts) }];

const message = ({ role, content }: Prompt['messages'][number], withMarks: boolean): ModelMessage =>
  withMarks && role === 'user'
    ? { role, content: content.map((part) => ({ type: 'text', text: part.text, ...mark(part) })) }
    : { role, content: textOf(content) };

/** Asks for the schema's shape and hands the text on unread: it is read against the contract elsewhere, and may be mended there. */
const shaped = (name: string, schema: JsonSchema): Output.Output<string, string, never> => ({
  name: 'contract',
  responseFormat: Promise.resolve({ type: 'json', schema: schema as never, name }),
  parseCompleteOutput: async ({ text }) => text,
  parsePartialOutput: async ({ text }) => ({ partial: text }),
  createElementStreamTransform: () => undefined,
});

/** Schemas of the contracts have optional keys, which strict mode of the OpenAI API refuses. */
const NOT_STRICT = { openai: { strictJsonSchema: false }, openaiCompatible: { strictJsonSchema: false } };

/** A prompt as the AI SDK takes it, with the contract's schema where there is one. */
export const askOf = (
  model: LanguageModel,
  { system: rules, messages }: Prompt,
  shape: { name: string; schema: JsonSchema } | null,
  withMarks: boolean,
): Omit<Ask, 'prompt'> & { messages: ModelMessage[] } => {
  const marked = withMarks && takesMarks(model);
  return {
    model,
    instructions: system(rules, marked),
    messages: messages.map((each) => message(each, marked)),
    ...(shape !== null && { output: shaped(shape.name, shape.schema), providerOptions: NOT_STRICT }),
  };
};
