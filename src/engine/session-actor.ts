import type { Effect } from '../../contracts/event.ts';
import { effectId } from '../../contracts/ids.ts';
import { ServiceError } from '../lib/errors.ts';
import { type SessionStore, StaleImage } from '../store/port.ts';
import type { Asking } from '../store/questions.ts';
import { advance, type SessionLease } from './advance.ts';
import type { Decision, TaskStep } from './change.ts';
import {
  type ActiveTask,
  activityOf,
  type Need,
  NotLoaded,
  newSessionImage,
  type SessionImage,
} from './session-image.ts';
import type { EffectResult, EffectWork, IncomingTurn, SessionInput } from './session-input.ts';

/** How long a session waits before it tries again to store what it could not, in milliseconds. */
const RETRY_MS = 1_000;

/** Tries to store an outcome after which callers that wait for a reply get an error: some seconds. */
const TRIES_WAITED_FOR = 3;

/** Times that one decision is made again for what its image lacked or for a stale image: far more than any decision reads. */
const DECISIONS_MAX = 20;

/** Dependencies of the actor. */
export interface ActorDeps {
  store: SessionStore;
  decide(image: SessionImage, input: SessionInput): Asking<Decision>;
  now(): number;
  /** A new task's id. */
  newTaskId(): string;
  performEffect(
    image: SessionImage,
    effect: Effect,
    active: ActiveTask,
    signal: AbortSignal,
  ): Promise<EffectResult | EffectWork>;
  /** The outcome of a work that threw. */
  failedWork(work: EffectWork, error: unknown): EffectResult;
  /** A decision was refused or could not be stored. */
  onNotCommitted(image: SessionImage, error: unknown): void;
  /** After a commit; `durationMs` is how long it took until it was durable. */
  onCommitted(decision: Decision, durationMs: number): void;
  isStorageError(error: unknown): boolean;
  /** The outcome of an effect could not be stored, and will be tried again. */
  onStorageError(image: SessionImage, error: unknown): void;
  /** It was tried so often that callers should no longer wait for the session's replies. */
  onNotStored(image: SessionImage, error: unknown): void;
  onBusy(): void;
  onIdle(): void;
}

/** One session in memory: it takes inputs one by one and performs its open effect, and is alone in changing it. */
export type SessionActor = ReturnType<typeof createSessionActor>;

interface InFlightEffect {
  task_id: string;
  effect: number;
  result: Promise<EffectResult | EffectWork>;
  controller: AbortController;
}

interface Waiting {
  input: SessionInput;
  resolve(decision: Decision): void;
  reject(error: unknown): void;
}

const stoppingError = (): ServiceError =>
  new ServiceError('SHUTTING_DOWN', 'The service is stopping, and nothing of this was stored; try again soon');

/** True for what a user asks for, which is taken in the order in which it came. */
const isUsers = ({ type }: SessionInput): boolean => type === 'turn' || type === 'fork';

/** True for the step that took the outcome of an effect. */
const isOutcomeOf = ({ task_id, effect }: InFlightEffect, { event, task }: TaskStep): boolean =>
  task.context.task_id === task_id && 'effect' in event && event.effect === effect;

/** The id of the effect that the session's active task has open. */
const openId = ({ active, open }: SessionImage): string | null =>
  active === null || open === null ? null : effectId(active.task.context.task_id, open.effect);

