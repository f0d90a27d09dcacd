import { machineChanged } from '../history/divergence.ts';
import type { Decision } from '../session/change.ts';
import { keyText, type SessionImage, type SessionKey } from '../session/image.ts';
import type { SessionInput } from '../session/input.ts';
import { type ActorDeps, SessionActor } from './session-actor.ts';

/** Idle sessions kept in memory, whose next turn loads nothing. All others cost nothing. */
const IDLE_KEPT = 256;

/**
 * Posts an input to a session, and resolves with the decision. `timezone` is for a new session; default: the host's.
 */
export type PostInput = (key: SessionKey, input: SessionInput, timezone?: string) => Promise<Decision>;

export type SessionActors = ReturnType<typeof createSessionActors>;

/**
 * Creates the set of actors, at most one for each session. A session is loaded at its first use and leaves memory after
 * being idle for long.
 */
export const createSessionActors = (deps: Omit<ActorDeps, 'onIdle'>) => {
  const actors = new Map<string, SessionActor>();
  const loading = new Map<string, Promise<void>>();
  /** Sessions that became idle, oldest first; some may be busy again. */
  const idle = new Set<string>();
  let isStopping: AbortSignal | null = null;

  const unloadIdle = (text: string): void => {
    if (actors.get(text)?.isIdle === true) actors.delete(text);
  };

  const onIdle = (text: string): void => {
    // A new session whose first turn was refused need not be remembered.
    if (actors.get(text)?.image.isStored === false) unloadIdle(text);
    idle.delete(text);
    idle.add(text);
    for (const oldest of idle) {
      if (idle.size <= IDLE_KEPT) return;
      idle.delete(oldest);
      unloadIdle(oldest);
    }
  };

  const load = async (key: SessionKey, text: string, timezone: string): Promise<void> => {
    const image = await deps.store.load(key, timezone, deps.now());
    const actor = new SessionActor(image, { ...deps, onIdle: () => onIdle(text) });
    actors.set(text, actor);
    const { active, loaded } = image;
    const divergence = active === null ? null : loaded.get(active.task.context.task_id)?.divergence;
    if (divergence != null) actor.post({ type: 'effect_result', event: machineChanged(divergence) }).catch(() => {});
    if (isStopping !== null) void actor.stop(isStopping);
  };

  /** Passes the actor to `use` as soon as it is in memory, as it may be unloaded later. Callers are served in order. */
  const use = async <Result>(
    key: SessionKey,
    timezone: string,
    use: (actor: SessionActor) => Result,
  ): Promise<Result> => {
    const text = keyText(key);
    for (;;) {
      const pending = loading.get(text);
      if (pending !== undefined) {
        await pending;
        continue;
      }
      const actor = actors.get(text);
      if (actor !== undefined) return use(actor);
      const started = load(key, text, timezone);
      loading.set(text, started);
      // Until the first caller has continued, later ones wait behind it, even if the actor is already loaded.
      try {
        await started;
      } finally {
        loading.delete(text);
      }
    }
  };

  return {
    /** Posts an input to a session, and resolves with the decision. `timezone` is for a new session. */
    post: async (key: SessionKey, timezone: string, input: SessionInput): Promise<Decision> =>
      (await use(key, timezone, (actor) => ({ stored: actor.post(input) }))).stored,
    wake: (key: SessionKey): Promise<void> => use(key, '', (actor) => actor.wake()),
    /** Whether any of an owner's sessions in memory has something to do. */
    isBusy: (owner: string): boolean =>
      [...actors.values()].some((actor) => actor.image.session.owner === owner && !actor.isIdle),
    /** Stops the owner's sessions and removes them from memory. Whatever is not stored by `deadline` is refused. */
    stopOwner: async (owner: string, deadline: AbortSignal): Promise<void> => {
      const own = [...actors].filter(([, actor]) => actor.image.session.owner === owner);
      await Promise.all(
        own.map(async ([text, actor]) => {
          const stopped = actor.stop(deadline);
          // One that is stopped at once accepts nothing more, and may wait for the store for long.
          if (!deadline.aborted) await stopped;
          actors.delete(text);
          idle.delete(text);
        }),
      );
    },
    images: (): SessionImage[] => [...actors.values()].map((actor) => actor.image),
    peek: (key: SessionKey): SessionImage | undefined => actors.get(keyText(key))?.image,
    /**
     * Resolves once the session in memory has caught up with what was just read: a database may show a commit before it
     * has confirmed it.
     */
    settled: async (key: SessionKey): Promise<void> => actors.get(keyText(key))?.settled(),
    stop: async (deadline: AbortSignal): Promise<void> => {
      isStopping = deadline;
      // A session that cannot be loaded has nothing to stop.
      await Promise.allSettled(loading.values());
      await Promise.all([...actors.values()].map((actor) => actor.stop(deadline)));
    },
  };
};
