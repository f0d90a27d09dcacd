import type { JsonSchema } from '../../../contracts/answer.ts';
import type { SentPrompt } from '../../../contracts/model-call.ts';
import { cutText } from '../../../contracts/text.ts';

/** A piece of a prompt. `isStable`: this piece and all before it are the same in later calls, so that a provider's cache may have it (SPEC 7). */
export interface PromptPart {
  text: string;
  isStable?: true;
}

/** A tool as the APIs of providers take it. */
export interface WireTool {
  name: string;
  description: string;
  schema: JsonSchema;
}

/** A prompt: the tools that may be called, a system prompt, and one message of the user's. Each later prompt of a task begins as this one does, up to the last piece. */
export interface Prompt {
  /** Null: the model answers by text. */
  tools: WireTool[] | null;
  system: PromptPart[];
  user: PromptPart[];
}

/** Sections with an empty line between them; those that are null or empty have nothing to say. */
export const sections = (...texts: (string | null)[]): string => texts.filter(Boolean).join('\n\n');

/** Pieces in a row, an empty line before each but the first; empty ones are left out. */
export const inRow = (texts: string[]): PromptPart[] =>
  texts.filter((text) => text !== '').map((text, i) => ({ text: i === 0 ? text : `\n\n${text}` }));

/** The same pieces, each of which the later prompts have too. */
export const stable = (parts: PromptPart[]): PromptPart[] => parts.map((part) => ({ ...part, isStable: true }));

/** The text of pieces, as a provider reads them. */
export const textOf = (parts: readonly PromptPart[]): string => parts.map(({ text }) => text).join('');

/** The texts of a prompt, as it is recorded. */
export const promptTexts = ({ tools, system, user }: Prompt): SentPrompt => ({
  ...(tools !== null && { tools }),
  system: textOf(system),
  messages: [{ role: 'user', content: textOf(user) }],
});

/** Every kind of marked text in a prompt: what the user said, what the model said, and what nobody may trust. */
const BLOCKS = ['goal', 'said', 'answered', 'result', 'item', 'note', 'answer', 'given', 'untrusted'] as const;

/** Spaces, and characters that are not seen. */
const UNSEEN = '[\\s\\u00ad\\u200b-\\u200f\\u2060\\ufeff]*';

/** A tag of any block, opening or closing, however it is spaced: inside a block only an escaped one may stand. */
const ANY_TAG = new RegExp(`[<＜](?=${UNSEEN}(?:[/／]${UNSEEN})?(?:${BLOCKS.join('|')})(?![\\w-]))`, 'gi');

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
