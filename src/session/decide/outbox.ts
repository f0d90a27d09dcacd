import type { By } from '../../../contracts/by.ts';
import type { CallbackData, CallbackType } from '../../../contracts/callback.ts';
import type { Task } from '../../../machines/step.ts';
import { questionId } from '../../projections/question.ts';
import { replyOf } from '../../projections/reply.ts';
import { taskView } from '../../projections/task-view.ts';
import type { Change, Decision } from '../change.ts';
import type { OpenTurn } from '../image.ts';
import type { OutboxMessage } from '../outbox-message.ts';

const added = (message: OutboxMessage): Change => ({ type: 'outbox.added', message });

const saying = <Type extends CallbackType>(id: string, event: Type, data: CallbackData<Type>): Change =>
  added({ id, event, url: null, turn_id: null, data });

const turnFinished = ({ turn_id, callback_url }: OpenTurn, hasWebhook: boolean): Change[] => {
  const event = 'turn.finished';
  const ofTurn = { event, turn_id, data: null } as const;
  return [
    ...(callback_url === undefined ? [] : [added({ ...ofTurn, id: turn_id, url: callback_url })]),
    ...(hasWebhook ? [added({ ...ofTurn, id: `finished-${turn_id}`, url: null })] : []),
  ];
};

/** Who sent the turn of a task that a decision finishes. */
const senderIn = ({ changes }: Decision, taskId: string): By | undefined =>
  changes
    .flatMap((change) => (change.type === 'turn.added' || change.type === 'turn.finished' ? [change.turn] : []))
    .findLast((turn) => turn.task_id === taskId)?.options.by;

/** The notification of a task that a decision left waiting or paused. An edit of the plan alone causes none. */
const taskSettled = (decision: Decision): Change[] => {
  const { transitions, image } = decision;
  const last = transitions.at(-1);
  if (last === undefined || last.event.type === 'plan.edited') return [];
  const { state, context } = last.task;
  const { task_id, goal, metadata } = context;
  const by = senderIn(decision, task_id);
  const ofTask = { session_id: image.session.session_id, task_id, goal, metadata, ...(by !== undefined && { by }) };
  if (state === 'paused' && context.pause_reason !== null) {
    const { output } = replyOf(last.task);
    return [
      saying(`paused-${task_id}-${image.seq}`, 'task.paused', {
        ...ofTask,
        pause_reason: context.pause_reason,
        output,
      }),
    ];
  }
  if (state !== 'awaiting_user') return [];
  return [questionAsked(last.task, ofTask, last.event.type === 'task.resumed' ? image.seq : null)];
};

/** The notification of a question; `again`: the seq at which an expired question is asked once more. */
const questionAsked = (
  task: Task,
  ofTask: Omit<CallbackData<'question.asked'>, 'question' | 'options'>,
  again: number | null,
): Change => {
  const view = taskView(task);
  const name = questionId(view) ?? `question-${view.id}-${view.step_count}`;
  const id = again === null ? name : `${name}-${again}`;
  const { question, options } = replyOf(task);
  const said = { ...ofTask, question: question ?? '' };
  const { tool_question } = view;
  return view.approval === null
    ? saying(id, 'question.asked', { ...said, options, ...(tool_question !== undefined && { tool_question }) })
    : saying(id, 'approval.requested', { ...said, approval: view.approval });
};

const eventsOf = (change: Change, { image }: Decision, hasWebhook: boolean): Change[] => {
  switch (change.type) {
    case 'turn.added':
    case 'turn.finished':
      return change.reply === null ? [] : turnFinished(change.turn, hasWebhook);
    case 'entry.added': {
      if (!hasWebhook || change.event.type !== 'reminder.due') return [];
      const { type, ...due } = change.event;
      const id = `reminder-${due.reminder_id}-${Date.parse(due.due_at)}`;
      return [saying(id, type, { session_id: image.session.session_id, ...due })];
    }
    default:
      return [];
  }
};

/**
 * Adds a decision's callbacks (SPEC 11), to be stored in the same commit. If a task passes several states, as in a
 * fork, the last one counts.
 */
export const withOutbox = (decision: Decision, hasWebhook: boolean): Decision => {
  const events: Change[] = [];
  for (const change of decision.changes) events.push(...eventsOf(change, decision, hasWebhook));
  if (hasWebhook) events.push(...taskSettled(decision));
  return events.length === 0 ? decision : { ...decision, changes: [...decision.changes, ...events] };
};
