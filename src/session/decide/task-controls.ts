import { type Messages, messages } from '../../../contracts/messages/messages.ts';
import { isEnded, type TaskContext, type ToolResult } from '../../../contracts/task.ts';
import { languageOf } from '../../../contracts/text.ts';
import type { TaskView } from '../../../contracts/turn-view.ts';
import { ServiceError } from '../../lib/errors.ts';
import type { TurnReply } from '../change.ts';
import { broughtBy, type NewTurn, sentBy } from '../image.ts';
import type { InputOf } from '../input.ts';
import type { SessionDraft } from './session-draft.ts';

/** The language of a command's reply: that of the session's last task, else the input's (SPEC 11). */
export const commandLanguage = (draft: SessionDraft, input: string): TaskContext['language'] => {
  const { recent } = draft.image;
  const task = recent === null ? null : draft.taskOf(recent.task_id);
  return task?.task.context.language ?? languageOf(input);
};

export const controlMessages = (draft: SessionDraft, input: string): Messages['controls'] =>
  messages(commandLanguage(draft, input)).controls;

/** The reply of a successful command, a turn without a task. */
export const commandReply = (output: string, task: TaskView | null = null): TurnReply => ({
  status: 'ran',
  output,
  question: null,
  options: null,
  task,
});

/** The reply of a command that failed, or that found nothing to do. */
export const refusal = (output: string): TurnReply => ({ ...commandReply(output), ok: false });

/** The reply of a turn with a command's or tool's result. */
export const resultReply = ({ ok, result }: ToolResult): TurnReply => (ok ? commandReply(result) : refusal(result));

/** Cancels the running, waiting or most recently paused task (SPEC 2.1). Says so if there is none. */
export const cancel = (draft: SessionDraft, turn: NewTurn): void => {
  const { active } = draft.image;
  const target = active?.task.context.task_id ?? draft.lastPaused();
  if (target === null) return draft.addTurn(turn, refusal(controlMessages(draft, turn.input).nothingToCancel));
  if (active === null) draft.activate(target);
  draft.addTurn(turn, 'running');
  draft.apply({ type: 'task.cancelled', turn_id: turn.turn_id, ...sentBy(turn) });
};

/**
 * Cancels one task of the session by its id. Throws `TASK_FINISHED` if it has ended, most often by an earlier cancel.
 */
export const cancelTask = (draft: SessionDraft, { task_id: taskId, by }: InputOf<'cancel'>): void => {
  const { active } = draft.image;
  const cancelled = { type: 'task.cancelled', turn_id: null, ...sentBy({ by }) } as const;
  const isActive = active?.task.context.task_id === taskId;
  const state = draft.taskOf(taskId)?.state;
  if (!isActive && state !== 'paused') throw new ServiceError('TASK_FINISHED', `The task is ${state} already`);
  if (!isActive && active !== null) return draft.applyBeside(taskId, cancelled);
  if (!isActive) draft.activate(taskId);
  draft.apply(cancelled);
};

/** Resumes a paused task, by default the most recently paused one (SPEC 6). */
export const resume = (draft: SessionDraft, turn: NewTurn, named: string): void => {
  const messages = controlMessages(draft, turn.input);
  if (draft.image.active !== null) return draft.addTurn(turn, refusal(messages.busyWithAnother));
  const target = named === '' ? draft.lastPaused() : named;
  if (target === null) return draft.addTurn(turn, refusal(messages.nothingToResume));
  const found = draft.taskOf(target);
  if (found === null) return draft.addTurn(turn, refusal(messages.noSuchTask(target)));
  if (found.state !== 'paused') return draft.addTurn(turn, refusal(messages.notPaused(target, found.state)));
  draft.activate(target);
  draft.addTurn(turn, 'running');
  draft.apply({ type: 'task.resumed', turn_id: turn.turn_id, ...broughtBy(turn) });
};

/** `/continue`: resumes the most recently paused task, or describes the state of a running or waiting one. */
export const continuePaused = (draft: SessionDraft, turn: NewTurn): void => {
  const messages = controlMessages(draft, turn.input);
  const { active } = draft.image;
  if (active !== null) {
    const question = active.task.state === 'awaiting_user' ? active.task.context.last_ask_user_question : null;
    const output = question === null ? messages.stillRunning : messages.waitsForAnswer(question);
    return draft.addTurn(turn, commandReply(output));
  }
  resume(draft, turn, '');
};

/** Records a late outcome of an effect that a cancel made pointless. Changes nothing else (SPEC 6). */
export const supersede = (draft: SessionDraft, { task_id, effect, outcome }: InputOf<'late_result'>): void => {
  const found = draft.taskOf(task_id);
  if (found === null || found.state === 'running' || !isEnded(found.state)) return;
  draft.applyBeside(task_id, { type: 'result.superseded', effect, outcome });
};

/**
 * Removes a session without a running task or an unfinished turn; with `includeWaiting` also one whose task waits or is
 * paused.
 */
export const removal = (draft: SessionDraft, { before, includeWaiting, hashes }: InputOf<'removal'>): void => {
  const { isStored, used_at, active, open, turns } = draft.image;
  if (!isStored || used_at >= before || open !== null || turns.length > 0) return;
  if (!includeWaiting && (active !== null || draft.lastPaused() !== null)) return;
  draft.removeSession(hashes);
};
