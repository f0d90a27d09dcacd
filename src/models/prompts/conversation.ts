import type { Prompt } from './prompt-text.ts';

/** What the model said, and its result. */
export interface Exchange {
  assistant: string;
  user: string;
}

/** Messages that alternate strictly, user first and last, whatever the exchanges are. */
export const conversation = (firstMessage: string, exchanges: Exchange[]): Prompt['messages'] => [
  { role: 'user', content: firstMessage },
  ...exchanges.flatMap(({ assistant, user }) => [
    { role: 'assistant' as const, content: assistant },
    { role: 'user' as const, content: user },
  ]),
];

/** Sections of a prompt with an empty line between them; those that are null have nothing to say. */
export const sections = (parts: (string | null)[]): string => parts.filter((part) => part !== null).join('\n\n');
