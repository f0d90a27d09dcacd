import type { Tool } from '../port.ts';

/** A server whose tools are offered to tasks: a program to start, or an address with streamable HTTP. */
export type McpServerConfig = (
  | { command: string; args?: string[]; env?: Record<string, string> }
  | {
      url: string;
      headers?: Record<string, string>;
      /**
       * The service as a client that the server's operator has registered, for its users' sign-ins; absent: it registers
       * itself. `scope` in place of what the server names.
       */
      oauth?: { client_id?: string; client_secret?: string; scope?: string };
    }
) & {
  /**
   * A person approves each call by a task before it runs: of all its tools, or of those listed by the server's names
   * (SPEC 3).
   */
  approval?: boolean | string[];
  /**
   * Whether the results of its tools come from outside: `untrusted`, all of them; `trusted`, none. Absent: of each tool
   * whose `openWorldHint` is not false, as the protocol says.
   */
  source?: 'trusted' | 'untrusted';
  /** The only tools that are used, by the server's names; absent: all. */
  tools?: string[];
};

/**
 * The state of the connection to a server. `sign_in`: each of its users has to sign in. `reason` says why there is none,
 * or which of its tools cannot be used.
 */
export interface McpServerState {
  name: string;
  state: 'connecting' | 'connected' | 'failed' | 'sign_in';
  reason: string | null;
}

export interface McpTools {
  /** The servers' current tools. Those of a server that died stay, and answer that it is down. */
  tools(): Tool[];
  servers(): McpServerState[];
  /** Resolves once each server is connected or has failed for the first time, and in any case after some seconds. */
  tried: Promise<void>;
  /** Tells servers that still wait for an answer in a call of this task that none will come. */
  taskEnded(taskId: string): void;
  /** Closes the connections and the programs that were started. Never rejects. */
  close(): Promise<void>;
}
