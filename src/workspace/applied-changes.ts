import { z } from 'zod';
import { listOf } from '../../contracts/list-of.ts';
import { createLoopSlices } from '../event-loop/loop-slices.ts';
import { hiddenNames } from './file-path.ts';
import { openEntry, readStart } from './open-file.ts';
import type { OpenFolder } from './open-folder.ts';

/** Changes remembered: more than can be under way in one session at once, each of which is about to be stored or done again. */
const KEPT = 32;

/** Longest record read, in bytes: `KEPT` changes with the longest paths. */
const RECORD_BYTES_MAX = 256 * 1024;

/** A change of a file that was begun: what the file was before and is after, as hashes; null where there is none. */
const AppliedChange = z.object({
  effect_id: z.string(),
  path: z.string(),
  before: z.string().nullable(),
  after: z.string().nullable(),
});
export type AppliedChange = z.infer<typeof AppliedChange>;

const Recorded = z.object({ applied: listOf(AppliedChange) });

/** Another program may have made a record as long as any that is read, in each of many sessions that change a file in the same moment. */
const inSlices = createLoopSlices();

/**
 * The changes that were last begun in a session's folder, oldest first: one that is asked for again after a crash is known by its
 * effect, and the file's content shows whether it was made. A record that can't be read counts as empty.
 */
export const readApplied = async (root: OpenFolder): Promise<AppliedChange[]> => {
  const opened = await openEntry(root, hiddenNames.applied);
  if (opened === null) return [];
  try {
    const bytes = await readStart(opened, RECORD_BYTES_MAX);
    await inSlices.next();
    return Recorded.parse(JSON.parse(bytes.toString())).applied;
  } catch {
    return [];
  } finally {
    await opened.handle.close();
  }
};

/** The record with one more change, as it is stored. */
export const recordWith = (applied: readonly AppliedChange[], change: AppliedChange): Buffer =>
  Buffer.from(JSON.stringify({ applied: [...applied, change].slice(-KEPT) } satisfies z.input<typeof Recorded>));
