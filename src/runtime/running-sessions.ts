import type { Logger } from 'pino';
import type { ServiceLimits } from '../../contracts/service-limits.ts';
import { isEnded } from '../../contracts/task.ts';
import type { TurnView } from '../../contracts/turn-view.ts';
import type { Commands } from '../commands/commands.ts';
import { isStorageFault, ServiceError } from '../lib/errors.ts';
import { type Decision, isRemoval, newEntries, type OnTaskMoved } from '../session/change.ts';
import { decide } from '../session/decide/decide.ts';
import { type SessionImage, type SessionKey, toolTurns } from '../session/image.ts';
import type { DueGoals, DueReminders, LeftPlan, Outcome, SessionInput, TaskDefaults } from '../session/input.ts';
import { createCountedOwners } from '../session/owner-counts.ts';
import { turnsOf } from '../session/turn-views.ts';
import type { Store } from '../store/port.ts';
import type { Telemetry } from '../telemetry/port.ts';
import { createFeed } from './feed.ts';
import { createFollowers } from './followers.ts';
import { createLiveAnswers } from './live-answers.ts';
import { createNotices } from './notices.ts';
import { createCallbacks } from './outbox/callbacks.ts';
import { createWebhookKeys, type WebhookKeys } from './outbox/webhook-keys.ts';
import { answerInSaid } from './perform/ask-model.ts';
import { failedInside } from './perform/call-tool.ts';
import type { EffectDeps, ReportCall } from './perform/effect-deps.ts';
import { performEffect } from './perform/perform-effect.ts';
import { createPresence } from './presence.ts';
import { createReads } from './reads.ts';
import { createSessionActors } from './session-actors.ts';
import { askedModel, createReports } from './telemetry/reports.ts';
import { createToolRuns } from './tool-runs.ts';

/** Posts of one callback before it is given up: about four hours. */
const CALLBACK_POSTS_MAX = 8;

/** Parts of an engine; `app.ts` gives them. */
export interface EngineParts {
  store: Store;
  effects: Omit<EffectDeps, 'access' | 'now' | 'log'>;
  defaults: TaskDefaults;
  commands: Commands;
  reminders: DueReminders;
  goals: DueGoals;
  limits: ServiceLimits;
  /** The time zone of sessions whose users named none. */
  hostTimezone: string;
  now(): number;
  log: Logger;
  /** Keys that sign a callback to an address; without any it bears no signature. */
  webhookKeys?: WebhookKeys | undefined;
  /** Where the events of all sessions are posted; nowhere without it. */
  webhookUrl?: string | null;
  callbackPostsMax?: number | undefined;
  /** Posts a callback; decides which addresses may be reached. */
  postCallback(url: string, init: RequestInit): Promise<Response>;
  /** Reads the unfinished plan that another system left in a session's folder; by default there is none. */
  leftPlan?: ((session: SessionKey) => Promise<LeftPlan | 'not_text' | undefined>) | undefined;
  /** Called after each commit, and again after a crash, then without entries. */
  onTaskMoved: OnTaskMoved;
  /** Resolves once a session's files show what its answered turns say, which no reply goes out before; null where they do. Never rejects. */
  filesShown?: ((session: SessionKey) => Promise<void> | null) | undefined;
  /** A task has ended, also one beside the session's active task; called after the commit. Never throws. */
  onTaskEnded(task_id: string): void;
  /** A session was removed, and takes no input before this returns. Never throws. */
  onSessionRemoved(session: SessionKey): void;
  telemetry?: Telemetry | undefined;
}

/** Tries to store an outcome after which callers that wait for a reply get an error: some seconds. */
const TRIES_WAITED_FOR = 3;

export type RunningSessions = ReturnType<typeof createRunningSessions>;

