import { computed, effect, type Signal, signal } from '@preact/signals';
import { openDraft } from './remembered.ts';
import { query, setQuery } from './route.ts';

/** Dialogs of a task. */
export type TaskDialog = 'fork' | 'compare' | 'share';

/** The dialog that is open over the task, as `?dialog=` says it, so that a reload shows it again; null: none is. */
export const taskDialog = computed(() => query.value.get('dialog'));

/** Opens a dialog over the task; null closes it. */
export const showTaskDialog = (dialog: TaskDialog | null): void => setQuery({ dialog });

/** The answer to be given in a fork of a task. */
export const forkDraft = (task: string): Signal<string> => openDraft(`fork.${task}`);

/** Opens the dialog that forks a task at an entry, with an answer to begin with. */
export const openFork = (task: string, seq: number, answer: string): void => {
  forkDraft(task).value = answer;
  selectSeq(seq);
  showTaskDialog('fork');
};

/** How long a moved scrubber rests before the address follows it, in milliseconds: browsers refuse many changes in a row. */
const ADDRESS_DELAY_MS = 250;

const seqIn = (params: URLSearchParams): number | null => {
  const text = params.get('seq');
  return text !== null && /^\d{1,15}$/.test(text) ? Number(text) : null;
};

const selected = signal<number | null>(seqIn(query.value));

/** The seq of the trace entry that is looked at, as `?seq=` says it; null: the newest one, live. Chart, plan, chat, timeline and budget all show this entry. */
export const selectedSeq = computed(() => selected.value);

let writing: ReturnType<typeof setTimeout> | undefined;

/** Looks at the state after this entry; null: at the newest again. The address follows once it has not changed for a moment. */
export const selectSeq = (seq: number | null): void => {
  selected.value = seq;
  clearTimeout(writing);
  writing = setTimeout(() => setQuery({ seq: seq === null ? null : String(seq) }), ADDRESS_DELAY_MS);
};

let known = { path: location.pathname, seq: seqIn(query.value) };

// Another address has another selection, or none. One that differs by its tab alone leaves it, also while the address still waits to follow.
effect(() => {
  const next = { path: location.pathname, seq: seqIn(query.value) };
  if (next.path === known.path && next.seq === known.seq) return;
  known = next;
  clearTimeout(writing);
  selected.value = next.seq;
});

/** The tab of the task's pane, as `?tab=` says it; null: the first one. */
export const selectedTab = computed(() => query.value.get('tab'));

/** Shows another tab of the task's pane. */
export const selectTab = (tab: string): void => setQuery({ tab });
