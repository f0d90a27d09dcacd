import type { Locale } from '../../when/format-when.ts';
import { unreadableWhen, WHEN_CHARS_MAX, type When } from '../../when/parse-when.ts';
import type { Word } from '../command-line.ts';

/** Most words that a time without quotes can take. */
const WHEN_WORDS_MAX = 10;

const HAN = /\p{Script=Han}/u;
/** What is left after a day and resembles a time of day was meant as one, so it may not slip into the title. */
const STARTS_AS_CLOCK = /^(?:at\s+)?\d{1,2}(?:[:：.]\d|[点时]|\s?[ap]\.?m\b)/i;

/** A time at the head of some words, and the words after it. */
export interface LeadingWhen<Read extends When> {
  when: Read;
  rest: Word[];
}

/** A place where the time may end; the words after it are made for the one that is taken. */
interface Cut {
  head: string;
  rest(): Word[];
}

const cutsAtSpaces = (words: Word[], most: number): Cut[] =>
  Array.from({ length: most }, (_, index) => most - index).map((length) => ({
    head: words
      .slice(0, length)
      .map((word) => word.text)
      .join(' '),
    rest: () => words.slice(length),
  }));

/** Chinese puts no space between a time and what follows: every place beside a Chinese character may be the end. */
function cutsInWords(words: Word[], most: number): Cut[] {
  const cuts: Cut[] = [];
  for (const [index, word] of words.slice(0, most).entries()) {
    const before = words.slice(0, index).map(({ text }) => text);
    for (let at = Math.min(word.text.length - 1, WHEN_CHARS_MAX); at > 0; at--)
      if (HAN.test(word.text.charAt(at - 1)) || HAN.test(word.text.charAt(at)))
        cuts.push({
          head: [...before, word.text.slice(0, at)].join(' '),
          rest: () => [{ text: word.text.slice(at), quoted: false }, ...words.slice(index + 1)],
        });
  }
  return cuts.sort((a, b) => b.head.length - a.head.length);
}

function longest<Read extends When>(
  cuts: Cut[],
  read: (text: string) => Read | { error: string },
): LeadingWhen<Read> | null {
  for (const { head, rest } of cuts) {
    if (head.length > WHEN_CHARS_MAX) continue;
    const when = read(head);
    if (!('error' in when)) return { when, rest: rest() };
  }
  return null;
}

/**
 * Takes the longest head of some words that `read` understands as a time; a head in quotes is the time as a whole. A head with a
 * time of day goes before a longer one without. An error when no head is a time, or when a day is followed by a time
 * of day that can't be one, like `tomorrow 25:00`.
 */
export function splitLeadingWhen<Read extends When>(
  words: Word[],
  read: (text: string) => Read | { error: string },
  language: Locale['language'],
): LeadingWhen<Read> | { error: string } {
  const [first] = words;
  const unreadable = unreadableWhen(
    words
      .slice(0, WHEN_WORDS_MAX)
      .map(({ text }) => text)
      .join(' ')
      .slice(0, WHEN_CHARS_MAX),
    language,
  );
  if (first === undefined) return unreadable;
  if (first.quoted) {
    const when = read(first.text);
    return 'error' in when ? when : { when, rest: words.slice(1) };
  }
  const quotedAt = words.findIndex((word) => word.quoted);
  const most = Math.min(quotedAt === -1 ? words.length : quotedAt, WHEN_WORDS_MAX);
  const atSpace = longest(cutsAtSpaces(words, most), read);
  const found = atSpace?.when.hasTime ? atSpace : betterOf(atSpace, longest(cutsInWords(words, most), read));
  if (found === null) return unreadable;
  const rest = found.rest.map(({ text }) => text).join(' ');
  return !found.when.hasTime && !found.rest[0]?.quoted && STARTS_AS_CLOCK.test(rest) ? unreadable : found;
}

/** The one with a time of day; else the one that ends at a space. */
function betterOf<Read extends When>(
  atSpace: LeadingWhen<Read> | null,
  inWord: LeadingWhen<Read> | null,
): LeadingWhen<Read> | null {
  return inWord?.when.hasTime ? inWord : (atSpace ?? inWord);
}
