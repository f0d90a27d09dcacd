import type { ApprovalDecision } from '../../contracts/approval.ts';
import { effectId } from '../../contracts/ids.ts';
import type { ProgressKind } from '../../contracts/stream.ts';
import type { TraceEntry } from '../../contracts/trace.ts';
import type { TaskView } from '../../contracts/turn-view.ts';

import type { Narration } from './progress-stream.ts';
import { taskView } from './task-view.ts';

/** Something that happened in a turn, for those who render it as it happens. */
export type TurnUpdate =
  /** Where the task is now: its plan, its state, its budget. */
  | { type: 'task'; task: TaskView }
  /** One line of progress in the task's language: plain text. */
  | { type: 'progress'; kind: ProgressKind; text: string }
  /** The user answered what the task asked: by words, or by a decision about the action that waited. */
  | { type: 'answer'; text: string }
  | { type: 'decision'; decision: ApprovalDecision }
  /** A tool is called. `call_id` is the effect's: a call that is repeated after a crash has the same. */
  | { type: 'tool_call'; call_id: string; tool: string; input: string }
  /** What came of the call. */
  | { type: 'tool_result'; call_id: string; tool: string; input: string; ok: boolean; result: string };

/** What one trace entry has to tell, in the order in which it is to be shown. */
export const turnUpdates = ({ task_id, event, effects }: TraceEntry, { progress, task }: Narration): TurnUpdate[] => {
  const updates: TurnUpdate[] = [];
  if (event.type === 'observation.recorded') {
    const call_id = effectId(task_id ?? '', event.effect);
    const { tool, input, ok, result } = event;
    updates.push({ type: 'tool_result', call_id, tool, input, ok, result });
  }
  if (event.type === 'answer.received') updates.push({ type: 'answer', text: event.text });
  if (event.type === 'decision.received') updates.push({ type: 'decision', decision: event.decision });
  if (task !== null) updates.push({ type: 'task', task: taskView(task) });
  for (const { kind, text } of progress) updates.push({ type: 'progress', kind, text });
  for (const effect of effects) {
    if (effect.type !== 'tool.call') continue;
    const { tool, input } = effect.params;
    updates.push({ type: 'tool_call', call_id: effectId(task_id ?? '', effect.effect), tool, input });
  }
  return updates;
};
