import { createContext, Script } from 'node:vm';
import { describe, expect, it } from 'vitest';
import { BLOCKED_MS_MAX, blockedFor, cpuMs } from './blocked-for.ts';
import { superLinear } from './check.ts';
import { hostileTexts } from './hostile-text.ts';
import { type FoundExpression, shippedExpressions } from './shipped-expressions.ts';

/** Length of the texts, in characters: one over the longest turn, long enough that a quadratic expression takes seconds. */
const TEXT_CHARS = 40_000;

/** When a match is given up, in milliseconds: an exponential one would never end. */
const GIVEN_UP_MS = 1_000;

describe('the regular expressions of the shipped code', async () => {
  const found = await shippedExpressions();
  const texts = hostileTexts(TEXT_CHARS);
  const context = createContext({ expressions: [/x/], text: '' });
  const match = new Script(
    `for (const expression of expressions) {
      expression.lastIndex = 0;
      expression.global ? text.replace(expression, '') : expression.exec(text);
    }`,
  );

  const matchAll = (some: readonly FoundExpression[], text: string) => (): void => {
    Object.assign(context, { expressions: some.map(({ expression }) => expression), text });
    try {
      match.runInContext(context, { timeout: GIVEN_UP_MS });
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ERR_SCRIPT_EXECUTION_TIMEOUT') throw error;
    }
  };

  /** Those that take too long. Many are measured at once, and in halves where they take too long together: nearly all take next to nothing. */
  const slowOf = (some: readonly FoundExpression[], text: string): string[] => {
    const [first, ...others] = some;
    if (first === undefined) return [];
    if (others.length === 0) {
      const ms = blockedFor(matchAll(some, text));
      return ms > BLOCKED_MS_MAX ? [`${first.where} ${first.expression}: ${ms} ms`] : [];
    }
    if (cpuMs(matchAll(some, text)) <= BLOCKED_MS_MAX) return [];
    const half = some.length >> 1;
    return [...slowOf(some.slice(0, half), text), ...slowOf(some.slice(half), text)];
  };

  it('are found, literals and built ones', () => {
    const places = found.map(({ where }) => where.replace(/:\d+$/, ''));
    expect(places).toContain('src/http/guards.ts');
    expect(places).toContain('src/models/offline/words-en.ts');
  });

  it('are distinguished from ones that backtrack by their form, which `npm run check` does', () => {
    const planted = [/\s+$/, /(?:a|aa)+$/, /^(\S*)\s*([\s\S]*)x$/, /"[^"]*"|“[^”]*”/].map((expression) => ({
      where: String(expression),
      expression,
    }));
    expect(superLinear(planted)).toHaveLength(planted.length);
  });

  it.each(texts)(`take less than ${BLOCKED_MS_MAX} ms each for a text of %s`, (_name, text) => {
    expect(slowOf(found, text)).toEqual([]);
  });

  it('are distinguished from ones that take too long', () => {
    const quadratic = { where: 'here', expression: /\s+$/ };
    // A part of the text, for which it takes some tenths of a second and not whole ones.
    const text = `${' '.repeat(0.6 * TEXT_CHARS)}x`;
    expect(slowOf([...found.slice(0, 1), quadratic], text)).toEqual([expect.stringMatching(/^here /)]);
  });
});
