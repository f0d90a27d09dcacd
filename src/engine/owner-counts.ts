import type { Decision } from './change.ts';
import { queuedTurns, type SessionImage, toolTurns } from './session-image.ts';

/** What an owner has that has a limit (SPEC 11). */
export interface OwnerCounts {
  readonly sessions: number;
  readonly running_tasks: number;
  readonly forks: number;
  /** Bytes of its turns and traces that are stored, and of the snapshots that its forks began with. */
  readonly stored_bytes: number;
  /** Turns whose callback is to be posted, now or once they are finished. */
  readonly pending_callbacks: number;
  /** Bytes of input of its turns that wait or run: they are in memory. */
  readonly unfinished_bytes: number;
  /** Turns that are not finished. */
  readonly unfinished_turns: number;
  /** Those of them that wait until their session is free. */
  readonly queued_turns: number;
  /** Turns in which its users try a tool. */
  readonly owner_tool_runs: number;
}

/** What an owner has, and what all owners have together. */
export interface UsedCounts extends OwnerCounts {
  readonly unfinished_bytes_in_all: number;
}

export const noOwnerCounts: OwnerCounts = {
  sessions: 0,
  running_tasks: 0,
  forks: 0,
  stored_bytes: 0,
  pending_callbacks: 0,
  unfinished_bytes: 0,
  unfinished_turns: 0,
  queued_turns: 0,
  owner_tool_runs: 0,
};

const inputBytes = ({ turns }: SessionImage): number =>
  turns.reduce((sum, { input }) => sum + Buffer.byteLength(input), 0);

/** What a decision adds to its owner's counts, or takes from them. */
export const countsOf = (before: SessionImage, { image, changes }: Decision): OwnerCounts => {
  const had = (type: (typeof changes)[number]['type']): boolean => changes.some((change) => change.type === type);
  const sessions = Number(had('session.added')) - Number(had('session.removed'));
  const { copied_bytes } = image.session;
  /** Most decisions leave the turns as they are. */
  const areOthers = image.turns !== before.turns;
  return {
    sessions,
    running_tasks: Number(image.open !== null) - Number(before.open !== null),
    forks: copied_bytes > 0 ? sessions : 0,
    stored_bytes: had('session.removed') ? -before.session.stored_bytes : 0,
    pending_callbacks: changes.filter(
      (change) => change.type === 'turn.added' && change.turn.callback_url !== undefined,
    ).length,
    unfinished_bytes: areOthers ? inputBytes(image) - inputBytes(before) : 0,
    unfinished_turns: image.turns.length - before.turns.length,
    queued_turns: areOthers ? queuedTurns(image).length - queuedTurns(before).length : 0,
    owner_tool_runs: areOthers ? toolTurns(image).length - toolTurns(before).length : 0,
  };
};

const isNothing = (counts: OwnerCounts): boolean =>
  counts.sessions === 0 &&
  counts.running_tasks === 0 &&
  counts.forks === 0 &&
  counts.stored_bytes === 0 &&
  counts.pending_callbacks === 0 &&
  counts.unfinished_bytes === 0 &&
  counts.unfinished_turns === 0 &&
  counts.queued_turns === 0 &&
  counts.owner_tool_runs === 0;

const plus = (a: OwnerCounts, b: OwnerCounts, sign: 1 | -1): OwnerCounts => ({
  sessions: a.sessions + sign * b.sessions,
  running_tasks: a.running_tasks + sign * b.running_tasks,
  forks: a.forks + sign * b.forks,
  stored_bytes: a.stored_bytes + sign * b.stored_bytes,
  pending_callbacks: a.pending_callbacks + sign * b.pending_callbacks,
  unfinished_bytes: a.unfinished_bytes + sign * b.unfinished_bytes,
  unfinished_turns: a.unfinished_turns + sign * b.unfinished_turns,
  queued_turns: a.queued_turns + sign * b.queued_turns,
  owner_tool_runs: a.owner_tool_runs + sign * b.owner_tool_runs,
});

/** The counts of all owners in memory, so that nothing is counted for a request. A decision counts from when it is made. */
export interface CountedOwners {
  /** Loads the stored counts. */
  load(stored: ReadonlyMap<string, OwnerCounts>): void;
  of(owner: string): UsedCounts;
  /** What all owners have together. */
  inAll(): OwnerCounts;
  /** The session's decision is made and not stored yet; replaces the one that it made before. */
  reserve(before: SessionImage, decision: Decision): void;
  /** The decision is stored. */
  keep(decision: Decision): void;
  /** The session's decision was not stored, or is made again. */
  release(session: SessionImage['session']): void;
  /** Bytes that are stored of the owner's without a decision. */
  countStored(owner: string, bytes: number): void;
  /** A callback was delivered or given up (-1), or is to be sent again (1). */
  countCallback(owner: string, change: 1 | -1): void;
}

/** Makes the counts with nothing counted. */
export const createCountedOwners = (): CountedOwners => {
  const totals = new Map<string, OwnerCounts>();
  /** By the session's number; most decisions change no count, and reserve nothing. */
  const reserved = new Map<number, OwnerCounts>();
  let inAll = noOwnerCounts;
  const ofOwner = (owner: string): OwnerCounts => totals.get(owner) ?? noOwnerCounts;
  /** Owners come and go: one who has nothing is not remembered. */
  const add = (owner: string, counts: OwnerCounts, sign: 1 | -1): void => {
    const total = plus(ofOwner(owner), counts, sign);
    inAll = plus(inAll, counts, sign);
    if (isNothing(total)) totals.delete(owner);
    else totals.set(owner, total);
  };
  const release = (session: SessionImage['session']): void => {
    const counts = reserved.get(session.id);
    if (counts === undefined) return;
    reserved.delete(session.id);
    add(session.owner, counts, -1);
  };
  return {
    load: (stored) => {
      for (const [owner, counts] of stored) add(owner, counts, 1);
    },
    of: (owner) => ({ ...ofOwner(owner), unfinished_bytes_in_all: inAll.unfinished_bytes }),
    inAll: () => inAll,
    reserve: (before, decision) => {
      const { session } = before;
      release(session);
      const counts = countsOf(before, decision);
      if (isNothing(counts)) return;
      reserved.set(session.id, counts);
      add(session.owner, counts, 1);
    },
    keep: ({ image: { session }, added_bytes = 0 }) => {
      reserved.delete(session.id);
      if (added_bytes !== 0) add(session.owner, { ...noOwnerCounts, stored_bytes: added_bytes }, 1);
    },
    release,
    countStored: (owner, stored_bytes) => add(owner, { ...noOwnerCounts, stored_bytes }, 1),
    countCallback: (owner, change) => add(owner, { ...noOwnerCounts, pending_callbacks: 1 }, change),
  };
};
