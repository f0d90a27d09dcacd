import { joined } from '../../when/find-times.ts';
import type { Words } from './request.ts';
import { english } from './words-en.ts';
import { chinese } from './words-zh.ts';

/** Both languages at once: people mix them. */
export const LANGUAGES: Words[] = [english, chinese];

const HASHTAG = /(?:^|\s)#(?<tag>(?!\d+(?![\p{L}\p{N}_-]))[\p{L}\p{N}_-]+)/u;

const TAGS = [HASHTAG, ...LANGUAGES.map(({ tag }) => tag)];

/** What is left of a text once a detail was taken out of it, and the detail. */
export interface Taken<Detail> {
  text: string;
  detail: Detail;
}

const without = (text: string, match: RegExpExecArray): string =>
  joined(text.slice(0, match.index), text.slice(match.index + match[0].length));

/** Takes the tags out of a text: `#home`, `tagged home`, 标签家. */
export const takeTags = (whole: string): Taken<string[]> => {
  const tags: string[] = [];
  let text = whole;
  for (const pattern of TAGS)
    for (let match = pattern.exec(text); match !== null; match = pattern.exec(text)) {
      tags.push(match.groups!['tag']!);
      text = without(text, match);
    }
  return { text, detail: tags };
};

/** Takes the priority out of a text; a lower number comes first, and null means that nothing was said. */
export const takePriority = (text: string): Taken<number | null> => {
  for (const { priorityWord, priorities } of LANGUAGES) {
    if (!priorityWord.test(text)) continue;
    for (const { pattern, priority } of priorities) {
      const match = pattern.exec(text);
      if (match !== null) return { text: without(text, match), detail: priority ?? Number(match.groups!['n']) };
    }
  }
  return { text, detail: null };
};

const QUOTED = /^(?:"([^"]*)"|“([^”]*)”|「([^」]*)」|'([^']*)')$/su;

/** A title without quotes around it, closing punctuation, and the small words that only led to it; null if nothing is left. */
export const bareTitle = (text: string): string | null => {
  const trimmed = text
    .trim()
    .replace(/^[\s,，:：;；、-]+/u, '')
    .replace(/(?<![\s,，.。;；!！、:：])[\s,，.。;；!！、:：]+$/u, '');
  const quoted = QUOTED.exec(trimmed);
  const bare = quoted === null ? trimmed : (quoted[1] ?? quoted[2] ?? quoted[3] ?? quoted[4] ?? '');
  return bare.trim() === '' ? null : bare.trim();
};
