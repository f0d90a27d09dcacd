import { computed, type Signal, signal } from '@preact/signals';
import { openDraft } from './remembered.ts';
import { query, setQuery } from './route.ts';

/** Dialogs of a task. */
export type TaskDialog = 'fork' | 'compare' | 'share' | 'rerun' | 'again';

/** The dialog open over the task, by `?dialog=`, so that a reload shows it again; null: none. */
export const taskDialog = computed(() => query.value.get('dialog'));

/** Opens a dialog over the task; null closes it. */
export const showTaskDialog = (dialog: TaskDialog | null): void => setQuery({ dialog });

/** The address of what is shown, without the dialog over it: the session, the task, the moment and the call. */
export const shownAddress = (): string => {
  const shown = new URL(location.href);
  shown.searchParams.delete('dialog');
  return shown.href;
};

/** The answer for a fork of a task. */
export const forkDraft = (task: string): Signal<string> => openDraft(`fork.${task}`);

/** Opens the dialog that forks a task at an entry, with an initial answer. */
export const openFork = (task: string, seq: number, answer: string): void => {
  forkDraft(task).value = answer;
  selectSeq(seq);
  showTaskDialog('fork');
};

const seqIn = (name: 'seq' | 'call'): number | null => {
  const [, digits] = /^(?:after-)?(\d{1,15})$/.exec(query.value.get(name) ?? '') ?? [];
  return digits === undefined ? null : Number(digits);
};

/**
 * The seq of the selected trace entry, by `?seq=`; null: the newest one, live. Chart, plan, chat, timeline and budget
 * all show this entry.
 */
export const selectedSeq = computed(() => seqIn('seq'));

/** Selects the state after this entry; null: the newest again. A chosen call that is later is no longer shown. */
export const selectSeq = (seq: number | null): void => {
  const call = seqIn('call');
  const isLater = seq !== null && call !== null && call > seq;
  setQuery({ seq: seq === null ? null : String(seq), ...(isLater && { call: null }) });
};

/** Where one looks: at the conversation, at the waterfall, at the statechart, or in one pane at the plan. */
export type TaskView = 'conversation' | 'timeline' | 'machine' | 'plan';

/** The view in the middle, by `?tab=`; null: the first one. */
export const selectedTab = computed(() => query.value.get('tab'));

/** Shows another view in the middle. */
export const selectTab = (tab: string): void => setQuery({ tab: tab === 'conversation' ? null : tab, call: null });

/**
 * The seq of the trace entry whose call the inspector shows, by `?call=`; null: it shows the plan. The moment stays as
 * it is.
 */
export const selectedCall = computed(() => seqIn('call'));

/** The shown call is the one that the entry began, by `?call=after-`; else the one whose outcome it is. */
export const isCallBegun = computed(() => query.value.get('call')?.startsWith('after-') === true);

/** Shows the call whose outcome an entry is, or that it began; null: the plan again. */
export const selectCall = (seq: number | null, isBegun = false): void =>
  setQuery({ call: seq === null ? null : `${isBegun ? 'after-' : ''}${seq}` });

/** One step back: from an earlier moment to now, else from a call to the plan. */
export const lookBack = (): void => {
  if (selectedSeq.peek() !== null) selectSeq(null);
  else selectCall(null);
};

/** Shows the call before or after the one in the inspector; null: it shows none. The pane that lists them sets it. */
export const stepCall = signal<((by: 1 | -1) => void) | null>(null);
