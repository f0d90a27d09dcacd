import { ZodError, z } from 'zod';
import { EventNotAccepted, type Step, type Task } from '../../machines/step.ts';
import { foldEntry, type HistoryEntry, type Mismatch } from './fold.ts';

/** Why a stored entry differs from what this machine makes of it: in words, and as the error to throw. */
interface Fault {
  readonly reason: string;
  readonly error: unknown;
}

/** A stored entry as this machine folds it; `step` is null if it cannot. */
type FoldedStored =
  | { readonly fault: null; readonly entry: HistoryEntry; readonly step: Step }
  | { readonly fault: Fault; readonly step: Step | null };

const refused = (error: unknown): Fault => ({
  error,
  reason:
    error instanceof ZodError ? `an event is read differently: ${z.prettifyError(error)}` : (error as Error).message,
});

const mismatched = ({ what, expected, actual }: Mismatch, seq: number): Fault => {
  const words = { state: `led to '${actual}', now to '${expected}'`, step_count: 'counts other steps now' };
  const reason = `seq ${seq} ${what === 'effects' ? 'asks for other effects now' : words[what]}`;
  return { reason, error: new EventNotAccepted(reason) };
};

/** Folds an entry that `read` returns. Never throws: an entry that this version cannot read is a fault too. */
export const foldStored = (before: Task | null, seq: number, read: () => HistoryEntry): FoldedStored => {
  let entry: HistoryEntry;
  try {
    entry = read();
  } catch (error) {
    return { fault: refused(error), step: null };
  }
  const { step, disagreement } = foldEntry(before, entry);
  if (step === null) return { fault: refused(disagreement.error), step };
  if (disagreement !== null) return { fault: mismatched(disagreement, seq), step };
  return { fault: null, entry, step };
};
