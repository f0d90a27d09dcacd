const FAMILY = 'think(?:ing)?|thoughts?|reason(?:ing)?|reflection|scratchpad|analysis|inner_monologue';

/** A tag of a wrapper around reasoning: `<think>` and its like, also with attributes or a name space, `[THINK]`, `◁think▷`. */
const TAG = new RegExp(
  `(?:<(?<slash>/?)(?:[a-z]{1,16}:)?(?<name>${FAMILY})(?:\\s[^<>]{0,200})?>|\\[(?<mistral>/?)THINK\\]|◁(?<kimi>/?)think▷)`,
  'iy',
);

/** An analysis channel, with its special tokens or, at the text's begin, with what servers leave of them. */
const CHANNEL = /<\|channel\|?>\s{0,8}(?:analysis|thought|thinking)\b|<\|begin_of_thought\|>/iy;
const CHANNEL_END =
  /<\|(?:end|start|return|end_of_thought)\|>|<\|channel\|?>\s{0,8}(?:final|commentary)\b|<channel\|>/gi;
const BARE_CHANNEL = /\s*(?:assistant)?analysis(?=[A-Z\n{])/y;
const BARE_CHANNEL_END = /assistant(?:final|commentary)/g;

/** Where reasoning opens or closes, and where its tag ends. */
export type ReasoningTag = { kind: 'open'; behind: () => number } | { kind: 'close'; end: number };

/** Reads the reasoning tag at `at`, if there is one. */
export const reasoningTagAt = (text: string, at: number): ReasoningTag | null => {
  TAG.lastIndex = at;
  const tag = TAG.exec(text);
  if (tag !== null) {
    const { slash, name = 'think', mistral, kimi } = tag.groups!;
    const end = TAG.lastIndex;
    if ((slash ?? mistral ?? kimi) === '/') return { kind: 'close', end };
    return { kind: 'open', behind: () => behindTag(text, end, familyOf(name)) };
  }
  CHANNEL.lastIndex = at;
  if (CHANNEL.test(text)) return channelTag(text, CHANNEL.lastIndex, CHANNEL_END);
  BARE_CHANNEL.lastIndex = at;
  return at === 0 && BARE_CHANNEL.test(text) ? channelTag(text, BARE_CHANNEL.lastIndex, BARE_CHANNEL_END) : null;
};

const channelTag = (text: string, from: number, closing: RegExp): ReasoningTag => ({
  kind: 'open',
  behind: () => {
    closing.lastIndex = from;
    return closing.test(text) ? closing.lastIndex : text.length;
  },
});

/** Tags of one family close each other: models open with `<think>` and close with `</thinking>`. */
const familyOf = (name: string): string => name.toLowerCase().slice(0, 5);

/** Where the reasoning that opened before `from` has closed as often as it opened; the text's length when it never does. */
const behindTag = (text: string, from: number, family: string): number => {
  let depth = 1;
  for (let at = nextTagStart(text, from); at !== -1; at = nextTagStart(text, at + 1)) {
    TAG.lastIndex = at;
    const tag = TAG.exec(text);
    if (tag === null) continue;
    const { slash, name = 'think', mistral, kimi } = tag.groups!;
    if (familyOf(name) !== family) continue;
    depth += (slash ?? mistral ?? kimi) === '/' ? -1 : 1;
    if (depth === 0) return TAG.lastIndex;
  }
  return text.length;
};

const TAG_START = /[<[◁]/g;

const nextTagStart = (text: string, from: number): number => {
  TAG_START.lastIndex = from;
  return TAG_START.test(text) ? TAG_START.lastIndex - 1 : -1;
};

const CLOSING_LINE = new RegExp(`\\n[ \\t]*(?:</(?:[a-z]{1,16}:)?(?:${FAMILY})\\s{0,8}>|\\[/THINK\\]|◁/think▷)`, 'gi');

/** Behind the first closing tag after `from` that begins a line, where no string of an object can stand; null for none. */
export const behindClosingLine = (text: string, from: number): number | null => {
  CLOSING_LINE.lastIndex = from;
  return CLOSING_LINE.test(text) ? CLOSING_LINE.lastIndex : null;
};
