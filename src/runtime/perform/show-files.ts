import type { AttachedFile, FileKinds } from '../../../contracts/file.ts';
import type { TaskContext } from '../../../contracts/task.ts';
import { filesSent } from '../../../machines/unseen-files.ts';
import type { FilesToShow, ShownFile } from '../../models/port.ts';
import type { Session, StoredFiles } from '../../workspace/port.ts';

/** Longest text of a file that a prompt shows, in characters, and how much of a longer one it shows. */
const WHOLE_CHARS_MAX = 20_000;
const BEGINNING_CHARS = 6_000;

const isGivenAsItIs = ({ media_type }: AttachedFile, takes: FileKinds): boolean =>
  (media_type.startsWith('image/') && takes.includes('image')) ||
  (media_type === 'application/pdf' && takes.includes('pdf'));

/** The files of a session for one answer of a model, and which of the user's it did not get to see. */
export const createFilesToShow = (
  files: StoredFiles | undefined,
  session: Session,
  task: TaskContext,
): { files?: FilesToShow; unseen(): string[] } => {
  if (files === undefined) return { unseen: () => [] };
  const sent = new Set(filesSent(task).map(({ path }) => path));
  const unseen = new Set<string>();

  const shown = async (file: AttachedFile, takes: FileKinds): Promise<ShownFile> => {
    if (isGivenAsItIs(file, takes)) {
      const bytes = await files.open(session, file);
      return bytes === null ? { as: 'gone' } : { as: 'bytes', bytes };
    }
    const found = await files.textOf(session, file, { from: 0, chars: WHOLE_CHARS_MAX });
    if (found === null) return { as: (await files.isThere(session, file)) ? 'unseen' : 'gone' };
    const { text, hasMore } = found;
    if (!hasMore) return { as: 'text', text, isWhole: true };
    return { as: 'text', text: text.slice(0, BEGINNING_CHARS).toWellFormed(), isWhole: false };
  };

  return {
    files: {
      show: async (file, takes) => {
        const found = await shown(file, takes);
        // The last attempt counts: another model may look at what the first one could not.
        if (found.as === 'unseen' && sent.has(file.path)) unseen.add(file.path);
        else unseen.delete(file.path);
        return found;
      },
    },
    unseen: () => [...unseen],
  };
};
