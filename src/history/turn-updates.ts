import type { ApprovalDecision } from '../../contracts/event.ts';
import { effectId } from '../../contracts/ids.ts';
import type { TaskView } from '../../contracts/turn-view.ts';
import type { ProgressLine } from '../projections/progress.ts';
import type { Narration } from './narration.ts';

/** An update of a turn, for renderers that follow it live. */
export type TurnUpdate =
  | { type: 'task'; task: TaskView }
  /** One line of progress in the task's language: plain text. */
  | ({ type: 'progress' } & ProgressLine)
  /** The user answered the task's question, by words or by a decision on the pending action. */
  | { type: 'answer'; text: string }
  | { type: 'decision'; decision: ApprovalDecision }
  /** A tool call. `call_id` is the effect's: a call repeated after a crash has the same one. */
  | { type: 'tool_call'; call_id: string; tool: string; input: string }
  | { type: 'tool_result'; call_id: string; tool: string; input: string; ok: boolean; result: string };

/** The updates of an entry for its turn, in display order. */
export const turnUpdates = ({ entry, progress, view }: Narration): TurnUpdate[] => {
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
  if (view !== null) updates.push({ type: 'task', task: view });
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
