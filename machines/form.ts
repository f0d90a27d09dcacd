import { messages } from '../contracts/messages/messages.ts';
import type { Language } from '../contracts/text.ts';
import type { FormContent, FormField, FormSchema } from '../contracts/tool-question.ts';
import { chosenOption } from './options.ts';
import { agreesToPlan, isNo } from './phrases.ts';

type Value = FormContent[string];

/** The values of a form, or why an answer doesn't fill it in. */
export type ReadForm = { content: FormContent } | { faults: string[] };

interface Choice {
  const: string;
  title?: string | undefined;
}

const labelOf = (choice: Choice): string => choice.title ?? choice.const;

/** The choices of a field; empty for one that takes any value. */
export const choicesOf = (field: FormField): Choice[] => {
  if (field.type === 'string') return field.oneOf ?? [];
  return field.type === 'array' ? field.items.anyOf : [];
};

/** A choice by its value, its label, or its place in the list. */
const choiceOf = (choices: Choice[], said: string): string | undefined => {
  const exact = choices.find((choice) => choice.const === said.trim());
  if (exact !== undefined) return exact.const;
  const label = chosenOption(choices.map(labelOf), said);
  return choices.find((choice) => labelOf(choice) === label)?.const;
};

const DATE = /^\d{4}-\d{2}-\d{2}$/;
const DATE_TIME = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d+)?(Z|[+-]\d{2}:\d{2})$/;
const EMAIL = /^[^\s@]+@[^\s@]+$/;

const isDay = (text: string): boolean =>
  DATE.test(text) && !Number.isNaN(Date.parse(text)) && new Date(`${text}T00:00:00Z`).toISOString().startsWith(text);

const isOfFormat = (text: string, format: 'email' | 'uri' | 'date' | 'date-time'): boolean => {
  switch (format) {
    case 'email':
      return EMAIL.test(text);
    case 'uri':
      return URL.canParse(text);
    case 'date':
      return isDay(text);
    case 'date-time':
      return DATE_TIME.test(text) && !Number.isNaN(Date.parse(text));
    default:
      return format satisfies never;
  }
};

type Read = { value: Value } | { fault: string };

const readText = (field: Extract<FormField, { type: 'string' }>, said: string, language: Language): Read => {
  const texts = messages(language).forms;
  if (field.oneOf !== undefined) {
    const value = choiceOf(field.oneOf, said);
    return value === undefined ? { fault: texts.oneOf(field.oneOf.map(labelOf)) } : { value };
  }
  const { format, minLength = 0, maxLength = Number.POSITIVE_INFINITY } = field;
  const { length } = [...said];
  if (length < minLength) return { fault: texts.tooShort(minLength) };
  if (length > maxLength) return { fault: texts.tooLong(maxLength) };
  if (format !== undefined && !isOfFormat(said, format)) return { fault: texts.formats[format] };
  return { value: said };
};

const readNumber = (
  {
    type,
    minimum = Number.NEGATIVE_INFINITY,
    maximum = Number.POSITIVE_INFINITY,
  }: Extract<FormField, { type: 'number' | 'integer' }>,
  said: string,
  language: Language,
): Read => {
  const texts = messages(language).forms;
  const value = /^[-+]?\d+(\.\d+)?(e[-+]?\d+)?$/i.test(said) ? Number(said) : Number.NaN;
  const isKind = type === 'integer' ? Number.isSafeInteger(value) : Number.isFinite(value);
  if (!isKind) return { fault: type === 'integer' ? texts.integer : texts.number };
  if (value < minimum) return { fault: texts.least(minimum) };
  return value > maximum ? { fault: texts.most(maximum) } : { value };
};

const readBoolean = (said: string, language: Language): Read => {
  if (/^true$/i.test(said) || agreesToPlan(said)) return { value: true };
  if (/^false$/i.test(said) || isNo(said)) return { value: false };
  return { fault: messages(language).forms.yesOrNo };
};

const readSeveral = (
  { items, minItems = 0, maxItems = Number.POSITIVE_INFINITY }: Extract<FormField, { type: 'array' }>,
  said: string[],
  language: Language,
): Read => {
  const texts = messages(language).forms;
  const values = said.map((each) => choiceOf(items.anyOf, each));
  if (values.includes(undefined)) return { fault: texts.someOf(items.anyOf.map(labelOf)) };
  const value = [...new Set(values as string[])];
  if (value.length < minItems) return { fault: texts.fewest(minItems) };
  return value.length > maxItems ? { fault: texts.atMost(maxItems) } : { value };
};

const partsOf = (said: string): string[] =>
  said
    .split(/[,，、;；]/)
    .map((part) => part.trim())
    .filter((part) => part !== '');

