import type { ToolResult } from '../../../contracts/task.ts';
import { commandOf } from '../../../src/commands/commands.ts';
import { type Model, type ModelReply, type ModelRequest, ModelUnavailable } from '../../../src/models/port.ts';
import { withFallback } from '../../../src/models/route.ts';
import type { ScriptedCall } from '../../../src/models/scripted.ts';
import { rememberTool } from '../../../src/tools/memory/memory.ts';
import type { OutsideTool } from '../../../src/tools/port.ts';
import { scheduleTool } from '../../../src/tools/schedule/schedule-tool.ts';
import type { Verifier } from '../../../src/verify/port.ts';
import { quickTool } from '../engine/controlled-tools.ts';
import {
  acts,
  asks,
  callAsk,
  callFinish,
  callItemDone,
  callPlan,
  callTool,
  concludes,
  finishes,
  plans,
  reads,
  replans,
} from '../engine/model-answers.ts';

/** The external calls of a simulated service. Every call waits until a move completes it, and ignores aborts. */
export interface ExternalCalls {
  readonly model: Model;
  readonly tools: OutsideTool[];
  readonly verifier: Verifier;
  /** Runs of each tool call, by effect_id. */
  readonly runs: ReadonlyMap<string, number>;
  /** The effects for which a model was asked. */
  readonly asked: ReadonlySet<string>;
  waiting(): number;
  /** Settles the `which`-th waiting call with a numbered outcome; higher numbers end the task sooner. */
  settleCall(which: number, outcome: number): void;
}

/** Prices of both models: a call, with one token each way, costs two millionths. */
export const PRICES = { currency: 'USD', models: { first: { input: 1, output: 1 }, second: { input: 1, output: 1 } } };

/** Commands on goals and facts. */
export const COMMANDS = [commandOf(scheduleTool), commandOf(rememberTool)];

/** The outcome number with which any task ends. */
export const ENDING = 19;

const steps = ['Dig', 'Plant', { id: 'w', step: 'Water', depends_on: [] }];

/**
 * Creates the external calls of one history. `onStart` is called as each model call and tool run starts, and delays its
 * end. `isNative`: the model answers by calls.
 */
export const createExternalCalls = (
  onStart: (effectId: string) => Promise<void>,
  { hasFallback, isNative }: { hasFallback: boolean; isNative: boolean },
): ExternalCalls => {
  const calls: { settle(outcome: number): void }[] = [];
  const runs = new Map<string, number>();
  const asked = new Set<string>();
  let inputs = 0;

  const wait = <Value>(effectId: string | null, answer: (outcome: number) => Value): Promise<Value> => {
    const started = effectId === null ? undefined : onStart(effectId);
    const settled = new Promise<Value>((resolve, reject) => {
      const settle = (outcome: number): void => {
        try {
          resolve(answer(outcome));
        } catch (error) {
          reject(error);
        }
      };
      calls.push({ settle });
    });
    return settled.finally(() => started);
  };

  const action = (outcome: number): ScriptedCall =>
    callTool(
      ['tally', 'once', 'again', 'peek', 'peek', 'tally', 'nothing'][outcome % 7]!,
      `${outcome === 8 ? 'throw' : 'go'} ${inputs++}`,
    );

  /** A message of one to four calls, most of which are accepted when their turn comes. */
  const message = ({ contract, task }: ModelRequest, outcome: number): ScriptedCall[] => {
    const finish = callFinish('Done', task.answer_schema === null ? {} : { answer: { count: outcome % 7 } });
    if (outcome === ENDING) return [finish];
    if (outcome === 3) return [callAsk(`Question ${inputs++}?`), action(4)];
    const actions = Array.from({ length: outcome % 4 }, (_, i) => action(outcome + i));
    const plan = callPlan(...steps.slice(outcome % 2, 1 + (outcome % 3)));
    switch (contract) {
      case 'plan':
        return outcome === 4 ? actions : [plan, ...actions, finish];
      case 'replan':
        return [outcome % 3 === 0 ? plan : finish, ...actions];
      case 'thought': {
        if (outcome < 11) return [...actions, action(outcome), finish];
        const rest = outcome % 2 === 0 ? [finish] : [...actions, finish];
        return [callItemDone('found', outcome % 3 === 0 ? {} : { plan: 'unchanged' }), ...rest];
      }
      default:
        return contract satisfies never;
    }
  };

  const said = ({ contract, may, task }: ModelRequest, outcome: number): unknown => {
    switch (contract) {
      case 'plan':
        return outcome === ENDING || outcome === 3 ? plans() : plans(...steps.slice(0, 1 + (outcome % 3)));
      case 'replan':
        return outcome % 3 === 0
          ? replans(...steps.slice(outcome % 2))
          : { ...concludes('Done'), ...(task.answer_schema !== null && { answer: { count: outcome % 7 } }) };
      case 'thought':
        if (outcome === 3) return asks(`Question ${inputs++}?`);
        if (outcome > 13 && outcome < 16 && may.includes('continue'))
          return reads('peek', `at ${inputs++}`, `at ${inputs++}`, ...(outcome === 15 ? [`at ${inputs++}`] : []));
        if (outcome < 14 && may.includes('continue'))
          return acts(
            ['tally', 'once', 'again', 'tally'][outcome % 4]!,
            `${outcome === 8 ? 'throw' : 'go'} ${inputs++}`,
          );
        return finishes();
      default:
        return contract satisfies never;
    }
  };

  const reply = (request: ModelRequest, outcome: number): ModelReply => {
    if (outcome === 1) throw new ModelUnavailable('overloaded');
    if (outcome === 2) throw new Error('the adapter broke');
    const usage = { input_tokens: 1, output_tokens: 1 };
    if (outcome === 0) return { text: 'no JSON', ...(isNative && { calls: [] }), fault: 'none', usage };
    if (isNative) return { text: '', calls: message(request, outcome), fault: 'none', usage };
    return { text: JSON.stringify(said(request, outcome)), fault: 'none', usage };
  };

  const result = (outcome: number): ToolResult => {
    if (outcome === 0) throw new Error('the tool broke');
    return { ok: outcome > 3, result: `result ${inputs++}` };
  };

  const tool = (name: string, effect: OutsideTool['effect'], writes = true): OutsideTool =>
    quickTool(
      name,
      (_, { effect_id }) => {
        runs.set(effect_id, (runs.get(effect_id) ?? 0) + 1);
        return wait(effect_id, result);
      },
      { effect, writes },
    );

  const model = (name: string): Model => ({
    name,
    answer: (request) => {
      asked.add(request.effect_id);
      return wait(request.effect_id, (outcome) => reply(request, outcome));
    },
  });

  return {
    runs,
    asked,
    model: hasFallback ? withFallback(model('first'), model('second'), () => {}) : model('first'),
    tools: [tool('once', 'at_most_once'), tool('again', 'idempotent'), tool('peek', 'at_most_once', false)],
    verifier: () => wait(null, (outcome) => ({ ok: outcome > 3, output: 'verified' })),
    waiting: () => calls.length,
    settleCall: (which, outcome) => {
      const [call] = calls.splice(which % Math.max(calls.length, 1), 1);
      call?.settle(outcome);
    },
  };
};
