import type { NextAction } from '../../../contracts/answer.ts';
import type { TaskContext } from '../../../contracts/task.ts';
import { isJudged } from '../../../machines/approvals.ts';
import { dueBy, isModelEffect } from '../../../machines/model-effects.ts';
import { takePendingCall } from '../../models/reply/read-message.ts';
import type { DecisionContext } from '../input.ts';
import type { SessionDraft } from './session-draft.ts';

const asksFirst = (task: TaskContext, action: NextAction | null): boolean =>
  action !== null && isJudged(task, action.tool);

/**
 * Answers from the pending calls of the model's message, in the commit of what led to it (SPEC 3, chains): makes no model call
 * and uses no tokens. Stops where the next answer belongs to another model.
 */
export const answerFromPendingCalls = (draft: SessionDraft, { model }: Pick<DecisionContext, 'model'>): void => {
  for (;;) {
    const { active, open } = draft.image;
    if (active === null || open === null || !isModelEffect(open)) return;
    const task = active.task.context;
    if (task.said === null) return;
    const { contract, item_id } = dueBy(open);
    const event = takePendingCall(contract, task, open.effect, model.nameFor?.({ contract, task, item_id }));
    // The tool checks the input, and its policy judges it, before the thought is stored.
    if (event === null || (event.type === 'thought.made' && asksFirst(task, event.next_action))) return;
    draft.apply(event);
  }
};
