import { isEnded } from '../../../machines/is-settled.ts';
import { ServiceError } from '../../lib/errors.ts';
import type { NewTurn } from '../session-image.ts';
import type { LateResult } from '../session-input.ts';
import { controlMessages } from './command-language.ts';
import { commandReply } from './replies.ts';
import type { SessionDraft } from './session-draft.ts';

/** Cancels the running, waiting or most recently paused task (SPEC 2.1); says so when there is none. */
export const cancel = (draft: SessionDraft, turn: NewTurn): void => {
  const { active } = draft.image;
  const target = active?.task.context.task_id ?? draft.lastPaused();
  if (target === null) return draft.addTurn(turn, commandReply(controlMessages(draft, turn.input).nothingToCancel));
  if (active === null) draft.activate(target);
  draft.addTurn(turn, 'running');
  draft.apply({ type: 'task.cancelled', turn_id: turn.turn_id });
};

/** Cancels one task of the session by its id. Throws `TASK_FINISHED` for one that has ended, by another cancel that came first above all. */
export const cancelTask = (draft: SessionDraft, taskId: string): void => {
  const { active } = draft.image;
  const isActive = active?.task.context.task_id === taskId;
  if (!isActive && draft.taskOf(taskId)?.state !== 'paused')
    throw new ServiceError('TASK_FINISHED', 'The task has ended meanwhile');
  if (!isActive && active !== null) return draft.applyBeside(taskId, { type: 'task.cancelled', turn_id: null });
  if (!isActive) draft.activate(taskId);
  draft.apply({ type: 'task.cancelled', turn_id: null });
};

/** Resumes a paused task, the most recently paused one where none is named (SPEC 6). */
export const resume = (draft: SessionDraft, turn: NewTurn, named: string): void => {
  const messages = controlMessages(draft, turn.input);
  if (draft.image.active !== null) return draft.addTurn(turn, commandReply(messages.busyWithAnother));
  const target = named === '' ? draft.lastPaused() : named;
  if (target === null) return draft.addTurn(turn, commandReply(messages.nothingToResume));
  const found = draft.taskOf(target);
  if (found === null) return draft.addTurn(turn, commandReply(messages.noSuchTask(target)));
  if (found.state !== 'paused') return draft.addTurn(turn, commandReply(messages.notPaused(target, found.state)));
  draft.activate(target);
  draft.addTurn(turn, 'running');
  draft.apply({ type: 'task.resumed', turn_id: turn.turn_id });
};

/** `/continue`: resumes the most recently paused task, and describes the state of the task that runs or waits. */
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

/** Records a late outcome of an effect that a cancel made pointless; changes nothing else (SPEC 6). */
export const supersede = (draft: SessionDraft, { task_id, effect, outcome }: LateResult): void => {
  const found = draft.taskOf(task_id);
  if (found === null || found.state === 'running' || !isEnded(found.state)) return;
  draft.applyBeside(task_id, { type: 'result.superseded', effect, outcome });
};
