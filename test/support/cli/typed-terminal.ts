import { PassThrough } from 'node:stream';
import { stripVTControlCharacters } from 'node:util';
import type { Terminal } from '../../../src/cli/terminal.ts';

/** A terminal whose person is the test. */
export interface TypedTerminal extends Terminal {
  type(keys: string): void;
  /** All that was shown so far, without what moves the cursor. */
  screen(): string;
  /** Resolves when the screen, from where the last call found something on, shows text that matches. */
  shows(pattern: RegExp): Promise<RegExpExecArray>;
}

/** Opens a terminal that is one as far as line editing can tell: Ctrl-C is `\u0003`, Ctrl-D `\u0004`. */
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
