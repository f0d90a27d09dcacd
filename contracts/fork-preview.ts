import { z } from 'zod';
import { TaskState } from './task.ts';

/** What an effect did or will do, for people: a tool with its input, or a kind of question to the model. */
export const PreviewedEffect = z.object({
  seq: z.number().int().meta({ description: 'The entry that asked for it.' }),
  effect_id: z.string(),
  type: z.string(),
  tool: z.string().nullable(),
  input: z.string().nullable().meta({ description: "The beginning of the tool's input." }),
  writes: z.boolean().meta({ description: 'It is a tool that changes something.' }),
});
export type PreviewedEffect = z.infer<typeof PreviewedEffect>;

/** What a fork at an entry would do, before it is made. */
export const ForkPreview = z.object({
  at: z.number().int(),
  state: TaskState,
  takes: z
    .enum(['answer', 'continue', 'steer'])
    .meta({ description: 'What its `input` would be: an answer to `question`, "continue", or a steer.' }),
  question: z.string().nullable(),
  options: z
    .array(z.string())
    .nullable()
    .meta({ description: 'What the question may be answered with, among others.' }),
  recalled: z
    .array(PreviewedEffect)
    .meta({ description: 'Done before `at`, with a result that the fork has too: not done again.' }),
  performed: z.array(PreviewedEffect).meta({
    description: 'Open at `at`: done again as soon as the fork is made, unless its `input` makes it needless.',
  }),
  left: z.array(PreviewedEffect).meta({
    description: 'What the original did after `at`: the fork decides anew, and may do it again. It is not undone.',
  }),
});
export type ForkPreview = z.infer<typeof ForkPreview>;
