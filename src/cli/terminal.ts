import { randomBytes } from 'node:crypto';
import { createInterface } from 'node:readline/promises';
import type { Readable, Writable } from 'node:stream';
import { styleText } from 'node:util';
import type { UserView } from '../../contracts/access.ts';
import type { TurnRequest } from '../../contracts/http.ts';
import { type Messages, messages } from '../../contracts/messages/messages.ts';
import type { TurnView } from '../../contracts/turn-view.ts';
import { printable } from '../lib/printable.ts';

/** Where a command reads and writes. Tests pass streams of their own. */
export interface Terminal {
  input: Readable;
  /** Results, which can be piped. */
  output: Writable;
  /** Output beside the result: progress, hints. */
  notes: Writable;
  isInteractive: boolean;
}

/** This process's own streams. Interactive if both input and notes are a terminal. */
export const processTerminal = (): Terminal => ({
  input: process.stdin,
  output: process.stdout,
  notes: process.stderr,
  isInteractive: process.stdin.isTTY === true && process.stderr.isTTY === true,
});

/** One line of progress or a hint, dim if the stream shows colors. */
export const noteLine = (text: string, stream: Writable): string =>
  styleText('dim', `· ${printable(text)}`, { stream });

export const noteTo =
  (stream: Writable) =>
  (text: string): void =>
    void stream.write(`${noteLine(text, stream)}\n`);

/** The time zone of dates for this terminal's user. */
export const hostTimezone = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone;

/** Random bytes in a new session's id: enough that no two terminals collide, few enough to type. */
const ID_BYTES = 5;

/** A new session's id that says which command created it, such as `chat-9f3c1a77b2`. */
export const newSessionId = (command: string): string => `${command}-${randomBytes(ID_BYTES).toString('hex')}`;

export interface AskedLine {
  prompt: string;
  text: string;
}

/** Asks the person at the terminal until the answer is not blank; null if they leave by Ctrl-D, or `signal` aborts. */
export const ask = async (
  { input, notes }: Terminal,
  signal: AbortSignal,
  { prompt, text }: AskedLine = { prompt: '> ', text: '' },
): Promise<string | null> => {
  const reading = createInterface({ input, output: notes });
  const closed = new AbortController();
  reading.once('close', () => closed.abort());
  // A terminal in line mode sees Ctrl-C before the process does.
  reading.on('SIGINT', () => process.emit('SIGINT'));
  try {
    for (;;) {
      const answered = reading.question(prompt, { signal: AbortSignal.any([signal, closed.signal]) });
      if (text !== '') reading.write(text);
      const answer = await answered;
      if (answer.trim() !== '') return answer;
    }
  } catch (error) {
    if (signal.aborted || closed.signal.aborted) return null;
    throw error;
  } finally {
    reading.close();
  }
};

/** An input, or a decision on an action. */
export type Said = Pick<TurnRequest, 'input' | 'decision'>;

const EDIT = /^\s*(e|edit|改|编辑|修改)\s*$/i;

/** The terminal's texts in the language of a turn's question. */
export const terminalTexts = ({ options }: Pick<TurnView, 'options'>): Messages['terminal'] => {
  const isChinese = options?.includes(messages('zh').questions.approved) === true;
  return messages(isChinese ? 'zh' : 'en').terminal;
};

/** The answer to an approval in a line, or the new input to ask for. */
export const approvalAnswer = (line: string, turn: TurnView): { said: Said } | AskedLine => {
  if (!EDIT.test(line)) return { said: { input: line.trim().toLowerCase() === 'a' ? 'always' : line } };
  const input = turn.approval?.input ?? '';
  // One line cannot show every input verbatim.
  const isOneLine = printable(input) === input && !/[\n\t]/.test(input);
  return { prompt: terminalTexts(turn).newInput, text: isOneLine ? input : '' };
};

const usedOf = (used: number, limit: number | null | undefined, unit: string): string =>
  limit === null || limit === undefined ? `${used} ${unit}` : `${used} of ${limit} ${unit}`;

/** Today's cost, beside the limit of money; empty where neither is known. */
const spentOf = ({ quota, today: { tokens, cost } }: Pick<UserView, 'quota' | 'today'>): string => {
  const limit = quota?.cost_per_day ?? null;
  if (cost === undefined && limit === null) return '';
  const spent = cost?.amount ?? (tokens === 0 ? '0' : 'an unknown amount');
  const unit = cost === undefined ? 'spent' : cost.currency;
  return `, ${limit === null ? spent : `${spent} of ${limit}`} ${unit}`;
};

/** A user's usage today, beside the daily limits. */
export const usedText = (used: Pick<UserView, 'quota' | 'today'>): string => {
  const { turns, tokens } = used.today;
  const ofTurns = usedOf(turns, used.quota?.turns_per_day, 'turns');
  const ofTokens = usedOf(tokens, used.quota?.tokens_per_day, 'tokens');
  return `${ofTurns}, ${ofTokens}${spentOf(used)} today`;
};
