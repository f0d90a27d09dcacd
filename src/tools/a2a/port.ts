import type { Tool } from '../port.ts';

/** Another agent that tasks may call: it speaks A2A 1.0 or 0.3. */
export interface A2aAgentConfig {
  /** The address below which it has its card, or the address of the card itself, ending in `.json`. */
  url: string;
  /** Sent with each request, and to the origin of `url` alone. */
  headers?: Record<string, string>;
  /** A person approves each call by a task before it runs (SPEC 3). */
  approval?: boolean;
  /** Whether its results come from outside. Default: `untrusted`. */
  source?: 'trusted' | 'untrusted';
  /** Whether it changes anything (SPEC 3). Default true. */
  writes?: boolean;
  /** It takes a message with an id that it has had as the same message, so that a lost one may be sent again. Default false. */
  idempotent?: boolean;
  /** Longest wait for one call, in milliseconds. Default: an hour. */
  timeoutMs?: number;
}

/** Whether an agent's card was read; `reason` says why it could not be, or why the last call did not reach the agent. */
export interface A2aAgentState {
  name: string;
  state: 'connecting' | 'connected' | 'failed';
  reason: string | null;
}

/** The tools of other agents, one each. */
export interface A2aTools {
  tools(): Tool[];
  agents(): A2aAgentState[];
  /** Resolves once each card was read or could not be, and in any case after some seconds. */
  tried: Promise<void>;
  /** Cancels what agents still do for this task. */
  taskEnded(taskId: string): Promise<void>;
}
