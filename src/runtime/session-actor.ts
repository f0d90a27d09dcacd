import type { Effect, TaskEvent } from '../../contracts/event.ts';
import { isStorageFault, ServiceError } from '../lib/errors.ts';
import type { Asking } from '../lib/questions.ts';
import { type Decision, isRemoval, type TaskStep } from '../session/change.ts';
import {
  type ActiveTask,
  activityOf,
  isOpen,
  type Need,
  NotLoaded,
  newSessionImage,
  queuedTurns,
  type SessionImage,
  withKnownEffect,
} from '../session/image.ts';
import type { EffectWork, Outcome, SessionInput } from '../session/input.ts';
import { StaleImage, type Store } from '../store/port.ts';
import { newId } from './new-id.ts';

/** How long a session waits before it tries again to store what it could not, in milliseconds. */
const RETRY_MS = 1_000;

/** Times that one decision is made again for what its image lacked or for a stale image: far more than any decision reads. */
const DECISIONS_MAX = 20;

export interface ActorDeps {
  store: Pick<Store, 'load' | 'loadTask' | 'commit'>;
  decide(image: SessionImage, input: SessionInput): Asking<Decision>;
  now(): number;
  performEffect(image: SessionImage, effect: Effect, active: ActiveTask, signal: AbortSignal): Promise<Outcome>;
  failedWork(work: EffectWork, error: unknown): TaskEvent;
  /** A decision was refused or could not be stored. */
  onNotCommitted(image: SessionImage, error: unknown): void;
  /** The session was loaded again: what it was committed to meanwhile, nobody here had heard of. */
  onReloaded(before: SessionImage, image: SessionImage): void;
  /** After a commit; `durationMs` is how long it took until it was durable. */
  onCommitted(decision: Decision, durationMs: number): void;
  /** The outcome of an effect could not be stored, so often in a row, and will be tried again. */
  onNotStored(image: SessionImage, error: unknown, tries: number): void;
  onIdle(): void;
}

/** One session in memory: it takes inputs one by one and performs its open effect, and is alone in changing it. */
export type SessionActor = ReturnType<typeof createSessionActor>;

interface InFlightEffect {
  /** How often the owner had been removed when it began. */
  removals: number;
  task_id: string;
  effect: number;
  result: Promise<Outcome>;
  controller: AbortController;
}

interface Waiting {
  input: SessionInput;
  resolve(decision: Decision): void;
  reject(error: unknown): void;
}

const isOutcomeOf = ({ task_id, effect }: InFlightEffect, { event, task }: TaskStep): boolean =>
  task.context.task_id === task_id && 'effect' in event && event.effect === effect;

/** A late outcome as it is written down: the results of tools, else what it was. */
const lateResults = (late: TaskEvent): string =>
  late.type === 'observations.recorded' ? late.observations.map(({ result }) => result).join('\n') : late.type;

