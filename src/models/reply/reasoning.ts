const FAMILY = 'think(?:ing)?|thoughts?|reason(?:ing)?|reflection|scratchpad|analysis|inner_monologue';

/** A tag around reasoning: `<think>` and similar ones, also with attributes or a namespace, `[THINK]`, `◁think▷`. */
const TAG = new RegExp(
  `(?:<(?<slash>/?)(?:[a-z]{1,16}:)?(?<name>${FAMILY})(?:\\s[^<>]{0,200})?>|\\[(?<mistral>/?)THINK\\]|◁(?<kimi>/?)think▷)`,
  'iy',
);

const TAGS = new RegExp(TAG.source, 'gi');

/** An analysis channel, with its special tokens or, at the start of a text, with what servers leave of them. */
const CHANNEL = /<\|channel\|?>\s{0,8}(?:analysis|thought|thinking)\b|<\|begin_of_thought\|>/iy;
const CHANNEL_END =
  /<\|(?:end|start|return|end_of_thought)\|>|<\|channel\|?>\s{0,8}(?:final|commentary)\b|<channel\|>/gi;
const BARE_CHANNEL = /\s*(?:assistant)?analysis(?=[A-Z\n{])/y;
const BARE_CHANNEL_END = /assistant(?:final|commentary)/g;

/** Where reasoning ends: after its closing tag, with or without an opening one. */
interface Reasoning {
  closes: boolean;
  end: number;
}

/** Reads a reasoning tag at `at`, if there is one; an opening tag includes what it hides. */
export const reasoningTagAt = (text: string, at: number): Reasoning | null => {
  TAG.lastIndex = at;
  const tag = TAG.exec(text);
  if (tag !== null) {
    const { slash, name = 'think', mistral, kimi } = tag.groups!;
    const end = TAG.lastIndex;
    const closes = (slash ?? mistral ?? kimi) === '/';
    return { closes, end: closes ? end : behindTag(text, end, familyOf(name)) };
  }
  CHANNEL.lastIndex = at;
  if (CHANNEL.test(text)) return channelTag(text, CHANNEL.lastIndex, CHANNEL_END);
  BARE_CHANNEL.lastIndex = at;
  return at === 0 && BARE_CHANNEL.test(text) ? channelTag(text, BARE_CHANNEL.lastIndex, BARE_CHANNEL_END) : null;
};

const channelTag = (text: string, from: number, closing: RegExp): Reasoning => {
  closing.lastIndex = from;
  return { closes: false, end: closing.test(text) ? closing.lastIndex : text.length };
};

/** Tags of one family close each other: models open with `<think>` and close with `</thinking>`. */
const familyOf = (name: string): string => name.toLowerCase().slice(0, 5);

/**
 * Where the reasoning that opened before `from` has closed as often as it opened; the text's length if it never does.
 */
const behindTag = (text: string, from: number, family: string): number => {
  let depth = 1;
  TAGS.lastIndex = from;
  for (const tag of text.matchAll(TAGS)) {
    const { slash, name = 'think', mistral, kimi } = tag.groups!;
    if (familyOf(name) !== family) continue;
    depth += (slash ?? mistral ?? kimi) === '/' ? -1 : 1;
    if (depth === 0) return tag.index + tag[0].length;
  }
  return text.length;
};

const CLOSING_LINE = new RegExp(`\\n[ \\t]*(?:</(?:[a-z]{1,16}:)?(?:${FAMILY})\\s{0,8}>|\\[/THINK\\]|◁/think▷)`, 'gi');

/** The position after the last closing tag that begins a line, where no string of an object can be; null: none. */
export const behindClosingLine = (text: string): number | null => {
  const tag = [...text.matchAll(CLOSING_LINE)].at(-1);
  return tag === undefined ? null : tag.index + tag[0].length;
};
