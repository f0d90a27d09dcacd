import type { TaskView, TurnView } from '../../../contracts/turn-view.ts';

/** The actions that a session allows now. */
export interface Situation {
  /** Effect of an input: it opens a task, answers a question, or comes while a task runs. */
  mode: 'goal' | 'answer' | 'busy';
  /** The turn whose question or approval is open. */
  asking: TurnView | null;
  /** The task that can be stopped. */
  stoppable: string | null;
  isPaused: boolean;
}

/** The session's situation, from its newest task turn and its active task. */
export const situationOf = (turns: readonly TurnView[], active: TaskView | null): Situation => {
  const last = turns.findLast(({ kind }) => kind === 'task');
  const asking = active?.state === 'awaiting_user' && last?.status === 'asking' ? last : null;
  const isOpen = turns.some(({ finished_at }) => finished_at === null);
  const isPaused = !isOpen && last?.status === 'paused' && last.task_id === (active?.id ?? last.task_id);
  const stoppable = active !== null && active.state !== 'paused' ? active.id : null;
  return { mode: asking !== null ? 'answer' : isOpen ? 'busy' : 'goal', asking, stoppable, isPaused };
};