/** Makes the sessions of one process: what takes their inputs, performs their effects, observes their commits, and reads them. */
export const createRunningSessions = (parts: EngineParts) => {
  const { store, defaults, commands, reminders, goals, limits, hostTimezone, now, log } = parts;
  const {
    filesShown = () => null,
    webhookUrl = null,
    webhookKeys = createWebhookKeys(),
    callbackPostsMax: postsMax = CALLBACK_POSTS_MAX,
  } = parts;
  const effects: EffectDeps = { ...parts.effects, access: store.access, now, log };
  const { tools, model } = effects;
  const stopping = new AbortController();
  const presence = createPresence();
  const replies = createNotices<TurnView>();
  const counted = createCountedOwners();
  const feed = createFeed();
  const answers = createLiveAnswers(feed.tell);
  const reports = createReports(parts.telemetry);
  const hasWebhook = webhookUrl !== null;

  const callbacks = createCallbacks({
    store,
    presence,
    now,
    log,
    webhookUrl,
    webhookKeys,
    postsMax,
    fetch: parts.postCallback,
    count: counted.countCallbacks,
    happened: reports.happened,
  });

  const actors = createSessionActors({
    store,
    decide: function* (image, input) {
      counted.release(image.session);
      const used = counted.of(image.session.owner);
      const services = { commands, reminders, goals, facts: store.facts, tools, model };
      const context = { ...services, defaults, limits, used, hasWebhook, now: now() };
      const decision = yield* decide(image, input, context);
      counted.reserve(image, decision);
      return decision;
    },
    onNotCommitted: ({ session }, error) => {
      if (isStorageFault(error)) reports.happened({ type: 'commit_failed' });
      counted.release(session);
    },
    now,
    performEffect: (image, effect, { task: { context: task }, isRetryAfterCrash, begins }, signal) => {
      const perform = (reportCall: ReportCall): Promise<Outcome> =>
        performEffect(effects, effect, {
          ...image.session,
          task,
          isRetryAfterCrash,
          begins,
          answer: answers.sink(image.session, task.task_id),
          reportCall,
          signal,
        });
      // No call is made for what a message had already, so none is reported.
      if (answerInSaid(effects, effect, task) !== null) return perform((_at, _params, call) => call());
      return reports.effect(image, task.task_id, effect, askedModel(effects.model, effect, task), perform);
    },
    failedWork: (work, error) => failedInside(log, work, error),
    onReloaded: (before, image) => observeReload(before, image),
    onCommitted: (decision, durationMs) => observe(decision, durationMs),
    onNotStored: ({ session: { session_id }, turns }, cause, tries) => {
      log[isStorageFault(cause) ? 'debug' : 'error']({ err: cause, session_id }, 'a commit failed; trying again');
      if (tries < TRIES_WAITED_FOR) return;
      const text = 'The reply can not be stored for now; the turn goes on when it can: ask for it later';
      for (const { turn_id } of turns) replies.fail(turn_id, new ServiceError('STORAGE_UNAVAILABLE', text, { cause }));
    },
  });
  /** Gives a session an input, and resolves with what it led to; `timezone` is a new session's. */
  const post = async (key: SessionKey, input: SessionInput, timezone = hostTimezone): Promise<Decision> => {
    const decision = await actors.post(key, timezone, input);
    await filesShown(key);
    return decision;
  };
  const settled = async <Found>(found: Found, key: SessionKey | null): Promise<Found> => {
    if (key !== null) {
      await actors.settled(key);
      await filesShown(key);
    }
    return found;
  };
  /** The store as callers see it: it shows nothing that the session in memory does not know yet, such as a question before it can be answered, nor a reply before the files. */
  const shown: Store = {
    ...store,
    turn: async (...asked) => {
      const found = await store.turn(...asked);
      return settled(found, found && { owner: asked[0], session_id: found.turn.session_id });
    },
    task: async (...asked) => {
      const found = await store.task(...asked);
      return settled(found, found);
    },
    session: async (key) => settled(await store.session(key), key),
    entries: async (key, ...page) => settled(await store.entries(key, ...page), key),
  };
  const reads = createReads({ store: shown, counted, now, peek: actors.peek });
  const followers = createFollowers({
    feed,
    answers,
    store: shown,
    taskTrace: reads.taskTrace,
    presence,
    stopping: stopping.signal,
  });
  const toolRuns = createToolRuns({ effects, reports, post, log });

  const showTask = (decision: Decision, turns: readonly TurnView[]): void => {
    const { session } = decision.image;
    const last = decision.steps.at(-1);
    const isAnswering = turns.some(({ finished_at }) => finished_at !== null);
    if (last !== undefined) parts.onTaskMoved(session, last.task, isAnswering, newEntries(decision));
    if (isRemoval(decision)) parts.onSessionRemoved(session);
  };

  /** The task that was open and the turns that were not finished come to no end of their own. */
  const endRemoved = ({ image: { active, turns } }: Decision): void => {
    if (active !== null) parts.onTaskEnded(active.task.context.task_id);
    for (const { turn_id } of turns) replies.fail(turn_id, new ServiceError('TURN_NOT_FOUND', 'The turn was removed'));
  };

  const endTasks = ({ changes }: Decision): void => {
    for (const change of changes)
      if (change.type === 'task.moved' && change.state !== 'running' && isEnded(change.state))
        parts.onTaskEnded(change.task_id);
  };

  const sendReplies = (turns: readonly TurnView[]): void => {
    for (const turn of turns) if (turn.finished_at !== null) replies.notify(turn.id, turn);
  };

  /** Tells of a stored decision, in this order: a reply goes out once the files show its task, and is posted after that. Holds up no session, and never throws. */
  const observe = (decision: Decision, durationMs: number): void => {
    const turns = turnsOf(decision);
    reports.reportCommit(decision, durationMs, turns);
    counted.keepCounts(decision);
    answers.settle(decision);
    showTask(decision, turns);
    feed.publish(decision);
    toolRuns.startToolRuns(decision);
    endTasks(decision);
    if (isRemoval(decision)) endRemoved(decision);
    const reply = (): void => {
      sendReplies(turns);
      callbacks.postCallbacks(decision);
    };
    const shown = filesShown(decision.image.session);
    if (shown === null) reply();
    else void shown.then(reply);
  };

  /** Ends the turns of tools that nobody called, as far as anybody here knows. */
  const endLostToolRuns = async (image: SessionImage): Promise<void> => {
    const turn_ids = toolTurns(image).flatMap(({ turn_id }) => (toolRuns.isCalled(turn_id) ? [] : [turn_id]));
    if (turn_ids.length > 0) await post(image.session, { type: 'tool_runs_lost', turn_ids });
  };

  /** Tells of what was stored though its commit seemed to fail. */
  const observeReload = (before: SessionImage, image: SessionImage): void => {
    const { session, active, turns } = image;
    const { owner } = session;
    counted.correct(before, image);
    if (active !== null) parts.onTaskMoved(session, active.task, true, []);
    answers.dismiss(session);
    feed.reloaded(session);
    endLostToolRuns(image).catch(() => {});
    const open = new Set(turns.map(({ turn_id }) => turn_id));
    for (const { turn_id } of before.turns)
      if (!open.has(turn_id))
        reads.turn(owner, turn_id).then(
          (turn) => replies.notify(turn_id, turn),
          (error: unknown) => replies.fail(turn_id, error),
        );
    callbacks.resent(owner, false);
  };

  const isStopping = (): boolean => stopping.signal.aborted;
  return {
    ...{ presence, replies, counted, callbacks, actors, post, reads, feed, followers },
    ...{ endLostToolRuns, stopping, isStopping, toolRuns, shown },
  };
};
