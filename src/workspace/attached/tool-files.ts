import { existsSync, readFileSync, rmSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Logger } from 'pino';
import { z } from 'zod';
import { AttachedFile, type SubmittedFile } from '../../../contracts/file.ts';
import { EffectNumber } from '../../../contracts/ids.ts';
import type { TaskTraceEntry } from '../../../contracts/trace.ts';
import { isModelEvent } from '../../../machines/pending-calls.ts';
import { ServiceError } from '../../lib/errors.ts';
import type { FileQuota } from '../change-file.ts';
import { hiddenNames } from '../file-path.ts';
import { sessionsWith, workspacePath } from '../folder.ts';
import type { Session, TaskEffect } from '../port.ts';
import { writeFileWhole } from '../write-file.ts';
import { checkFiles } from './check-files.ts';
import { findIntact } from './find-stored.ts';
import { type Alone, placeWithin, writeNew } from './place-files.ts';

/** An effect whose result is not stored yet, and the files of it that were not there before. */
const Note = z.object({ task_id: z.string(), effect: EffectNumber, files: z.array(AttachedFile) });
type Note = z.infer<typeof Note>;

const readNotes = (root: string): Note[] => {
  try {
    return z.array(Note).parse(JSON.parse(readFileSync(join(root, hiddenNames.ofTools), 'utf8')));
  } catch {
    return [];
  }
};

const writeNotes = (root: string, notes: readonly Note[]): void => {
  const file = join(root, hiddenNames.ofTools);
  if (notes.length === 0) rmSync(file, { force: true });
  else writeFileWhole(file, JSON.stringify(notes), { isDurable: true });
};

const isOf =
  ({ task_id, effect }: TaskEffect) =>
  (note: TaskEffect): boolean =>
    note.task_id === task_id && note.effect === effect;

/** The files that an outcome names. */
export const filesNamed = (event: TaskTraceEntry['event']): readonly AttachedFile[] => {
  if (event.type === 'observation.recorded') return event.files ?? [];
  return event.type === 'observations.recorded' ? event.observations.flatMap(({ files = [] }) => files) : [];
};

interface Parts {
  dataDir: string;
  alone: Alone;
  quota: FileQuota;
  /** The files that the stored result of an effect names; null: the effect is open, and may still have one. */
  filesOfResult(session: Session, effect: TaskEffect): Promise<readonly AttachedFile[] | null>;
  log: Logger;
}

/**
 * Keeps the images and files of tools' results below `files/` in the sessions' folders. Before it stores any it notes
 * them with their effect, and once the result is stored it removes those that the result does not name: of a call that a
 * crash cut off, for example.
 */
export const createToolFiles = ({ dataDir, alone, quota, filesOfResult, log }: Parts) => {
  const removeUnnamed = async (root: string, { files }: Note, named: readonly AttachedFile[]): Promise<void> => {
    for (const file of files) {
      const isNamed = named.some(({ path, sha256 }) => path === file.path && sha256 === file.sha256);
      if (!isNamed && (await findIntact(root, file)) !== null) await rm(join(root, file.path));
    }
  };

  /** Settles the notes of effects that have a result, except for this one's, whose result comes. */
  const settleOthers = async (root: string, session: Session, current: TaskEffect | null): Promise<void> => {
    const notes = readNotes(root);
    const left: Note[] = [];
    for (const note of notes) {
      const isCurrent = current !== null && isOf(current)(note);
      const named = isCurrent ? null : await filesOfResult(session, note);
      if (named === null) left.push(note);
      else await removeUnnamed(root, note, named);
    }
    if (left.length < notes.length) writeNotes(root, left);
  };

  const note = (root: string, { task_id, effect }: TaskEffect, files: readonly AttachedFile[]): void => {
    const notes = readNotes(root);
    const before = notes.find(isOf({ task_id, effect }))?.files ?? [];
    const others = notes.filter((each) => !isOf({ task_id, effect })(each));
    writeNotes(root, [...others, { task_id, effect, files: [...before, ...files] }]);
  };

  return {
    /** Stores the files of an effect's result, which is stored next and names them; `refusals` says why others are not stored. */
    keep: async (
      session: Session,
      effect: TaskEffect,
      files: readonly SubmittedFile[],
    ): Promise<{ kept: AttachedFile[]; refusals: string[] }> => {
      const kept: AttachedFile[] = [];
      const refusals: string[] = [];
      for (const file of files)
        try {
          const checked = await checkFiles(dataDir, session, [file]);
          const stored = await alone(session, async (root) => {
            await settleOthers(root, session, effect);
            const placed = await placeWithin(root, checked, quota);
            if (placed.isNew.length === 0) return placed.files;
            note(
              root,
              effect,
              placed.isNew.map(({ file: each }) => each),
            );
            await writeNew(root, placed.isNew);
            return placed.files;
          });
          kept.push(...stored);
        } catch (error) {
          if (!(error instanceof ServiceError)) throw error;
          refusals.push(error.message);
        }
      return { kept, refusals };
    },
    /** To be called with a task's new entries: removes the files of their effects that they do not name. Never rejects. */
    settle: async (
      session: Session,
      task_id: string,
      entries: readonly Pick<TaskTraceEntry, 'event'>[],
    ): Promise<void> => {
      // A model's effect has no files, and half of all entries are of one: these need no look at the disk.
      const outcomes = entries.flatMap(({ event }) =>
        'effect' in event && !isModelEvent(event) ? [{ event, effect: event.effect }] : [],
      );
      const folder = workspacePath(dataDir, session.owner, session.session_id);
      if (outcomes.length === 0 || !existsSync(join(folder, hiddenNames.ofTools))) return;
      await alone(session, async (root) => {
        const notes = readNotes(root);
        for (const { event, effect } of outcomes)
          for (const each of notes.filter(isOf({ task_id, effect })))
            await removeUnnamed(root, each, filesNamed(event));
        writeNotes(
          root,
          notes.filter((each) => !outcomes.some(({ effect }) => isOf({ task_id, effect })(each))),
        );
      }).catch((err: unknown) =>
        log.error({ err, session_id: session.session_id }, 'files that no result names are not removed'),
      );
    },
    /** Removes what processes that died had stored for results that never were. Never rejects. */
    sweep: async (): Promise<void> => {
      for (const session of await sessionsWith(dataDir, hiddenNames.ofTools))
        await alone(session, (root) => settleOthers(root, session, null)).catch((err: unknown) =>
          log.error({ err, session_id: session.session_id }, 'files that no result names are not removed'),
        );
    },
  };
};
