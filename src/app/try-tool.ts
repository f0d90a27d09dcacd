import { languageOf } from '../../contracts/language.ts';
import { messages } from '../../contracts/messages/messages.ts';
import type { ToolResult } from '../../contracts/observation.ts';
import { runOutside } from '../engine/perform/run-outside.ts';
import { openOwnerData } from '../store/sqlite/open-owner-data.ts';
import type { TransactionalTool } from '../tools/port.ts';
import { createWorkspaces } from '../workspace/folder.ts';
import type { Config } from './config/config.ts';
import type { TripactConfig } from './config/define-config.ts';
import { openTools } from './open-tools.ts';

/** One call of a tool, outside any service. */
export interface ToolTrial {
  config: Config;
  file: TripactConfig;
  name: string;
  input: string;
  /** Whose folder, plans and reminders it works on. */
  owner: string;
  session_id: string;
  timezone: string;
  signal: AbortSignal;
  /** Has the service that runs on the data folder call the tool; null where none does. */
  inService: (() => Promise<ToolResult | null>) | null;
}

const runInStore = async (tool: TransactionalTool, { config, input, ...call }: ToolTrial): Promise<ToolResult> => {
  const store = openOwnerData(config.dataDir);
  const language = languageOf(input);
  const now = Date.now();
  const { owner, session_id, timezone } = call;
  try {
    return await store.runIn({ owner, session_id, timezone, now }, () => tool.run(input, { ...call, now, language }));
  } finally {
    store.close();
  }
};

/**
 * Calls a tool of the configuration at once, without a model and without a service; null where there is none of that name. The data folder is
 * opened only for a tool whose change lives in it, which the service that runs on it calls itself.
 */
export const tryTool = async (trial: ToolTrial): Promise<ToolResult | null> => {
  const { config, name, input, owner, session_id } = trial;
  const tools = await openTools(trial);
  try {
    if (tools.registry.get(name) === undefined) await tools.mcp.tried;
    const tool = tools.registry.get(name);
    if (tool === undefined) return null;
    if (tool.effect === 'transactional') return await (trial.inService?.() ?? runInStore(tool, trial));
    const workspaceOf = createWorkspaces(config.dataDir);
    const id = `try_${Date.now()}`;
    const { timezone, signal } = trial;
    const call = {
      ...{ owner, session_id, timezone, signal, language: languageOf(input), now: Date.now() },
      ...{ task_id: id, effect_id: id, item_id: null, executor: 'default', expected: null, clarifications: [] },
    };
    const timeoutMs = tool.timeoutMs ?? config.toolTimeoutMs;
    return await runOutside(tool, input, call, () => workspaceOf(owner, session_id), timeoutMs);
  } catch (error) {
    // The user's Ctrl-C.
    if (!trial.signal.aborted) throw error;
    return { ok: false, result: messages(languageOf(input)).toolCalls.interrupted };
  } finally {
    await tools.mcp.close();
    tools.codingAgent?.stop();
  }
};
