import type { SessionKey } from '../session/image.ts';
import { createDecide } from './decide-for-sessions.ts';
import type { EngineParts } from './engine-parts.ts';
import { createFeed } from './feed.ts';
import { createFollowers } from './followers.ts';
import { createLiveAnswers } from './live-answers.ts';
import { CallbackPosts } from './outbox/callbacks.ts';
import { createWebhookKeys } from './outbox/webhook-keys.ts';
import { createOwnersHere } from './owners-here.ts';
import { failedInside } from './perform/call-tool.ts';
import type { EffectDeps } from './perform/effect-deps.ts';
import { createReads } from './reads.ts';
import { createReplies, createReplySender } from './replies.ts';
import { createReportedEffects } from './reported-effects.ts';
import { createSessionActors, type PostInput } from './session-actors.ts';
import { SessionListeners } from './session-listeners.ts';
import { createShownReads } from './shown-reads.ts';
import { createTaskHooks } from './task-hooks.ts';
import { createReports } from './telemetry/reports.ts';
import { createToolRuns } from './tool-runs.ts';

/** Posts of one callback before it is given up: about four hours. */
const CALLBACK_POSTS_MAX = 8;

export type RunningSessions = ReturnType<typeof createRunningSessions>;

/**
 * Creates the sessions of one process: the parts that take their inputs, perform their effects, report their commits,
 * and read them.
 */
export const createRunningSessions = (parts: EngineParts) => {
  const { store, hostTimezone, filesShown = () => null, now, log } = parts;
  const stopping = new AbortController();
  const ownersHere = createOwnersHere();
  const feed = createFeed();
  const answers = createLiveAnswers(feed.tell);
  const reports = createReports(parts.telemetry);
  const replies = createReplies(log);
  const listeners = new SessionListeners();
  const effects: EffectDeps = { ...parts.effects, access: store.access, now, log };

  const callbacks = new CallbackPosts({
    store,
    ownersHere,
    now,
    log,
    webhookUrl: parts.webhookUrl ?? null,
    webhookKeys: parts.webhookKeys ?? createWebhookKeys(),
    postsMax: parts.callbackPostsMax ?? CALLBACK_POSTS_MAX,
    fetch: parts.postCallback,
    happened: reports.happened,
  });

  const actors = createSessionActors({
    store,
    now,
    decide: createDecide(parts),
    performEffect: createReportedEffects(effects, reports, answers),
    failedWork: (work, error) => failedInside(log, work, error),
    onNotCommitted: reports.notCommitted,
    onNotStored: replies.notStored,
    onCommitted: (decision, durationMs) => listeners.tellCommitted(decision, durationMs),
    onReloaded: (before, image) => listeners.tellReloaded(before, image),
  });

  const post: PostInput = async (key, input, timezone = hostTimezone) => {
    const decision = await actors.post(key, timezone, input);
    await filesShown(key);
    return decision;
  };
  const settled = async (key: SessionKey): Promise<void> => {
    await actors.settled(key);
    await filesShown(key);
  };
  const shown = { ...store, ...createShownReads(store, settled) };
  const reads = createReads({ store: shown, now, peek: actors.peek });
  const followers = createFollowers({
    feed,
    answers,
    store: shown,
    taskTrace: reads.taskTrace,
    ownersHere,
    stopping: stopping.signal,
  });
  const toolRuns = createToolRuns({ effects, reports, post, log });

  // The order matters: a reply is sent once all other parts know the commit.
  listeners.add(
    reports,
    answers,
    createTaskHooks(parts),
    feed,
    toolRuns,
    createReplySender({ waiting: replies.waiting, callbacks, filesShown, reads }),
  );
  return { actors, callbacks, feed, followers, post, ownersHere, reads, replies, shown, stopping, toolRuns };
};