export const createSessionActor = (loaded: SessionImage, deps: ActorDeps) => {
  const { store } = deps;
  let image = loaded;
  /** The session as the last commit was to leave it, which failed and may be stored all the same: its answer got lost, and its user may have seen what it says. */
  let doubted: SessionImage | null = null;
  const waiting: Waiting[] = [];
  let running: Promise<void> | null = null;
  /** Set when the session stops; aborts when effects have had their time. */
  let stopping: AbortSignal | null = null;
  /** Resolves when an input comes or the service stops, so that the wait for an effect is given up for a moment. */
  let interrupted = Promise.withResolvers<null>();
  let retry: NodeJS.Timeout | null = null;
  /** The last commit, done or not. */
  let committing: Promise<unknown> = Promise.resolve();
  /** Tries in a row that stored nothing. */
  let failures = 0;
  /** The open effect's, once it is begun. */
  let inFlight: InFlightEffect | null = null;
  /** Aborted effects that may still come to a result. */
  let lateCount = 0;
  /** How often the owner was removed: results of what began before are not stored. */
  let removals = 0;

  const supplied = async (base: SessionImage, need: Need): Promise<SessionImage> => {
    const { session, loaded } = base;
    if (need.kind === 'task') {
      const task = await store.loadTask(session, need.task_id);
      return { ...base, loaded: new Map([...loaded, [need.task_id, task]]) };
    }
    const { lastPaused } = await store.load(session, session.timezone, deps.now());
    return { ...base, lastPaused };
  };

  /** Takes the session from the store again; its effect goes on, and one that nobody has begun is no repetition. */
  const reload = async (): Promise<void> => {
    const before = image;
    const fresh = await store.load(before.session, before.session.timezone, deps.now());
    if (inFlight !== null && !isOpen(fresh, inFlight)) {
      inFlight.controller.abort(new Error('the outcome of the effect is stored'));
      inFlight = null;
    }
    image = withKnownEffect(fresh, doubted === null ? [before] : [before, doubted], inFlight !== null);
    doubted = null;
    deps.onReloaded(before, image);
  };

  const commit = (input: SessionInput): Promise<Decision> => {
    const made = tryToCommit(input);
    committing = made.catch(() => {});
    return made;
  };

  const tryToCommit = async (input: SessionInput): Promise<Decision> => {
    for (let tries = 1; ; tries += 1) {
      if (doubted !== null) await reload();
      const base = image;
      const began = performance.now();
      let decided: SessionImage | null = null;
      try {
        const decision = await store.commit(base, function* () {
          const made = yield* deps.decide(base, input);
          decided = made.image;
          return made;
        });
        const durationMs = performance.now() - began;
        const { id, timezone } = base.session;
        // The number is free again.
        image = isRemoval(decision) ? newSessionImage(id, base.session, timezone, deps.now()) : decision.image;
        if (input.type === 'owner_removed') removals += 1;
        if (inFlight !== null && !isOpen(image, inFlight)) settle(inFlight, decision.steps);
        failures = 0;
        deps.onCommitted(decision, durationMs);
        return decision;
      } catch (error) {
        deps.onNotCommitted(base, error);
        const isLast = tries === DECISIONS_MAX;
        if (!isLast && error instanceof NotLoaded) image = await supplied(base, error.need);
        else if (!isLast && error instanceof StaleImage) await reload();
        else {
          doubted = isStorageFault(error) ? (decided ?? base) : null;
          // Rows loaded for a refused input are not kept: there may be any number of tasks that inputs name.
          if (image.loaded.size > 0) image = { ...image, loaded: new Map() };
          throw error;
        }
      }
    }
  };

  /** The effect is not open any more: its outcome is committed, or a cancel made it pointless and it is aborted. */
  const settle = (started: InFlightEffect, steps: readonly TaskStep[]): void => {
    inFlight = null;
    if (steps.some((step) => isOutcomeOf(started, step))) return;
    const { task_id, effect, result, controller } = started;
    controller.abort(new Error('the task was cancelled'));
    lateCount += 1;
    const record = (late: Outcome): void => {
      if (late.type === 'effect_work' || started.removals !== removals) return;
      const outcome = 'result' in late ? late.result : lateResults(late);
      const usage = 'usage' in late ? late.usage : undefined;
      void post({ type: 'late_result', task_id, effect, outcome, usage }).catch(() => {});
    };
    result
      .then(record, () => {})
      .finally(() => {
        lateCount -= 1;
        wake();
      });
  };

  const start = (effect: Effect, active: ActiveTask): InFlightEffect => {
    const controller = new AbortController();
    const result = deps.performEffect(image, effect, active, controller.signal);
    const { task_id } = active.task.context;
    const started = { removals, task_id, effect: effect.effect, result, controller };
    inFlight = started;
    // It was aborted, or the store did not give what it begins with: it is then performed anew. Nobody may be waiting for it.
    result.catch(() => {
      if (inFlight === started) inFlight = null;
    });
    return started;
  };

  /** Takes in the next input, and resolves its sender's promise. A user's come behind all others, in the order in which they came. */
  const takeInput = async (): Promise<void> => {
    const urgent = waiting.findIndex(({ input: { type } }) => type !== 'turn' && type !== 'fork');
    const [next] = waiting.splice(Math.max(urgent, 0), 1);
    if (next !== undefined) await commit(next.input).then(next.resolve, next.reject);
  };

  /** The outcome of an effect; null when an input came meanwhile and must be taken in first, or time is over. */
  const awaited = async ({ result }: InFlightEffect): Promise<Outcome | null> => {
    interrupted = Promise.withResolvers();
    return waiting.length > 0 ? null : Promise.race([result, interrupted.promise]);
  };

  const commitOutcome = async (outcome: Outcome): Promise<void> => {
    try {
      await commit(outcome.type === 'effect_work' ? outcome : { type: 'effect_result', event: outcome });
    } catch (error) {
      if (outcome.type !== 'effect_work' || isStorageFault(error)) throw error;
      await commit({ type: 'effect_result', event: deps.failedWork(outcome, error) });
    }
  };

  /** Moves the session on until nothing is left to do, or it stops. Commits first, then performs (SPEC 7). */
  const advance = async (): Promise<void> => {
    while (stopping === null) {
      const { active, open } = image;
      if (waiting.length > 0) await takeInput();
      else if (doubted !== null) await reload();
      else if (active !== null && open !== null) {
        if (active.isBegun) {
          const outcome = await awaited(inFlight ?? start(open, active));
          if (outcome !== null) await commitOutcome(outcome);
        } else await commit({ type: 'effect_begun' });
      } else if (active === null && queuedTurns(image).length > 0)
        await commit({ type: 'queued_next', task_id: newId('task', deps.now()) });
      else return;
    }
  };

  /** Stores the outcome of the effect in flight where it comes in time, and begins nothing. */
  const finish = async (): Promise<void> => {
    while (stopping?.aborted === false && inFlight !== null) {
      const outcome = await awaited(inFlight);
      if (outcome !== null) return commitOutcome(outcome);
    }
  };

  const run = async (): Promise<void> => {
    try {
      await advance();
      await finish();
    } catch (error) {
      if (stopping === null) {
        failures += 1;
        deps.onNotStored(image, error, failures);
        retry = setTimeout(wake, RETRY_MS);
      }
    }
    running = null;
    deps.onIdle();
    if (waiting.length > 0) wake();
  };

  const refuseAll = (): void => {
    const text = 'The service is stopping, and nothing of this was stored; try again soon';
    for (const { reject } of waiting.splice(0)) reject(new ServiceError('SHUTTING_DOWN', text));
  };

  const wake = (): void => {
    if (retry !== null) clearTimeout(retry);
    retry = null;
    if (stopping !== null) refuseAll();
    else if (running !== null) interrupted.resolve(null);
    else running = run();
  };

  /** Resolves with what the input led to once that is stored; rejects when it is refused or can't be stored. */
  const post = (input: SessionInput): Promise<Decision> =>
    new Promise((resolve, reject) => {
      const cameWhileRunning = doubted === null && activityOf(image) === 'running';
      waiting.push({ input: input.type === 'turn' ? { ...input, cameWhileRunning } : input, resolve, reject });
      wake();
    });

  return {
    post,
    wake,
    image: (): SessionImage => image,
    /** Resolves once the image has what a reader of the store may have seen before. */
    settled: async (): Promise<void> => void (await committing),
    /** Nothing is open, came in, is to be tried again, or is still aborting, so that the session may leave memory. */
    isIdle: (): boolean =>
      image.open === null && retry === null && lateCount === 0 && waiting.length === 0 && running === null,
    /** Stops after the commit in progress; effects get until `deadline` to come to an outcome, then are aborted. What is not stored is refused with `SHUTTING_DOWN`. */
    stop: async (deadline: AbortSignal): Promise<void> => {
      stopping = deadline;
      refuseAll();
      const abort = (): void => {
        inFlight?.controller.abort(new Error('the service is stopping'));
        // An effect that ignores the abort is not waited for: it stays open in the store.
        interrupted.resolve(null);
      };
      if (deadline.aborted) abort();
      else deadline.addEventListener('abort', abort);
      // An outcome that could not be stored is tried once more.
      if (retry !== null) {
        clearTimeout(retry);
        retry = null;
        running = run();
      }
      await running;
    },
  };
};
