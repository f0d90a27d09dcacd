import type { TurnView } from '../../contracts/turn-view.ts';

/** One answer that the service requested from the model, recorded before it is given. */
export interface Purchase {
  /** Counts from 1. The answer reports it as its `input_tokens`, so that the trace shows which answer was committed. */
  answer: number;
  /** The service process that asked, counted from 1. */
  life: number;
  session_id: string;
  /** The goal in the prompt. */
  goal: string;
  contract: string;
  /**
   * The model effect that was open in the store when the request came in; null: none was, so nothing should be bought.
   */
  effect_id: string | null;
}

/** One run of a tool outside the service, recorded when it starts. */
export interface ToolRun {
  /** Counts from 1; the tool's result names it. */
  run: number;
  life: number;
  tool: string;
  effect_id: string;
}

/** One post to the webhook, recorded before it is accepted or refused. */
export interface ReceivedCallback {
  /** Its `webhook-id`. */
  id: string;
  body: string;
}

/** A turn or command that a client sends until it is acknowledged, always with the same key. */
export interface SentTurn {
  key: string;
  session_id: string;
  input: string;
  /** The id in the first 2xx reply; null while there was none. */
  turn_id: string | null;
  /** The finished turn as first returned. */
  reply: TurnView | null;
}

/** A violation, and where it was found. */
export interface Violation {
  rule: Rule;
  detail: string;
}

/** Rules, each named by its violation in the report. */
export const RULES = {
  turnLost: 'acknowledged turns lost',
  turnTwice: 'keys that gave two turns',
  replyChanged: 'replies that changed after they were given',
  cancelLost: 'acknowledged cancels lost',
  boughtAfterCommit: 'answers bought again after their commit',
  boughtTwice: 'answers bought twice without a crash between',
  answerUnknown: 'committed answers that were never bought, or were committed twice',
  transactionalTwice: 'transactional tools run twice',
  transactionalApart: 'transactional changes without their observation, or the reverse',
  onceTwice: 'at-most-once tools run twice',
  idempotentNeedless: 'idempotent tools run again without a crash, or after their commit',
  seqGap: 'gaps in seq',
  integrity: '`integrity_check` or `foreign_key_check` not ok',
  fileTorn: 'torn `plan.json` files',
  fileStale: '`plan.json` files with an older state once all tasks have settled',
  notReplayed: 'traces that do not replay',
  notSettled: 'effects or turns left open once all tasks have settled',
  reminderApart: 'reminders that are over without their event, or the reverse',
  reminderLost: 'acknowledged reminders that never came, or came twice',
  callbackApart: 'finished turns without their callback, or the reverse',
  callbackLost: 'callbacks taken for delivered that nobody received',
  callbackChanged: 'callbacks that said something else at a later post',
  decidedTwice: 'actions for which two decisions were taken',
  removedBack: 'acknowledged removals that were undone',
  requestRefused: 'requests refused for no reason',
  endedByItself: 'unexpected ends of the service',
} as const;
export type Rule = keyof typeof RULES;

/**
 * Everything observed from outside the service. Outlives every process of the service, and knows no expected values.
 */
export interface Ledger {
  purchases: Purchase[];
  runs: ToolRun[];
  turns: SentTurn[];
  callbacks: ReceivedCallback[];
  /** Tasks whose cancellation by id was acknowledged. */
  cancelled: Set<string>;
  /** Sessions of rivals and their forks, which `rivals.ts` creates. */
  rivals: Set<string>;
  /** Those whose removal was sent; true: it was acknowledged. */
  removed: Map<string, boolean>;
  violations: Violation[];
}

/** An empty ledger. */
export const createLedger = (): Ledger => ({
  purchases: [],
  runs: [],
  turns: [],
  callbacks: [],
  cancelled: new Set(),
  rivals: new Set(),
  removed: new Map(),
  violations: [],
});
