import type { ModelReply, ModelRequest, SentCall } from '../port.ts';
import type { Endpoint, Verdict } from './verdict.ts';

/** What a call may be spared of, when the server refuses it. */
export interface CallForm {
  /** How many of the task's oldest observations are left out. */
  dropObservations: number;
  /** With the contract's schema, for structured output. */
  withSchema: boolean;
  /** With marks for the prompt cache. */
  withMarks: boolean;
}

/** One provider: how it is called, and what its errors mean. */
export interface Provider {
  endpoint: Endpoint;
  /** One call, never repeated by itself; `onSent` gets what it sends. Rejects with whatever its SDK throws; stops when `signal` aborts. */
  call(
    request: ModelRequest,
    form: CallForm,
    signal: AbortSignal,
    onSent: (sent: SentCall) => void,
  ): Promise<ModelReply>;
  /** What a call's error means. */
  classify(error: unknown): Verdict;
}
