import type { Logger } from 'pino';
import type { Effect } from '../../../contracts/event.ts';
import type { AttachedFile } from '../../../contracts/file.ts';
import type { Catalogue, TaskContext, ToolResult } from '../../../contracts/task.ts';
import type { Prices } from '../../../contracts/usage.ts';
import type { AccessStore } from '../../access/port.ts';
import type { Model, SkillUsage } from '../../models/port.ts';
import type { ToolFile } from '../../tools/port.ts';
import type { ToolRegistry } from '../../tools/registry.ts';
import type { Verifier } from '../../verify/port.ts';
import type { Session, StoredFiles, TaskEffect, Within, WorkspaceOf } from '../../workspace/port.ts';

/** Makes one call of an effect, by its position, and reports its start and end. */
export type ReportCall = (
  at: number,
  params: Extract<Effect, { type: 'tool.call' }>['params'],
  perform: () => Promise<ToolResult>,
) => Promise<ToolResult>;

/** Receives an answer while a model writes it. */
export interface AnswerSink {
  add(text: string): void;
  /** Retracts the text of this attempt; further text is another attempt. */
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
  /** How often it has begun without an outcome, including this time. */
  begins: number;
  /** Where the answer that may end the task goes while a model writes it; null: nobody watches. */
  answer: AnswerSink | null;
  /** Makes one of several calls of an effect, and reports it separately. */
  reportCall: ReportCall;
  signal: AbortSignal;
}

/** An agent's tools, skills and role. */
export interface AgentParts {
  tools: ToolRegistry;
  /** The skills that a task with this catalogue can read, for its prompts. */
  skills(catalogue: Catalogue): readonly SkillUsage[];
  /** The agent's role, for every prompt; null: none. */
  instructions: string | null;
}

export interface EffectDeps {
  model: Model;
  /** All tools of the service, for calls that users make. */
  tools: ToolRegistry;
  /** The parts of a task's agent; undefined: the configuration no longer has this agent. */
  agentOf(task: Pick<TaskContext, 'agent'>): AgentParts | undefined;
  /** Resolves once tools from other servers are available, as far as possible now. */
  toolsTried?: Promise<void>;
  access: AccessStore;
  verifiers: Verifier[];
  toolTimeoutMs: number;
  /** The price of a token; null: unknown. */
  prices: Prices | null;
  /** Stores a long result completely in a session's folder; absent: it is not stored. Throws the system's error. */
  keepResult?(folder: string, taskId: string, id: string, text: string): void;
  /**
   * Stores the images and files of an effect's result; `refusals` says why others are not stored. Absent: none are. Rejects
   * with the system's error.
   */
  keepFiles?(
    session: Session,
    effect: TaskEffect,
    files: readonly ToolFile[],
  ): Promise<{ kept: AttachedFile[]; refusals: string[] }>;
  /** The files that turns and tools brought, for models; absent: they get the names alone. */
  storedFiles?: StoredFiles;
  workspaceOf: WorkspaceOf;
  within: Within;
  now(): number;
  log: Logger;
}
