import { type LoadedHead, loadHead, newHead } from './load-head.ts';
import type { SessionRow } from './rows.ts';
import type { ActorDeps, SessionActor } from './session-actor.ts';
import { createSessionActor } from './session-actor.ts';

/** Idle sessions kept in memory: the next turn of one of these loads nothing. All others cost nothing. */
const IDLE_KEPT = 256;

/** The sessions in memory, at most one actor for each. */
export interface Actors {
  of(row: SessionRow): SessionActor;
  /** Takes in a session that was just made, by the head it was committed with, and wakes it. */
  adopt(row: SessionRow, made: LoadedHead): void;
  /** Lets go of a session, in memory or not; false when it is at work. */
  release(sessionRow: number): boolean;
  /** The actor if it is in memory. */
  peek(sessionRow: number): SessionActor | undefined;
  busyCount(): number;
  stop(deadline: AbortSignal): Promise<void>;
}

/** Makes the set of actors; a session is loaded when first asked for and let go when long idle. */
export const createActors = (deps: Omit<ActorDeps, 'onBusy' | 'onIdle'>): Actors => {
  const actors = new Map<number, SessionActor>();
  const idle = new Set<number>();
  let busy = 0;

  const onBusy = (row: SessionRow): void => {
    busy += 1;
    idle.delete(row.id);
  };

  const onIdle = (row: SessionRow): void => {
    busy -= 1;
    if (actors.get(row.id)?.isResting() !== true) return;
    if (deps.sessions.forget(row)) {
      actors.delete(row.id);
      return;
    }
    idle.add(row.id);
    for (const oldest of idle) {
      if (idle.size <= IDLE_KEPT) return;
      idle.delete(oldest);
      actors.delete(oldest);
    }
  };

  const enter = (row: SessionRow, loaded: LoadedHead): SessionActor => {
    const actor = createSessionActor(row, loaded, { ...deps, onBusy, onIdle });
    actors.set(row.id, actor);
    const { first } = loaded;
    if (first !== null) actor.request({ write: (change) => void change.apply(first), settle: () => {} });
    return actor;
  };

  return {
    of: (row) =>
      actors.get(row.id) ?? enter(row, deps.sessions.isNew(row) ? newHead() : loadHead(deps.statements, row)),
    adopt: (row, made) => (actors.get(row.id) ?? enter(row, made)).wake(),
    release: (sessionRow) => {
      if (actors.has(sessionRow) && !idle.has(sessionRow)) return false;
      idle.delete(sessionRow);
      actors.delete(sessionRow);
      return true;
    },
    peek: (sessionRow) => actors.get(sessionRow),
    busyCount: () => busy,
    stop: async (deadline) => {
      await Promise.all([...actors.values()].map((actor) => actor.stop(deadline)));
    },
  };
};
