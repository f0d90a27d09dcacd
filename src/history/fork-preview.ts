import type { NextAction } from '../../contracts/answer.ts';
import { type Effect, TaskOpened } from '../../contracts/event.ts';
import { effectId } from '../../contracts/ids.ts';
import type { TaskState } from '../../contracts/task.ts';
import { plainLine } from '../../contracts/text.ts';
import type { TaskTraceEntry } from '../../contracts/trace.ts';
import type { ForkPreview, PreviewedEffect } from '../../contracts/turn-view.ts';

const INPUT_CHARS_MAX = 300;

const takenIn = (state: TaskState): ForkPreview['takes'] => {
  if (state === 'awaiting_user') return 'answer';
  return state === 'paused' ? 'continue' : 'steer';
};

/**
 * The effects that a fork of the `kept` entries would recall and repeat, and those of the `later` ones. Performs
 * nothing.
 */
export const forkPreview = (kept: readonly TaskTraceEntry[], later: readonly TaskTraceEntry[]): ForkPreview => {
  const { seq: at, state, event: last } = kept.at(-1)!;
  const { catalogue, task_id } = TaskOpened.parse(kept[0]!.event);
  const writes = new Set(catalogue.tools.filter((tool) => tool.writes).map(({ name }) => name));
  const previewed = (seq: number, { effect, type }: Effect, call: NextAction | null, at?: number): PreviewedEffect => ({
    seq,
    effect_id: effectId(task_id, effect, at),
    type,
    tool: call?.tool ?? null,
    input: call === null ? null : plainLine(call.input, INPUT_CHARS_MAX),
    writes: call !== null && writes.has(call.tool),
  });
  /** One preview for each of several simultaneous calls. */
  const previews = (seq: number, effect: Effect): PreviewedEffect[] => {
    if (effect.type === 'tool.batch') return effect.params.calls.map((call, at) => previewed(seq, effect, call, at));
    return [previewed(seq, effect, effect.type === 'tool.call' ? effect.params : null)];
  };
  const requestedIn = ({ seq, effects }: TaskTraceEntry): PreviewedEffect[] =>
    effects.flatMap((effect) => previews(seq, effect));
  const answered = new Set(kept.flatMap(({ event }) => ('effect' in event ? [event.effect] : [])));
  // A plan or action that waits for approval has no question text of its own.
  const asked = state === 'awaiting_user' && last.type === 'thought.made' ? last : null;
  const requested = kept.flatMap(({ seq, effects }) => effects.map((effect) => ({ seq, effect })));
  const shown = (which: typeof requested): PreviewedEffect[] =>
    which.flatMap(({ seq, effect }) => previews(seq, effect));
  return {
    at,
    state,
    takes: takenIn(state),
    question: asked?.question ?? null,
    options: asked?.options ?? null,
    recalled: shown(requested.filter(({ effect }) => answered.has(effect.effect))),
    // An effect without a result is open only if it is the last one; any other was abandoned.
    performed: shown(
      requested.slice(-1).filter(({ effect }) => !answered.has(effect.effect) && takenIn(state) === 'steer'),
    ),
    left: later.flatMap(requestedIn),
  };
};
