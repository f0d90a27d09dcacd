import type { ServiceLimits } from '../../contracts/service-limits.ts';

/** How far those that run may grow beyond the limit, at which none begins. */
const GROWTH_MAX = 1.25;

/** What the tasks that run hold in memory: the bytes of their last snapshots and of the entries since. Prompts and answers on their way come on top. */
export interface RunningBytes {
  /** Of the owner's tasks. */
  of(owner: string): number;
  /** Of all tasks. */
  inAll(): number;
}

/** False where the owner's tasks have grown so far that those that run are to be paused. What others hold counts only against an owner who is at the own limit. */
export const mayGoOn = (
  running: RunningBytes,
  { running_bytes, running_bytes_in_all }: ServiceLimits,
  owner: string,
): boolean => {
  const own = running.of(owner);
  return (
    own < running_bytes || (own < running_bytes * GROWTH_MAX && running.inAll() < running_bytes_in_all * GROWTH_MAX)
  );
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
