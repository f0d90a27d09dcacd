import { computed, type Signal } from '@preact/signals';
import { openDraft } from './remembered.ts';
import { query, setQuery } from './route.ts';

/** Dialogs of a task. */
export type TaskDialog = 'fork' | 'compare' | 'share';

/** The dialog open over the task, by `?dialog=`, so that a reload shows it again; null: none. */
export const taskDialog = computed(() => query.value.get('dialog'));

/** Opens a dialog over the task; null closes it. */
export const showTaskDialog = (dialog: TaskDialog | null): void => setQuery({ dialog });

/** The answer for a fork of a task. */
export const forkDraft = (task: string): Signal<string> => openDraft(`fork.${task}`);

/** Opens the dialog that forks a task at an entry, with an initial answer. */
export const openFork = (task: string, seq: number, answer: string): void => {
  forkDraft(task).value = answer;
  selectSeq(seq);
  showTaskDialog('fork');
};

/**
 * The seq of the selected trace entry, by `?seq=`; null: the newest one, live. Chart, plan, chat, timeline and budget
 * all show this entry.
 */
export const selectedSeq = computed(() => {
  const text = query.value.get('seq');
  return text !== null && /^\d{1,15}$/.test(text) ? Number(text) : null;
});

/** Selects the state after this entry; null: the newest again. */
export const selectSeq = (seq: number | null): void => setQuery({ seq: seq === null ? null : String(seq) });

/** The tab of the task's pane, by `?tab=`; null: the first one. */
export const selectedTab = computed(() => query.value.get('tab'));

/** Shows another tab of the task's pane. */
export const selectTab = (tab: string): void => setQuery({ tab });
