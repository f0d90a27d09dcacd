import { widthOf } from '../text/wide.ts';

/** A JSON Schema of one value, as far as a field shows it. */
export interface FieldSchema {
  type?: unknown;
  title?: unknown;
  description?: unknown;
  enum?: unknown;
  oneOf?: unknown;
  items?: unknown;
  minimum?: unknown;
  maximum?: unknown;
  minLength?: unknown;
  maxLength?: unknown;
  format?: unknown;
  minItems?: unknown;
  maxItems?: unknown;
}

/** A JSON Schema of an object: its fields, and which of them it must have. */
export interface ObjectSchema {
  properties?: Record<string, FieldSchema>;
  required?: readonly string[];
}

/** One of the values that a field may have. */
export interface RowChoice {
  value: string;
  title: string;
}

/** A value of an input, with its label and the way it is shown. */
export interface InputRow {
  name: string;
  label: string;
  /** Its purpose; empty: nobody says. */
  about: string;
  /** `text` is one line and `long` more; `several` is a list of choices; `json` anything else. */
  kind: 'text' | 'long' | 'number' | 'boolean' | 'choice' | 'several' | 'json';
  /** Undefined: the input has none. */
  value: unknown;
  choices: readonly RowChoice[];
  isRequired: boolean;
  schema: FieldSchema;
}

/** Texts from here on are blocks of their own, in Latin letters. */
const LONG_FROM = 90;

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The input as a JSON object; null: it is a command line, or something else. */
export const objectOf = (input: string): Record<string, unknown> | null => {
  try {
    const value: unknown = JSON.parse(input);
    return isObject(value) ? value : null;
  } catch {
    return null;
  }
};

/** The name of a field as words: `reply_to` and `replyTo` are "Reply to". */
const asWords = (name: string): string => {
  const words = name
    .replaceAll(/([\p{Ll}\d])(\p{Lu})/gu, '$1 $2')
    .replaceAll(/[_-]+/g, ' ')
    .trim()
    .toLowerCase();
  return words === '' ? name : words.charAt(0).toUpperCase() + words.slice(1);
};

const constants = (list: unknown): RowChoice[] =>
  (Array.isArray(list) ? list : []).flatMap((choice: unknown) => {
    if (!isObject(choice) || typeof choice.const !== 'string') return [];
    return { value: choice.const, title: typeof choice.title === 'string' ? choice.title : choice.const };
  });

const choicesOf = ({ enum: names, oneOf, items }: FieldSchema): RowChoice[] => {
  if (Array.isArray(names) && names.every((name) => typeof name === 'string'))
    return names.map((name) => ({ value: name, title: name }));
  return isObject(items) ? constants(items.anyOf) : constants(oneOf);
};

/** The one type of a field; a list of types counts if only `null` is beside it. */
const typeOf = ({ type }: FieldSchema, value: unknown): string => {
  const [first, ...others] = (Array.isArray(type) ? type : [type]).filter((name) => name !== 'null');
  if (typeof first === 'string' && others.length === 0) return first;
  return value === null ? 'null' : typeof value;
};

const kindOf = (schema: FieldSchema, value: unknown, choices: readonly RowChoice[]): InputRow['kind'] => {
  const isNone = value === undefined;
  switch (typeOf(schema, value)) {
    case 'string':
      if (!isNone && typeof value !== 'string') return 'json';
      if (choices.length > 0 && (isNone || choices.some((choice) => choice.value === value))) return 'choice';
      return typeof value === 'string' && (widthOf(value) > LONG_FROM || value.includes('\n')) ? 'long' : 'text';
    case 'number':
    case 'integer':
      return isNone || typeof value === 'number' ? 'number' : 'json';
    case 'boolean':
      return isNone || typeof value === 'boolean' ? 'boolean' : 'json';
    case 'array':
      return choices.length > 0 && (isNone || Array.isArray(value)) ? 'several' : 'json';
    default:
      return 'json';
  }
};

/**
 * The values of an input in the order of its schema, and behind them those that the schema does not name. `withAbsent`:
 * also the fields that the input lacks.
 */
export const rowsOf = (
  value: Readonly<Record<string, unknown>>,
  { properties = {}, required = [] }: ObjectSchema,
  withAbsent = false,
): InputRow[] => {
  const names = [...new Set([...Object.keys(properties), ...Object.keys(value)])];
  const shown = withAbsent ? names : names.filter((name) => Object.hasOwn(value, name));
  return shown.map((name): InputRow => {
    const schema = Object.hasOwn(properties, name) ? (properties[name] ?? {}) : {};
    const own = Object.hasOwn(value, name) ? value[name] : undefined;
    const choices = choicesOf(schema);
    return {
      name,
      label: typeof schema.title === 'string' && schema.title.trim() !== '' ? schema.title : asWords(name),
      about: typeof schema.description === 'string' ? schema.description : '',
      kind: kindOf(schema, own, choices),
      value: own,
      choices,
      isRequired: required.includes(name),
      schema,
    };
  });
};

