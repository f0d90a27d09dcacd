import { z } from 'zod';

const Text = z.string();

/** What a model was sent, as text: a system prompt, and messages that alternate, beginning and ending with the user's. */
export const SentPrompt = z.object({
  system: Text,
  messages: z.array(z.object({ role: z.enum(['user', 'assistant']), content: Text })),
});
export type SentPrompt = z.infer<typeof SentPrompt>;
