import { globSync, readFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import { resolve } from 'node:path';
import { type Node, parse, type Token } from 'acorn';

/** A regular expression of the shipped code, and where it stands. */
export interface FoundExpression {
  /** `path:line` for a literal, the file's path for one that is built when the file is loaded. */
  where: string;
  expression: RegExp;
}

const SHIPPED = '{contracts,machines,src}/**/*.ts';

const literalsIn = (path: string, code: string): FoundExpression[] => {
  const found: FoundExpression[] = [];
  const onToken = ({ type, value, loc }: Token & { value?: { pattern: string; flags: string } }): void => {
    if (type.label === 'regexp' && value !== undefined)
      found.push({ where: `${path}:${loc?.start.line}`, expression: new RegExp(value.pattern, value.flags) });
  };
  parse(code, { ecmaVersion: 'latest', sourceType: 'module', locations: true, onToken }) satisfies Node;
  return found;
};

/** What a file builds by `new RegExp(…)` while it is loaded. */
const builtIn = async (path: string): Promise<FoundExpression[]> => {
  const found: FoundExpression[] = [];
  const Original = globalThis.RegExp;
  globalThis.RegExp = new Proxy(Original, {
    construct: (target, given, newTarget) => {
      const expression = Reflect.construct(target, given, newTarget) as RegExp;
      found.push({ where: path, expression });
      return expression;
    },
  });
  try {
    await import(resolve(path));
  } finally {
    globalThis.RegExp = Original;
  }
  return found;
};

/** Every regular expression of the shipped code: literals by reading the files, built ones by loading those that build some. */
export const shippedExpressions = async (): Promise<FoundExpression[]> => {
  const found: FoundExpression[] = [];
  for (const path of globSync(SHIPPED).sort()) {
    const code = stripTypeScriptTypes(readFileSync(path, 'utf8'));
    found.push(...literalsIn(path, code));
    if (/\bRegExp\(/.test(code)) found.push(...(await builtIn(path)));
  }
  return found;
};
