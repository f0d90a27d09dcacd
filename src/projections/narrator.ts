import type { ApprovalDecision } from '../../contracts/event.ts';
import type { StateChange } from '../../contracts/http.ts';
import { effectId } from '../../contracts/ids.ts';
import { isSettled } from '../../contracts/task.ts';
import type { TaskTraceEntry, TraceEntry } from '../../contracts/trace.ts';
import type { TaskView } from '../../contracts/turn-view.ts';
import { EventNotAccepted, open, step, type Task } from '../../machines/step.ts';
import { type ProgressLine, progressLines } from './progress.ts';
import { phaseOf, taskView } from './task-view.ts';

/** The messages of one entry: the task's state and phase where it changed either of them, and its progress lines. */
export interface Narration {
  stateChange: StateChange | null;
  progress: ProgressLine[];
  /** The task as the entry left it; null outside a task, and where this machine does not fold its history. */
  task: Task | null;
}

/** Narrates a session's entries, one after the other in the order of `seq`. */
export type Narrator = (entry: TraceEntry) => Promise<Narration>;

/** A task as one of its entries left it. `task` is null when this machine does not fold the history up to there. */
interface TaskAfter {
  task: Task | null;
  stands: StateChange;
}

/** The phase where the fold does not know the counts: derived from the state alone, so never `recovering`. */
const NO_FAILURES = { plan_failures: 0, replan_failures: 0, consecutive_failures: 0, is_recovering: false };

const fold = (before: Task | null, { event }: TaskTraceEntry): Task | null => {
  if (event.type === 'task.opened') return open(event).task;
  if (before === null) return null;
  try {
    return step(before, event).task;
  } catch (error) {
    if (!(error instanceof EventNotAccepted)) throw error;
    return null;
  }
};

const taskAfter = (before: TaskAfter | null, entry: TaskTraceEntry): TaskAfter => {
  const { task_id, state } = entry;
  const task = fold(before?.task ?? null, entry);
  // The stored state counts: a fold that comes to another one can't know the counts either.
  const context = task?.state === state ? task.context : NO_FAILURES;
  return { task, stands: { task_id, state, phase: phaseOf({ state, context }) } };
};

/**
 * Makes a narrator that folds the entries it is shown through the machine. When it comes in the middle of a task it folds
 * the earlier ones first, which it gets from `taskTrace`: the narration of an entry never depends on where it started. A history
 * that this machine does not fold has no progress lines, and its phases follow from the stored states alone: it never hides an
 * entry. Keeps one task in memory, whatever the session's length.
 */
export const createNarrator = (taskTrace: (taskId: string) => AsyncIterable<TaskTraceEntry>): Narrator => {
  let last: TaskAfter | null = null;

  const taskBefore = async ({ task_id, seq, event }: TaskTraceEntry): Promise<TaskAfter | null> => {
    if (event.type === 'task.opened') return null;
    if (last?.stands.task_id === task_id) return last;
    let found: TaskAfter | null = null;
    for await (const earlier of taskTrace(task_id)) {
      if (earlier.seq >= seq) break;
      found = taskAfter(found, earlier);
    }
    return found;
  };

  return async (entry) => {
    if (entry.task_id === null) return { stateChange: null, progress: [], task: null };
    const before = await taskBefore(entry);
    const { task, stands } = taskAfter(before, entry);
    last = { task, stands };
    const isChange = before?.stands.state !== stands.state || before.stands.phase !== stands.phase;
    return {
      stateChange: isChange ? stands : null,
      progress: task === null ? [] : progressLines(before?.task ?? null, entry, task),
      task,
    };
  };
};

/** Something that happened in a turn, for those who render it as it happens. */
export type TurnUpdate =
  /** Where the task is now: its plan, its state, its budget. */
  | { type: 'task'; task: TaskView }
  /** One line of progress in the task's language: plain text. */
  | ({ type: 'progress' } & ProgressLine)
  /** The user answered what the task asked: by words, or by a decision about the action that waited. */
  | { type: 'answer'; text: string }
  | { type: 'decision'; decision: ApprovalDecision }
  /** A tool is called. `call_id` is the effect's: a call that is repeated after a crash has the same. */
  | { type: 'tool_call'; call_id: string; tool: string; input: string }
  /** The outcome of the call. */
  | { type: 'tool_result'; call_id: string; tool: string; input: string; ok: boolean; result: string };

/** The messages of one trace entry, in the order in which they are to be shown. */
export const turnUpdates = ({ task_id, event, effects }: TraceEntry, { progress, task }: Narration): TurnUpdate[] => {
  const updates: TurnUpdate[] = [];
  if (event.type === 'observation.recorded') {
    const { tool, input, ok, result } = event;
    updates.push({ type: 'tool_result', call_id: effectId(task_id ?? '', event.effect), tool, input, ok, result });
  }
  if (event.type === 'answer.received') updates.push({ type: 'answer', text: event.text });
  if (event.type === 'decision.received') updates.push({ type: 'decision', decision: event.decision });
  if (task !== null) updates.push({ type: 'task', task: taskView(task) });
  updates.push(...progress.map((line) => ({ type: 'progress' as const, ...line })));
  for (const effect of effects) {
    if (effect.type !== 'tool.call') continue;
    const { tool, input } = effect.params;
    updates.push({ type: 'tool_call', call_id: effectId(task_id ?? '', effect.effect), tool, input });
  }
  return updates;
};

/** The position of an entry relative to a turn: before, beside or behind it, in it, or the one that ends it. */
export type TurnPlace = 'outside' | 'inside' | 'last';

/** True for the entry by which the turn's input went into its task. */
export const beginsTurn = ({ event }: TraceEntry, turnId: string): boolean =>
  'turn_id' in event && event.turn_id === turnId;

/** Finds a turn in its session's entries, shown in order: from the one that names it to the first after which its task settles. */
export const createTurnSpan = (turnId: string): ((entry: TraceEntry) => TurnPlace) => {
  let taskId: string | null = null;
  let isOver = false;
  return (entry) => {
    if (taskId === null && beginsTurn(entry, turnId)) taskId = entry.task_id;
    if (isOver || taskId === null || entry.task_id !== taskId || entry.state === null) return 'outside';
    isOver = isSettled(entry.state);
    return isOver ? 'last' : 'inside';
  };
};
