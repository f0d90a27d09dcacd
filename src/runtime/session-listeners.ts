import type { Decision } from '../session/change.ts';
import type { Commit, SessionListener } from '../session/commit.ts';
import type { SessionImage } from '../session/image.ts';
import { turnsOf } from '../session/turn-views.ts';

/** Notifies its listeners about the sessions of this process, in the order in which they were added. Stores nothing. */
export class SessionListeners {
  readonly #listeners: SessionListener[] = [];

  add(...listeners: readonly SessionListener[]): void {
    this.#listeners.push(...listeners);
  }

  tellCommitted(decision: Decision, durationMs: number): void {
    const commit: Commit = { decision, turns: turnsOf(decision), durationMs };
    for (const listener of this.#listeners) listener.committed?.(commit);
  }

  tellReloaded(before: SessionImage, image: SessionImage): void {
    for (const listener of this.#listeners) listener.reloaded?.(before, image);
  }
}
