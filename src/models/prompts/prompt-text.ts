import type { SentPrompt } from '../../../contracts/model-call.ts';
import { cutText } from '../../../contracts/text.ts';

/** A piece of a prompt. `isStable`: this piece and all before it are the same in later calls, so the provider's cache is worth marking (SPEC 7). */
export interface PromptPart {
  text: string;
  isStable?: true;
}

/** A prompt: a system prompt, and messages that alternate, beginning and ending with the user's. */
export interface Prompt {
  system: PromptPart[];
  messages: { role: 'user' | 'assistant'; content: PromptPart[] }[];
}

/** Sections with an empty line between them; those that are null or empty have nothing to say. */
const sections = (texts: (string | null)[]): string => texts.filter(Boolean).join('\n\n');

/** Sections as one piece that later calls repeat. */
export const stable = (...texts: (string | null)[]): PromptPart => ({ text: sections(texts), isStable: true });

/** Sections as one piece that the next call may say otherwise. */
export const changing = (...texts: (string | null)[]): PromptPart => ({ text: sections(texts) });

/** Puts pieces in a row, an empty line before each but the first; empty ones are left out. */
export const inRow = (parts: PromptPart[]): PromptPart[] =>
  parts.filter(({ text }) => text !== '').map((part, i) => (i === 0 ? part : { ...part, text: `\n\n${part.text}` }));

/** The text of pieces, as a provider reads them. */
export const textOf = (parts: readonly PromptPart[]): string => parts.map(({ text }) => text).join('');

/** The texts of a prompt, as it is recorded. */
export const promptTexts = ({ system, messages }: Prompt): SentPrompt => ({
  system: textOf(system),
  messages: messages.map(({ role, content }) => ({ role, content: textOf(content) })),
});

/** Every kind of marked text in a prompt: what the user said, what the model said, and what nobody may trust. */
const BLOCKS = ['goal', 'said', 'clarification', 'steer', 'plan', 'thought', 'untrusted'] as const;

/** A tag of any block, opening or closing, however it is spaced: inside a block only an escaped one may stand. */
const ANY_TAG = new RegExp(`<(?=\\s*(?:/\\s*)?(?:${BLOCKS.join('|')})(?![\\w-]))`, 'gi');

const attributeText = (value: string): string =>
  value
    .replace(/&/g, '&amp;')
    .replace(/"/g, '&quot;')
    .replace(/</g, '&lt;')
    .replace(/>/g, '&gt;')
    .replace(/[\s\p{Cc}]+/gu, ' ');

/** A text from elsewhere with the tags in it made harmless, so that it can't close its block or open another. */
const withoutTags = (text: string): string => text.toWellFormed().replace(ANY_TAG, '&lt;');

/** The same on one line, for a list; `max` characters of it are kept. */
export const oneLine = (text: string, max: number): string => withoutTags(cutText(text, max).replace(/\s+/g, ' '));

/** A text in a marked block that it can't break out of; `max` characters of it are kept, and the cut is marked. */
export const block = (
  name: (typeof BLOCKS)[number],
  attributes: Record<string, string>,
  text: string,
  max = Number.POSITIVE_INFINITY,
): string => {
  const named = Object.entries(attributes).map(([key, value]) => ` ${key}="${attributeText(value)}"`);
  return `<${name}${named.join('')}>\n${withoutTags(cutText(text, max))}\n</${name}>`;
};
