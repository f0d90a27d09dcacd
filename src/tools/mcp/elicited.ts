import { z } from 'zod';
import { plainLine, withoutEscapes } from '../../../contracts/text.ts';
import {
  FIELD_CHARS_MAX,
  FIELD_CHOICES_MAX,
  FORM_FIELDS_MAX,
  type FormField,
  type FormSchema,
  LINK_CHARS_MAX,
  TOOL_QUESTION_CHARS_MAX,
  type ToolRequest,
} from '../../../contracts/tool-question.ts';
import { printable } from '../../lib/printable.ts';
import { isRecord } from '../defined/read-input.ts';

/** Why a server's request cannot be asked of a person. */
export interface Unaskable {
  reason: string;
}

const label = z
  .string()
  .transform((text) => plainLine(text, FIELD_CHARS_MAX))
  .optional()
  .catch(undefined);
const count = z.number().int().min(0).optional().catch(undefined);
const limit = z.number().finite().optional().catch(undefined);
const named = { title: label, description: label };
const value = z.string().max(FIELD_CHARS_MAX);
const choice = z.object({ const: value, title: label });
const choices = z.array(choice).min(1).max(FIELD_CHOICES_MAX);

const Titled = z.union([
  z.object({ oneOf: choices }).transform(({ oneOf }) => oneOf),
  z.object({ anyOf: choices }).transform(({ anyOf }) => anyOf),
  z
    .object({ enum: z.array(value).min(1).max(FIELD_CHOICES_MAX), enumNames: z.array(z.string()).optional() })
    .transform(({ enum: values, enumNames = [] }) =>
      values.map((each, i) => ({
        const: each,
        ...(enumNames[i] !== undefined && { title: plainLine(enumNames[i], FIELD_CHARS_MAX) }),
      })),
    ),
]);

const Text = z.object({
  type: z.literal('string'),
  ...named,
  format: z.enum(['email', 'uri', 'date', 'date-time']).optional().catch(undefined),
  minLength: count,
  maxLength: count,
  default: z.string().max(TOOL_QUESTION_CHARS_MAX).optional().catch(undefined),
});
const Amount = z.object({
  type: z.enum(['number', 'integer']),
  ...named,
  minimum: limit,
  maximum: limit,
  default: limit,
});
const YesOrNo = z.object({ type: z.literal('boolean'), ...named, default: z.boolean().optional().catch(undefined) });
const Several = z.object({
  type: z.literal('array'),
  ...named,
  items: Titled,
  minItems: count,
  maxItems: count,
  default: z.array(value).optional().catch(undefined),
});

/** Without absent values, which are no JSON. */
const present = <Value extends object>(given: Value): Value =>
  Object.fromEntries(Object.entries(given).filter(([, each]) => each !== undefined)) as Value;

/** One field of what the protocol allows; null for any other. Its words are cut and plain. */
const readField = (given: unknown): FormField | null => {
  const options = Titled.safeParse(given).data?.map(present);
  const text = Text.safeParse(isRecord(given) && options !== undefined ? { type: 'string', ...given } : given).data;
  if (text !== undefined) return present({ ...text, ...(options !== undefined && { oneOf: options }) }) as FormField;
  const other = z.union([Amount, YesOrNo]).safeParse(given).data;
  if (other !== undefined) return present(other) as FormField;
  const several = Several.safeParse(given).data;
  if (several === undefined) return null;
  return present({ ...several, items: { anyOf: several.items.map(present) } }) as FormField;
};

const NAME = /^[^\s:：{}]{1,64}$/;

/** The fields of a form as the protocol allows them. Anything else is refused, for a person could not fill it in. */
const readSchema = (given: unknown): FormSchema | Unaskable => {
  const { properties, required } = isRecord(given) ? given : {};
  if (!isRecord(properties)) return { reason: 'its form has no fields' };
  const names = Object.keys(properties);
  if (names.length > FORM_FIELDS_MAX) return { reason: `its form has more than ${FORM_FIELDS_MAX} fields` };
  const fields: [string, FormField][] = [];
  for (const name of names) {
    const field = NAME.test(name) && name !== '__proto__' ? readField(properties[name]) : null;
    if (field === null)
      return { reason: `the field ${plainLine(name, 60)} of its form is of no kind that the protocol has` };
    fields.push([name, field]);
  }
  const needed = Array.isArray(required)
    ? required.filter((name) => typeof name === 'string' && names.includes(name))
    : [];
  return { type: 'object', properties: Object.fromEntries(fields), required: needed };
};

/** An address that a browser may be sent to: http or https, and without credentials, which could hide its host. */
export const readLink = (given: unknown): { url: string; host: string } | Unaskable => {
  const url = typeof given === 'string' ? URL.parse(given) : null;
  if (url === null || url.href.length > LINK_CHARS_MAX) return { reason: 'its link is not an address' };
  if (url.protocol !== 'https:' && url.protocol !== 'http:')
    return { reason: `its link is of the kind ${plainLine(url.protocol, 30)}, not http or https` };
  if (url.username !== '' || url.password !== '') return { reason: 'its link has credentials in it' };
  return { url: url.href, host: url.host };
};

/** A server's words as plain lines, bounded. Their line ends stay. */
const readMessage = (given: unknown, hide: (text: string) => string): string => {
  const text = typeof given === 'string' ? hide(printable(withoutEscapes(given))) : '';
  const lines = text.split('\n').map((line) => plainLine(line));
  return lines.join('\n').trim().slice(0, TOOL_QUESTION_CHARS_MAX).toWellFormed();
};

/** A server's elicitation as its user sees it, or why it cannot be asked. Trusts nothing in it. */
export const readElicitation = (
  key: string,
  given: unknown,
  hide: (text: string) => string,
): ToolRequest | Unaskable => {
  if (!isRecord(given)) return { reason: 'its question has no words' };
  const message = readMessage(given['message'], hide);
  if (given['mode'] === 'url') {
    const link = readLink(given['url']);
    return 'reason' in link ? link : { kind: 'link', key, message, ...link };
  }
  const schema = readSchema(given['requestedSchema']);
  return 'reason' in schema ? schema : { kind: 'form', key, message, schema };
};

/** The requests that a result of the kind `input_required` has, with `prefix` before their keys; or why they can't be asked. */
export const readRequests = (
  given: unknown,
  prefix: string,
  most: number,
  hide: (text: string) => string,
): ToolRequest[] | Unaskable => {
  const all = isRecord(given) ? Object.entries(given) : [];
  if (all.length > most) return { reason: `it asks more than ${most} questions in one call` };
  const requests: ToolRequest[] = [];
  for (const [key, request] of all) {
    const { method, params } = isRecord(request) ? request : {};
    if (method !== 'elicitation/create') return { reason: `${plainLine(String(method), 60)} is not for the user` };
    const read = readElicitation(`${prefix}${key}`, params, hide);
    if ('reason' in read) return read;
    requests.push(read);
  }
  return requests;
};
