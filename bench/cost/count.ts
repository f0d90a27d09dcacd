import type { Message, Piece, Prompt } from './wire.ts';

/** The rule of thumb for all agents: characters in a token. */
const CHARS_PER_TOKEN = 4;

/** Claude Sonnet 5.5 in US dollars a million tokens (platform.claude.com, models overview, read on 2026-11-29). */
export const PRICES = { input: 2, write: 2.5, read: 0.2, output: 10 };

/** The formula for time, in seconds. */
const SECONDS = { call: 0.6, tenThousandNew: 0.25, outputAToken: 1 / 60 };

/** Blocks that a cache mark searches backwards, including its own. */
const LOOK_BACK = 20;

/** The cost of one model call, in tokens. */
export interface Cost {
  calls: number;
  input: number;
  /** The longest prefix shared with an earlier call of the same dialogue: what a provider's prefix cache has. */
  cached: number;
  /** The same with tools and system prompt cached by other dialogues. */
  cachedWarm: number;
  /** Tokens that Anthropic's cache reads and writes for the marks in the request. */
  markedRead: number;
  markedWritten: number;
  output: number;
  /** Of the calls after the first of a turn. */
  laterInput: number;
  laterCached: number;
}

export const NO_COST: Cost = {
  calls: 0,
  input: 0,
  cached: 0,
  cachedWarm: 0,
  markedRead: 0,
  markedWritten: 0,
  output: 0,
  laterInput: 0,
  laterCached: 0,
};

export const sum = (costs: readonly Cost[]): Cost =>
  costs.reduce(
    (all, cost) =>
      Object.fromEntries(Object.entries(all).map(([key, value]) => [key, value + cost[key as keyof Cost]])) as never,
    NO_COST,
  );

/** US dollars, with everything new written to the cache. */
export const money = ({ input, cached, output }: Cost): number =>
  ((input - cached) * PRICES.write + cached * PRICES.read + output * PRICES.output) / 1e6;

/** US dollars, with every dialogue reading tools and system prompt from the cache. */
export const moneyWarm = (cost: Cost): number => money({ ...cost, cached: cost.cachedWarm });

/** US dollars by the marks of the requests: input after the last mark costs its plain price. */
export const moneyMarked = ({ input, markedRead, markedWritten, output }: Cost): number =>
  ((input - markedRead - markedWritten) * PRICES.input +
    markedRead * PRICES.read +
    markedWritten * PRICES.write +
    output * PRICES.output) /
  1e6;

export const seconds = ({ calls, input, cached, output }: Cost): number =>
  calls * SECONDS.call + ((input - cached) / 10_000) * SECONDS.tenThousandNew + output * SECONDS.outputAToken;

const lengthOf = (pieces: readonly Piece[]): number => pieces.reduce((length, { text }) => length + text.length, 0);

const commonPrefix = (one: string, other: string): number => {
  const end = Math.min(one.length, other.length);
  let at = 0;
  while (at < end && one.charCodeAt(at) === other.charCodeAt(at)) at++;
  return at;
};

/** Tools and system prompts sent in any dialogue, for the warm cache. */
export type Heads = Set<string>;

/** Counts the calls of one dialogue, with an initially cold cache. */
export const createCounter = (
  heads: Heads,
): { add(prompt: Prompt, message: Message, isFirstOfTurn: boolean): void; costs: Cost[] } => {
  const earlier: string[] = [];
  const entries = new Set<string>();
  const costs: Cost[] = [];
  return {
    costs,
    add({ pieces, head }, { calls, text }, isFirstOfTurn) {
      const whole = pieces.map((piece) => piece.text).join('');
      const headText = whole.slice(0, lengthOf(pieces.slice(0, head)));
      const cached = Math.max(0, ...earlier.map((each) => commonPrefix(each, whole)));
      const cachedWarm = heads.has(headText) ? Math.max(cached, headText.length) : cached;
      const ends = pieces.map((_, i) => lengthOf(pieces.slice(0, i + 1)));
      const marks = pieces.flatMap(({ isMarked }, i) => (isMarked ? [i] : []));
      const isThere = (i: number): boolean => entries.has(whole.slice(0, ends[i]));
      const found = marks.flatMap((mark) =>
        ends.slice(0, mark + 1).filter((_, i) => i > mark - LOOK_BACK && isThere(i)),
      );
      const markedRead = Math.max(0, ...found);
      const lastMark = marks.length === 0 ? 0 : ends[marks.at(-1)!]!;
      const output =
        text.length + calls.reduce((n, { name, input }) => n + name.length + JSON.stringify(input).length, 0);
      costs.push({
        calls: 1,
        input: whole.length / CHARS_PER_TOKEN,
        cached: cached / CHARS_PER_TOKEN,
        cachedWarm: cachedWarm / CHARS_PER_TOKEN,
        markedRead: markedRead / CHARS_PER_TOKEN,
        markedWritten: Math.max(0, lastMark - markedRead) / CHARS_PER_TOKEN,
        output: output / CHARS_PER_TOKEN,
        laterInput: isFirstOfTurn ? 0 : whole.length / CHARS_PER_TOKEN,
        laterCached: isFirstOfTurn ? 0 : cached / CHARS_PER_TOKEN,
      });
      earlier.push(whole);
      heads.add(headText);
      for (const mark of marks) entries.add(whole.slice(0, ends[mark]));
    },
  };
};
