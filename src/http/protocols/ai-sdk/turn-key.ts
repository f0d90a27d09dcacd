import { createHash } from 'node:crypto';

/** The idempotency key of what a page sends: the same parts give the same turn, however often they are posted. */
export const turnKey = (...parts: readonly string[]): string =>
  `ai-sdk/${createHash('sha256').update(JSON.stringify(parts)).digest('base64url')}`;

/** The key of the answer to a question: a question has one. */
export const answerKey = (sessionId: string, questionId: string): string => turnKey('answer', sessionId, questionId);
