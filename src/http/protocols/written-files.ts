import { fileName } from '../../../contracts/file.ts';
import type { TurnView } from '../../../contracts/turn-view.ts';
import type { ProtocolParts } from './port.ts';

/** A file that a front end offers. */
export interface OfferedFile {
  name: string;
  mediaType: string;
  /** The path of its address at the service, which wants the same key as all else of the session. */
  url: string;
}

const urlOf = (sessionId: string, path: string): string =>
  `/v1/sessions/${sessionId}/files/${path.split('/').map(encodeURIComponent).join('/')}`;

/** The files that a task wrote during a finished turn, at most ten; never what the user sent. Commands offer none. */
export const writtenIn = async (
  { files }: Pick<ProtocolParts, 'files'>,
  owner: string,
  { task, session_id, files: sent = [], created_at, finished_at }: TurnView,
): Promise<OfferedFile[]> => {
  if (task === null || finished_at === null) return [];
  const within = { since: Date.parse(created_at), until: Date.parse(finished_at) };
  const written = await files.written(owner, session_id, within);
  return written
    .filter(({ path }) => sent.every((file) => file.path !== path))
    .map((file) => ({ name: fileName(file), mediaType: file.media_type, url: urlOf(session_id, file.path) }));
};
