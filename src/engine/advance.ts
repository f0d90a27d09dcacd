import type { Effect } from '../../contracts/event.ts';
import { type ActiveTask, queuedTurns, type SessionImage } from './session-image.ts';
import type { EffectResult, EffectWork, SessionInput } from './session-input.ts';

/** One leased session: what `advance` needs of the engine that has the lease. */
export interface SessionLease {
  image(): SessionImage;
  /** An input came that is not stored yet. */
  hasInput(): boolean;
  /** Takes in the next input, and resolves its sender's promise. */
  takeInput(): Promise<void>;
  /** Commits what an input leads to; throws and changes nothing when it can't be stored. */
  commit(input: SessionInput): Promise<unknown>;
  /** The outcome of a work that threw, and of which nothing is stored. */
  failed(work: EffectWork, error: unknown): EffectResult;
  /** True when the store is at fault and not the input, so that the same input may be stored later. */
  isStorageError(error: unknown): boolean;
  /** The input that takes the next turn from the queue. */
  queuedNext(): SessionInput;
  /** Performs the open effect, or keeps waiting for it; null when an input came meanwhile and must be taken in first. */
  perform(effect: Effect, active: ActiveTask): Promise<EffectResult | EffectWork | null>;
  isStopping(): boolean;
}

/** Moves one session on until nothing is left to do. Commits first, then performs (SPEC 7). */
export const advance = async (lease: SessionLease): Promise<void> => {
  while (!lease.isStopping()) {
    if (lease.hasInput()) {
      await lease.takeInput();
      continue;
    }
    const image = lease.image();
    const { active, open } = image;
    if (active !== null && open !== null) {
      if (!active.isBegun) {
        await lease.commit({ type: 'effect_begun' });
        continue;
      }
      const result = await lease.perform(open, active);
      if (result !== null) await commitResult(lease, result);
      continue;
    }
    if (active !== null || queuedTurns(image).length === 0) return;
    await lease.commit(lease.queuedNext());
  }
};

const commitResult = async (lease: SessionLease, result: EffectResult | EffectWork): Promise<void> => {
  try {
    await lease.commit(result);
  } catch (error) {
    if (result.type === 'effect_result' || lease.isStorageError(error)) throw error;
    await lease.commit(lease.failed(result, error));
  }
};
