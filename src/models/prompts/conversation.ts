import { inRow, type Prompt, type PromptPart } from './prompt-text.ts';

/** What the model said, and its result. */
export interface Exchange {
  assistant: string;
  user: PromptPart[];
}

/** Messages that alternate strictly, user first and last, whatever the exchanges are. */
export const conversation = (firstMessage: PromptPart[], exchanges: Exchange[]): Prompt['messages'] => [
  { role: 'user', content: inRow(firstMessage) },
  ...exchanges.flatMap(({ assistant, user }) => [
    { role: 'assistant' as const, content: [{ text: assistant }] },
    { role: 'user' as const, content: inRow(user) },
  ]),
];
