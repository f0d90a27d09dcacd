import { TaskEvent, TaskOpened } from '../../contracts/event.ts';
import type { ForkPreview, PreviewedEffect } from '../../contracts/fork-preview.ts';
import { effectId } from '../../contracts/ids.ts';
import { plainLine } from '../../contracts/plain-line.ts';
import type { TaskState } from '../../contracts/task.ts';
import { effectsOf, type StoredEntry } from './fold-task.ts';

/** Longest beginning of a tool's input that is shown, in characters. */
const INPUT_CHARS_MAX = 300;

/** What the fork's input would be in this state. */
const takenIn = (state: TaskState): ForkPreview['takes'] =>
  state === 'awaiting_user' ? 'answer' : state === 'paused' ? 'continue' : 'steer';

/** The question that waits for an answer; a plan or an action that waits for a yes asks without words of its own. */
const askedIn = (state: TaskState, events: readonly TaskEvent[]): Pick<ForkPreview, 'question' | 'options'> => {
  const asked = events.at(-1);
  return state === 'awaiting_user' && asked?.type === 'thought.made'
    ? { question: asked.question, options: asked.options ?? null }
    : { question: null, options: null };
};

/**
 * What a fork of a task's history would recall, do again and leave behind. `kept` are the entries that it would have, `later` those of the
 * original after them. Performs nothing.
 */
export const forkPreview = (kept: readonly StoredEntry[], later: readonly StoredEntry[]): ForkPreview => {
  const first = kept[0]!;
  const last = kept.at(-1)!;
  const { catalogue, task_id } = TaskOpened.parse(JSON.parse(first.event));
  const writes = new Set(catalogue.tools.filter((tool) => tool.writes).map(({ name }) => name));
  const requestedIn = ({ seq, effects }: StoredEntry): PreviewedEffect[] =>
    effectsOf(effects).map((effect) => {
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
  const events = kept.slice(1).map(({ event }) => TaskEvent.parse(JSON.parse(event)));
  const answered = new Set(events.flatMap((event) => ('effect' in event ? [effectId(task_id, event.effect)] : [])));
  const requested = kept.flatMap(requestedIn);
  const state = last.state as TaskState;
  return {
    at: last.seq,
    state,
    takes: takenIn(state),
    ...askedIn(state, events),
    recalled: requested.filter(({ effect_id }) => answered.has(effect_id)),
    // An effect without a result is open where it is the last one: any other was given up.
    performed: requested.slice(-1).filter(({ effect_id }) => !answered.has(effect_id) && takenIn(state) === 'steer'),
    left: later.flatMap(requestedIn),
  };
};
