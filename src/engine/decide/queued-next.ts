import { routeInput } from '../../../machines/route-input.ts';
import { queuedTurns } from '../session-image.ts';
import type { QueuedNext } from '../session-input.ts';
import type { DecisionContext } from './decide.ts';
import { openedBy } from './open-task.ts';
import type { SessionDraft } from './session-draft.ts';

/** Takes the next turn from the queue of a session that is free: it resumes a paused task or opens its own (SPEC 2.6, 2.7). */
export const nextQueued = (draft: SessionDraft, { task_id }: QueuedNext, { defaults }: DecisionContext): void => {
  const [next] = queuedTurns(draft.image);
  if (next === undefined || draft.image.active !== null) return;
  const { recent, session } = draft.image;
  const route = routeInput(next.input, {
    activity: 'free',
    isRecentPaused: recent?.state === 'paused',
    isModelConfigured: true,
    onBusy: 'enqueue',
  });
  if (route.kind === 'resume' && recent !== null) {
    draft.activate(recent.task_id);
    draft.bindQueued(next.turn_id);
    draft.apply({ type: 'task.resumed', turn_id: next.turn_id });
  } else {
    draft.openTask(openedBy(next, task_id, session, defaults));
    draft.bindQueued(next.turn_id);
    draft.answerIfAsking();
  }
};
