import { requestKey } from '../request-key.ts';

/** The idempotency key of what a page sends: the same parts give the same turn, however often they are posted. */
export const turnKey = (...parts: readonly string[]): string => requestKey('ai-sdk/', parts);

/** The key of the answer to a question: a question has one. */
export const answerKey = (sessionId: string, questionId: string): string => turnKey('answer', sessionId, questionId);