/** A value as a person typed it. */
const readSaid = (field: FormField, text: string, language: Language): Read => {
  const said = text.trim();
  switch (field.type) {
    case 'string':
      return readText(field, said, language);
    case 'number':
    case 'integer':
      return readNumber(field, said, language);
    case 'boolean':
      return readBoolean(said, language);
    case 'array':
      return readSeveral(field, partsOf(said), language);
    default:
      return field satisfies never;
  }
};

/** A value of a JSON object, which has the type of its field. */
const readValue = (field: FormField, value: unknown, language: Language): Read => {
  const texts = messages(language).forms;
  switch (field.type) {
    case 'string':
      return typeof value === 'string' ? readText(field, value, language) : { fault: texts.text };
    case 'number':
    case 'integer':
      return typeof value === 'number' ? readNumber(field, String(value), language) : { fault: texts.number };
    case 'boolean':
      return typeof value === 'boolean' ? { value } : { fault: texts.yesOrNo };
    case 'array':
      return Array.isArray(value) && value.every((each) => typeof each === 'string')
        ? readSeveral(field, value, language)
        : { fault: texts.someOf(field.items.anyOf.map(labelOf)) };
    default:
      return field satisfies never;
  }
};

/** A text as a JSON object; null: it isn't one. */
const objectIn = (text: string): Record<string, unknown> | null => {
  if (!text.startsWith('{')) return null;
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : null;
  } catch {
    return null;
  }
};

/** The lines of a text as `field: value`, by the field's name or title; null if any of them isn't one. */
const linesIn = (text: string, { properties }: FormSchema): Map<string, string> | null => {
  const found = new Map<string, string>();
  for (const line of text.split('\n').filter((each) => each.trim() !== '')) {
    const [, name = '', value = ''] = /^\s*(?:[-*]\s+)?([^\s:：][^:：]*)[:：](.*)$/su.exec(line) ?? [];
    const said = name.trim().toLowerCase();
    const key = Object.keys(properties).find(
      (each) => each.toLowerCase() === said || properties[each]?.title?.toLowerCase() === said,
    );
    if (key === undefined) return null;
    found.set(key, value);
  }
  return found.size === 0 ? null : found;
};

/** All fields by how each is read; `undefined`: the answer has none for it. */
const readFields = (
  { properties, required }: FormSchema,
  readOf: (name: string, field: FormField) => Read | undefined,
  language: Language,
): ReadForm => {
  const texts = messages(language).forms;
  const content: FormContent = {};
  const faults: string[] = [];
  for (const [name, field] of Object.entries(properties)) {
    const label = field.title ?? name;
    const read = readOf(name, field) ?? (field.default === undefined ? undefined : { value: field.default });
    if (read === undefined) {
      if (required.includes(name)) faults.push(texts.fault(label, texts.missing));
    } else if ('fault' in read) faults.push(texts.fault(label, read.fault));
    else content[name] = read.value;
  }
  return faults.length > 0 ? { faults } : { content };
};

/**
 * Reads an answer to a form: the text itself for one field, `field: value` lines or a JSON object for more, and a yes for
 * none. Never gives a value that the schema refuses.
 */
export const readForm = (schema: FormSchema, answer: string, language: Language): ReadForm => {
  const texts = messages(language).forms;
  const text = answer.trim();
  const names = Object.keys(schema.properties);
  if (names.length === 0) return agreesToPlan(text) ? { content: {} } : { faults: [texts.yesOrNo] };
  const object = objectIn(text);
  if (object !== null) {
    const unknown = Object.keys(object).filter((name) => !names.includes(name));
    if (unknown.length > 0) return { faults: unknown.map((name) => texts.fault(name, texts.unknown)) };
    return readFields(
      schema,
      (name, field) => (Object.hasOwn(object, name) ? readValue(field, object[name], language) : undefined),
      language,
    );
  }
  const [only] = names;
  const lines = linesIn(text, schema);
  if (lines === null && names.length === 1 && only !== undefined)
    return readFields(schema, (_, field) => readSaid(field, text, language), language);
  if (lines === null) return { faults: [texts.howToAnswer(names)] };
  return readFields(
    schema,
    (name, field) => {
      const said = lines.get(name);
      return said === undefined ? undefined : readSaid(field, said, language);
    },
    language,
  );
};

/** True for a form whose one field takes any text, so that "no" may be that text. */
export const takesAnyText = ({ properties }: FormSchema): boolean => {
  const [field, ...others] = Object.values(properties);
  return others.length === 0 && field?.type === 'string' && field.oneOf === undefined;
};
