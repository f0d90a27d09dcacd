import type { SentPrompt } from '../../../contracts/model-call.ts';

/**
 * A piece of a prompt; pieces follow one another with nothing added between them. `isStable`: this piece and all before it are the
 * same in later calls, so the provider's cache is worth marking (SPEC 7).
 */
export interface PromptPart {
  text: string;
  isStable?: true;
}

/** What a model is sent: a system prompt, and messages that alternate, beginning and ending with the user's. */
export interface Prompt {
  /** The same array in all calls that share it. */
  system: readonly PromptPart[];
  messages: { role: 'user' | 'assistant'; content: PromptPart[] }[];
}

/** Sections with an empty line between them; those that are null have nothing to say. */
const sections = (texts: (string | null)[]): string => texts.filter((text) => text !== null).join('\n\n');

/** Sections as one piece that later calls repeat. */
export const stable = (...texts: (string | null)[]): PromptPart => ({ text: sections(texts), isStable: true });

/** Sections as one piece that the next call may say otherwise. */
export const changing = (...texts: (string | null)[]): PromptPart => ({ text: sections(texts) });

/** Puts pieces in a row, an empty line before each but the first; empty ones are left out. */
export const inRow = (parts: PromptPart[]): PromptPart[] =>
  parts.filter(({ text }) => text !== '').map((part, i) => (i === 0 ? part : { ...part, text: `\n\n${part.text}` }));

/** The text of pieces, as a provider reads them. */
export const textOf = (parts: readonly PromptPart[]): string => parts.map(({ text }) => text).join('');

/** The whole texts of system prompts, made once for all calls that share one. */
const systemTexts = new WeakMap<Prompt['system'], string>();

const systemText = (system: Prompt['system']): string => {
  const known = systemTexts.get(system);
  if (known !== undefined) return known;
  const text = textOf(system);
  systemTexts.set(system, text);
  return text;
};

/** The texts of a prompt, as a provider reads them. */
export const promptTexts = ({ system, messages }: Prompt): SentPrompt => ({
  system: systemText(system),
  messages: messages.map(({ role, content }) => ({ role, content: textOf(content) })),
});
