import type { ApprovalVerdict, NextAction } from '../../contracts/answer.ts';
import type { ToolResult } from '../../contracts/task.ts';
import { actionsOf } from '../../machines/side-by-side.ts';
import type { ToolQuestion } from '../tools/port.ts';
import { callKey } from './canonical.ts';
import type { RecordedTask } from './recording.ts';

/** Values by call, each given once, in the order in which they were recorded. */
const createQueues = <Value>() => {
  const left = new Map<string, Value[]>();
  const taken = new Map<string, number>();
  return {
    add: (call: NextAction, value: Value): void => {
      const key = callKey(call);
      left.set(key, [...(left.get(key) ?? []), value]);
    },
    /** The next value, and which time the call was asked about, from 1. */
    times: (call: NextAction): number => taken.get(callKey(call)) ?? 0,
    take: (call: NextAction): { value: Value | undefined; nth: number } => {
      const key = callKey(call);
      const nth = (taken.get(key) ?? 0) + 1;
      taken.set(key, nth);
      return { value: left.get(key)?.shift(), nth };
    },
  };
};

/** A tool's answer to a call: a result, or a question to its user. */
export type RecordedResult = ToolResult | { asks: ToolQuestion };

/** The answers of a recorded task's tools, their policies and its verifiers: by tool, canonical input and n-th time. */
export interface RecordedAnswers {
  result(call: NextAction): { value: RecordedResult | undefined; nth: number };
  /** How often a result was asked for. */
  times(call: NextAction): number;
  /** Why the tool's schema refused the input before anybody was asked; undefined: it did not. */
  refusal(call: NextAction): string | undefined;
  verdict(call: NextAction): ApprovalVerdict | undefined;
  verification(): { ok: boolean; output: string } | undefined;
}

const resultOf = ({ ok, result }: ToolResult): ToolResult => ({ ok, result });

/** Collects them. A result that the machine gave itself, in place of a tool that was not allowed to run, is none. */
export const recordedAnswers = ({ entries }: RecordedTask): RecordedAnswers => {
  const results = createQueues<RecordedResult>();
  const refusals = createQueues<string>();
  const verdicts = createQueues<ApprovalVerdict>();
  const verifications: { ok: boolean; output: string }[] = [];
  const refused = new Set(
    entries
      .flatMap(({ entry }) => entry.effects)
      .flatMap((effect) => (effect.type === 'tool.call' && effect.params.refusal !== undefined ? [effect.effect] : [])),
  );
  for (const { entry, after } of entries) {
    const { event } = entry;
    if (event.type === 'observation.recorded' && !refused.has(event.effect)) results.add(event, resultOf(event));
    if (event.type === 'observations.recorded')
      for (const each of event.observations) results.add(each, resultOf(each));
    if (event.type === 'tool.asked') {
      const { server, requests, state } = event;
      results.add(event, { asks: { server, requests, ...(state !== undefined && { state }) } });
    }
    if (event.type === 'verification.finished') verifications.push(event);
    if (event.type !== 'thought.made') continue;
    const [action] = actionsOf(after.context.last_thought_snapshot);
    if (action === undefined) continue;
    if (event.refusal !== undefined) refusals.add(action, event.refusal);
    if (event.approval !== undefined) verdicts.add(action, event.approval);
  }
  return {
    result: results.take,
    times: results.times,
    refusal: (call) => refusals.take(call).value,
    verdict: (call) => verdicts.take(call).value,
    verification: () => verifications.shift(),
  };
};
