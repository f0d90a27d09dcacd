import type { ApprovalDecision } from '../../contracts/event.ts';
import type { StateChange } from '../../contracts/http.ts';
import { effectId } from '../../contracts/ids.ts';
import type { TaskTraceEntry, TraceEntry } from '../../contracts/trace.ts';
import type { TaskView } from '../../contracts/turn-view.ts';
import { EventNotAccepted, type Task } from '../../machines/step.ts';
import { foldEvent } from '../history/fold.ts';
import { type ProgressLine, progressLines } from './progress.ts';
import { phaseOf, taskView } from './task-view.ts';

/** An entry with its messages: the task's state and phase where it changed either of them, and its progress lines. */
export interface Narration {
  entry: TraceEntry;
  stateChange: StateChange | null;
  progress: ProgressLine[];
  /** The task as the entry left it; null outside a task, and where this machine does not fold its history. */
  task: Task | null;
}

type TaskAfter = Pick<Narration, 'task'> & { stands: StateChange };

/** The phase where the fold does not know the counts: derived from the state alone, so never `recovering`. */
const NO_FAILURES = { plan_failures: 0, replan_failures: 0, consecutive_failures: 0, is_recovering: false };

const taskAfter = (before: Task | null, { task_id, state, event }: TaskTraceEntry): TaskAfter => {
  let task: Task | null = null;
  try {
    if (before !== null || event.type === 'task.opened') task = foldEvent(before, event).task;
  } catch (error) {
    if (!(error instanceof EventNotAccepted)) throw error;
  }
  // The stored state counts: a fold that comes to another one can't know the counts either.
  const context = task?.state === state ? task.context : NO_FAILURES;
  return { task, stands: { task_id, state, phase: phaseOf({ state, context }) } };
};

/** Narrates entries of one session by folding them; those before the first come from `taskTrace`. A history that does not fold has no progress lines. */
export async function* narrate<News extends { data: unknown } = never>(
  entries: AsyncIterable<TraceEntry | News>,
  taskTrace: (taskId: string) => AsyncIterable<TaskTraceEntry>,
): AsyncGenerator<Narration | News> {
  let last: TaskAfter | null = null;
  const taskBefore = async ({ task_id, seq, event }: TaskTraceEntry): Promise<TaskAfter | null> => {
    if (event.type === 'task.opened') return null;
    if (last?.stands.task_id === task_id) return last;
    let found: TaskAfter | null = null;
    for await (const earlier of taskTrace(task_id)) {
      if (earlier.seq >= seq) break;
      found = taskAfter(found?.task ?? null, earlier);
    }
    return found;
  };

  for await (const entry of entries) {
    if ('data' in entry) {
      yield entry;
      continue;
    }
    if (entry.task_id === null) {
      yield { entry, stateChange: null, progress: [], task: null };
      continue;
    }
    const before = await taskBefore(entry);
    last = taskAfter(before?.task ?? null, entry);
    const { task, stands } = last;
    const isChange = before?.stands.state !== stands.state || before.stands.phase !== stands.phase;
    const progress = task === null ? [] : progressLines(before?.task ?? null, entry, task);
    yield { entry, stateChange: isChange ? stands : null, progress, task };
  }
}

/** Something that happened in a turn, for those who render it as it happens. */
export type TurnUpdate =
  | { type: 'task'; task: TaskView }
  /** One line of progress in the task's language: plain text. */
  | ({ type: 'progress' } & ProgressLine)
  /** The user answered what the task asked: by words, or by a decision about the action that waited. */
  | { type: 'answer'; text: string }
  | { type: 'decision'; decision: ApprovalDecision }
  /** A tool is called. `call_id` is the effect's: a call that is repeated after a crash has the same. */
  | { type: 'tool_call'; call_id: string; tool: string; input: string }
  | { type: 'tool_result'; call_id: string; tool: string; input: string; ok: boolean; result: string };

/** The news of an entry for its turn, in the order in which it is to be shown. */
export const turnUpdates = ({ entry, progress, task }: Narration): TurnUpdate[] => {
  const { task_id, event, effects } = entry;
  const updates: TurnUpdate[] = [];
  const called = (effect: number, at?: number): string => effectId(task_id ?? '', effect, at);
  if (event.type === 'observation.recorded') {
    const { tool, input, ok, result } = event;
    updates.push({ type: 'tool_result', call_id: called(event.effect), tool, input, ok, result });
  }
  if (event.type === 'observations.recorded')
    for (const [at, { tool, input, ok, result }] of event.observations.entries())
      updates.push({ type: 'tool_result', call_id: called(event.effect, at), tool, input, ok, result });
  if (event.type === 'answer.received') updates.push({ type: 'answer', text: event.text });
  if (event.type === 'decision.received') updates.push({ type: 'decision', decision: event.decision });
  if (task !== null) updates.push({ type: 'task', task: taskView(task) });
  updates.push(...progress.map((line) => ({ type: 'progress' as const, ...line })));
  for (const effect of effects) {
    if (effect.type === 'tool.call') {
      const { tool, input } = effect.params;
      updates.push({ type: 'tool_call', call_id: called(effect.effect), tool, input });
    }
    if (effect.type === 'tool.batch')
      for (const [at, { tool, input }] of effect.params.calls.entries())
        updates.push({ type: 'tool_call', call_id: called(effect.effect, at), tool, input });
  }
  return updates;
};
