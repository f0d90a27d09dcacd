import type { JsonSchema } from '../../../contracts/answer.ts';
import { printable } from '../../lib/printable.ts';
import { isRecord } from './read-input.ts';

/** Keys whose texts are prose. Invisible characters are removed from them. */
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

/** The schema's definitions under one keyword that are referenced, directly or from another one. */
const usedOf = (keyword: '$defs' | 'definitions', schema: JsonSchema): JsonSchema => {
  const { [keyword]: all, ...rest } = schema;
  if (!isRecord(all)) return {};
  const used = new Set<string>();
  const waiting = refsIn(rest);
  for (let ref = waiting.pop(); ref !== undefined; ref = waiting.pop()) {
    // Referenced by an anchor or an address, which may point to any of them.
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

/**
 * A tool's input schema as models get it: complete except for the dialect's name and unused definitions (SPEC 8).
 * `hide` masks secrets.
 */
export const modelSchema = (schema: JsonSchema, hide: (text: string) => string = (text) => text): JsonSchema => {
  const { $schema: _, ...whole } = cleaned(schema, hide) as JsonSchema;
  const { $defs: _defs, definitions: _definitions, ...own } = whole;
  return {
    ...own,
    // OpenAI refuses an object schema without `properties`, and the whole request with it.
    ...(own['type'] === 'object' && own['properties'] === undefined && { properties: {} }),
    ...usedOf('$defs', whole),
    ...usedOf('definitions', whole),
  };
};
