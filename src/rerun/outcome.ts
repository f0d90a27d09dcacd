import type { RerunLane, RunOutcome } from '../../contracts/rerun.ts';
import { isEnded, type TaskContext } from '../../contracts/task.ts';
import type { TaskTraceEntry } from '../../contracts/trace.ts';
import type { Task } from '../../machines/step.ts';
import { callKey, canonicalJson } from './canonical.ts';

/** True unless a tool is known to change nothing. */
const mayWrite = ({ catalogue }: TaskContext, name: string): boolean => {
  const tool = catalogue.tools.find((each) => each.name === name);
  return tool?.side_by_side !== true && tool?.always !== true;
};

/** The calls that were performed, in order: those with a result that no refusal stands for. */
const performed = (entries: readonly TaskTraceEntry[]) => {
  const refused = new Set(
    entries
      .flatMap(({ effects }) => effects)
      .flatMap((effect) => (effect.type === 'tool.call' && effect.params.refusal !== undefined ? [effect.effect] : [])),
  );
  return entries.flatMap(({ event }) => {
    if (event.type === 'observation.recorded') return refused.has(event.effect) ? [] : [event];
    return event.type === 'observations.recorded' ? event.observations : [];
  });
};

/** The outcome of a run, and its cost. */
export type RunMeasure = Omit<
  RerunLane,
  'lane' | 'model' | 'ended' | 'same' | 'first_difference' | 'reworded' | 'trace'
>;

/** Measures a run by its entries and the task that they led to. */
export const measureRun = (entries: readonly TaskTraceEntry[], { state, context }: Task): RunMeasure => {
  const calls = performed(entries);
  const { outcome, pause_reason, pending_answer, pending_final_response, usage, cost, is_cost_known } = context;
  return {
    state,
    outcome: isEnded(state) ? outcome : null,
    pause_reason: state === 'paused' ? pause_reason : null,
    ...(state === 'done' && pending_answer !== null && { answer: pending_answer }),
    writes: calls.flatMap(({ tool, input }) => (mayWrite(context, tool) ? [{ tool, input }] : [])),
    response: pending_final_response,
    steps: context.step_count,
    calls: entries.filter(({ event }) => 'usage' in event && event.usage !== undefined).length,
    tool_calls: calls.length,
    usage,
    ...(is_cost_known && cost !== null && { cost }),
    misses: entries.filter(({ event }) => event.type.endsWith('.rejected')).length,
  };
};

/**
 * Whether two runs have the same outcome (SPEC 12): the same final state, end and reason to pause, the same answer by
 * its schema, and the same performed calls of tools that may change something, with the same input in the same order. The words of a
 * text answer do not count.
 */
export const isSameOutcome = (one: RunOutcome, other: RunOutcome): boolean =>
  one.state === other.state &&
  one.outcome === other.outcome &&
  one.pause_reason === other.pause_reason &&
  canonicalJson(one.answer ?? null) === canonicalJson(other.answer ?? null) &&
  canonicalJson(one.writes.map(callKey)) === canonicalJson(other.writes.map(callKey));
