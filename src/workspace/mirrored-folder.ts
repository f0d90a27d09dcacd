import { join } from 'node:path';
import type { Logger } from 'pino';
import type { queueByKey } from '../lib/queue-by-key.ts';
import type { Session } from './port.ts';
import type { StoredFolders } from './stored-folders.ts';
import type { UnderWay } from './under-way.ts';
import { replaceText } from './write-file.ts';

export interface MirroredFolderParts {
  workspaceOf(owner: string, sessionId: string): string;
  folders: StoredFolders | null;
  /** One write of a session at a time, also of a session of the same name that was removed. */
  inTurn: ReturnType<typeof queueByKey>;
  underWay: UnderWay;
  /** Whether a fault is to be logged. */
  isWorthALine: () => boolean;
  log: Logger;
}

/** The name under which a session's writes queue. */
export const keyOf = ({ owner, session_id }: Session): string => `${owner}~${session_id}`;

/**
 * A session's folder while its files follow its tasks. Once it is closed nothing more is written there. Never throws or
 * rejects because of a fault; it is logged.
 */
export class MirroredFolder {
  readonly session: Session;
  readonly #parts: MirroredFolderParts;
  #isClosed = false;
  /** Something was written since the folder was stored last. */
  #isChanged = false;
  #showing: Promise<void> | null = null;
  #left: Promise<unknown> = Promise.resolve();

  constructor(session: Session, parts: MirroredFolderParts) {
    this.session = session;
    this.#parts = parts;
  }

  /** Resolves once plan.json shows the task whose turn was answered last; null where it does. */
  get showing(): Promise<void> | null {
    return this.#showing;
  }

  /** Resolves once the files are written as the tasks before the current one left them. */
  get left(): Promise<unknown> {
    return this.#left;
  }

  close(): void {
    this.#isClosed = true;
  }

  /** A task is left: its files are as it left them once `written` resolves. */
  leave(written: Promise<void>): void {
    this.#left = Promise.all([this.#left, written]);
  }

  /** A turn's reply waits for plan.json, which shows its task once `written` resolves. */
  show(written: Promise<void>): void {
    this.#showing = written;
    void written.then(() => {
      if (this.#showing === written) this.#showing = null;
    });
  }

  /**
   * Writes a file after earlier work with the folder, once that is laid out. `textIn` gives the text of that moment, from
   * the folder's path. Resolves with whether it is written.
   */
  write(name: string, textIn: (root: string) => string): Promise<boolean> {
    return this.#enqueue(async () => {
      const { workspaceOf, folders } = this.#parts;
      const { owner, session_id } = this.session;
      const writeHere = async (): Promise<void> => {
        const root = workspaceOf(owner, session_id);
        await replaceText(join(root, name), () => (this.#isClosed ? null : textIn(root)));
        this.#isChanged = true;
      };
      if (folders?.isLaidOut(this.session) === false) await folders.within(this.session, null, writeHere);
      else await writeHere();
    });
  }

  /** Stores the folder, after earlier work with it, if something was written since it was stored last. */
  async save(): Promise<void> {
    await this.#enqueue(async () => {
      if (!this.#isChanged) return;
      const { owner, session_id } = this.session;
      await this.#parts.folders?.within(this.session, null, async (folderOf) => void folderOf(owner, session_id));
      this.#isChanged = false;
    });
  }

  /** Resolves with whether the work is done. */
  #enqueue(work: () => Promise<void>): Promise<boolean> {
    const { inTurn, underWay } = this.#parts;
    const unlessClosed = async (): Promise<boolean> => {
      if (this.#isClosed) return false;
      await work();
      return true;
    };
    return underWay.track(inTurn(keyOf(this.session), unlessClosed).catch((error: unknown) => this.#failed(error)));
  }

  #failed(err: unknown): false {
    const line = 'the session folder cannot be written; further failures are logged once a minute';
    if (!this.#isClosed && this.#parts.isWorthALine())
      this.#parts.log.error({ err, session_id: this.session.session_id }, line);
    return false;
  }
}
