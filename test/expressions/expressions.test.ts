import { createContext, Script } from 'node:vm';
import { describe, expect, it } from 'vitest';
import { BLOCKED_MS_MAX, blockedFor } from './blocked-for.ts';
import { superLinear } from './check.ts';
import { hostileTexts } from './hostile-text.ts';
import { shippedExpressions } from './shipped-expressions.ts';

/** Length of the texts, in characters: one over the longest turn, long enough that a quadratic expression takes seconds. */
const TEXT_CHARS = 40_000;

/** When a match is given up, in milliseconds: an exponential one would never end. */
const GIVEN_UP_MS = 1_000;

describe('the regular expressions of the shipped code', async () => {
  const found = await shippedExpressions();
  const texts = hostileTexts(TEXT_CHARS);
  const context = createContext({ expression: /x/, text: '' });
  const use = new Script(
    'expression.lastIndex = 0; expression.global ? text.replace(expression, "") : expression.exec(text)',
  );

  it('are found, literals and built ones', () => {
    const places = found.map(({ where }) => where.replace(/:\d+$/, ''));
    expect(places).toContain('src/http/guards.ts');
    expect(places).toContain('src/models/offline/words-en.ts');
  });

  it('are linear by their form', () => {
    expect(superLinear(found)).toEqual([]);
  });

  it('are distinguished from ones that backtrack', () => {
    const planted = [/\s+$/, /(?:a|aa)+$/, /^(\S*)\s*([\s\S]*)x$/, /"[^"]*"|“[^”]*”/].map((expression) => ({
      where: String(expression),
      expression,
    }));
    expect(superLinear(planted)).toHaveLength(planted.length);
  });

  it.each(texts)(`take less than ${BLOCKED_MS_MAX} ms each for a text of %s`, (_name, text) => {
    const slow = found.flatMap(({ where, expression }) => {
      Object.assign(context, { expression, text });
      const ms = blockedFor(() => {
        try {
          use.runInContext(context, { timeout: GIVEN_UP_MS });
        } catch (error) {
          if ((error as NodeJS.ErrnoException).code !== 'ERR_SCRIPT_EXECUTION_TIMEOUT') throw error;
        }
      });
      return ms > BLOCKED_MS_MAX ? [`${where} ${expression}: ${ms} ms`] : [];
    });
    expect(slow).toEqual([]);
  });
});
