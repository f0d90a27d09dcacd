import type { ServiceLimits } from '../../contracts/service-limits.ts';
import type { Prices } from '../../contracts/usage.ts';
import type { BuiltInTool, SettingName } from '../config/settings.ts';
import type { Model } from '../models/port.ts';
import type { A2aAgentConfig } from '../tools/a2a/port.ts';
import type { ApprovalRule } from '../tools/approval.ts';
import type { McpServerConfig } from '../tools/mcp/port.ts';
import type { Tool } from '../tools/port.ts';
import type { Verifier } from '../verify/port.ts';

/** A custom executor. A plan item is assigned to it by its name or its tag. */
export interface ExecutorConfig {
  name: string;
  description: string;
  /** Names of its tools; absent: all. */
  tools?: string[];
  /** Appended to the system prompt of its thoughts. */
  prompt?: string;
  /** Model for its thoughts, written like `TRIPACT_MODEL`. */
  model?: string;
}

/** One of several agents in a service (SPEC 8). Fields that it leaves out are the service's. */
export interface AgentConfig {
  /** Its purpose on one line, for people and for programs that choose an agent. */
  description?: string;
  /** Its role and rules, in place of the service's. */
  instructions?: string;
  /**
   * Its tools: names of the service's, or their beginnings (`mail_*`), and tools that it alone has. Absent: all that
   * models get, but for other agents' own.
   */
  tools?: (string | Tool)[];
  /** Who approves calls of its tools; they come before the service's. */
  approvals?: ApprovalRule[];
  /** Its model, written like `TRIPACT_MODEL`, or made in code. An executor's own model comes first. */
  model?: string | Model;
  /** Names of its skills; absent: all. */
  skills?: string[];
}

/** The export of `tripact.config.ts` (SPEC 8, 13). */
export interface TripactConfig {
  /** Defaults for environment variables; the environment takes precedence. */
  settings?: Partial<Record<SettingName, string | number | boolean>>;
  tools?: Tool[];
  /**
   * Who approves the calls of tools, by name or the beginning of a name (`mail_*`). The first matching entry counts
   * and overrides the tool's own setting (SPEC 3).
   */
  approvals?: ApprovalRule[];
  /**
   * Built-in tools that models get. Absent: all, or none if there are `tools` or `mcpServers` (SPEC 8). Users have the
   * commands of all.
   */
  builtinTools?: BuiltInTool[];
  executors?: ExecutorConfig[];
  /**
   * Several agents, by name: a session works with one of them. `default`, else the first, gets the sessions that name
   * none.
   */
  agents?: Record<string, AgentConfig>;
  /** The model, made in code, such as `aiSdkModel(openai('…'))` of `tripact/ai-sdk`; TRIPACT_MODEL takes precedence. */
  model?: Model;
  /** Prices of a million tokens of each model. With them views and replies show a task's cost (SPEC 9). */
  prices?: Prices;
  /** Commands (program and arguments, no shell) and functions, run in this order. */
  verify?: (string[] | Verifier)[];
  mcpServers?: Record<string, McpServerConfig>;
  /** Other agents, as tools with these names (SPEC 8). */
  a2aAgents?: Record<string, A2aAgentConfig>;
  /** The agent's role and rules; every prompt contains them (SPEC 7). */
  instructions?: string;
  /** The folder of the skills: folders with a `SKILL.md` (SPEC 8). TRIPACT_SKILLS_DIR takes precedence. */
  skills?: string;
  /** `false`: no `plan.json` and no `MISSION.md` in the sessions' folders (SPEC 10). */
  session_files?: boolean;
  /** Limits by name, in place of those that `tripact config` lists (SPEC 11). */
  limits?: Partial<ServiceLimits>;
}

/** Gives editors the types of `tripact.config.ts`. Checks nothing; `loadConfigFile` does. */
export const defineConfig = (config: TripactConfig): TripactConfig => config;
