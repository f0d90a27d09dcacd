import { GOALS_AT_ONCE } from '../../contracts/limits.ts';
import type { TaskView } from '../../contracts/turn-view.ts';
import type { InputOf } from '../session/input.ts';
import { callbackView } from '../session/outbox-message.ts';
import { createApprovals } from './approvals.ts';
import type { EngineParts } from './engine-parts.ts';
import { createFeedback } from './feedback.ts';
import { createForks } from './fork-task.ts';
import { newId } from './new-id.ts';
import { createOpenRecorded } from './open-recorded.ts';
import type { Engine } from './port.ts';
import { noSession } from './reads.ts';
import { createRemovals } from './removals.ts';
import { createWait } from './replies.ts';
import { createRunningSessions } from './running-sessions.ts';
import { createServedOwners, resume } from './served-owners.ts';
import { createStop } from './stop.ts';
import { createSubmit } from './submit.ts';
import { readActivity } from './telemetry/activity.ts';

/** Creates the engine of a process. Does nothing before it is started, or serves its first owner. */
export const createEngine = (parts: EngineParts): Engine => {
  const { store, now } = parts;
  const running = createRunningSessions(parts);
  const { actors, callbacks, feed, followers, post, ownersHere, reads, replies, stopping } = running;

  const submit = createSubmit(parts, running);
  const change = async (owner: string, input: InputOf<'cancel' | 'plan_edits' | 'plan_file'>): Promise<TaskView> => {
    await post(await reads.ownTask(owner, input.task_id), input);
    return reads.task(owner, input.task_id);
  };

  return {
    ...reads,
    ...followers,
    ...createForks(parts, running),
    openRecorded: createOpenRecorded(parts, running),
    ...createRemovals({ store, actors, post, isFollowed: feed.isFollowed }),
    ...createStop(parts, running),
    served: createServedOwners(parts, running),
    submit,
    ...createApprovals({ store: running.shown, submit }),
    ...createFeedback(parts, reads),
    wait: createWait(replies.waiting, ownersHere, reads, stopping.signal),
    start: async () => {
      await resume(parts, running);
      callbacks.poll();
    },
    cancel: (owner, task_id, by) => change(owner, { type: 'cancel', task_id, by }),
    editPlan: (owner, task_id, edits, by) => change(owner, { type: 'plan_edits', task_id, edits, by }),
    editPlanByFile: (owner, task_id, { steps }, by) => change(owner, { type: 'plan_file', task_id, steps, by }),
    rename: async (owner, session_id, title) => {
      if (!(await store.rename({ owner, session_id }, title))) throw noSession(session_id);
      return reads.session(owner, session_id);
    },
    openSession: async (key) => {
      await post(key, { type: 'session_opened' });
    },
    resendCallback: async (viewer, id) => {
      const callback = await reads.ownCallback(viewer, id);
      await store.resendCallback(callback, now());
      callbacks.resent(callback.reader);
      return callbackView(await reads.ownCallback(viewer, id));
    },
    deliverDue: async (key, at, upSince) => {
      const quota = await store.access.quotas.of(key.owner);
      const turn_ids = Array.from({ length: GOALS_AT_ONCE }, () => newId('turn', now()));
      await post(key, { type: 'due', at, upSince, turn_ids, turnsPerDay: quota?.turns_per_day ?? null });
    },
    activity: () => readActivity(actors.images(), store.pendingCallbacks(ownersHere.owners())),
  };
};
