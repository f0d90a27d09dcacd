import { TaskOpened } from '../../contracts/event.ts';
import { effectId } from '../../contracts/ids.ts';
import type { TaskState } from '../../contracts/task.ts';
import { plainLine } from '../../contracts/text.ts';
import type { TaskTraceEntry } from '../../contracts/trace.ts';
import type { ForkPreview, PreviewedEffect } from '../../contracts/turn-view.ts';

const INPUT_CHARS_MAX = 300;

const takenIn = (state: TaskState): ForkPreview['takes'] =>
  state === 'awaiting_user' ? 'answer' : state === 'paused' ? 'continue' : 'steer';

/** The effects that a fork of the `kept` entries would recall and do again, and those of the `later` ones. Performs nothing. */
export const forkPreview = (kept: readonly TaskTraceEntry[], later: readonly TaskTraceEntry[]): ForkPreview => {
  const { seq: at, state, event: last } = kept.at(-1)!;
  const { catalogue, task_id } = TaskOpened.parse(kept[0]!.event);
  const writes = new Set(catalogue.tools.filter((tool) => tool.writes).map(({ name }) => name));
  const requestedIn = ({ seq, effects }: TaskTraceEntry): PreviewedEffect[] =>
    effects.map((effect) => {
      const tool = effect.type === 'tool.call' ? effect.params.tool : null;
      const input = effect.type === 'tool.call' ? plainLine(effect.params.input, INPUT_CHARS_MAX) : null;
      return {
        seq,
        effect_id: effectId(task_id, effect.effect),
        type: effect.type,
        tool,
        input,
        writes: tool !== null && writes.has(tool),
      };
    });
  const answered = new Set(kept.flatMap(({ event }) => ('effect' in event ? [effectId(task_id, event.effect)] : [])));
  // A plan or an action that waits for a yes asks without words of its own.
  const asked = state === 'awaiting_user' && last.type === 'thought.made' ? last : null;
  const requested = kept.flatMap(requestedIn);
  return {
    at,
    state,
    takes: takenIn(state),
    question: asked?.question ?? null,
    options: asked?.options ?? null,
    recalled: requested.filter(({ effect_id }) => answered.has(effect_id)),
    // An effect without a result is open where it is the last one: any other was given up.
    performed: requested.slice(-1).filter(({ effect_id }) => !answered.has(effect_id) && takenIn(state) === 'steer'),
    left: later.flatMap(requestedIn),
  };
};
