/** Scripts of a model's answers that are written as JSON, for one's own tools without a key. */
import { z } from 'zod';
import { plainLine } from '../../contracts/text.ts';
import { CallUsage } from '../../contracts/usage.ts';
import type { Script, ScriptedAnswer } from '../models/scripted.ts';

/** Longest part of a fault's text, in characters. */
const FAULT_CHARS_MAX = 300;

const Calls = z.array(z.strictObject({ name: z.string().min(1), input: z.record(z.string(), z.unknown()) })).min(1);

/** A whole reply: calls with text beside them, or with the tokens that it used. */
const Reply = z
  .strictObject({
    text: z.union([z.string(), z.record(z.string(), z.unknown())]).optional(),
    calls: Calls.optional(),
    usage: CallUsage.optional(),
  })
  .refine(({ text, calls }) => text !== undefined || calls !== undefined, 'needs "text" or "calls"');

const isReply = (value: object): boolean => ['text', 'calls', 'usage'].some((key) => key in value);

const faultOf = ({ issues: [issue] }: z.ZodError): string => {
  const { path = [], message = '' } = issue ?? {};
  return plainLine([...path, message].join(': '), FAULT_CHARS_MAX);
};

const answerOf = (value: unknown, which: string): ScriptedAnswer => {
  if (typeof value === 'string') return value;
  if (typeof value !== 'object' || value === null)
    throw new RangeError(`${which} must be a text, an object or a list of calls`);
  const isCalls = Array.isArray(value);
  if (!isCalls && !isReply(value)) return value as Record<string, unknown>;
  const { data, error } = (isCalls ? Calls : Reply).safeParse(value);
  if (error === undefined) return data as ScriptedAnswer;
  throw new RangeError(`${which} cannot be read: ${faultOf(error)}`);
};

const answersOf = (list: readonly unknown[], of = ''): ScriptedAnswer[] =>
  list.map((value, i) => answerOf(value, `answer ${i + 1}${of}`));

const CONTRACTS = ['plan', 'thought', 'replan'] as const;

/**
 * A script from JSON: a list of answers in the order of requests, or `plan`, `thought` and `replan`, each with a list
 * or with one answer for always. Throws a `RangeError` that names the first answer which cannot be read. Does not check
 * an answer against its contract: which contract is due is known only at the request.
 */
export const readScript = (json: unknown): Script => {
  if (Array.isArray(json)) return answersOf(json);
  const named = typeof json === 'object' && json !== null ? Object.entries(json) : [];
  const other = named.find(([name]) => !(CONTRACTS as readonly string[]).includes(name));
  if (named.length === 0 || other !== undefined)
    throw new RangeError('it must be a list of answers, or an object with answers for "plan", "thought" and "replan"');
  return Object.fromEntries(
    named.map(([name, of]) => [
      name,
      Array.isArray(of) ? answersOf(of, ` for ${name}`) : answerOf(of, `the answer for ${name}`),
    ]),
  );
};
