import { z } from 'zod';
import { EffectNumber } from './ids.ts';

/** Longest text that a server writes in a question, and longest label or choice, in characters. */
export const TOOL_QUESTION_CHARS_MAX = 2_000;
export const FIELD_CHARS_MAX = 200;

/** Most fields of one form, and choices of one field: a person fills it in. */
export const FORM_FIELDS_MAX = 20;
export const FIELD_CHOICES_MAX = 100;

/** Longest address that a person is sent to, in characters. */
export const LINK_CHARS_MAX = 4_096;

/** Longest state that a server has us send back, in characters. */
export const SERVER_STATE_CHARS_MAX = 32 * 1024;

/** Most questions of one call, over all of its rounds. */
export const TOOL_QUESTIONS_MAX = 10;

const text = z.string();
const named = { title: text.optional(), description: text.optional() };
const choice = z.object({ const: text, title: text.optional() });
const size = z.number().int().min(0).optional();

/** One field of a form, as JSON Schema: what the protocol allows of it, and nothing else. */
export const FormField = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('string'),
    ...named,
    /** The only values, with labels. */
    oneOf: z.array(choice).min(1).optional(),
    format: z.enum(['email', 'uri', 'date', 'date-time']).optional(),
    minLength: size,
    maxLength: size,
    default: text.optional(),
  }),
  z.object({
    type: z.enum(['number', 'integer']),
    ...named,
    minimum: z.number().optional(),
    maximum: z.number().optional(),
    default: z.number().optional(),
  }),
  z.object({ type: z.literal('boolean'), ...named, default: z.boolean().optional() }),
  /** Several of its values. */
  z.object({
    type: z.literal('array'),
    ...named,
    items: z.object({ anyOf: z.array(choice).min(1) }),
    minItems: size,
    maxItems: size,
    default: z.array(text).optional(),
  }),
]);
export type FormField = z.infer<typeof FormField>;

/** The fields that a server asks for, as a JSON Schema. */
export const FormSchema = z.object({
  type: z.literal('object'),
  properties: z.record(text, FormField),
  required: z.array(text),
});
export type FormSchema = z.infer<typeof FormSchema>;

/** The values of a form's fields. */
export const FormContent = z.record(text, z.union([text, z.number(), z.boolean(), z.array(text)]));
export type FormContent = z.infer<typeof FormContent>;

const asked = {
  /** The server's name for it, unique in its round. */
  key: text,
  message: text,
};
const link = {
  ...asked,
  /** Always `http` or `https`. Nobody opens it but the user. */
  url: text,
  host: text,
};

/**
 * One thing that a server asks of the user while it performs a call: fields to fill in, a page to visit, or a sign-in.
 * Written by the server, so nothing in it is trusted.
 */
export const ToolRequest = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('form'), ...asked, schema: FormSchema }),
  z.object({ kind: z.literal('link'), ...link }),
  z.object({ kind: z.literal('sign_in'), ...link }),
]);
export type ToolRequest = z.infer<typeof ToolRequest>;

/** The user's answer to one request: `decline` says no to it, `accept` of a form has the fields. */
export const ToolAnswer = z.object({
  key: text,
  message: text,
  action: z.enum(['accept', 'decline']),
  content: FormContent.optional(),
});
export type ToolAnswer = z.infer<typeof ToolAnswer>;

/** A call that continues after its user's answers. */
export const Resumed = z.object({
  /** The effect that called first: the call keeps its id. */
  effect: EffectNumber,
  /** The answers to what was asked last. */
  answers: z.array(ToolAnswer),
  /** The answers of the rounds before, oldest first. */
  earlier: z.array(ToolAnswer),
  /** Opaque to us; the server gets it back with them. */
  state: text.optional(),
});
export type Resumed = z.infer<typeof Resumed>;

/** A call that waits for its user. The request that is open is the first without an answer. */
export const PendingToolQuestion = z.object({
  effect: EffectNumber,
  server: text,
  requests: z.array(ToolRequest).min(1),
  answers: z.array(ToolAnswer),
  earlier: z.array(ToolAnswer),
  state: text.optional(),
  /** The faults of the last answer, in words. */
  faults: z.array(text).optional(),
});
export type PendingToolQuestion = z.infer<typeof PendingToolQuestion>;

/** A tool's question as the API shows it, beside its text. */
export const ToolQuestionView = z.object({
  id: text,
  kind: z.enum(['form', 'link', 'sign_in']),
  tool: text,
  /** The configured name of the MCP server that asks. */
  server: text,
  /** The server's own words, not trusted. */
  message: text,
  /** Of a form: its fields as a JSON Schema. */
  schema: FormSchema.optional(),
  /** Of a link or a sign-in: the address, always http or https, and its host. Show the host, and never open it unasked. */
  url: text.optional(),
  host: text.optional(),
});
export type ToolQuestionView = z.infer<typeof ToolQuestionView>;
