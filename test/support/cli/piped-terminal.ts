import { PassThrough } from 'node:stream';
import type { Terminal } from '../../../src/cli/terminal.ts';

/** A terminal where nobody is: what a command reads is at its end, and what it writes is kept. */
export interface PipedTerminal extends Terminal {
  stdout(): string;
  stderr(): string;
}

const kept = () => {
  const stream = new PassThrough();
  let text = '';
  stream.setEncoding('utf8').on('data', (piece: string) => {
    text += piece;
  });
  return { stream, text: () => text };
};

export const openPipedTerminal = (): PipedTerminal => {
  const [output, notes] = [kept(), kept()];
  const input = new PassThrough();
  input.end();
  return {
    ...{ input, output: output.stream, notes: notes.stream, isInteractive: false },
    stdout: output.text,
    stderr: notes.text,
  };
};
