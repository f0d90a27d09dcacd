import { globSync, readFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import { parse, type Token } from 'acorn';
import { analyse } from 'scslre';
import { expect, it } from 'vitest';

/** The regular expressions that a file has as literals, each as `path:line /source/flags`. */
const literalsIn = (path: string): Map<string, { source: string; flags: string }> => {
  const found = new Map<string, { source: string; flags: string }>();
  parse(stripTypeScriptTypes(readFileSync(path, 'utf8')), {
    ...{ ecmaVersion: 'latest', sourceType: 'module', locations: true },
    onToken: (token) => {
      const { type, loc, value } = token as Token & { value?: { pattern: string; flags: string } };
      if (type.label !== 'regexp' || value === undefined) return;
      const { pattern: source, flags } = value;
      found.set(`${path}:${loc?.start.line} /${source}/${flags}`, { source, flags });
    },
  });
  return found;
};

/** Whether a backtracking matcher takes more than linear time for it. */
const backtracks = (expression: { source: string; flags: string }): boolean => analyse(expression).reports.length > 0;

it('no regular expression of the service takes more than linear time', () => {
  for (const planted of [/\s+$/, /(?:a|aa)+$/, /^(\S*)\s*([\s\S]*)x$/]) expect(backtracks(planted)).toBe(true);
  const found = globSync('{contracts,machines,src}/**/*.ts').flatMap((path) => [...literalsIn(path)]);
  expect(found.length).toBeGreaterThan(100);
  expect(found.filter(([, expression]) => backtracks(expression)).map(([where]) => where)).toEqual([]);
});
