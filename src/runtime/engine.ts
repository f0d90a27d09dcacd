import { GOALS_AT_ONCE } from '../../contracts/limits.ts';
import type { TaskView } from '../../contracts/turn-view.ts';
import { ServiceError } from '../lib/errors.ts';
import type { Page } from '../lib/page.ts';
import type { SessionImage } from '../session/image.ts';
import type { InputOf } from '../session/input.ts';
import { callbackView } from '../session/outbox-message.ts';
import type { OwnerCounts } from '../session/owner-counts.ts';
import type { RemovableSession, Store } from '../store/port.ts';
import type { Activity } from '../telemetry/port.ts';
import { createForks } from './fork-task.ts';
import { newId } from './new-id.ts';
import type { Engine, PruneOptions } from './port.ts';
import { noSession } from './reads.ts';
import { createResidents, resume } from './residents.ts';
import { createRunningSessions, type EngineParts, type RunningSessions } from './running-sessions.ts';
import { createSubmit } from './submit.ts';

/** Activity: the turns of all owners, and the effects of the sessions in memory, which all those are that have one open. */
const countActivity = (
  images: Iterable<SessionImage>,
  { unfinished_turns, queued_turns, pending_callbacks }: OwnerCounts,
): Activity => {
  const effects_open = {
    'model.plan': 0,
    'model.thought': 0,
    'model.replan': 0,
    'tool.call': 0,
    'tool.batch': 0,
    'verify.run': 0,
  };
  for (const { open } of images) if (open !== null) effects_open[open.type] += 1;
  return {
    turns_running: unfinished_turns,
    turns_queued: queued_turns,
    effects_open,
    callbacks_pending: pending_callbacks,
  };
};

/** Sessions looked at and removed at once: each is loaded. */
const PRUNE_BATCH = 10;

/** Removes old sessions while the service runs; one that runs, is followed or has its home elsewhere stays. Throws the first fault at its end. */
async function* pruneSessions(
  store: Pick<Store, 'removable'>,
  { post, feed }: Pick<RunningSessions, 'post' | 'feed'>,
  { isHome = async () => true, ...which }: PruneOptions,
): AsyncGenerator<readonly RemovableSession[]> {
  let fault: PromiseRejectedResult | undefined;
  for (let after: string | undefined; ; ) {
    const page: Page<RemovableSession> = await store.removable({ ...which, limit: PRUNE_BATCH, after });
    const free: RemovableSession[] = [];
    for (const key of page.items) if (!feed.isFollowed(key) && (await isHome(key.owner))) free.push(key);
    const outcomes = await Promise.allSettled(
      free.map((key) => post(key, { type: 'removal', before: which.before, includeWaiting: which.includeWaiting })),
    );
    fault ??= outcomes.find((outcome) => outcome.status === 'rejected');
    yield free.filter((_, i) => outcomes[i]?.status === 'fulfilled' && outcomes[i].value.changes.length > 0);
    if (page.next === null) break;
    after = page.next;
  }
  if (fault !== undefined) throw fault.reason;
}

/** How long a stopping service lets effects come to an outcome before it aborts them, in milliseconds. */
const GRACE_MS = 5_000;

/** Sessions of an owner that are removed at once: each is loaded. */
const SESSIONS_REMOVED = 10;

export const createEngine = (parts: EngineParts): Engine => {
  const running = createRunningSessions(parts);
  const { presence, replies, counted, callbacks, actors, post, reads, followers, toolRuns, stopping, isStopping } =
    running;
  const { store, now, log } = parts;
  let isClosed = false;

  const change = async (owner: string, input: InputOf<'cancel' | 'plan_edits'>): Promise<TaskView> => {
    await post(await reads.ownTask(owner, input.task_id), input);
    return reads.task(owner, input.task_id);
  };

  const drain = async (graceMs = GRACE_MS): Promise<void> => {
    if (isStopping()) return;
    stopping.abort();
    replies.dismiss();
    callbacks.stop();
    toolRuns.stop();
    await actors.stop(AbortSignal.timeout(graceMs));
  };

  return {
    ...reads,
    start: async () => {
      await resume(parts, running);
      callbacks.poll();
    },
    residents: createResidents(parts, running),
    submit: createSubmit(parts, running),
    wait: async (owner, turnId, signal) => {
      const waiting = new AbortController();
      // Waits first and reads then, so that a turn that is finished between the two is not missed.
      const next = replies.next(turnId, presence.until(owner, AbortSignal.any([signal, waiting.signal])));
      next.catch(() => {});
      try {
        const turn = await reads.turn(owner, turnId);
        if (turn.finished_at !== null) return turn;
        if (isStopping())
          throw new ServiceError('SHUTTING_DOWN', 'The service is stopping; ask for this turn after the restart');
        return await next;
      } finally {
        // Any reason: without one an error is made for each turn.
        waiting.abort('answered');
      }
    },
    cancel: (owner, task_id) => change(owner, { type: 'cancel', task_id }),
    editPlan: (owner, task_id, edits) => change(owner, { type: 'plan_edits', task_id, edits }),
    ...createForks(parts, running),
    remove: async (owner, session_id) => {
      const removal = { type: 'removal', before: Number.POSITIVE_INFINITY, includeWaiting: true } as const;
      const { changes, image } = await post({ owner, session_id }, removal);
      if (changes.length > 0) return;
      throw image.isStored
        ? new ServiceError(
            'TASK_RUNNING',
            'A task of this session runs or a turn waits; wait for its end, or cancel it',
          )
        : noSession(session_id);
    },
    rename: async (owner, session_id, title) => {
      if (!(await store.rename({ owner, session_id }, title))) throw noSession(session_id);
      return reads.session(owner, session_id);
    },
    removeOwner: async (owner) => {
      const remove = (keys: readonly { session_id: string }[]) =>
        Promise.all(keys.map(({ session_id }) => post({ owner, session_id }, { type: 'owner_removed' })));
      for (;;) {
        await remove((await store.sessions(owner, { limit: SESSIONS_REMOVED })).items);
        // Those that were removed before may still wait for what comes late.
        await remove(actors.images().flatMap(({ session }) => (session.owner === owner ? [session] : [])));
        const isKnown = await store.removeOwner(owner);
        if (isKnown !== null) return isKnown;
      }
    },
    openSession: async (key) => {
      await post(key, { type: 'session_opened' });
    },
    resendCallback: async (viewer, id) => {
      const callback = await reads.ownCallback(viewer, id);
      callbacks.resent(callback.reader, await store.resendCallback(callback, now()));
      return callbackView(await reads.ownCallback(viewer, id));
    },
    deliverDue: async (key, at, upSince) => {
      const quota = await store.access.quotas.of(key.owner);
      const turn_ids = Array.from({ length: GOALS_AT_ONCE }, () => newId('turn', now()));
      await post(key, { type: 'due', at, upSince, turn_ids, turnsPerDay: quota?.turns_per_day ?? null });
    },
    ...followers,
    prune: (options) => pruneSessions(store, running, options),
    activity: async () => countActivity(actors.images(), counted.inAll()),
    isStopping,
    isReady: async () => !isStopping() && (await store.isWritable()),
    drain,
    close: async (graceMs) => {
      if (isClosed) return;
      isClosed = true;
      try {
        await drain(graceMs);
      } finally {
        await store.close(true).catch((error: unknown) => {
          log.error({ err: error }, 'the end could not be recorded; the next start will take it for a crash');
        });
      }
    },
  };
};
