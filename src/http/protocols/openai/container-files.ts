import type OpenAI from 'openai';
import { ServiceError } from '../../../lib/errors.ts';
import { sendFile } from '../../server/send-file.ts';
import type { ProtocolHandler, ProtocolParts } from '../port.ts';
import { sessionNamed } from '../request.ts';
import type { OfferedFile } from '../written-files.ts';

type Annotation = OpenAI.Responses.ResponseOutputText['annotations'][number];

const PREFIX = 'cfile_';

const idOf = (path: string): string => PREFIX + Buffer.from(path).toString('base64url');

/** The path in an id; for an id that is not ours, a path that no file has. */
const pathIn = (id: string): string =>
  id.startsWith(PREFIX) ? Buffer.from(id.slice(PREFIX.length), 'base64url').toString() : '';

/**
 * The files that a task wrote, as what is cited at the end of its reply: each as a file of a container, which is the
 * session, and as a web page where it has a link.
 */
export const citationsOf = (container_id: string, files: readonly OfferedFile[], text: string): Annotation[] => {
  const place = { start_index: text.length, end_index: text.length };
  return files.flatMap(({ name: filename, path, link }): Annotation[] => [
    { type: 'container_file_citation', container_id, file_id: idOf(path), filename, ...place },
    ...(link === null ? [] : [{ type: 'url_citation' as const, title: filename, url: link, ...place }]),
  ]);
};

/** Answers `GET /v1/containers/{id}/files/{file}/content` with the bytes of a session's file. */
export const createContainerFiles =
  ({ engine, files }: Pick<ProtocolParts, 'engine' | 'files'>): ProtocolHandler =>
  async ({ owner, params }, reply) => {
    const { id, file: fileId } = params as { id: string; file: string };
    const { session_id } = await engine.session(owner, sessionNamed(id));
    const path = pathIn(fileId);
    const file = await files.open(owner, session_id, path);
    if (file === null)
      throw new ServiceError('FILE_NOT_FOUND', `File with id '${fileId}' not found in container '${id}'.`);
    return sendFile(reply, file, path);
  };
