import { randomBytes } from 'node:crypto';
import { createInterface } from 'node:readline/promises';
import type { Readable, Writable } from 'node:stream';
import { styleText } from 'node:util';
import type { UserView } from '../../contracts/access.ts';
import type { TurnRequest } from '../../contracts/http.ts';
import { type Messages, messages } from '../../contracts/messages/messages.ts';
import type { TurnView } from '../../contracts/turn-view.ts';
import { printable } from '../lib/printable.ts';

/** Where a command reads and writes; tests give streams of their own. */
export interface Terminal {
  input: Readable;
  /** Results, which can be piped on. */
  output: Writable;
  /** Output besides the result: progress, hints. */
  notes: Writable;
  isInteractive: boolean;
}

/** This process's own streams. A person is there when both input and notes are a terminal. */
export const processTerminal = (): Terminal => ({
  input: process.stdin,
  output: process.stdout,
  notes: process.stderr,
  isInteractive: process.stdin.isTTY === true && process.stderr.isTTY === true,
});

/** One line of progress or a hint, dim where the stream shows colours. */
export const noteLine = (text: string, stream: Writable): string =>
  styleText('dim', `· ${printable(text)}`, { stream });

export const noteTo =
  (stream: Writable) =>
  (text: string): void =>
    void stream.write(`${noteLine(text, stream)}\n`);

/** The zone that dates of this terminal's user are in. */
export const hostTimezone = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone;

/** Random bytes of a new session's id: enough that no two terminals ever meet, few enough to type again. */
const ID_BYTES = 5;

/** A new session's id that says which command began it, such as `chat-9f3c1a77b2`. */
export const newSessionId = (command: string): string => `${command}-${randomBytes(ID_BYTES).toString('hex')}`;

export interface AskedLine {
  prompt: string;
  text: string;
}

/** Asks the person at the terminal until the answer is not blank; null when they leave by Ctrl-D, or `signal` aborts. */
export const ask = async (
  { input, notes }: Terminal,
  signal: AbortSignal,
  { prompt, text }: AskedLine = { prompt: '> ', text: '' },
): Promise<string | null> => {
  const reading = createInterface({ input, output: notes });
  const left = new AbortController();
  reading.once('close', () => left.abort());
  // A terminal that reads lines sees Ctrl-C before the process does.
  reading.on('SIGINT', () => process.emit('SIGINT'));
  try {
    for (;;) {
      const answered = reading.question(prompt, { signal: AbortSignal.any([signal, left.signal]) });
      if (text !== '') reading.write(text);
      const answer = await answered;
      if (answer.trim() !== '') return answer;
    }
  } catch (error) {
    if (signal.aborted || left.signal.aborted) return null;
    throw error;
  } finally {
    reading.close();
  }
};

/** An input, or a decision about an action. */
export type Said = Pick<TurnRequest, 'input' | 'decision'>;

const EDIT = /^\s*(e|edit|改|编辑|修改)\s*$/i;

/** The terminal's texts in the language that a turn's question is asked in. */
export const terminalTexts = ({ options }: Pick<TurnView, 'options'>): Messages['terminal'] => {
  const isChinese = options?.includes(messages('zh').questions.approved) === true;
  return messages(isChinese ? 'zh' : 'en').terminal;
};

/** The answer to an approval that a line gives, or the new input to ask for. */
export const approvalAnswer = (line: string, turn: TurnView): { said: Said } | AskedLine => {
  if (!EDIT.test(line)) return { said: { input: line.trim().toLowerCase() === 'a' ? 'always' : line } };
  const input = turn.approval?.input ?? '';
  // One line can not show every input as it is.
  const isOneLine = printable(input) === input && !/[\n\t]/.test(input);
  return { prompt: terminalTexts(turn).newInput, text: isOneLine ? input : '' };
};

const usedOf = (used: number, limit: number | null | undefined, unit: string): string =>
  limit === null || limit === undefined ? `${used} ${unit}` : `${used} of ${limit} ${unit}`;

/** Somebody's use of today, beside their daily limits. */
export const usedText = ({ quota, today: { turns, tokens } }: Pick<UserView, 'quota' | 'today'>): string =>
  `${usedOf(turns, quota?.turns_per_day, 'turns')}, ${usedOf(tokens, quota?.tokens_per_day, 'tokens')} today`;
