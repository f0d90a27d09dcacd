// Vercel's workflow with its local world and a DurableAgent, a run a turn, behind Anthropic's API. Gets the messages of
// earlier turns, as in the guide to durable agents.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ModelMessage } from 'ai';
import { start } from 'workflow/api';
import { getWorld, setWorld } from 'workflow/runtime';
import { serveWorkflows } from '../../gold/workflow-endpoints.ts';
import type { Open } from '../agents/agent.ts';

const built = join(import.meta.dirname, 'workflow/.well-known/workflow/v1');

export const open: Open = async ({ dir, tools, model }) => {
  process.env['WORKFLOW_LOCAL_BASE_URL'] ??= await serveWorkflows(built);
  process.env['WORKFLOW_LOCAL_DATA_DIR'] = join(dir, 'workflow-data');
  process.env['COST_TOOLS'] = tools;
  process.env['COST_MODEL'] = model;
  setWorld(undefined);
  await getWorld().start?.();
  const { workflows } = JSON.parse(readFileSync(join(built, 'manifest.json'), 'utf8')) as {
    workflows: Record<string, { turn: { workflowId: string } }>;
  };
  const { workflowId } = workflows['workflows/turn.ts']!.turn;
  let messages: ModelMessage[] = [];
  return {
    async turn(said) {
      const run = await start<[ModelMessage[]], ModelMessage[]>({ workflowId }, [
        [...messages, { role: 'user', content: said }],
      ]);
      messages = await run.returnValue;
    },
    close: async () => await getWorld().close?.(),
  };
};
