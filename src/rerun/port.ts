import type { TaskOpened } from '../../contracts/event.ts';
import type { SkillHashes } from '../../contracts/skill.ts';
import type { Catalogue, TaskContext, TaskLimits, TaskSnapshot } from '../../contracts/task.ts';
import type { TaskTraceEntry } from '../../contracts/trace.ts';
import type { Prices } from '../../contracts/usage.ts';
import type { Model, SkillUsage } from '../models/port.ts';
import type { Engine } from '../runtime/port.ts';
import type { ToolRegistry } from '../tools/registry.ts';
import type { Verifier } from '../verify/port.ts';

/** The parts of an agent of today. */
export interface LabAgent {
  readonly tools: ToolRegistry;
  readonly instructions: string | null;
  /** The skills that a task with this catalogue can read. */
  skills(catalogue: Catalogue): readonly SkillUsage[];
  hashes(catalogue: Catalogue): SkillHashes;
}

/** The model and tools that perform a lane's effects. */
export interface LanePerformers {
  opened: TaskOpened;
  model: Model;
  agent: Omit<LabAgent, 'hashes'>;
  verifier: Verifier;
  now(): number;
  /** The lane's task has moved: it has so many new entries. */
  moved(task: TaskSnapshot, entries: number): void;
}

/** The real engine, for one lane. */
export interface LaneEngine
  extends Pick<Engine, 'submit' | 'wait' | 'openRecorded' | 'cancel' | 'editPlan' | 'deliverDue' | 'taskTrace'> {
  /** Aborts what is open. */
  stop(): Promise<void>;
}

/** Where lanes run: on a store of their own that is removed afterwards. Nothing of an owner's data is read or written. */
export interface Lab {
  open(performers: LanePerformers): LaneEngine;
  /** The agent of a task as it is today; null: the configuration has none of this name any more. */
  agentOf(task: Pick<TaskContext, 'agent'>): LabAgent | null;
  /** The agent of tasks whose own is not there any more. */
  readonly standard: LabAgent;
  readonly limits: TaskLimits;
  readonly prices: Prices | null;
  close(): Promise<void>;
}

/** Keeps the trace of a lane as it ran, by its task and name. */
export type KeepTrace = (taskId: string, lane: string, entries: readonly TaskTraceEntry[]) => void;
