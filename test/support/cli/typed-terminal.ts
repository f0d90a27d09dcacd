import { PassThrough } from 'node:stream';
import { stripVTControlCharacters } from 'node:util';
import type { Terminal } from '../../../src/cli/terminal.ts';

/** A terminal whose user is the test. */
export interface TypedTerminal extends Terminal {
  type(keys: string): void;
  /** Everything shown so far, without cursor movements. */
  screen(): string;
  /** Resolves when the screen shows matching text after the last match. */
  shows(pattern: RegExp): Promise<RegExpExecArray>;
}

/** Opens a terminal that looks real to line editing: Ctrl-C is `\u0003`, Ctrl-D `\u0004`. */
export const openTypedTerminal = (): TypedTerminal => {
  const input = new PassThrough();
  const output = Object.assign(new PassThrough(), { isTTY: true, columns: 200, rows: 50 });
  let screen = '';
  let read = 0;
  const listeners = new Set<() => void>();
  output.setEncoding('utf8').on('data', (piece: string) => {
    screen += stripVTControlCharacters(piece);
    for (const listen of [...listeners]) listen();
  });
  return {
    input,
    output,
    notes: output,
    isInteractive: true,
    type: (keys) => void input.write(keys),
    screen: () => screen,
    shows: (pattern) =>
      new Promise((resolve) => {
        const check = (): void => {
          const found = pattern.exec(screen.slice(read));
          if (found === null) return;
          listeners.delete(check);
          read += found.index + found[0].length;
          resolve(found);
        };
        listeners.add(check);
        check();
      }),
  };
};
