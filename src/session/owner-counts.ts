import { type Decision, isRemoval } from './change.ts';
import { queuedTurns, type SessionImage, toolTurns } from './image.ts';

/** Counts of an owner that have a limit (SPEC 11). */
export interface OwnerCounts {
  readonly sessions: number;
  readonly running_tasks: number;
  /** Turns whose callback is to be posted, now or once they are finished. */
  readonly pending_callbacks: number;
  readonly unfinished_turns: number;
  /** Those that wait until their session is free. */
  readonly queued_turns: number;
  readonly tool_runs: number;
}

export const noOwnerCounts: OwnerCounts = {
  sessions: 0,
  running_tasks: 0,
  pending_callbacks: 0,
  unfinished_turns: 0,
  queued_turns: 0,
  tool_runs: 0,
};

const NAMES = Object.keys(noOwnerCounts) as (keyof OwnerCounts)[];

const isNothing = (counts: OwnerCounts): boolean =>
  counts === noOwnerCounts || NAMES.every((name) => counts[name] === 0);

const plus = (a: OwnerCounts, b: OwnerCounts, sign: 1 | -1): OwnerCounts => {
  const sum: Record<keyof OwnerCounts, number> = { ...a };
  for (const name of NAMES) sum[name] += sign * b[name];
  return sum;
};

const countsIn = (image: SessionImage): OwnerCounts => ({
  sessions: Number(image.isStored),
  running_tasks: Number(image.open !== null),
  pending_callbacks: 0,
  unfinished_turns: image.turns.length,
  queued_turns: queuedTurns(image).length,
  tool_runs: toolTurns(image).length,
});

export const countsOf = (before: SessionImage, decision: Decision): OwnerCounts => {
  const { image, changes } = decision;
  const isRemoved = isRemoval(decision);
  const isUsed = image.session !== before.session || image.turns !== before.turns || !before.isStored;
  // Most decisions only advance a task.
  if (!isRemoved && !isUsed && (image.open === null) === (before.open === null)) return noOwnerCounts;
  const left = isRemoved ? noOwnerCounts : countsIn(image);
  const added = changes.filter((change) => change.type === 'turn.added' && change.turn.callback_url !== undefined);
  // Callbacks of turns that are removed unfinished are never posted.
  const dropped = isRemoved ? before.turns.filter(({ callback_url }) => callback_url !== undefined) : [];
  return plus({ ...left, pending_callbacks: added.length - dropped.length }, countsIn(before), -1);
};

/** The counts of all owners in memory, so that no request has to count. A decision counts from when it is made. */
export type CountedOwners = ReturnType<typeof createCountedOwners>;

export const createCountedOwners = () => {
  const totals = new Map<string, OwnerCounts>();
  /** By the session's number. Most decisions change no count and reserve nothing. */
  const reserved = new Map<number, OwnerCounts>();
  const ofOwner = (owner: string): OwnerCounts => totals.get(owner) ?? noOwnerCounts;
  /** Owners come and go: one without any count is not remembered. */
  const add = (owner: string, counts: OwnerCounts, sign: 1 | -1): void => {
    const total = plus(ofOwner(owner), counts, sign);
    if (isNothing(total)) totals.delete(owner);
    else totals.set(owner, total);
  };
  /** The session's decision was not stored, or is made again. */
  const release = (session: SessionImage['session']): void => {
    const counts = reserved.get(session.id);
    if (counts === undefined) return;
    reserved.delete(session.id);
    add(session.owner, counts, -1);
  };
  return {
    load: (stored: ReadonlyMap<string, OwnerCounts>): void => {
      for (const [owner, counts] of stored) add(owner, counts, 1);
    },
    of: ofOwner,
    /** Another process serves the owner from now on. */
    drop: (owner: string): void => void totals.delete(owner),
    inAll: (): OwnerCounts => [...totals.values()].reduce((sum, counts) => plus(sum, counts, 1), noOwnerCounts),
    /** The session's decision is made and not stored yet. Releases the previous reservation of the session. */
    reserve: (before: SessionImage, decision: Decision): void => {
      const { session } = before;
      const counts = countsOf(before, decision);
      if (isNothing(counts)) return;
      reserved.set(session.id, counts);
      add(session.owner, counts, 1);
    },
    keepCounts: ({ image }: Decision): void => {
      reserved.delete(image.session.id);
    },
    release,
    /** The session's stored state differs from what was known. */
    correct: (before: SessionImage, image: SessionImage): void => {
      release(image.session);
      add(image.session.owner, plus(countsIn(image), countsIn(before), -1), 1);
    },
    countCallbacks: (reader: string, change: number): void =>
      add(reader, { ...noOwnerCounts, pending_callbacks: change }, 1),
  };
};
