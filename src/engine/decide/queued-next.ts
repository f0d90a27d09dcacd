import { routeInput } from '../../../machines/route-input.ts';
import { queuedTurns } from '../session-image.ts';
import type { QueuedNext } from '../session-input.ts';
import type { DecisionContext } from './decision-context.ts';
import { openedBy } from './open-task.ts';
import type { SessionDraft } from './session-draft.ts';

/** Takes the next turn from the queue of a session that is free: it resumes a paused task or opens its own (SPEC 2.6, 2.7). */
export const nextQueued = (draft: SessionDraft, { task_id }: QueuedNext, { defaults }: DecisionContext): void => {
  const [next] = queuedTurns(draft.image);
  if (next === undefined || draft.image.active !== null) return;
  const route = routeInput(next.input, {
    activity: 'free',
    get isTaskPaused() {
      return draft.lastPaused() !== null;
    },
    // Whatever it waited for was said and answered.
    hasConversation: true,
    isModelConfigured: true,
    onBusy: 'enqueue',
  });
  const paused = route.kind === 'resume' ? draft.lastPaused() : null;
  if (paused !== null) {
    draft.activate(paused);
    draft.bindQueued(next.turn_id);
    draft.apply({ type: 'task.resumed', turn_id: next.turn_id });
  } else {
    draft.openTask(openedBy(next, task_id, draft.image, defaults));
    draft.bindQueued(next.turn_id);
    draft.answerIfAsking();
  }
};
