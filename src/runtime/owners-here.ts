import { ServiceError } from '../lib/errors.ts';

/**
 * The owners at home in this process, if there are several processes. A wait for something of an owner ends when the
 * owner gets another home.
 */
export type OwnersHere = ReturnType<typeof createOwnersHere>;

/** Creates the set of owners at home in a process, which is the home of all owners until the first one is added. */
export const createOwnersHere = () => {
  const present = new Map<string, { leaving: AbortController; followers: number }>();
  let isHomeOfAll = true;
  return {
    add: (owner: string): void => {
      isHomeOfAll = false;
      present.set(owner, { leaving: new AbortController(), followers: 0 });
    },
    isHomeOfAll: (): boolean => isHomeOfAll,
    /** The owners who are at home here; null: all are. */
    owners: (): string[] | null => (isHomeOfAll ? null : [...present.keys()]),
    isHome: (owner: string): boolean => isHomeOfAll || present.has(owner),
    remove: (owner: string): void => {
      const text = 'Another node serves you from now on; ask again';
      present.get(owner)?.leaving.abort(new ServiceError('SHUTTING_DOWN', text));
      present.delete(owner);
    },
    /**
     * The signal, combined with one that aborts when the owner gets another home; unchanged if this process is the home of all.
     */
    until: (owner: string, signal: AbortSignal): AbortSignal => {
      const found = present.get(owner);
      return found === undefined ? signal : AbortSignal.any([signal, found.leaving.signal]);
    },
    /** Counts a follower of a session of the owner, until the returned function is called, once. */
    addFollower: (owner: string): (() => void) => {
      const found = present.get(owner);
      if (found === undefined) return () => {};
      found.followers += 1;
      return () => {
        found.followers -= 1;
      };
    },
    isFollowed: (owner: string): boolean => (present.get(owner)?.followers ?? 0) > 0,
  };
};
