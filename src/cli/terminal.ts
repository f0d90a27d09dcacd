import type { Readable, Writable } from 'node:stream';
import { styleText } from 'node:util';
import { printable } from '../lib/printable.ts';

/** Where a command reads and writes; tests give streams of their own. */
export interface Terminal {
  input: Readable;
  /** What was asked for: answers. It can be piped on. */
  output: Writable;
  /** Output besides the result: progress, hints. */
  notes: Writable;
  /** A person is there to type. */
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

/** The zone that dates of this terminal's user are in. */
export const hostTimezone = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone;
