import type { TurnView } from '../../../contracts/turn-view.ts';
import type { OpenedEngine } from '../engine/open-engine.ts';
import type { ExternalCalls } from './external-calls.ts';
import type { Move } from './moves.ts';
import type { Receiver } from './receiver.ts';

/** Where the service posts its events, and where the turns of one session want theirs. */
export const WEBHOOK = 'http://webhook.example/';
export const OWN_RECEIVER = 'http://own.example/';
export const SESSION_WITH_CALLBACKS = 's2';

export type Say = Extract<Move, { kind: 'say' }>;

/** A turn that the service acknowledged, and how it was sent. */
export interface AcknowledgedTurn {
  sent: Say;
  turn: TurnView;
}

/** A history that was played to its end. */
export interface PlayedHistory {
  readonly last: OpenedEngine;
  readonly external: ExternalCalls;
  /** The number of rows of sessions, tasks, turns and entries. */
  rowsInStore(): Promise<number>;
  /** Null: events were not posted. */
  readonly receiver: Receiver | null;
  /** In the order in which they were sent. */
  readonly acknowledged: readonly AcknowledgedTurn[];
  /** Violated laws, in words. */
  readonly faults: readonly string[];
}
