import { globSync, readFileSync } from 'node:fs';
import { createRequire, stripTypeScriptTypes } from 'node:module';
import { getCallSites } from 'node:util';
import { parse, type Token } from 'acorn';
import { analyse } from 'scslre';
import { expect, it } from 'vitest';

type Expression = Pick<RegExp, 'source' | 'flags'>;

/** A regular expression of the service, and where it is written: `path:line`. */
interface Written {
  place: string;
  expression: Expression;
}

/** The regular expressions of a file: its literals, and the places at which it makes others of texts. */
const expressionsIn = (path: string): { literals: Written[]; made: string[] } => {
  const literals: Written[] = [];
  const made: string[] = [];
  let before = '';
  parse(stripTypeScriptTypes(readFileSync(path, 'utf8')), {
    ecmaVersion: 'latest',
    sourceType: 'module',
    locations: true,
    onToken: (token) => {
      const { type, loc, value } = token as Token & { value?: unknown };
      const place = `${path}:${loc?.start.line}`;
      if (type.label === 'regexp') {
        const { pattern: source, flags } = value as { pattern: string; flags: string };
        literals.push({ place, expression: { source, flags } });
      }
      if (before === 'new' && value === 'RegExp') made.push(place);
      before = String(value);
    },
  });
  return { literals, made };
};

const files = globSync('{contracts,machines,src}/**/*.ts').map((path) => ({ path, ...expressionsIn(path) }));

const root = new URL('..', import.meta.url);
const places = new Set(files.flatMap(({ made }) => made));

/** Runs it, and gives the expressions that the service made of texts meanwhile. */
const madeWhile = (run: () => void): Written[] => {
  const made: Written[] = [];
  const { RegExp: original } = globalThis;
  globalThis.RegExp = new Proxy(original, {
    construct: (target, given) => {
      const expression: RegExp = Reflect.construct(target, given);
      const [, maker] = getCallSites(2);
      const place = `${maker?.scriptName.slice(root.href.length)}:${maker?.lineNumber}`;
      if (places.has(place)) made.push({ place, expression });
      return expression;
    },
  });
  try {
    run();
  } finally {
    globalThis.RegExp = original;
  }
  return made;
};

/** Those for which a backtracking matcher takes more than linear time. */
const slow = (written: readonly Written[]): string[] =>
  written
    .filter(({ expression }) => analyse(expression).reports.length > 0)
    .map(({ place, expression: { source, flags } }) => `${place} /${source}/${flags}`);

it('no regular expression of the service takes more than linear time', () => {
  const planted = [/\s+$/, /(?:a|aa)+$/, /^(\S*)\s*([\s\S]*)x$/].map((expression) => ({ place: '', expression }));
  expect(slow(planted)).toHaveLength(planted.length);
  const literals = files.flatMap((file) => file.literals);
  expect(literals.length).toBeGreaterThan(100);
  expect(slow(literals)).toEqual([]);
});

it('nor does one that is made of texts, each of which is made here', () => {
  // By Node itself, which keeps the lines of a file as they are written.
  const load = createRequire(root);
  const made = madeWhile(() => {
    for (const { path } of files.filter((file) => file.made.length > 0)) load(`./${path}`);
    const { readWhen } = load('./src/when/read-when.ts') as typeof import('../src/when/read-when.ts');
    const { afterName } = load('./src/tools/command-line.ts') as typeof import('../src/tools/command-line.ts');
    const context = { now: 0, timezone: 'UTC', language: 'en' } as const;
    for (const text of ['tomorrow at 3pm for 2 hours', '明天下午三點兩個小時']) readWhen(text, context);
    afterName('/todo add milk', 'todo');
    const { BodyWithFiles } = load(
      './src/models/asking/body-with-files.ts',
    ) as typeof import('../src/models/asking/body-with-files.ts');
    const body = new BodyWithFiles();
    body.read({ image: body.placeFor({ size: 0, stream: async function* () {} }) });
  });
  expect(new Set(made.map(({ place }) => place))).toEqual(places);
  expect(slow(made)).toEqual([]);
});
