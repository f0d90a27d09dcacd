import type { Model } from '../../../src/models/port.ts';
import type { Store } from '../../../src/store/port.ts';
import type { OutsideTool, Tool } from '../../../src/tools/port.ts';
import type { Verifier } from '../../../src/verify/port.ts';

/** A point where a process may die: before and after each commit, and before and after each effect is performed. */
export type Seam = 'before commit' | 'after commit' | 'before perform' | 'after perform';

/** True if the process dies at this seam, or is already dead. */
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

/** A store before and after each write of which the process may die. */
export const mortalStore = (store: Store, dies: CrashAt): Store => {
  const mortal =
    <Given extends unknown[], Result>(write: (...given: Given) => Promise<Result>) =>
    async (...given: Given): Promise<Result> => {
      if (dies('before commit')) return nothing();
      try {
        return await write(...given);
      } finally {
        if (dies('after commit')) await nothing();
      }
    };
  return {
    ...store,
    recover: mortal(store.recover),
    commit: mortal(store.commit),
    settleCallback: mortal(store.settleCallback),
    resendCallback: mortal(store.resendCallback),
    removeOwner: mortal(store.removeOwner),
    ownerData: { run: (owner, work) => mortal(() => store.ownerData.run(owner, work))() },
    close: (isOrderly) => (isOrderly ? mortal(store.close)(true) : store.close(false)),
  };
};

/** A model before and after each call of which the process may die. */
export const mortalModel = (model: Model, dies: CrashAt): Model => ({
  ...model,
  answer: (request, signal) => around(dies, () => model.answer(request, signal)),
});

const withMortalPolicy = (tool: Tool, dies: CrashAt): Tool => {
  const { approval: policy } = tool;
  if (typeof policy !== 'function') return tool;
  return { ...tool, approval: (input, call) => around(dies, async () => policy(input, call)) };
};

/**
 * A tool before and after each run of which, and each verdict of its policy, the process may die; a transactional one
 * runs inside its commit.
 */
export const mortalTool = (tool: Tool, dies: CrashAt): Tool => {
  const policed = withMortalPolicy(tool, dies);
  return policed.effect === 'transactional'
    ? policed
    : ({ ...policed, run: (input, call) => around(dies, () => policed.run(input, call)) } satisfies OutsideTool);
};

/** A verifier before and after each run of which the process may die. */
export const mortalVerifier =
  (verifier: Verifier, dies: CrashAt): Verifier =>
  (check) =>
    around(dies, () => verifier(check));
