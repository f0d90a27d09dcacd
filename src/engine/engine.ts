import type { Logger } from 'pino';
import type { ServiceLimits } from '../../contracts/service-limits.ts';
import type { TurnView } from '../../contracts/turn-view.ts';
import { isEnded } from '../../machines/is-settled.ts';
import type { Commands } from '../commands/port.ts';
import { ServiceError } from '../lib/errors.ts';
import type { SessionStore } from '../store/port.ts';
import type { Telemetry } from '../telemetry/port.ts';
import { countActivity } from './activity.ts';
import { createCallReads } from './calls/read-calls.ts';
import { type Decision, newEntries, type OnTaskMoved } from './change.ts';
import { decide } from './decide/decide.ts';
import { createDeferredReplies } from './deferred-replies.ts';
import { createFollowers } from './followers.ts';
import { createForks } from './fork-task.ts';
import { newId } from './new-id.ts';
import { newestByKey } from './newest-by-key.ts';
import { createResendCallback } from './outbox/callback-access.ts';
import { createCallbacks } from './outbox/callbacks.ts';
import { createCallbackSigner } from './outbox/post-callback.ts';
import { createCountedOwners } from './owner-counts.ts';
import type { EffectDeps } from './perform/effect-deps.ts';
import { performEffect } from './perform/perform-effect.ts';
import type { Engine } from './port.ts';
import { createPrune } from './prune-sessions.ts';
import { createReads, noSession } from './reads.ts';
import { createResume } from './resume.ts';
import { createSessionActors } from './session-actors.ts';
import type { TaskDefaults } from './session-input.ts';
import type { SessionKey } from './session-key.ts';
import { keyText } from './session-key.ts';
import { createSubmit } from './submit.ts';
import { askedModel } from './telemetry/asked-model.ts';
import { createReports } from './telemetry/reports.ts';
import { createTimeSlices } from './time-slices.ts';
import { createToolRuns } from './tool-runs.ts';
import { turnsOf } from './turn-views.ts';
import { createUsageReads } from './usage-reads.ts';
import { createWorkInSession } from './work-in-session.ts';

/** How long a stopping service lets effects come to an outcome before it aborts them, in milliseconds. */
const GRACE_MS = 5_000;

/** What an engine is built of; `app.ts` gives it. */
export interface EngineParts {
  store: SessionStore;
  effects: EffectDeps;
  defaults: TaskDefaults;
  commands: Commands;
  limits: ServiceLimits;
  /** The time zone of sessions whose users named none. */
  hostTimezone: string;
  now(): number;
  log: Logger;
  /** Signs callbacks; without it they bear no signature. */
  webhookKey?: Buffer | null;
  /** Where the events of all sessions are posted; nowhere without it. */
  webhookUrl?: string | null;
  /** Posts of one callback before it is given up; 8 by default. */
  callbackPostsMax?: number | undefined;
  /** Posts a callback; decides which addresses may be reached. */
  postCallback(url: string, init: RequestInit): Promise<Response>;
  /** Called after each commit, and again after a crash, then without entries; the task's turns are answered when the returned promise resolves. */
  onTaskMoved: OnTaskMoved;
  /** A task has ended, also one beside the session's active task; called after the commit. Never throws. */
  onTaskEnded(task_id: string): void;
  /** A session was removed, and takes no input before this returns. Never throws. */
  onSessionRemoved(session: SessionKey): void;
  /** Observes the engine's work; nothing does by default. */
  telemetry?: Telemetry | undefined;
}

/** Posts of one callback before it is given up: about four hours. */
const CALLBACK_POSTS_MAX = 8;

const isStorageError = (error: unknown): boolean =>
  error instanceof ServiceError && error.code === 'STORAGE_UNAVAILABLE';

/**
 * Makes the engine of one process on a store that no other process writes. It knows no SQL: what changes is decided in `decide/`, and stored by the store.
 */
