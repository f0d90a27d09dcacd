import { readFileSync, rmSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Logger } from 'pino';
import { z } from 'zod';
import { AttachedFile } from '../../../contracts/file.ts';
import type { FileQuota } from '../change-file.ts';
import { hiddenNames } from '../file-path.ts';
import { sessionsWith, workspacePath } from '../folder.ts';
import type { Session, TurnFiles, Within } from '../port.ts';
import { writeFileWhole } from '../write-file.ts';
import { checkFiles } from './check-files.ts';
import { findIntact, findStored } from './find-stored.ts';
import { type Alone, type Placed, placeWithin, writeNew } from './place-files.ts';

/** A turn whose files are being stored, and those of them that were not there before. */
const Arriving = z.object({ turn_id: z.string(), files: z.array(AttachedFile) });
type Arriving = z.infer<typeof Arriving>;

const readArriving = (root: string): Arriving | null => {
  try {
    return Arriving.parse(JSON.parse(readFileSync(join(root, hiddenNames.arriving), 'utf8')));
  } catch {
    return null;
  }
};

/** Removes what was stored for a turn that is not, and the note of it. */
const undo = async (root: string, { files }: Arriving): Promise<void> => {
  for (const file of files) if ((await findIntact(root, file)) !== null) await rm(join(root, file.path));
  rmSync(join(root, hiddenNames.unfinishedUpload), { force: true });
  rmSync(join(root, hiddenNames.arriving), { force: true });
};

/** The files that `origin` still has and `root` lacks. */
const lackingFrom = async (
  origin: string,
  root: string,
  files: readonly AttachedFile[],
): Promise<{ file: AttachedFile; from: { staged: string } }[]> => {
  const lacking = [];
  for (const file of new Map(files.map((each) => [each.path, each])).values())
    if ((await findIntact(origin, file)) !== null && findStored(root, file.path) === null)
      lacking.push({ file, from: { staged: join(origin, file.path) } });
  return lacking;
};

interface Parts {
  dataDir: string;
  within: Within;
  alone: Alone;
  quota: FileQuota;
  /** Whether a turn is stored. */
  hasTurn(owner: string, turnId: string): Promise<boolean>;
  log: Logger;
}

/**
 * Keeps files of users below `files/` in the sessions' folders, under their names, each with its SHA-256. Before it
 * stores those of a turn it notes them, so that files whose turn was never stored are found and removed. A file is never
 * overwritten.
 */
export const createTurnFiles = ({ dataDir, within, alone, quota, hasTurn, log }: Parts) => {
  /** Notes the turn durably, then stores its new files. */
  const writeFor = async (root: string, turn_id: string, isNew: Placed['isNew']): Promise<void> => {
    arriving.add(turn_id);
    const note: Arriving = { turn_id, files: isNew.map(({ file }) => file) };
    writeFileWhole(join(root, hiddenNames.arriving), JSON.stringify(note), { isDurable: true });
    await writeNew(root, isNew);
  };

  /** Turns of this process whose files are stored and that may still be. */
  const arriving = new Set<string>();

  const settle = async (root: string, { owner }: Session, left: Arriving | null): Promise<void> => {
    if (left === null || arriving.has(left.turn_id)) return;
    if (await hasTurn(owner, left.turn_id)) rmSync(join(root, hiddenNames.arriving), { force: true });
    else await undo(root, left);
  };

  return {
    check: (session, files) => within(session, null, () => checkFiles(dataDir, session, files)),
    store: (session, turn_id, files) =>
      alone(session, async (root) => {
        await settle(root, session, readArriving(root));
        const placed = await placeWithin(root, files, quota);
        if (placed.isNew.length > 0) await writeFor(root, turn_id, placed.isNew);
        return placed.files;
      }),
    copy: (from, to, turn_id, files) =>
      within(from, null, () =>
        alone(to, async (root) => {
          const origin = workspacePath(dataDir, from.owner, from.session_id);
          const isNew = await lackingFrom(origin, root, files);
          if (isNew.length > 0) await writeFor(root, turn_id, isNew);
        }),
      ),
    settle: async (session, turnId, isStored) => {
      if (!arriving.delete(turnId)) return;
      await alone(session, async (root) => {
        const left = readArriving(root);
        if (left?.turn_id !== turnId) return;
        if (isStored) rmSync(join(root, hiddenNames.arriving), { force: true });
        else await undo(root, left);
      });
    },
    /** Removes what processes that died had stored for turns that never were. Never rejects. */
    sweep: async (): Promise<void> => {
      for (const session of await sessionsWith(dataDir, hiddenNames.arriving))
        await alone(session, async (root) => settle(root, session, readArriving(root))).catch((err: unknown) =>
          log.error({ err, session_id: session.session_id }, 'files of a turn that was not stored are not removed'),
        );
    },
  } satisfies TurnFiles & Record<string, unknown>;
};
