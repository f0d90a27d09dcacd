import type { ServiceLimits } from '../../contracts/service-limits.ts';
import type { Prices } from '../../contracts/usage.ts';
import type { BuiltInTool, SettingName } from '../config/settings.ts';
import type { Model } from '../models/port.ts';
import type { McpServerConfig } from '../tools/mcp/port.ts';
import type { Tool } from '../tools/port.ts';
import type { Verifier } from '../verify/port.ts';

/** An executor of one's own: a plan item goes to it by its name or its tag. */
export interface ExecutorConfig {
  name: string;
  description: string;
  /** Names of the tools it has; all of them when absent. */
  tools?: string[];
  /** Added to the system prompt of its thoughts. */
  prompt?: string;
  /** Model for its thoughts, written as `TRIPACT_MODEL` is. */
  model?: string;
}

/** The export of `tripact.config.ts` (SPEC 8, 13). */
export interface TripactConfig {
  /** Stand-ins for environment variables; the environment itself wins. */
  settings?: Partial<Record<SettingName, string | number | boolean>>;
  tools?: Tool[];
  /** Built-in tools that models are told of; without it all, and none beside `tools` and `mcpServers` of one's own (SPEC 8). Users have the commands of all. */
  builtinTools?: BuiltInTool[];
  executors?: ExecutorConfig[];
  /** The model, made in code, such as `aiSdkModel(openai('…'))` of `tripact/ai-sdk`; TRIPACT_MODEL wins over it. */
  model?: Model;
  /** Prices of a million tokens of each model; with them views and replies tell a task's cost (SPEC 9). */
  prices?: Prices;
  /** Commands (program and arguments, no shell) and functions, run in this order. */
  verify?: (string[] | Verifier)[];
  mcpServers?: Record<string, McpServerConfig>;
  /** Who the agent is and what it should mind; part of every prompt (SPEC 7). */
  instructions?: string;
  /** `false`: no `plan.json` and no `MISSION.md` in the sessions' folders (SPEC 10). */
  session_files?: boolean;
  /** Limits in place of those that `tripact config` lists, by name (SPEC 11). */
  limits?: Partial<ServiceLimits>;
}

/** Gives editors the types of `tripact.config.ts`; checks nothing, which `loadConfigFile` does. */
export const defineConfig = (config: TripactConfig): TripactConfig => config;