export const createEngine = (parts: EngineParts): Engine => {
  const { store, defaults, commands, limits, hostTimezone, now, log, onTaskMoved, onSessionRemoved } = parts;
  const replies = createDeferredReplies();
  const counted = createCountedOwners();
  const reports = createReports(parts.telemetry);
  const stopping = new AbortController();
  const hasWebhook = (parts.webhookUrl ?? null) !== null;
  let isStopping = false;
  let isClosed = false;

  const callbacks = createCallbacks({
    ...{ store, now, log, random: Math.random },
    webhookUrl: parts.webhookUrl ?? null,
    postsMax: parts.callbackPostsMax ?? CALLBACK_POSTS_MAX,
    fetch: parts.postCallback,
    deferred: replies.deferred,
    sign: createCallbackSigner(parts.webhookKey ?? null),
    onPosted: reports.callbackPosted,
    onUrlEnded: (owner) => counted.countCallback(owner, -1),
    onEnded: reports.callbackEnded,
  });

  /** The writing of each session's files. */
  const shownFiles = newestByKey();

  const onCommitted = (decision: Decision, durationMs: number): void => {
    reports.committed(decision, durationMs);
    const { image, steps, changes } = decision;
    const key = keyText(image.session);
    counted.keep(decision);
    const last = steps.at(-1);
    const isAnswering = replies.isPrepared(key);
    const isShown = last ? onTaskMoved(image.session, last.task, isAnswering, newEntries(decision)) : null;
    shownFiles.set(key, isShown);
    const isRemoved = changes.some(({ type }) => type === 'session.removed');
    if (isRemoved) onSessionRemoved(image.session);
    for (const callback of decision.dropped ?? []) callbacks.dropped(callback);
    followers.onCommitted(decision, isRemoved);
    for (const change of changes) {
      if (change.type === 'turn.added' && typeof change.as !== 'string' && 'tool' in change.as)
        toolRuns.start(image.session, change.turn.turn_id, change.as);
      if (change.type === 'task.moved' && change.state !== 'running' && isEnded(change.state))
        parts.onTaskEnded(change.task_id);
    }
    const hasCallbacks = callbacks.committed(decision);
    const postCallbacks = (): void => {
      if (hasCallbacks) callbacks.poll();
    };
    if (isAnswering) replies.finish(key, isShown, postCallbacks);
    else postCallbacks();
  };

  const yieldTurn = createTimeSlices();
  const actors = createSessionActors({
    store,
    decide: function* (image, input) {
      counted.release(image.session);
      const has = { used: counted.of(image.session.owner), hasWebhook };
      const decision = yield* decide(image, input, { defaults, commands, limits, ...has, now: now() });
      counted.reserve(image, decision);
      const finished = turnsOf(decision).filter(({ finished_at }) => finished_at !== null);
      replies.prepare(keyText(image.session), finished);
      return decision;
    },
    onNotCommitted: ({ session }, error) => {
      if (isStorageError(error)) reports.commitFailed();
      counted.release(session);
      replies.release(keyText(session));
    },
    now,
    newTaskId: () => newId('task', now()),
    performEffect: (image, effect, { task, isRetryAfterCrash, begins }, signal) =>
      reports.effect(image, task.context.task_id, effect, askedModel(parts.effects.model, effect, task.context), () =>
        performEffect(parts.effects, effect, {
          ...image.session,
          task: task.context,
          isRetryAfterCrash,
          begins,
          signal,
        }),
      ),
    onCommitted,
    isStorageError,
    onStorageError: ({ session: { session_id } }, error) =>
      log[isStorageError(error) ? 'debug' : 'error']({ err: error, session_id }, 'a commit failed; trying again'),
    onNotStored: ({ turns }, error) => replies.fail(turns, error),
    yieldTurn,
  });
  const reads = createReads({ store, peek: actors.peek, deferred: replies.deferred });
  const followers = createFollowers(store, reads.session, stopping.signal);
  const post = actors.post;
  const toolRuns = createToolRuns({
    effects: parts.effects,
    reports,
    post: (key, input) => post(key, hostTimezone, input),
    isStorageError,
    log,
  });
  const prune = createPrune({
    store,
    post: (key, input) => post(key, hostTimezone, input),
    isFollowed: followers.isFollowed,
  });
  const submit = createSubmit({ store, post, defaults, hostTimezone, now });
  const workInSession = createWorkInSession((key, input) => post(key, hostTimezone, input));
  const { fork, previewFork } = createForks({ store, post, defaults, limits, yieldTurn, now });

  const assertRunning = (): void => {
    if (isStopping)
      throw new ServiceError('SHUTTING_DOWN', 'The service is stopping and takes nothing new; try again soon');
  };

  const resume = createResume({
    ...{ store, counted, callbacks, replies, actors, toolRuns, yieldTurn, log, onTaskMoved, onSessionRemoved },
    post: (key, input) => post(key, hostTimezone, input),
    isStopping: () => isStopping,
  });
  const drain = async (graceMs = GRACE_MS): Promise<void> => {
    if (isStopping) return;
    isStopping = true;
    replies.dismiss();
    callbacks.stop();
    toolRuns.stop();
    stopping.abort();
    await actors.stop(AbortSignal.timeout(graceMs));
  };

  return {
    ...reads,
    ...createCallReads(store),
    ...createUsageReads({ store, counted, now }),
    start: async () => {
      await resume();
      callbacks.poll();
    },
    submit: async (turn) => {
      assertRunning();
      const submitted = await submit(turn);
      await replies.deferred(submitted.turn.id);
      return submitted;
    },
    wait: async (owner, turnId, signal) => {
      const waiting = new AbortController();
      // Waits first and reads then, so that a turn that is finished between the two is not missed.
      const next = replies.next(turnId, AbortSignal.any([signal, waiting.signal]));
      next.catch(() => {});
      let isWaited = false;
      try {
        const turn = await reads.turn(owner, turnId);
        if (turn.finished_at !== null) return turn;
        if (isStopping && replies.deferred(turnId) === undefined)
          throw new ServiceError('SHUTTING_DOWN', 'The service is stopping; ask for this turn after the restart');
        isWaited = true;
        return await next;
      } finally {
        if (!isWaited) waiting.abort();
      }
    },
    cancel: async (owner, taskId) => {
      assertRunning();
      const { state, session } = await reads.taskState(owner, taskId);
      if (state !== 'running' && isEnded(state))
        throw new ServiceError('TASK_FINISHED', `The task is ${state} already`);
      await actors.post(session, hostTimezone, { type: 'cancel', task_id: taskId });
      await shownFiles.ended(keyText(session));
      return reads.task(owner, taskId);
    },
    editPlan: async (owner, task_id, edits) => {
      assertRunning();
      const { session } = await reads.taskState(owner, task_id);
      await actors.post(session, hostTimezone, { type: 'plan_edits', task_id, edits });
      await shownFiles.ended(keyText(session));
      return reads.task(owner, task_id);
    },
    fork: async (owner, taskId, wanted): Promise<TurnView> => {
      assertRunning();
      const turn = await fork(owner, taskId, wanted);
      await replies.deferred(turn.id);
      return turn;
    },
    previewFork,
    remove: async (owner, session_id) => {
      assertRunning();
      const removal = { type: 'removal', before: Number.POSITIVE_INFINITY, includeWaiting: true } as const;
      const { changes, image } = await actors.post({ owner, session_id }, hostTimezone, removal);
      if (changes.length > 0) return;
      throw image.isStored
        ? new ServiceError(
            'TASK_RUNNING',
            'A task of this session runs or a turn waits; wait for its end, or cancel it',
          )
        : noSession(session_id);
    },
    workIn: async (key, work) => {
      assertRunning();
      return workInSession(key, work);
    },
    resendCallback: createResendCallback({ store, callbacks, counted, limits, now, assertRunning }),
    follow: followers.follow,
    deliverReminders: async (key, work) => void (await actors.post(key, hostTimezone, { type: 'reminders_due', work })),
    prune,
    activity: async () => countActivity(actors.images(), counted.inAll(), callbacks.webhookPending()),
    isReady: async () => !isStopping && (await store.isWritable()),
    drain,
    close: async (graceMs) => {
      if (isClosed) return;
      isClosed = true;
      await drain(graceMs);
      try {
        await store.close();
      } catch (error) {
        log.error({ err: error }, 'the end could not be recorded; the next start will take it for a crash');
      }
    },
  };
};
