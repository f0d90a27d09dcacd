import { createHash } from 'node:crypto';
import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import type { ServiceLimits } from '../../contracts/service-limits.ts';
import type { Log } from '../lib/log.ts';
import { type CodingAgent, createCodingAgent } from '../tools/coding-agent/coding-agent.ts';
import { createFilesTool } from '../tools/files/files-tool.ts';
import { planningTool } from '../tools/planning/planning-tool.ts';
import type { Tool, TransactionalTool } from '../tools/port.ts';
import type { BuiltInTool } from './config/built-in-tools.ts';
import type { Config } from './config/config.ts';
import { invalidConfig } from './config/read-settings.ts';
import { createOwnerTools } from './create-owner-tools.ts';
import { createSearchTool } from './create-search-tool.ts';

/** Files that a coding agent's folder keeps of what is done; the oldest are removed. */
const BRIDGE_FILES_KEPT = 10_000;

/** The built-in tools that there are, and what else the service needs of them. */
export interface BuiltInTools {
  tools: Tool[];
  /** Those of them that are slash commands too. */
  ownerTools: TransactionalTool[];
  /** Null where no folder is shared with one, or the configuration leaves it out. */
  codingAgent: CodingAgent | null;
}

/** What the built-in tools are made with. */
export interface BuiltInToolParts {
  config: Config;
  limits: ServiceLimits;
  log: Log;
  now(): number;
  /** Called after each run of a tool that may have made reminders. */
  ownerDataChanged(): void;
}

/** Sees that a folder can be used, or made when it is needed. Throws `CONFIG_INVALID`. */
const checkBridgeDir = (bridgeDir: string): void => {
  const problem = ((): string | null => {
    try {
      return statSync(bridgeDir).isDirectory() ? null : 'it is no folder';
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      return code === 'ENOENT' ? null : String(code);
    }
  })();
  if (problem !== null)
    throw invalidConfig([`TRIPACT_BRIDGE_DIR=${JSON.stringify(bridgeDir)} can not be used: ${problem}.`]);
};

/** Makes the built-in tools that can be used and that `TRIPACT_TOOLS` does not leave out (SPEC 8). Throws `CONFIG_INVALID` for a bridge that is no folder. */
export const createBuiltInTools = ({ config, limits, ...parts }: BuiltInToolParts): BuiltInTools => {
  const { log, now, ownerDataChanged } = parts;
  const { builtInTools: chosen, bridgeDir, bridgeTimeoutMs: timeoutMs } = config;
  const isChosen = ({ name }: Tool): boolean => chosen === null || chosen.includes(name as BuiltInTool);
  const ownerTools = createOwnerTools(ownerDataChanged).filter(isChosen);
  const kept = { files: BRIDGE_FILES_KEPT, days: config.retentionDays };
  const service = createHash('sha256').update(resolve(config.dataDir)).digest('hex').slice(0, 16);
  const made = bridgeDir === null ? null : createCodingAgent({ bridgeDir, timeoutMs, kept, service, log, now });
  const codingAgent = made !== null && isChosen(made.tool) ? made : null;
  if (bridgeDir !== null && codingAgent !== null) checkBridgeDir(bridgeDir);
  const files = createFilesTool({ bytes: limits.session_file_bytes, files: limits.session_files });
  const others = [planningTool, createSearchTool(config), files].filter(isChosen);
  const tools = [...ownerTools, ...others, ...(codingAgent === null ? [] : [codingAgent.tool])];
  return { tools, ownerTools, codingAgent };
};
