import type { ToolResult } from '../../../contracts/task.ts';
import type { OwnerData } from '../../../src/lib/queries.ts';
import type { OutsideTool, TaskToolCall, TransactionalTool } from '../../../src/tools/port.ts';
import { todoStore } from '../../../src/tools/todo/todo-store.ts';

/** The owner of the todos that `tally` adds. */
const TALLY_OWNER = 'tally';

/**
 * A tool whose change is a row in the engine's own store. For an input that starts with `throw` it adds its row and
 * then throws.
 */
export const tallyTool = (ownerData: OwnerData): { tool: TransactionalTool; tallied(): Promise<string[]> } => ({
  tallied: async () => {
    const rows = await ownerData.run(null, () => todoStore.after(TALLY_OWNER, 0, 1_000));
    return rows.map(({ text }) => text);
  },
  tool: {
    name: 'tally',
    description: 'Adds a line to a list',
    usage: '/tally <line>',
    writes: true,
    effect: 'transactional',
    *run(input) {
      yield* todoStore.add(TALLY_OWNER, { text: input, priority: 0, due_at: null, due_date: null, tags: [] }, 0);
      if (input.startsWith('throw')) throw new Error('tally is broken');
      return { ok: true, result: `tallied ${input}` };
    },
  },
});

/** One call of a tool that waits for the test to give its result. */
export interface ControlledCall {
  readonly input: string;
  readonly call: TaskToolCall;
  gives(result: string, ok?: boolean): void;
  throws(error: Error): void;
}

/** A tool whose calls wait for the test. Ignores aborts, so that its result can come late. */
export interface ControlledTool {
  readonly tool: OutsideTool;
  readonly calls: readonly ControlledCall[];
  /** Resolves to the `nth` call, counted from 1, as soon as it was made. */
  called(nth: number): Promise<ControlledCall>;
}

/** Makes a tool whose calls wait for the test. */
export const controlledTool = (
  name: string,
  more: Partial<Pick<OutsideTool, 'approval' | 'checkInput' | 'effect' | 'source' | 'timeoutMs' | 'writes'>> = {},
): ControlledTool => {
  const calls: ControlledCall[] = [];
  const waiting: { nth: number; resolve: (call: ControlledCall) => void }[] = [];
  const notifyWaiters = (): void => {
    for (const { nth, resolve } of waiting) if (calls[nth - 1] !== undefined) resolve(calls[nth - 1]!);
  };
  return {
    calls,
    called: (nth) =>
      new Promise((resolve) => {
        waiting.push({ nth, resolve });
        notifyWaiters();
      }),
    tool: {
      ...quickCard(name),
      ...more,
      run: (input, call) => {
        const { promise, resolve, reject } = Promise.withResolvers<ToolResult>();
        calls.push({ input, call, gives: (result, ok = true) => resolve({ ok, result }), throws: reject });
        notifyWaiters();
        return promise;
      },
    },
  };
};

const quickCard = (name: string) => ({
  name,
  description: `The tool ${name}`,
  usage: `/${name} <text>`,
  writes: false,
  effect: 'idempotent' as const,
});

/** A tool that returns at once what the test says; default: success. */
export const quickTool = (
  name: string,
  run: (input: string, call: TaskToolCall) => ToolResult | Promise<ToolResult> = (input) => ({
    ok: true,
    result: `${name}: ${input}`,
  }),
  more: Partial<Pick<OutsideTool, 'approval' | 'checkInput' | 'effect' | 'source' | 'timeoutMs' | 'writes'>> = {},
): OutsideTool => ({ ...quickCard(name), ...more, run: async (input, call) => run(input, call) });
