import { EventEmitter, once } from 'node:events';
import { fileURLToPath } from 'node:url';
import pino from 'pino';
import { onTestFinished } from 'vitest';
import type { Log } from '../../../src/lib/log.ts';
import { type McpOptions, openMcpServers } from '../../../src/tools/mcp/open-mcp-servers.ts';
import type { McpServerConfig, McpTools } from '../../../src/tools/mcp/port.ts';
import type { OutsideTool, TaskToolCall } from '../../../src/tools/port.ts';
import { taskCall } from '../tools/task-call.ts';

/** A log that keeps its lines and can be awaited. */
export interface SeenLog {
  log: Log;
  text(): string;
  /** Resolves when a line contains the text, at once if one already does. */
  saw(part: string): Promise<void>;
}

export const seenLog = (): SeenLog => {
  const lines: string[] = [];
  const written = new EventEmitter();
  const destination = {
    write: (line: string) => {
      lines.push(line);
      written.emit('line');
    },
  };
  return {
    log: pino({ level: 'debug' }, destination),
    text: () => lines.join(''),
    saw: async (part) => {
      while (!lines.some((line) => line.includes(part))) await once(written, 'line');
    },
  };
};

/**
 * Where the sample server's modules are cached after compilation: each test restarts it, and half of a start is
 * compiling.
 */
const NODE_COMPILE_CACHE = fileURLToPath(new URL('../../../node_modules/.cache/sample-server', import.meta.url));

/** The sample server as a program to start. */
export const sampleProgram = (env: Record<string, string> = {}, ...args: string[]): McpServerConfig => ({
  command: process.execPath,
  args: ['test/support/mcp/stdio-server.ts', ...args],
  env: { NODE_COMPILE_CACHE, ...env },
});

/** A test's control of connected servers. */
export interface SampleTools extends McpTools {
  seen: SeenLog;
  names(): string[];
  /** The tool with this name, which must exist. */
  tool(name: string): OutsideTool;
  run(name: string, input?: string, call?: Partial<TaskToolCall>): Promise<{ ok: boolean; result: string }>;
}

/** Connects to servers; the caller closes the connections. */
export const openSamples = async (
  servers: Record<string, McpServerConfig>,
  options: Partial<McpOptions> = {},
): Promise<SampleTools> => {
  const seen = seenLog();
  const mcp = openMcpServers(servers, { log: seen.log, cwd: process.cwd(), version: '0.0.0', ...options });
  await mcp.tried;
  const tool = (name: string): OutsideTool => {
    const found = mcp.tools().find((offered) => offered.name === name);
    if (found === undefined || found.effect === 'transactional') throw new Error(`no tool ${name}`);
    return found;
  };
  return {
    ...mcp,
    seen,
    names: () => mcp.tools().map(({ name }) => name),
    tool,
    run: (name, input = '{}', call = {}) => tool(name).run(input, taskCall(call)),
  };
};

/** Connects to servers and ends the connections with the test. */
export const connectSamples = async (...given: Parameters<typeof openSamples>): Promise<SampleTools> => {
  const mcp = await openSamples(...given);
  onTestFinished(() => mcp.close());
  return mcp;
};
