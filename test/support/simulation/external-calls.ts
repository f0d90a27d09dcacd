import type { ToolResult } from '../../../contracts/task.ts';
import { commandOf } from '../../../src/commands/commands.ts';
import { type Model, type ModelReply, type ModelRequest, ModelUnavailable } from '../../../src/models/port.ts';
import { withFallback } from '../../../src/models/route.ts';
import { rememberTool } from '../../../src/tools/memory/memory.ts';
import type { OutsideTool } from '../../../src/tools/port.ts';
import { scheduleTool } from '../../../src/tools/schedule/schedule-tool.ts';
import type { Verifier } from '../../../src/verify/port.ts';
import { quickTool } from '../engine/controlled-tools.ts';
import { acts, asks, concludes, finishes, plans, reads, replans } from '../engine/model-answers.ts';

/** The external calls of a simulated service: every call waits until a move completes it, and ignores aborts. */
export interface ExternalCalls {
  readonly model: Model;
  readonly tools: OutsideTool[];
  readonly verifier: Verifier;
  /** Runs of each tool call, by effect_id. */
  readonly runs: ReadonlyMap<string, number>;
  waiting(): number;
  /** Settles the `which`-th waiting call with an outcome by number; the higher ones let the task end sooner. */
  settleCall(which: number, outcome: number): void;
}

/** Prices of both models: a call, of one token each way, costs two millionths. */
export const PRICES = { currency: 'USD', models: { first: { input: 1, output: 1 }, second: { input: 1, output: 1 } } };

/** Commands on goals and facts. */
export const COMMANDS = [commandOf(scheduleTool), commandOf(rememberTool)];

/** The outcome number with which any task ends. */
export const ENDING = 19;

const steps = ['Dig', 'Plant', { id: 'w', step: 'Water', depends_on: [] }];

/** Creates the external calls of one history. `onStart` is called for each model call and tool run as it starts, which ends no sooner than it. */
export const createExternalCalls = (
  onStart: (effectId: string) => Promise<void>,
  hasFallback: boolean,
): ExternalCalls => {
  const calls: { settle(outcome: number): void }[] = [];
  const runs = new Map<string, number>();
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

  const said = ({ contract, may, task }: ModelRequest, outcome: number): unknown => {
    if (outcome === 0) return 'no JSON';
    if (outcome === 1) throw new ModelUnavailable('overloaded');
    if (outcome === 2) throw new Error('the adapter broke');
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

  const reply = (text: unknown): ModelReply => ({
    text: typeof text === 'string' ? text : JSON.stringify(text),
    fault: 'none',
    usage: { input_tokens: 1, output_tokens: 1 },
  });

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
    answer: (request) => wait(request.effect_id, (outcome) => reply(said(request, outcome))),
  });

  return {
    runs,
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
