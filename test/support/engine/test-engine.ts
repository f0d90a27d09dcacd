import type { ServiceLimits } from '../../../contracts/service-limits.ts';
import type { ConfirmPlan, TaskLimits } from '../../../contracts/task.ts';
import type { Command } from '../../../src/commands/commands.ts';
import type { OwnerData } from '../../../src/lib/queries.ts';
import type { Model } from '../../../src/models/port.ts';
import type { Engine } from '../../../src/runtime/port.ts';
import type { Tool } from '../../../src/tools/port.ts';
import type { Verifier } from '../../../src/verify/port.ts';

/** Options of the engine that a test opens; everything else is default. */
export interface EngineSetup {
  model: Model;
  tools?: Tool[];
  /** Tools that need approval, by name. */
  approve?: string[];
  verifiers?: Verifier[];
  commands?: Command[];
  limits?: Partial<TaskLimits>;
  serviceLimits?: Partial<ServiceLimits>;
  callbackPostsMax?: number;
  confirmPlan?: ConfirmPlan;
  planning?: boolean;
  modelProblem?: string;
  toolTimeoutMs?: number;
  hostTimezone?: string;
  /** Events are also sent there. */
  webhookUrl?: string;
  /** Receives callbacks; default: none is expected. */
  postCallback?: (url: string, init: RequestInit) => Promise<Response>;
  now?: () => number;
}

/**
 * An engine under test on its own store, which outlives it. It always has the transactional tool `tally`, which adds
 * its input to a list in the engine's store; for an input that starts with `throw` it adds and then throws.
 */
export interface TestEngine {
  readonly engine: Engine;
  /** The owners' data beside the histories. */
  readonly ownerData: OwnerData;
  /** Stored additions of `tally`, in order. */
  tallied(): Promise<string[]>;
  /** Commits so far of this process. */
  commits(): number;
  /** The process dies: nothing that it does from now on reaches the store. */
  crash(): void;
  /** The next process on the same store, after a crash or `engine.close()`. Unchanged parts of the setup stay. */
  reopen(changes?: Partial<EngineSetup>): Promise<TestEngine>;
}

/** Opens the engine under test. It is closed, and its store removed, after the test. */
export type OpenEngine = (setup: EngineSetup) => Promise<TestEngine>;
