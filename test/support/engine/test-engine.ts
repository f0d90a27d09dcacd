import type { ServiceLimits } from '../../../contracts/service-limits.ts';
import type { TaskLimits } from '../../../contracts/task.ts';
import type { Command } from '../../../src/commands/commands.ts';
import type { OwnerData } from '../../../src/lib/questions.ts';
import type { Model } from '../../../src/models/port.ts';
import type { Engine } from '../../../src/runtime/port.ts';
import type { Tool } from '../../../src/tools/port.ts';
import type { Verifier } from '../../../src/verify/port.ts';

/** Options of the engine that a test opens; the rest is ordinary. */
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
  confirmPlan?: boolean;
  planning?: boolean;
  modelProblem?: string;
  toolTimeoutMs?: number;
  hostTimezone?: string;
  /** Events go there, too. */
  webhookUrl?: string;
  /** Takes what is posted; nothing is expected by default. */
  postCallback?: (url: string, init: RequestInit) => Promise<Response>;
  now?: () => number;
}

/**
 * An engine under test on a store of its own, which outlives it. It always has the transactional tool `tally`, which adds its
 * input to a list inside the engine's store; one that starts with `throw` adds and then throws.
 */
export interface TestEngine {
  readonly engine: Engine;
  /** The owners' data beside the histories. */
  readonly ownerData: OwnerData;
  /** Additions of `tally` that are stored for good, in order. */
  tallied(): Promise<string[]>;
  /** Commits so far of this process. */
  commits(): number;
  /** The process dies: nothing it does from now on reaches the store. */
  crash(): void;
  /** The next process on the same store, after a crash or `engine.close()`; what the setup doesn't change stays. */
  reopen(changes?: Partial<EngineSetup>): Promise<TestEngine>;
}

/** Opens the engine under test; it is closed and its store removed when the test is finished. */
export type OpenEngine = (setup: EngineSetup) => Promise<TestEngine>;