/** A row's value as the text of its field; several choices are a line each. Empty: it has none. */
export const fieldText = ({ kind, value }: InputRow): string => {
  if (value === undefined) return '';
  if (kind === 'several') return (value as unknown[]).join('\n');
  return typeof value === 'string' && kind !== 'json' ? value : JSON.stringify(value, null, 2);
};

/** Why a text is no value of its field; `limit` belongs to the words. */
export interface Fault {
  /** `said`: in the words of `limit`. */
  kind:
    | 'said'
    | 'missing'
    | 'number'
    | 'integer'
    | 'json'
    | 'least'
    | 'most'
    | 'shortest'
    | 'longest'
    | 'form'
    | 'fewest';
  limit?: string;
}

/** A field as it was read: its value, undefined for none, or why its text is no value. */
export type ReadField = { value: unknown } | { fault: Fault };

const numberOf = (limit: unknown): number | null => (typeof limit === 'number' ? limit : null);

const wrong = (kind: Fault['kind'], limit?: unknown): ReadField => ({
  fault: limit === undefined ? { kind } : { kind, limit: String(limit) },
});

const readNumber = (text: string, schema: FieldSchema): ReadField => {
  const isInteger = typeOf(schema, 0) === 'integer';
  const value = /^-?\d+(\.\d+)?(e[-+]?\d+)?$/i.test(text) ? Number(text) : Number.NaN;
  if (isInteger ? !Number.isSafeInteger(value) : !Number.isFinite(value))
    return wrong(isInteger ? 'integer' : 'number');
  const [least, most] = [numberOf(schema.minimum), numberOf(schema.maximum)];
  if (least !== null && value < least) return wrong('least', least);
  return most !== null && value > most ? wrong('most', most) : { value };
};

const FORMATS: Readonly<Record<string, (text: string) => boolean>> = {
  email: (text) => /^[^\s@]+@[^\s@]+$/.test(text),
  uri: (text) => URL.canParse(text),
  date: (text) => /^\d{4}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(Date.parse(text)),
  'date-time': (text) => /^\d{4}-\d{2}-\d{2}T/.test(text) && !Number.isNaN(Date.parse(text)),
};

const readText = (text: string, { minLength, maxLength, format }: FieldSchema): ReadField => {
  const { length } = [...text];
  const [least, most] = [numberOf(minLength), numberOf(maxLength)];
  if (least !== null && length < least) return wrong('shortest', least);
  if (most !== null && length > most) return wrong('longest', most);
  if (typeof format === 'string' && FORMATS[format]?.(text) === false) return wrong('form', format);
  // The service alone checks a pattern: one from a foreign server could hang the page.
  return { value: text };
};

const readJson = (text: string): ReadField => {
  try {
    return { value: JSON.parse(text) };
  } catch {
    return wrong('json');
  }
};

const readSeveral = (text: string, { minItems, maxItems }: FieldSchema): ReadField => {
  const value = text.split('\n').filter((line) => line !== '');
  const [least, most] = [numberOf(minItems), numberOf(maxItems)];
  if (least !== null && value.length < least) return wrong('fewest', least);
  return most !== null && value.length > most ? wrong('most', most) : { value };
};

/** A field's text as a value, checked by its schema. The service checks the whole input again. */
export const readField = (row: InputRow, text: string): ReadField => {
  const { kind, schema, isRequired, value } = row;
  // An empty text that was there stays one; any other empty field is left out.
  if (text === '') return isRequired && value !== '' ? wrong('missing') : { value: value === '' ? '' : undefined };
  switch (kind) {
    case 'number':
      return readNumber(text.trim(), schema);
    case 'boolean':
      return { value: text === 'true' };
    case 'several':
      return readSeveral(text, schema);
    case 'choice':
      return { value: text };
    case 'json':
      return readJson(text);
    case 'text':
    case 'long':
      return readText(text, schema);
    default:
      return kind satisfies never;
  }
};

/** The texts of some fields, by the names of their rows. */
export type FieldTexts = Readonly<Record<string, string>>;

/** An object made of rows and of the texts that were typed, and why some of them are no values. Rows that nobody touched stay as they are. */
export const readRows = (rows: readonly InputRow[], typed: FieldTexts) => {
  const values: [string, unknown][] = [];
  const faults = new Map<string, Fault>();
  for (const row of rows) {
    const text = Object.hasOwn(typed, row.name) ? typed[row.name] : undefined;
    const isLacking = text === undefined && row.value === undefined && row.isRequired;
    const read = text === undefined && !isLacking ? { value: row.value } : readField(row, text ?? '');
    if ('fault' in read) faults.set(row.name, read.fault);
    else if (read.value !== undefined) values.push([row.name, read.value]);
  }
  return { value: Object.fromEntries(values), faults };
};
