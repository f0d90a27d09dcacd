import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Effect } from '../../../contracts/effect.ts';
import { ServiceError } from '../../errors.ts';
import { advance } from '../advance.ts';
import type {
  ActiveTask,
  Arrival,
  HeldSession,
  NewTurn,
  Outcome,
  RequestedChange,
  SessionChange,
  SessionHead,
} from '../session-head.ts';
import { activityOf, type Opening } from '../take-input.ts';
import { type Committed, createChanges, type Draft, type HeadRows } from './change.ts';
import type { SessionRow } from './rows.ts';
import type { Sessions } from './sessions.ts';
import type { Statements } from './statements.ts';
import type { Zones } from './zones.ts';

/** How long a session waits before it tries again to store what it could not, in milliseconds. */
const RETRY_MS = 1_000;

const stoppingError = (): ServiceError =>
  new ServiceError('SHUTTING_DOWN', 'The service is stopping, and nothing of this was stored; try again soon');

/** What the actor needs around it. */
export interface ActorDeps {
  statements: Statements;
  sessions: Sessions;
  zones: Zones;
  machine: number;
  opening: Opening;
  bodyHash(turn: NewTurn): string | null;
  performEffect(row: SessionRow, effect: Effect, active: ActiveTask, signal: AbortSignal): Promise<Outcome>;
  /** After a commit: entries were added, turns finished. */
  onCommitted(row: SessionRow, committed: Committed[], finished: string[]): void;
  isStorageError(error: unknown): boolean;
  /** A commit failed and will be tried again. */
  onStorageError(row: SessionRow, error: unknown): void;
  onIdle(row: SessionRow): void;
  onBusy(row: SessionRow): void;
}

/** One session in memory: it takes inputs one by one and performs its open effect, alone in touching its head. */
export interface SessionActor {
  /** Resolves when the turn is stored; rejects when it is refused or can't be stored. */
  post(turn: NewTurn): Promise<void>;
  /** Commits a change that no input asked for, in turn with the others. */
  request(change: RequestedChange): void;
  /** Somebody else added entries to this session, up to `seq`. */
  sawSeq(seq: number): void;
  /** Goes on with what is open. */
  wake(): void;
  head(): SessionHead;
  /** Nothing is open, nothing came in, nothing is to be tried again and no late result is waited for, so that it may be let go. */
  isResting(): boolean;
  /**
   * Stops after the commit in flight; effects get until `deadline` to come to an outcome, then are aborted. What came in and is
   * not stored is refused with `SHUTTING_DOWN`.
   */
  stop(deadline: AbortSignal): Promise<void>;
}

interface Flight {
  result: Promise<Outcome>;
  controller: AbortController;
}

/** Makes the actor of a session whose head was loaded. */
export const createSessionActor = (
  row: SessionRow,
  loaded: { head: SessionHead; rows: HeadRows },
  deps: ActorDeps,
): SessionActor => {
  let { head, rows } = loaded;
  const sessionChanges = createChanges({ ...deps, session: row });
  const inputs: (Arrival & { resolve: () => void; reject: (error: unknown) => void })[] = [];
  let taking: (typeof inputs)[number] | null = null;
  const changes: RequestedChange[] = [];
  let running: Promise<void> | null = null;
  let isStopping = false;
  let interrupt = (): void => {};
  let retry: NodeJS.Timeout | null = null;
  const flights = new Map<string, Flight>();
  /** Aborted effects that may still come to a result. */
  let lateCount = 0;

  const commit = async (write: (change: SessionChange) => void): Promise<void> => {
    let draft: Draft | undefined;
    await deps.sessions.commit(row, () => {
      const begun = sessionChanges.begin(head, rows, deps.opening.now());
      write(begun.change);
      draft = begun.draft;
    });
    if (draft === undefined) return;
    ({ head, rows } = draft);
    for (const [id, flight] of flights) if (id !== head.open?.effect_id) land(id, flight, draft.committed);
    deps.onCommitted(row, draft.committed, draft.finished);
  };

  /** The effect is not open any more: its outcome is committed, or a cancel made it pointless and it is aborted. */
  const land = (effectId: string, { result, controller }: Flight, committed: Committed[]): void => {
    flights.delete(effectId);
    if (committed.some(({ event }) => 'effect_id' in event && event.effect_id === effectId)) return;
    const task_id = effectId.slice(0, effectId.lastIndexOf('.'));
    controller.abort(new Error('the task was cancelled'));
    lateCount += 1;
    const writeDown = (outcome: Outcome): void => {
      if (!('event' in outcome)) return;
      const late = 'result' in outcome.event ? outcome.event.result : outcome.event.type;
      changes.push({ write: (change) => change.supersede(task_id, effectId, late), settle: () => {} });
    };
    result
      .then(writeDown, () => {})
      .finally(() => {
        lateCount -= 1;
        wake();
      });
  };

  const takeOff = (effect: Effect, active: ActiveTask): Flight => {
    const controller = new AbortController();
    const result = deps.performEffect(row, effect, active, controller.signal);
    result.catch(() => {});
    const flight: Flight = { result, controller };
    flights.set(effect.effect_id, flight);
    return flight;
  };

  const held: HeldSession = {
    owner: row.owner,
    session_id: row.session_id,
    head: () => head,
    nextInput: () => {
      // A history that a changed machine left is set right before anybody's input meets it.
      const change = changes.shift();
      if (change !== undefined) return { change };
      taking = inputs.shift() ?? null;
      return taking;
    },
    commit,
    isStorageError: deps.isStorageError,
    settle: (_, error) => {
      if (error === null) taking?.resolve();
      else taking?.reject(error);
      taking = null;
    },
    perform: (effect, active) =>
      new Promise((resolve, reject) => {
        const { result } = flights.get(effect.effect_id) ?? takeOff(effect, active);
        interrupt = () => resolve(null);
        result.then(resolve, reject);
      }),
    isStopping: () => isStopping,
  };

  const run = async (): Promise<void> => {
    deps.onBusy(row);
    // Who else comes in this turn of the event loop is busy by then, and they share their commits.
    await nextTurn();
    try {
      await advance(held, deps.opening);
    } catch (error) {
      if (!isStopping) {
        deps.onStorageError(row, error);
        retry = setTimeout(wake, RETRY_MS);
      }
    }
    running = null;
    deps.onIdle(row);
    if (inputs.length > 0 || changes.length > 0) wake();
  };

  const refuseAll = (): void => {
    for (const { reject } of inputs.splice(0)) reject(stoppingError());
    for (const { settle } of changes.splice(0)) settle(stoppingError());
  };

  const wake = (): void => {
    if (retry !== null) clearTimeout(retry);
    retry = null;
    if (running !== null) interrupt();
    else if (isStopping) refuseAll();
    else running = run();
  };

  return {
    request: (change) => {
      changes.push(change);
      wake();
    },
    sawSeq: (seq) => {
      head = { ...head, seq };
    },
    post: (turn) =>
      new Promise((resolve, reject) => {
        inputs.push({ turn, cameWhileRunning: activityOf(head) === 'running', resolve, reject });
        wake();
      }),
    wake,
    head: () => head,
    isResting: () =>
      head.open === null && retry === null && lateCount === 0 && inputs.length === 0 && changes.length === 0,
    stop: async (deadline) => {
      isStopping = true;
      if (retry !== null) clearTimeout(retry);
      const inFlight = [...flights.values()];
      deadline.addEventListener('abort', () => {
        for (const { controller } of inFlight) controller.abort(new Error('the service is stopping'));
        // One that doesn't heed the abort is not waited for: it stays open in the store.
        interrupt();
      });
      await running;
    },
  };
};
