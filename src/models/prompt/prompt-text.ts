import { type AttachedFile, fileName } from '../../../contracts/file.ts';
import type { SentPrompt } from '../../../contracts/model-call.ts';
import { cutText } from '../../../contracts/text.ts';
import type { Prompt, PromptPart } from '../port.ts';

/** Sections separated by an empty line; null and empty ones are left out. */
export const sections = (...texts: (string | null)[]): string => texts.filter(Boolean).join('\n\n');

/** A text of a prompt, and the files that are part of it. */
export interface PromptText {
  text: string;
  files?: readonly AttachedFile[];
}

/**
 * Consecutive texts with an empty line before each but the first; empty ones are left out. Behind each its files follow
 * as pieces of their own: those that `isShown` with their content, others by a line.
 */
export const inRow = (texts: readonly PromptText[], isShown: (file: AttachedFile) => boolean): PromptPart[] =>
  texts
    .filter(({ text }) => text !== '')
    .flatMap(({ text, files = [] }, i) => [
      { text: i === 0 ? text : `\n\n${text}` },
      ...files.map((file): PromptPart => {
        const named = `\n${fileLine(file)}`;
        return isShown(file) ? { text: named, file } : { text: `${named}. It is not shown here.` };
      }),
    ]);

/** A file as prompts name it: its name, its type, its size, and where it lies. */
export const fileLine = ({ path, media_type, bytes }: AttachedFile): string =>
  `- ${oneLine(fileName({ path }), PATH_CHARS_SHOWN)}: ${media_type}, ${bytes} bytes, stored as ${oneLine(path, PATH_CHARS_SHOWN)}`;

/** The same pieces, marked as part of all later prompts. */
export const stable = (parts: PromptPart[]): PromptPart[] => parts.map((part) => ({ ...part, isStable: true }));

/** The text of pieces, as a provider reads them. */
export const textOf = (parts: readonly { readonly text: string }[]): string => parts.map(({ text }) => text).join('');

/** The texts of a prompt, as they are recorded. */
export const promptTexts = ({ tools, system, user }: Prompt): SentPrompt => ({
  ...(tools !== null && { tools }),
  system: textOf(system),
  messages: [{ role: 'user', content: textOf(user) }],
});

/** Characters shown of a file's path. */
const PATH_CHARS_SHOWN = 1_024;

/** Every kind of marked text in a prompt: the user's words, the model's words, and untrusted text. */
const BLOCKS = ['goal', 'said', 'answered', 'result', 'item', 'note', 'answer', 'given', 'untrusted'] as const;

/** Spaces and invisible characters. */
const UNSEEN = '[\\s\\u00ad\\u200b-\\u200f\\u2060\\ufeff]*';

/** An opening or closing tag of any block, however it is spaced. Inside a block, only an escaped one may occur. */
const ANY_TAG = new RegExp(`[<＜](?=${UNSEEN}(?:[/／]${UNSEEN})?(?:${BLOCKS.join('|')})(?![\\w-]))`, 'gi');

const attributeText = (value: string): string =>
  value
    .replace(/&/g, '&amp;')
    .replace(/"/g, '&quot;')
    .replace(/</g, '&lt;')
    .replace(/>/g, '&gt;')
    .replace(/[\s\p{Cc}]+/gu, ' ');

/** Outside text with its tags escaped, so that it cannot close its block or open another. */
const withoutTags = (text: string): string => text.toWellFormed().replace(ANY_TAG, '&lt;');

/** The same on one line, for a list; cut to `max` characters. */
export const oneLine = (text: string, max: number): string => withoutTags(cutText(text, max).replace(/\s+/g, ' '));

/** A text in a marked block that it cannot break out of; cut to `max` characters, with a mark at the cut. */
export const block = (
  name: (typeof BLOCKS)[number],
  attributes: Record<string, string>,
  text: string,
  max = Number.POSITIVE_INFINITY,
): string => {
  const named = Object.entries(attributes).map(([key, value]) => ` ${key}="${attributeText(value)}"`);
  return `<${name}${named.join('')}>\n${withoutTags(cutText(text, max))}\n</${name}>`;
};
