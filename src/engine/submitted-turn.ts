import type { TurnRequest } from '../../contracts/http.ts';

/** A user turn that was checked at the boundary. */
export interface SubmittedTurn extends Omit<TurnRequest, 'input'> {
  /** Empty where a `decision` stands in its place. */
  input: string;
  owner: string;
  session_id: string;
  /** The question that it answers, by `questionId`: `QUESTION_NOT_OPEN` where the session waits for no answer to exactly that one. */
  answers?: string;
  /** Same key and body: the same turn; another body: `IDEMPOTENCY_KEY_REUSED` (SPEC 11). */
  idempotency_key?: string;
  /** The W3C `traceparent` of the request; not stored. */
  traceparent?: string;
}
