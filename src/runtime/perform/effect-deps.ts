import type { Logger } from 'pino';
import type { Effect } from '../../../contracts/event.ts';
import type { TaskContext, ToolResult } from '../../../contracts/task.ts';
import type { Prices } from '../../../contracts/usage.ts';
import type { AccessStore } from '../../access/port.ts';
import type { Model } from '../../models/port.ts';
import type { ToolRegistry } from '../../tools/registry.ts';
import type { Verifier } from '../../verify/port.ts';
import type { Within, WorkspaceOf } from '../../workspace/port.ts';

/** Makes the call at this place among those of an effect, and reports when it began and how it ended. */
export type ReportCall = (
  at: number,
  params: Extract<Effect, { type: 'tool.call' }>['params'],
  perform: () => Promise<ToolResult>,
) => Promise<ToolResult>;

/** Takes an answer while a model writes it. */
export interface AnswerSink {
  add(text: string): void;
  /** Retracts the text of this attempt; text added next is another attempt. */
  retract(): void;
  text(): string;
}

export interface EffectContext {
  owner: string;
  session_id: string;
  timezone: string;
  task: TaskContext;
  /** The effect was open when this process loaded the session, so another may have started it. */
  isRetryAfterCrash: boolean;
  /** Times it was begun without an outcome, this one included. */
  begins: number;
  /** Where the answer that may end the task goes while a model writes it; null: nobody watches. */
  answer: AnswerSink | null;
  /** Makes one of several calls of an effect, and reports it by itself. */
  reportCall: ReportCall;
  signal: AbortSignal;
}

export interface EffectDeps {
  model: Model;
  tools: ToolRegistry;
  /** Resolves once tools that come from elsewhere are there, as far as they can be had now. */
  toolsTried?: Promise<void>;
  access: AccessStore;
  verifiers: Verifier[];
  toolTimeoutMs: number;
  /** The price of a token; null: unknown. */
  prices: Prices | null;
  /** Who the agent is, for every prompt; null: nothing is said. */
  instructions: string | null;
  /** Keeps a long result whole in a session's folder; absent: nothing does. Throws the system's error. */
  keepResult?(folder: string, taskId: string, id: string, text: string): void;
  workspaceOf: WorkspaceOf;
  within: Within;
  now(): number;
  log: Logger;
}
