import type { createFileStore } from './sql/session-files.ts';
import type { createStore } from './sql/store.ts';

export type { RemovableQuery, RemovableSession } from './sql/removal.ts';
export type { ListedSession } from './sql/sessions.ts';
export type { ListedTask, MovedQuery, TaskCount } from './sql/tasks.ts';

/** Where the files of sessions are stored, of which the nodes have copies. Rejects with `STORAGE_UNAVAILABLE`. */
export type FileStore = ReturnType<typeof createFileStore>;

/** The session has changed since its image was loaded; nothing was stored. It is to be loaded and decided again. */
export class StaleImage extends Error {
  override name = 'StaleImage';
}

/** Another turn of the owner has the idempotency key; nothing was stored. */
export class KeyTaken extends Error {
  override name = 'KeyTaken';
}

/**
 * Where an engine keeps sessions. It decides nothing: it loads images, stores the changes of decisions, and reads. Every read
 * names the owner; another owner's ids are as unknown as ids that never were (null, or an empty list). Rejects with
 * `STORAGE_UNAVAILABLE` when the disk is at fault.
 */
export type Store = ReturnType<typeof createStore>;
