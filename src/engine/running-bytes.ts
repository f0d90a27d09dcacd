import type { ServiceLimits } from '../../contracts/service-limits.ts';

/** How far those that run may grow beyond a limit, at which none begins. */
const GROWTH_MAX = 1.25;

/** What an owner's tasks may hold also where those of all hold too much, in bytes. */
const LITTLE_BYTES = 8 * 1024 * 1024;

/** What the tasks that run hold in memory: the bytes of their last snapshots and of the entries since. Prompts and answers on their way come on top. */
export interface RunningBytes {
  /** Of the owner's tasks. */
  of(owner: string): number;
  /** Of all tasks. */
  inAll(): number;
}

/** False where the owner's tasks, or those of all, have grown so far that those that run are to be paused. What others hold counts only against an owner who holds more than a little. */
export const mayGoOn = (
  running: RunningBytes,
  { running_bytes, running_bytes_in_all }: Pick<ServiceLimits, 'running_bytes' | 'running_bytes_in_all'>,
  owner: string,
): boolean => {
  const isFull = running.inAll() >= running_bytes_in_all * GROWTH_MAX;
  return running.of(owner) < (isFull ? Math.min(LITTLE_BYTES, running_bytes) : running_bytes * GROWTH_MAX);
};

/** The bytes that each session in memory was last seen with. */
export interface CountedRunningBytes extends RunningBytes {
  /** The task of the session holds so many bytes now; 0: none of it runs. */
  set(session: string, owner: string, bytes: number): void;
}

/** Makes the counts with nothing counted. */
export const createRunningBytes = (): CountedRunningBytes => {
  const bySession = new Map<string, number>();
  const byOwner = new Map<string, number>();
  let inAll = 0;
  return {
    set: (session, owner, bytes) => {
      const change = bytes - (bySession.get(session) ?? 0);
      if (change === 0) return;
      if (bytes === 0) bySession.delete(session);
      else bySession.set(session, bytes);
      const ofOwner = (byOwner.get(owner) ?? 0) + change;
      // Owners come and go: one of whom nothing runs is not remembered.
      if (ofOwner === 0) byOwner.delete(owner);
      else byOwner.set(owner, ofOwner);
      inAll += change;
    },
    of: (owner) => byOwner.get(owner) ?? 0,
    inAll: () => inAll,
  };
};
