import type { TurnView } from '../../contracts/turn-view.ts';
import type { Decision } from './change.ts';
import type { SessionImage } from './image.ts';

/** A decision that is stored. */
export interface Commit {
  readonly decision: Decision;
  /** The turns that it added or finished. */
  readonly turns: readonly TurnView[];
  /** How long it took until it was durable. */
  readonly durationMs: number;
}

/** Listens to the commits of a process's sessions. Delays no session, and never throws. */
export interface SessionListener {
  committed?(commit: Commit): void;
  /** The session was read again after a commit that seemed to fail: it is stored as `image` says, and no listener has heard of it. */
  reloaded?(before: SessionImage, image: SessionImage): void;
}
