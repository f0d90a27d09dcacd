import { z } from 'zod';
import { AnswerContract, Call } from './calls.ts';
import { AttachedFile } from './file.ts';
import { ModelCall } from './model-call.ts';
import { CallUsage, MODEL_NAME_CHARS_MAX } from './usage.ts';

/** Longest edited text of a prompt, in characters. */
const TEXT_CHARS_MAX = 1_000_000;

/** An answer of a model, and whether its contract takes it. */
export const JudgedAnswer = z.object({
  model: z.string().nullable().meta({ description: 'Null: the history does not name it.' }),
  text: z.string().nullable().meta({ description: 'The text of the answer, unread; null where none came.' }),
  calls: z.array(Call).optional().meta({ description: 'The calls of the answer, in order; absent where it has none.' }),
  fault: ModelCall.shape.fault,
  is_accepted: z.boolean().meta({ description: 'The contract takes the answer.' }),
  reason: z.string().nullable().meta({ description: 'Why the contract refuses it, or why none came.' }),
  usage: CallUsage.nullable().meta({ description: 'Tokens and cost; null where none are known.' }),
  duration_ms: z.number().int().min(0),
});
export type JudgedAnswer = z.infer<typeof JudgedAnswer>;

/** A text of a prompt's message. */
export const EditableText = z.object({
  content: z.string(),
  /** The file behind the text; absent: none. */
  file: AttachedFile.pick({ path: true, media_type: true, bytes: true })
    .extend({ is_gone: z.boolean().meta({ description: 'It is no longer stored, so the model gets its name alone.' }) })
    .optional(),
});
export type EditableText = z.infer<typeof EditableText>;

/** The prompt of a recorded model call, to be edited and sent again. */
export const CallPrompt = z.object({
  effect_id: z.string(),
  contract: AnswerContract,
  model: z.string().meta({ description: 'The model that this prompt is for.' }),
  models: z
    .array(z.string())
    .meta({ description: 'The models that may be asked, the one of the recorded call first.' }),
  is_any_model: z.boolean().meta({ description: 'Others may be asked, too, by names written like TRIPACT_MODEL.' }),
  is_exact: z.boolean().meta({
    description:
      'The texts are those that were sent. False: the call is not stored any more, was sent in another form, or to a model that is asked in another way; then they are made from the history, with the instructions and tools of today.',
  }),
  system: z.string().nullable().meta({ description: 'The system prompt; null: the model has no prompts.' }),
  messages: z
    .array(EditableText)
    .meta({ description: "The texts of the user's message, in order: the model gets one." }),
  recorded: JudgedAnswer,
});
export type CallPrompt = z.infer<typeof CallPrompt>;

/** The body of `POST …/calls/{effect_id}/rerun`: what is changed of the recorded call. Empty: nothing. */
export const CallRerunRequest = z
  .strictObject({
    model: z
      .string()
      .max(MODEL_NAME_CHARS_MAX)
      .optional()
      .meta({ description: 'Another model; default: the recorded one, else the one that answers today.' }),
    instructions: z
      .string()
      .max(TEXT_CHARS_MAX)
      .optional()
      .meta({ description: "In place of the agent's instructions in the system prompt." }),
    system: z.string().max(TEXT_CHARS_MAX).optional().meta({ description: 'In place of the whole system prompt.' }),
    messages: z
      .array(z.strictObject({ index: z.number().int().min(0), content: z.string().max(TEXT_CHARS_MAX) }))
      .optional()
      .meta({
        description:
          'Edited texts of the message, by their places in `messages`. An empty one is left out, with its file.',
      }),
  })
  .refine(({ instructions, system }) => instructions === undefined || system === undefined, {
    error: 'cannot be sent with "instructions", which are part of it',
    path: ['system'],
  });
export type CallRerunRequest = z.infer<typeof CallRerunRequest>;

/** A call that was made again, beside the recorded one. */
export const CallRerun = z.object({
  effect_id: z.string(),
  contract: AnswerContract,
  recorded: JudgedAnswer,
  again: JudgedAnswer,
  is_exact: CallPrompt.shape.is_exact,
  gone: z.array(z.string()).meta({ description: 'Paths of files that the recorded prompt had and that are gone.' }),
});
export type CallRerun = z.infer<typeof CallRerun>;
