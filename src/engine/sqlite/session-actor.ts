import type { Effect } from '../../../contracts/effect.ts';
import { advance } from '../advance.ts';
import type {
  ActiveTask,
  HeldSession,
  NewTurn,
  Outcome,
  RequestedChange,
  SessionChange,
  SessionHead,
} from '../session-head.ts';
import type { Opening } from '../take-input.ts';
import { beginChange, type Committed, type HeadRows } from './change.ts';
import type { CommitQueue } from './commit-queue.ts';
import type { SessionRow } from './rows.ts';
import type { Statements } from './statements.ts';

/** How long a session waits before it tries again to store what it could not, in milliseconds. */
const RETRY_MS = 1_000;

/** What the actor needs around it. */
export interface ActorDeps {
  statements: Statements;
  commits: CommitQueue;
  machine: number;
  opening: Opening;
  bodyHash(turn: NewTurn): string | null;
  performEffect(row: SessionRow, effect: Effect, active: ActiveTask, timezone: string, signal: AbortSignal): Promise<Outcome>;
  /** After a commit: entries were added, turns finished. Awaited before the next step when it gives a promise. */
  onCommitted(row: SessionRow, committed: Committed[], finished: string[]): Promise<void> | undefined;
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
  isIdle(): boolean;
  /** Stops after the commit in flight; effects get until `deadline` to come to an outcome, then are aborted. */
  stop(deadline: AbortSignal): Promise<void>;
}

interface Flight {
  result: Promise<Outcome>;
  controller: AbortController;
  isSettled: boolean;
}

/** Makes the actor of a session whose head was loaded. */
export const createSessionActor = (
  row: SessionRow,
  loaded: { head: SessionHead; rows: HeadRows },
  deps: ActorDeps,
): SessionActor => {
  let { head, rows } = loaded;
  const inputs: { turn: NewTurn; resolve: () => void; reject: (error: unknown) => void }[] = [];
  let taking: (typeof inputs)[number] | null = null;
  const changes: RequestedChange[] = [];
  let running: Promise<void> | null = null;
  let isStopping = false;
  let interrupt = (): void => {};
  let retry: NodeJS.Timeout | undefined;
  const flights = new Map<string, Flight>();

  const commit = async (write: (change: SessionChange) => void): Promise<void> => {
    let draft: ReturnType<typeof beginChange>['draft'] | undefined;
    await deps.commits.commit(() => {
      const surroundings = { ...deps, session: row, now: deps.opening.now() };
      const begun = beginChange(head, rows, surroundings);
      write(begun.change);
      draft = begun.draft;
    });
    if (draft === undefined) return;
    ({ head, rows } = draft);
    for (const [id, flight] of flights) if (id !== head.open?.effect_id) land(id, flight);
    const mirrored = deps.onCommitted(row, draft.committed, draft.finished);
    if (mirrored !== undefined) await mirrored;
  };

  /** The effect is not open any more: its outcome is committed, or a cancel made it pointless and it is aborted. */
  const land = (effectId: string, { result, controller, isSettled }: Flight): void => {
    flights.delete(effectId);
    if (isSettled) return;
    const task_id = effectId.slice(0, effectId.lastIndexOf('.'));
    controller.abort(new Error('the task was cancelled'));
    const writeDown = (outcome: Outcome): void => {
      if (!('event' in outcome)) return;
      const { type } = outcome.event;
      request({ write: (change) => change.supersede(task_id, effectId, type), settle: () => {} });
    };
    result.then(writeDown, () => {});
  };

  const takeOff = (effect: Effect, active: ActiveTask): Flight => {
    const controller = new AbortController();
    const result = deps.performEffect(row, effect, active, head.timezone, controller.signal);
    const flight: Flight = { result, controller, isSettled: false };
    const settle = (): void => {
      flight.isSettled = true;
    };
    result.then(settle, settle);
    flights.set(effect.effect_id, flight);
    return flight;
  };

  const held: HeldSession = {
    owner: row.owner,
    session_id: row.session_id,
    head: () => head,
    nextInput: () => {
      const next = inputs.shift();
      if (next !== undefined) {
        taking = next;
        return { turn: next.turn };
      }
      const change = changes.shift();
      return change === undefined ? null : { change };
    },
    commit,
    settle: (_, error) => {
      if (error === null) taking?.resolve();
      else taking?.reject(error);
      taking = null;
    },
    perform: async (effect, active) => {
      const flight = flights.get(effect.effect_id) ?? takeOff(effect, active);
      const interrupted = new Promise<null>((resolve) => {
        interrupt = () => resolve(null);
      });
      return Promise.race([flight.result, interrupted]);
    },
    isStopping: () => isStopping,
  };

  const run = async (): Promise<void> => {
    deps.onBusy(row);
    try {
      await advance(held, deps.opening);
    } catch (error) {
      for (const { reject } of inputs.splice(0)) reject(error);
      if (!isStopping) {
        deps.onStorageError(row, error);
        retry = setTimeout(wake, RETRY_MS);
      }
    } finally {
      running = null;
    }
    if (!isStopping && (inputs.length > 0 || changes.length > 0)) return wake();
    deps.onIdle(row);
  };

  const wake = (): void => {
    clearTimeout(retry);
    if (running === null && !isStopping) running = run();
    else interrupt();
  };

  const request = (change: RequestedChange): void => {
    changes.push(change);
    wake();
  };

  return {
    request,
    sawSeq: (seq) => {
      head = { ...head, seq };
    },
    post: (turn) =>
      new Promise((resolve, reject) => {
        inputs.push({ turn, resolve, reject });
        wake();
      }),
    wake,
    head: () => head,
    isIdle: () => running === null,
    stop: async (deadline) => {
      isStopping = true;
      clearTimeout(retry);
      const inFlight = [...flights.values()];
      deadline.addEventListener('abort', () => {
        for (const { controller } of inFlight) controller.abort(new Error('the service is stopping'));
      });
      await running;
    },
  };
};