/** Makes the actor of a session that was loaded. */
export const createSessionActor = (loaded: SessionImage, deps: ActorDeps) => {
  const { store } = deps;
  let image = loaded;
  const turns: Waiting[] = [];
  /** Inputs that go before any user's. */
  const urgent: Waiting[] = [];
  let running: Promise<void> | null = null;
  let isStopping = false;
  let interrupt = (): void => {};
  let retry: NodeJS.Timeout | null = null;
  /** Tries in a row that stored nothing. */
  let failures = 0;
  const inFlight = new Map<string, InFlightEffect>();
  /** Aborted effects that may still come to a result. */
  let lateCount = 0;

  /** The image with what a decision needed. */
  const supplied = async (base: SessionImage, need: Need): Promise<SessionImage> => {
    const { session, loaded } = base;
    if (need.kind === 'task') {
      const task = await store.loadTask(session, need.task_id);
      return { ...base, loaded: new Map([...loaded, [need.task_id, task]]) };
    }
    const { lastPaused } = await store.load(session, session.timezone, deps.now());
    return { ...base, lastPaused };
  };

  const commit = async (input: SessionInput): Promise<Decision> => {
    for (let tries = 1; ; tries += 1) {
      const base = image;
      const began = performance.now();
      try {
        const decision = await store.commit(base, () => deps.decide(base, input));
        const durationMs = performance.now() - began;
        const isRemoved = decision.changes.some(({ type }) => type === 'session.removed');
        const { id, timezone } = base.session;
        // The number is free again.
        image = isRemoved ? newSessionImage(id, base.session, timezone, deps.now()) : decision.image;
        for (const [id, effect] of inFlight) if (id !== openId(image)) settle(id, effect, decision.steps);
        failures = 0;
        deps.onCommitted(decision, durationMs);
        return decision;
      } catch (error) {
        deps.onNotCommitted(base, error);
        const isLast = tries === DECISIONS_MAX;
        if (!isLast && error instanceof NotLoaded) image = await supplied(base, error.need);
        else if (!isLast && error instanceof StaleImage)
          image = await store.load(base.session, base.session.timezone, deps.now());
        else {
          // Rows loaded for a refused input are not kept: there may be any number of tasks that inputs name.
          if (image.loaded.size > 0) image = { ...image, loaded: new Map() };
          throw error;
        }
      }
    }
  };

  /** The effect is not open any more: its outcome is committed, or a cancel made it pointless and it is aborted. */
  const settle = (id: string, started: InFlightEffect, steps: readonly TaskStep[]): void => {
    inFlight.delete(id);
    if (steps.some((step) => isOutcomeOf(started, step))) return;
    const { task_id, effect, result, controller } = started;
    controller.abort(new Error('the task was cancelled'));
    lateCount += 1;
    const record = (late: EffectResult | EffectWork): void => {
      if (late.type === 'effect_work') return;
      const outcome = 'result' in late.event ? late.event.result : late.event.type;
      const usage = 'usage' in late.event ? late.event.usage : undefined;
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
    const started = { task_id, effect: effect.effect, result, controller };
    inFlight.set(effectId(task_id, effect.effect), started);
    return started;
  };

  const lease: SessionLease = {
    image: () => image,
    hasInput: () => urgent.length > 0 || turns.length > 0,
    takeInput: async () => {
      const next = urgent.shift() ?? turns.shift();
      if (next === undefined) return;
      try {
        next.resolve(await commit(next.input));
      } catch (error) {
        next.reject(error);
      }
    },
    commit,
    failed: deps.failedWork,
    isStorageError: deps.isStorageError,
    queuedNext: () => ({ type: 'queued_next', task_id: deps.newTaskId() }),
    perform: (effect, active) =>
      new Promise((resolve, reject) => {
        // Stopping may have begun since it was last looked at: an effect started now would never be aborted.
        const begun = inFlight.get(effectId(active.task.context.task_id, effect.effect));
        if (isStopping && begun === undefined) return resolve(null);
        const { result } = begun ?? start(effect, active);
        interrupt = () => resolve(null);
        // An input may have come since the last one was taken, when there was nothing to interrupt yet.
        if (turns.length > 0 || urgent.length > 0) resolve(null);
        result.then(resolve, reject);
      }),
    isStopping: () => isStopping,
  };

  const run = async (): Promise<void> => {
    deps.onBusy();
    try {
      await advance(lease);
    } catch (error) {
      if (!isStopping) {
        failures += 1;
        deps.onStorageError(image, error);
        if (failures >= TRIES_WAITED_FOR) deps.onNotStored(image, error);
        retry = setTimeout(wake, RETRY_MS);
      }
    }
    running = null;
    deps.onIdle();
    if (turns.length > 0 || urgent.length > 0) wake();
  };

  const refuseAll = (): void => {
    for (const { reject } of [...urgent.splice(0), ...turns.splice(0)]) reject(stoppingError());
  };

  /** Resumes open work. */
  const wake = (): void => {
    if (retry !== null) clearTimeout(retry);
    retry = null;
    if (running !== null) interrupt();
    else if (isStopping) refuseAll();
    else running = run();
  };

  /** Resolves with what the input led to once that is stored; rejects when it is refused or can't be stored. */
  const post = (input: SessionInput): Promise<Decision> =>
    new Promise((resolve, reject) => {
      const came: SessionInput =
        input.type === 'turn'
          ? ({ ...input, cameWhileRunning: activityOf(image) === 'running' } satisfies IncomingTurn)
          : input;
      (isUsers(came) ? turns : urgent).push({ input: came, resolve, reject });
      wake();
    });

  return {
    post,
    wake,
    image: (): SessionImage => image,
    /** Nothing is open, came in, is to be tried again, or is still aborting, so that the session may leave memory. */
    isIdle: (): boolean =>
      image.open === null &&
      retry === null &&
      lateCount === 0 &&
      turns.length === 0 &&
      urgent.length === 0 &&
      running === null,
    /** Stops after the commit in progress; effects get until `deadline` to come to an outcome, then are aborted. What is not stored is refused with `SHUTTING_DOWN`. */
    stop: async (deadline: AbortSignal): Promise<void> => {
      isStopping = true;
      if (retry !== null) clearTimeout(retry);
      const open = [...inFlight.values()];
      deadline.addEventListener('abort', () => {
        for (const { controller } of open) controller.abort(new Error('the service is stopping'));
        // An effect that ignores the abort is not waited for: it stays open in the store.
        interrupt();
      });
      await running;
    },
  };
};
