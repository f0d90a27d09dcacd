import type { Model } from '../../../src/models/port.ts';
import type { CommitQueue } from '../../../src/store/sqlite/commit-queue.ts';
import type { OutsideTool, Tool } from '../../../src/tools/port.ts';
import type { Verifier } from '../../../src/verify/port.ts';

/** A place where a process may die: before and after each commit, and before and after each effect is performed. */
export type Seam = 'before commit' | 'after commit' | 'before perform' | 'after perform';

/** True when the process dies at this seam, or is dead already. */
export type CrashAt = (seam: Seam) => boolean;

/** A crashed process gets no result, neither success nor failure. */
const nothing = <Value>(): Promise<Value> => new Promise(() => {});

const around = async <Value>(dies: CrashAt, perform: () => Promise<Value>): Promise<Value> => {
  if (dies('before perform')) return nothing();
  try {
    return await perform();
  } finally {
    if (dies('after perform')) await nothing();
  }
};

/** A commit queue that the process may die before and after. */
export const mortalCommits = (queue: CommitQueue, dies: CrashAt): CommitQueue => ({
  commit: async (write) => {
    if (dies('before commit')) return nothing();
    try {
      return await queue.commit(write);
    } finally {
      if (dies('after commit')) await nothing();
    }
  },
});

/** A model whose asking the process may die before and after. */
export const mortalModel = (model: Model, dies: CrashAt): Model => ({
  name: model.name,
  answer: (request, signal) => around(dies, () => model.answer(request, signal)),
});

/** A tool whose run the process may die before and after; a transactional one runs inside its commit. */
export const mortalTool = (tool: Tool, dies: CrashAt): Tool =>
  tool.effect === 'transactional'
    ? tool
    : ({ ...tool, run: (input, call) => around(dies, () => tool.run(input, call)) } satisfies OutsideTool);

/** A verifier whose run the process may die before and after. */
export const mortalVerifier =
  (verifier: Verifier, dies: CrashAt): Verifier =>
  (check) =>
    around(dies, () => verifier(check));
