import type { Inbox } from './inbox.ts';
import type { Tripact } from './tripact.ts';

/** Shared by the parts of a relay. */
export interface RelayParts {
  /** Tripact for the user whose a thread is. */
  tripactOf(thread: string): Tripact;
  inbox: Inbox;
  log(text: string): void;
  /** Aborts when the bot stops. */
  signal: AbortSignal;
}
