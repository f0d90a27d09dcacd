import type { Tool } from '../port.ts';

/** A server whose tools are offered to tasks: a program to start, or an address that speaks streamable HTTP. */
export type McpServerConfig = (
  | { command: string; args?: string[]; env?: Record<string, string> }
  | { url: string; headers?: Record<string, string> }
) & {
  /** A person approves each call of a task before it runs: of all its tools, or of those named as the server names them (SPEC 3). */
  approval?: boolean | string[];
  /** The only tools that are taken from it, as the server names them; absent: all. */
  tools?: string[];
};

/** How the connection to a server stands. `reason` says why there is none, or which of its tools can't be used. */
export interface McpServerState {
  name: string;
  state: 'connecting' | 'connected' | 'failed';
  reason: string | null;
}

export interface McpTools {
  /** The tools of the servers now; those of a server that died stay, and answer that it is down. */
  tools(): Tool[];
  servers(): McpServerState[];
  /** Resolves once each server is connected or has failed for the first time, and after some seconds in any case. */
  tried: Promise<void>;
  /** Ends the connections and the programs that were started. Never rejects. */
  close(): Promise<void>;
}
