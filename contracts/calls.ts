import { z } from 'zod';

/** The purpose of a model's answer: one of three contracts (SPEC 5). */
export const AnswerContract = z.enum(['plan', 'thought', 'replan']);
export type AnswerContract = z.infer<typeof AnswerContract>;

/** Names of the calls with which a model answers a contract (SPEC 5). No tool may have one of these names. */
export const CONTRACT_CALLS = ['plan', 'item_done', 'finish', 'ask_user'] as const;

/** Names that no tool may have: the contracts' calls, and the built-in tool that reads the rest of a long result. */
export const RESERVED_NAMES: readonly string[] = [...CONTRACT_CALLS, 'read_result'];

/**
 * Keywords that Anthropic or OpenAI refuse at the top level of a tool's schema. A request with one fails as a whole.
 */
const NOT_AT_TOP = ['allOf', 'anyOf', 'oneOf', 'not', 'enum', '$ref'];

/** Whether the fields of a schema can be the parameters of a call. Otherwise the call has one parameter, `input`. */
export const hasOwnFields = (schema: Readonly<Record<string, unknown>>): boolean =>
  schema['type'] === 'object' && !NOT_AT_TOP.some((keyword) => keyword in schema);

/** One call of a model's message: a tool or a contract's call, with its input as the model wrote it. */
export const Call = z.object({
  name: z.string(),
  input: z.record(z.string(), z.unknown()),
  /** Arguments that could not be parsed, as text. The call is refused when its turn comes. */
  unreadable: z.string().optional(),
  /** Why they could not be parsed; absent: they are not a JSON object. */
  fault: z.enum(['rounded_number', 'too_deep']).optional(),
});
export type Call = z.infer<typeof Call>;

/** A model's message, stored with the event that its first call became. */
export const Message = z.object({
  calls: z.array(Call),
  /**
   * The text beside the calls, a note of the model to itself. For a rejected message without calls, all of its text.
   */
  text: z.string().optional(),
  /** The model that answered, where executors have their own models. */
  model: z.string().optional(),
  /** How many user answers and steers the prompt contained; absent: none. */
  heard: z.number().int().min(1).optional(),
});
export type Message = z.infer<typeof Message>;

/** Fields of a model's event that say which part of a message it came from. */
export const spoken = {
  message: Message.optional(),
  /** The call that this event came from. `more`: the same call also answers the next contract. */
  call: z
    .object({
      at: z.number().int().min(0),
      more: z.boolean().optional(),
      /** The number of calls, from this one on, that are the actions of one thought; absent: only this one. */
      count: z.number().int().min(2).optional(),
      /** The message continues with a plan or the task's end, so a replan follows even where the mode would skip it. */
      replans: z.literal(true).optional(),
    })
    .optional(),
};

/**
 * The calls of the newest message that have not answered a contract yet, stored as `said`. They answer the next contracts
 * without another model call (SPEC 3, chains).
 */
export const PendingCalls = z.object({
  calls: z.array(Call),
  model: z.string().or(z.undefined()).optional(),
  /** The position of the next call in the message. */
  at: z.number().int().min(0),
  /** The contracts that this call has already answered. */
  taken: z.array(AnswerContract),
});
export type PendingCalls = z.infer<typeof PendingCalls>;

/** Whether a call asks for an action; false for a contract's own call. */
export const isAction = ({ name }: Pick<Call, 'name'>): boolean =>
  !(CONTRACT_CALLS as readonly string[]).includes(name);
