import {
  type Commands,
  commandOf,
  createCommands,
  createToolCommand,
  createToolsCommand,
} from '../commands/commands.ts';
import { createPlanCommand, statusCommand } from '../commands/task-commands.ts';
import { askNothing } from '../lib/questions.ts';
import type { TaskDefaults } from '../session/input.ts';
import { factStore } from '../tools/memory/memory.ts';
import { planningTool } from '../tools/planning/planning-tool.ts';
import type { Foundation } from './foundation.ts';
import type { ServiceTools } from './tools.ts';

/** Gathers what a new task begins with. */
export const taskDefaults = ({ config, file, model }: Foundation, { registry }: ServiceTools): TaskDefaults => ({
  limits: config.limits,
  catalogue: registry.catalogue,
  confirmPlan: config.confirmPlan,
  planning: config.planning,
  replan: config.replan,
  chain: config.chain,
  remembered: registry.get('remember') === undefined ? () => askNothing(() => []) : factStore.remembered,
  verifies: (file.verify ?? []).length > 0,
  questionExpiry: config.questionExpiry,
  modelProblem: model.problem ?? null,
});

/** Makes the slash commands: those of tools, and the service's own. */
export const slashCommands = ({ registry, commands, mcp }: ServiceTools): Commands =>
  createCommands([
    ...commands.map(commandOf),
    createPlanCommand(planningTool),
    createToolsCommand(registry, mcp.servers),
    createToolCommand(registry, mcp.servers),
    statusCommand,
  ]);
