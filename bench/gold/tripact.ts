// Tripact in this process, as in `docs/embedding.md`: an interrupted turn continues by itself, and is sent again with
// its key.

import { scriptedModel } from '../../src/testing/testing.ts';
import { createTripact, defineConfig } from '../../src/tripact.ts';
import { play } from './play.ts';

await play(import.meta, async ({ dir, url, next }) => {
  const thought = async (goal: string, results: string[]): Promise<Record<string, unknown>> => {
    const call = await next(goal, results);
    return call === null
      ? { status: 'done', current_step: 'All is done.', response: 'Done.' }
      : {
          status: 'continue',
          current_step: 'The next call.',
          next_action: { tool: `bfcl_${call.tool}`, input: JSON.stringify(call.args) },
        };
  };
  const tripact = await createTripact({
    env: { PATH: process.env['PATH'], TRIPACT_DATA_DIR: dir, TRIPACT_LOG_LEVEL: 'error', TRIPACT_MAX_STEPS: '50' },
    config: defineConfig({
      mcpServers: { bfcl: { url } },
      model: scriptedModel({
        plan: { status: 'planned', plan: ['Do what the user asks for'] },
        thought: ({ task }) =>
          thought(
            task.goal,
            task.observations.map(({ result }) => result),
          ),
        replan: { status: 'done', plan: [], response: 'Done.' },
      }),
    }),
  });
  return {
    turn: async (number, input) => {
      const { status } = await tripact.turn({ session: 'dialogue', input, idempotency_key: `turn-${number}` });
      if (status !== 'answered') throw new Error(`the turn is ${status}`);
    },
    close: () => tripact.close(),
  };
});
