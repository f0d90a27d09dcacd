// A Mastra workflow with its LibSQL storage: a dountil() loop whose step asks the model or calls a tool, stored after
// each. An interrupted turn continues as documented: by `restart` of its run.

import { join } from 'node:path';
import { Mastra } from '@mastra/core';
import { createStep, createWorkflow } from '@mastra/core/workflows';
import { LibSQLStore } from '@mastra/libsql';
import { MCPClient } from '@mastra/mcp';
import { z } from 'zod';
import { type Call, play } from './play.ts';

/** A turn so far: the results of its calls, and the next one; null: ask the model. */
const State = z.object({
  said: z.string(),
  results: z.array(z.string()),
  call: z.custom<Call>().nullable(),
  isDone: z.boolean(),
});

await play(import.meta, async ({ dir, url, next }) => {
  const client = new MCPClient({ id: dir, servers: { bfcl: { url: new URL(url) } } });
  const tools = await client.listTools();
  const effect = createStep({
    id: 'effect',
    inputSchema: State,
    outputSchema: State,
    execute: async ({ inputData: state }) => {
      const { said, results, call } = state;
      if (call !== null) {
        const result: unknown = await tools[`bfcl_${call.tool}`]!.execute!(call.args as never, {} as never);
        return { ...state, results: [...results, JSON.stringify(result)], call: null };
      }
      const asked = await next(said, results);
      return { ...state, call: asked, isDone: asked === null };
    },
  });
  const workflow = createWorkflow({ id: 'turn', inputSchema: State, outputSchema: State })
    .dountil(effect, async ({ inputData }) => inputData.isDone)
    .commit();
  const storage = new LibSQLStore({ id: 'gold', url: `file:${join(dir, 'mastra.db')}` });
  const mastra = new Mastra({ storage, workflows: { turn: workflow }, logger: false });
  await storage.init();
  return {
    turn: async (number, said, isAgain) => {
      const runId = `turn-${number}`;
      const isUnderWay = isAgain && (await mastra.getWorkflow('turn').getWorkflowRunById(runId)) !== null;
      const run = await mastra.getWorkflow('turn').createRun({ runId });
      const inputData = { said, results: [], call: null, isDone: false };
      const end = await (isUnderWay ? run.restart() : run.start({ inputData }));
      if (end.status !== 'success') throw new Error(`the run ended ${end.status}`);
    },
    close: () => client.disconnect(),
  };
});
