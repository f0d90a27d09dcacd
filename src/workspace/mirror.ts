import type { Logger } from 'pino';
import type { TaskSnapshot } from '../../contracts/task.ts';
import { onceAMinute } from '../lib/once-a-minute.ts';
import { queueByKey } from '../lib/queue-by-key.ts';
import { keyOf, MirroredFolder, type MirroredFolderParts } from './mirrored-folder.ts';
import { MirroredTask, type MissionEntry } from './mirrored-task.ts';
import type { Session } from './port.ts';
import type { StoredFolders } from './stored-folders.ts';
import { UnderWay } from './under-way.ts';

export interface MirrorParts {
  workspaceOf(owner: string, sessionId: string): string;
  /**
   * Folders in the database; the local ones are copies. A file is written once its folder has been copied here, and
   * stored when its task settles.
   */
  folders?: StoredFolders | null;
  eventsOf(taskId: string): AsyncIterable<MissionEntry>;
  log: Logger;
}

/** A session's folder, and the task that its files follow. */
interface Followed {
  readonly folder: MirroredFolder;
  readonly task: MirroredTask;
}

/**
 * Keeps `plan.json` and `MISSION.md`, which follow a session's task (SPEC 10). Writes in the background, one write of a session at
 * a time, and never recreates a removed folder. Never throws or rejects; faults are logged once a minute.
 */
export class Mirror {
  readonly #parts: Pick<MirrorParts, 'eventsOf' | 'log'>;
  readonly #folders: StoredFolders | null;
  readonly #folderParts: MirroredFolderParts;
  /** Writes that the service waits for before it ends. */
  readonly #underWay = new UnderWay();
  readonly #sessions = new Map<string, Followed>();

  constructor({ workspaceOf, folders = null, eventsOf, log }: MirrorParts) {
    this.#parts = { eventsOf, log };
    this.#folders = folders;
    this.#folderParts = {
      workspaceOf,
      folders,
      inTurn: queueByKey(),
      underWay: this.#underWay,
      isWorthALine: onceAMinute(),
      log,
    };
  }

  /**
   * The task has changed. `plan.json` is written within a quarter of a second, or at once when a turn is answered; both
   * files are written once a second while the task runs.
   */
  note(session: Session, task: TaskSnapshot, isAnswering: boolean, entries: readonly MissionEntry[]): void {
    this.#follow(session, task).note(task, isAnswering, entries);
  }

  /** Resolves once `plan.json` is as current as the answered turns; null if it is already. */
  shown(session: Session): Promise<void> | null {
    return this.#sessions.get(keyOf(session))?.folder.showing ?? null;
  }

  /** The session is removed: nothing more is written for it. */
  forget(session: Session): void {
    const key = keyOf(session);
    const followed = this.#sessions.get(key);
    if (followed !== undefined) this.#close(key, followed);
    this.#folders?.forget(session);
  }

  /** Writes and stores an owner's pending files, then drops the owner, whose home is to be another node. */
  async release(owner: string): Promise<void> {
    for (const { folder, task } of this.#sessions.values()) if (folder.session.owner === owner) await task.flush();
    this.drop(owner);
  }

  /** Forgets an owner whose home is another node, and their folders. Nothing more is written for them. */
  drop(owner: string): void {
    for (const [key, followed] of this.#sessions)
      if (followed.folder.session.owner === owner) this.#close(key, followed);
    this.#folders?.drop(owner);
  }

  /** Writes everything that is pending, and resolves once all writes are done. */
  async stop(): Promise<void> {
    for (const { task } of this.#sessions.values()) void this.#underWay.track(task.flush());
    await this.#underWay.over();
    this.#sessions.clear();
  }

  #follow(session: Session, task: TaskSnapshot): MirroredTask {
    const key = keyOf(session);
    const before = this.#sessions.get(key);
    if (before?.task.task_id === task.context.task_id) return before.task;
    const folder = before?.folder ?? new MirroredFolder(session, this.#folderParts);
    const followed = new MirroredTask(task, before?.task ?? null, {
      folder,
      eventsOf: this.#parts.eventsOf,
      underWay: this.#underWay,
      log: this.#parts.log,
      onIdle: () => this.#forgetIdle(key, followed),
    });
    if (before !== undefined) folder.leave(this.#underWay.track(before.task.flush()));
    this.#sessions.set(key, { folder, task: followed });
    return followed;
  }

  #forgetIdle(key: string, task: MirroredTask): void {
    if (this.#sessions.get(key)?.task === task) this.#sessions.delete(key);
  }

  #close(key: string, { folder, task }: Followed): void {
    folder.close();
    task.drop();
    this.#sessions.delete(key);
  }
}

/** Creates the mirror of all sessions' `plan.json` and `MISSION.md`. */
export const createMirror = (parts: MirrorParts): Mirror => new Mirror(parts);
