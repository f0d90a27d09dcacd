import { fileName } from '../../../contracts/file.ts';
import { plainLine } from '../../../contracts/text.ts';
import type { TurnView } from '../../../contracts/turn-view.ts';
import type { FileLinks } from '../../access/port.ts';

/** A file that a front end offers. */
export interface OfferedFile {
  name: string;
  /** Its path in the session's folder. */
  path: string;
  mediaType: string;
  size: number;
  /** The path of its address at the service, which wants the same key as all else of the session. */
  url: string;
  /** An address at which a browser gets it without a key, for some days; null: the service gives none. */
  link: string | null;
}

/** A file that a task wrote. */
interface WrittenFile {
  readonly path: string;
  readonly size: number;
  readonly media_type: string;
}

/** The parts that offering files takes. */
export interface WrittenParts {
  files: {
    /**
     * A session's files that were written within one of these times in epoch milliseconds, at most ten; never the
     * service's own.
     */
    written(
      owner: string,
      sessionId: string,
      periods: readonly { since: number; until: number }[],
    ): Promise<WrittenFile[]>;
  };
  /** Links by which browsers get files without a key; null: none can be made. */
  fileLinks: FileLinks | null;
}

/** A file's path as an address has it. */
export const encodedPath = (path: string): string => path.split('/').map(encodeURIComponent).join('/');

const urlOf = (sessionId: string, path: string): string => `/v1/sessions/${sessionId}/files/${encodedPath(path)}`;

/**
 * The files that a task wrote during finished turns of one session, at most ten; never what the user sent. Commands
 * offer none.
 */
export const writtenIn = async (
  { files, fileLinks }: WrittenParts,
  owner: string,
  turns: readonly TurnView[],
): Promise<OfferedFile[]> => {
  const ofTasks = turns.filter(({ task, finished_at }) => task !== null && finished_at !== null);
  const session_id = ofTasks[0]?.session_id;
  if (session_id === undefined) return [];
  const periods = ofTasks.map(({ created_at, finished_at }) => {
    return { since: Date.parse(created_at), until: Date.parse(finished_at ?? created_at) };
  });
  const sent = new Set(turns.flatMap((turn) => turn.files ?? []).map(({ path }) => path));
  const written = await files.written(owner, session_id, periods);
  return written
    .filter(({ path }) => !sent.has(path))
    .map(({ path, size, media_type }) => ({
      name: fileName({ path }),
      path,
      mediaType: media_type,
      size,
      url: urlOf(session_id, path),
      link: fileLinks?.linkTo({ owner, session_id, path }) ?? null,
    }));
};

/** A file's name as text of Markdown: nothing in it is markup. */
const escaped = (name: string): string =>
  plainLine(name).replace(/[\\`*[\]<>&~!]|(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])/gu, '\\$&');

/** A reply with a link to each of its files below it, in Markdown; the reply alone where there are no links. */
export const withLinks = (reply: string, files: readonly OfferedFile[]): string => {
  const links = files.flatMap(({ name, link }) => (link === null ? [] : [`- [${escaped(name)}](${link})`]));
  return links.length === 0 ? reply : `${reply}\n\n${links.join('\n')}`.trimStart();
};
