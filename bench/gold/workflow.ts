// Vercel's workflow with its local world: each turn a workflow of a DurableAgent, compiled by `workflow build`, whose
// model calls and tool calls are steps. The world starts unfinished runs again, and the turn waits for its run.

import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ModelMessage } from 'ai';
import { getRun, start } from 'workflow/api';
import { getWorld, setWorld } from 'workflow/runtime';
import { startModelServer } from './model-server.ts';
import { play } from './play.ts';
import { serveWorkflows } from './workflow-endpoints.ts';

const built = join(import.meta.dirname, 'workflow/.well-known/workflow/v1');

await play(import.meta, async ({ dir, url, next }) => {
  const model = await startModelServer(next);
  process.env['WORKFLOW_LOCAL_BASE_URL'] ??= await serveWorkflows(built);
  process.env['WORKFLOW_LOCAL_DATA_DIR'] = join(dir, 'workflow-data');
  process.env['GOLD_TOOLS'] = url;
  process.env['GOLD_MODEL'] = model.url;
  setWorld(undefined);
  await getWorld().start?.();
  const { workflows } = JSON.parse(readFileSync(join(built, 'manifest.json'), 'utf8')) as {
    workflows: Record<string, { turn: { workflowId: string } }>;
  };
  const { workflowId } = workflows['workflows/turn.ts']!.turn;
  return {
    turn: async (number, said, isAgain) => {
      const [history, started] = [join(dir, 'messages.json'), join(dir, `run-${number}`)];
      const messages = existsSync(history) ? (JSON.parse(readFileSync(history, 'utf8')) as ModelMessage[]) : [];
      const asked: ModelMessage[] = [...messages, { role: 'user', content: said }];
      const run =
        isAgain && existsSync(started)
          ? getRun<ModelMessage[]>(readFileSync(started, 'utf8'))
          : await start<[ModelMessage[]], ModelMessage[]>({ workflowId }, [asked]);
      writeFileSync(started, run.runId);
      writeFileSync(history, JSON.stringify(await run.returnValue));
    },
    close: async () => {
      await getWorld().close?.();
      model.close();
    },
  };
});
