import { computed } from '@preact/signals';
import { type Draft, openDraft } from './remembered.ts';
import { query, setQuery } from './route.ts';
import { selectSeq } from './selection.ts';

/** Dialogs of a task. */
export type TaskDialog = 'fork' | 'compare' | 'share';

const NAMES: readonly string[] = ['fork', 'compare', 'share'] satisfies TaskDialog[];

/** The dialog that is open over the task, as `?dialog=` says it, so that a reload shows it again; null: none is. */
export const taskDialog = computed((): TaskDialog | null => {
  const name = query.value.get('dialog');
  return name !== null && NAMES.includes(name) ? (name as TaskDialog) : null;
});

/** Opens a dialog over the task; null closes it. */
export const showTaskDialog = (dialog: TaskDialog | null): void => setQuery({ dialog });

/** The answer to be given in a fork of a task. */
export const forkDraft = (task: string): Draft => openDraft(`fork.${task}`);

/** Opens the dialog that forks a task at an entry, with an answer to begin with. */
export const openFork = (task: string, seq: number, answer: string): void => {
  forkDraft(task).set(answer);
  selectSeq(seq);
  showTaskDialog('fork');
};
