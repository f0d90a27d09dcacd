import type { TaskEvent } from '../../../contracts/event.ts';
import { pendingAction } from '../../../machines/approvals.ts';
import type { ToolCalls } from '../change.ts';
import type { SessionImage } from '../image.ts';
import type { SessionDraft } from './session-draft.ts';

/** The results of tools that an event brings; empty: it brings none. */
const resultsIn = (event: TaskEvent): readonly { readonly tool: string; readonly ok: boolean }[] => {
  if (event.type === 'observation.recorded') return [event];
  return event.type === 'observations.recorded' ? event.observations : [];
};

/**
 * Applies an outcome to the active task, and counts the calls of tools whose results it brings. A name that no tool of
 * the task has is the model's invention, and not counted.
 */
export const takeResult = (draft: SessionDraft, event: TaskEvent, duration_ms = 0): void => {
  const { catalogue } = draft.apply(event).context;
  const known = new Set(catalogue.tools.map(({ name }) => name));
  const results = resultsIn(event).filter(({ tool }) => known.has(tool));
  const calls = [...Map.groupBy(results, ({ tool }) => tool)].map(
    ([tool, own]): ToolCalls => ({
      tool,
      calls: own.length,
      failed: own.filter(({ ok }) => !ok).length,
      duration_ms: Math.round(duration_ms),
    }),
  );
  draft.addToolCalls(calls);
};

/** The tool that a model's answer just asked for: the one to be called next, or that waits for a person's yes; null: none. */
export const askedTool = ({ active, open }: SessionImage): string | null => {
  if (open?.type === 'tool.call') return open.params.tool;
  if (open?.type === 'tool.batch') return open.params.calls[0]?.tool ?? null;
  const waits = active === null || open !== null ? null : pendingAction(active.task.context);
  return waits?.tool ?? null;
};
