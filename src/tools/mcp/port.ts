import type { Tool } from '../port.ts';

/** A server whose tools are offered to tasks: a program to start, or an address that speaks streamable HTTP. */
export type McpServerConfig = (
  | { command: string; args?: string[]; env?: Record<string, string> }
  | { url: string; headers?: Record<string, string> }
) & {
  /** A person approves each call of a task before it runs: of all its tools, or of those named as the server names them (SPEC 3). */
  approval?: boolean | string[];
};

/** The tools of all configured MCP servers. */
export interface McpTools {
  /** What the servers offer now; those of a server that died stay, and answer that it is down. */
  tools(): Tool[];
  /** Ends the connections and the programs that were started. Never rejects. */
  close(): Promise<void>;
}
