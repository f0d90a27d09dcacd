import { z } from 'zod';

/** One of the three contracts (SPEC 5). */
export const Contract = z.enum(['plan', 'thought', 'replan']);
export type Contract = z.infer<typeof Contract>;

/** The contract that each effect of a model asks for. */
export const CONTRACTS = { 'model.plan': 'plan', 'model.thought': 'thought', 'model.replan': 'replan' } as const;

/** Calls that say what the contracts say (SPEC 5). No tool may have one of these names. */
export const CONTRACT_CALLS = ['plan', 'item_done', 'finish', 'ask_user'] as const;

/** Names that no tool may have: those of the contracts' calls, and of the service's own tool that reads on in a long result. */
export const RESERVED_NAMES: readonly string[] = [...CONTRACT_CALLS, 'read_result'];

/** Keywords that Anthropic or OpenAI refuse at the top of a tool's schema, and with it every call. */
const NOT_AT_TOP = ['allOf', 'anyOf', 'oneOf', 'not', 'enum', '$ref'];

/** Whether the fields of a schema can be those of a call. Any other input is the one field `input` of its call. */
export const hasOwnFields = (schema: Readonly<Record<string, unknown>>): boolean =>
  schema['type'] === 'object' && !NOT_AT_TOP.some((keyword) => keyword in schema);

/** One call of a model's message: a tool, or a contract's call, with its input as the model wrote it. */
export const Call = z.object({
  name: z.string(),
  input: z.record(z.string(), z.unknown()),
  /** Arguments that can't be taken, as text: the call is refused when it is due. */
  unreadable: z.string().optional(),
  /** Why they can't be taken; absent: they are no JSON object. */
  fault: z.enum(['rounded_number', 'too_deep']).optional(),
});
export type Call = z.infer<typeof Call>;

/** A model's message as it is stored with the event that its first call became. */
export const Message = z.object({
  calls: z.array(Call),
  /** The text beside the calls, a note of the model to itself; of a rejected message without calls all of its text. */
  text: z.string().optional(),
  /** The model that was asked, where executors have models of their own. */
  model: z.string().optional(),
  /** How many answers and steers of the user its prompt had; absent: none. */
  heard: z.number().int().min(1).optional(),
});
export type Message = z.infer<typeof Message>;

/** Fields of a model's event that say which part of a message it is. */
export const spoken = {
  message: Message.optional(),
  /** The call that this event is. `more`: the same call also answers the contract that comes next. */
  call: z
    .object({
      at: z.number().int().min(0),
      more: z.boolean().optional(),
      /** So many calls from this one on are one thought's actions; absent: this one alone. */
      count: z.number().int().min(2).optional(),
      /** The message goes on with a plan or the task's end, so a replan follows this end of an item in any case. */
      replans: z.literal(true).optional(),
    })
    .optional(),
};

/** The rest of the newest message, which answers the next contracts without a call of the model (SPEC 3, chains). */
export const Said = z.object({
  calls: z.array(Call),
  model: z.string().or(z.undefined()).optional(),
  /** The next call's place in the message. */
  at: z.number().int().min(0),
  /** The contracts that this call has answered already. */
  taken: z.array(Contract),
});
export type Said = z.infer<typeof Said>;

/** Whether a call asks for an action, and not for what a contract's own call says. */
export const isAction = ({ name }: Pick<Call, 'name'>): boolean =>
  !(CONTRACT_CALLS as readonly string[]).includes(name);
