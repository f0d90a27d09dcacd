import type { JsonSchema } from '../../../contracts/answer.ts';
import { printable } from '../../lib/printable.ts';
import { isRecord } from './read-input.ts';

/** Keys whose texts are prose for a reader: what a reader can't see is taken out of them. */
const PROSE = ['description', 'title', '$comment'];

/** A schema with its texts masked by `hide`, and without invisible characters in its prose. */
const cleaned = (value: unknown, hide: (text: string) => string, key = ''): unknown => {
  if (typeof value === 'string') {
    const text = PROSE.includes(key) ? printable(value).replace(/\p{Cf}/gu, '') : value;
    return hide(text).toWellFormed();
  }
  if (Array.isArray(value)) return value.map((inner) => cleaned(inner, hide));
  if (!isRecord(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [hide(name).toWellFormed(), cleaned(inner, hide, name)]),
  );
};

/** All references in a schema. */
const refsIn = (value: unknown): string[] => {
  if (Array.isArray(value)) return value.flatMap(refsIn);
  if (!isRecord(value)) return [];
  return Object.entries(value).flatMap(([key, inner]) =>
    /^\$(dynamic|recursive)?ref$/i.test(key) && typeof inner === 'string' ? [inner] : refsIn(inner),
  );
};

/** The schema's definitions of one keyword that something refers to, directly or by another of them. */
const usedOf = (keyword: '$defs' | 'definitions', schema: JsonSchema): JsonSchema => {
  const { [keyword]: all, ...rest } = schema;
  if (!isRecord(all)) return {};
  const used = new Set<string>();
  const waiting = refsIn(rest);
  for (let ref = waiting.pop(); ref !== undefined; ref = waiting.pop()) {
    // By an anchor or an address: any of them may be meant.
    if (!/^#(\/|$)/.test(ref)) return { [keyword]: all };
    const [, place, written = ''] = ref.split('/');
    const name = decodeURIComponent(written).replaceAll('~1', '/').replaceAll('~0', '~');
    if (place !== keyword || used.has(name)) continue;
    used.add(name);
    waiting.push(...refsIn(all[name]));
  }
  const kept = Object.entries(all).filter(([name]) => used.has(name));
  return kept.length === 0 ? {} : { [keyword]: Object.fromEntries(kept) };
};

/** The JSON Schema of a tool's input as models are told it: whole, but for the dialect's name and definitions that nothing uses (SPEC 8). `hide` cuts secrets out. */
export const modelSchema = (schema: JsonSchema, hide: (text: string) => string = (text) => text): JsonSchema => {
  const { $schema: _, ...whole } = cleaned(schema, hide) as JsonSchema;
  const { $defs: _defs, definitions: _definitions, ...own } = whole;
  return {
    ...own,
    // OpenAI refuses an object without them, and with it every call.
    ...(own['type'] === 'object' && own['properties'] === undefined && { properties: {} }),
    ...usedOf('$defs', whole),
    ...usedOf('definitions', whole),
  };
};
