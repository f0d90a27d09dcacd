import { cutText } from '../../../contracts/text.ts';

/** Every kind of marked text in a prompt: what the user said, what the model said, and what nobody may trust. */
const BLOCKS = ['goal', 'said', 'clarification', 'steer', 'plan', 'thought', 'untrusted'] as const;
type BlockName = (typeof BLOCKS)[number];

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
export const withoutTags = (text: string): string => text.toWellFormed().replace(ANY_TAG, '&lt;');

/** The same on one line, for a list. It is cut first: the lines of a long plan are megabytes. */
export const oneLine = (text: string, max: number): string => withoutTags(cutText(text, max).replace(/\s+/g, ' '));

/** A text in a marked block that it can't break out of; `max` characters of it are kept, and the cut is marked. */
export const block = (
  name: BlockName,
  attributes: Record<string, string>,
  text: string,
  max = Number.POSITIVE_INFINITY,
): string => {
  const named = Object.entries(attributes).map(([key, value]) => ` ${key}="${attributeText(value)}"`);
  return `<${name}${named.join('')}>\n${withoutTags(cutText(text, max))}\n</${name}>`;
};
