import type { Step } from './steps.ts';

/** Addresses in a text, up to the first character that ends one in prose, Markdown or JSON. */
const ADDRESS = /https?:\/\/[^\s<>"'`\\^{}|[\]（）【】《》「」，。；、！？]+/gi;

/** Punctuation after an address in a sentence, which doesn't belong to it. */
const BEHIND = '.,;:!?*_~';

const withoutBehind = (address: string): string => {
  let end = address.length;
  while (end > 0 && BEHIND.includes(address.charAt(end - 1))) end -= 1;
  return address.slice(0, end);
};

/** An address without the parts that don't change its page; null: the text isn't an address. */
const canonical = (text: string): string | null => {
  if (!URL.canParse(text)) return null;
  const { protocol, host, pathname, search } = new URL(text);
  return `${protocol}//${host}${pathname.replace(/\/$/, '')}${search}`;
};

const withoutOpenBracket = (address: string): string => {
  const open = address.split('(').length;
  const closed = address.split(')').length;
  return closed > open ? address.slice(0, address.lastIndexOf(')')) : address;
};

const addressesIn = (text: string): string[] =>
  (text.match(ADDRESS) ?? []).map((address) => withoutBehind(withoutOpenBracket(withoutBehind(address))));

/** Most sources that are listed. */
const SOURCES_MAX = 20;

/**
 * The addresses that an answer names and that a tool was asked for or gave, in the order of the answer. An address that
 * only the model knows is no source.
 */
export const sourcesOf = (answer: string, steps: readonly Step[]): string[] => {
  const named = new Map(addressesIn(answer).map((address) => [canonical(address), address]));
  if (named.size === 0) return [];
  const fetched = steps
    .filter(({ kind, state }) => kind === 'tool' && state === 'done')
    .flatMap(({ input, result }) => [...addressesIn(input), ...addressesIn(result)]);
  const known = new Set(fetched.map(canonical));
  return [...named]
    .flatMap(([address, asNamed]) => (address !== null && known.has(address) ? [asNamed] : []))
    .slice(0, SOURCES_MAX);
};
