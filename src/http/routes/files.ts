import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import type { ErrorCode } from '../../../contracts/error-code.ts';
import { FileView } from '../../../contracts/http.ts';
import { FILE_BYTES_MAX } from '../../../contracts/limits.ts';
import { messages } from '../../../contracts/messages/messages.ts';
import { plainLine } from '../../../contracts/text.ts';
import { ServiceError } from '../../lib/errors.ts';
import { iso } from '../../lib/iso-time.ts';
import type { SessionsApi } from '../../runtime/port.ts';
import { type FileProblem, FileRefused } from '../../workspace/read-files.ts';
import type { RouteParts } from './port.ts';
import { nothing, routesOf } from './schemas.ts';

const FILE = '/v1/sessions/:session_id/files/*';

/** A cursor that is a path. Files come and go, so an index would not mark the same position. */
const PathCursor = z
  .base64url('must be the `next` of another page')
  .max(2_048)
  .optional()
  .meta({ description: 'The `next` of the page before; without it, the first page.' });

const PROBLEM_CODES: Partial<Record<FileProblem, ErrorCode>> = {
  not_found: 'FILE_NOT_FOUND',
  file_too_large: 'INPUT_TOO_LARGE',
  session_full: 'INPUT_TOO_LARGE',
};

const SHOWN_CHARS_MAX = 200;

/** Turns a refused change into a problem with the reason in the words of the `files` tool. */
const withProblems = <Result>(path: string, work: Promise<Result>): Promise<Result> =>
  work.catch((error: unknown) => {
    if (!(error instanceof FileRefused)) throw error;
    const text = messages('en').fileRefusals[error.problem](plainLine(path, SHOWN_CHARS_MAX), FILE_BYTES_MAX);
    throw new ServiceError(PROBLEM_CODES[error.problem] ?? 'INVALID_REQUEST', text);
  });

interface Parts extends Pick<RouteParts, 'files'> {
  engine: Pick<SessionsApi, 'openSession' | 'session'>;
}

/** `/v1/sessions/{session_id}/files` and `…/files/{path}`: the session's folder (SPEC 8, 11). */
export const addFileRoutes = (app: FastifyInstance, { engine, files }: Parts): void => {
  const { route, list } = routesOf(app, 'files');

  list('/v1/sessions/:session_id/files', 'listFiles', {
    summary: "A session's files, by path",
    description: "The files that its tasks keep in the session's folder.",
    items: { files: FileView },
    query: { cursor: PathCursor },
    read: async ({ owner, params: { session_id } }, { limit, after }) => {
      await engine.session(owner, session_id);
      const path = after === undefined ? undefined : Buffer.from(after, 'base64url').toString();
      const { items, next } = await files.list(owner, session_id, { limit, after: path });
      return {
        items: items.map(({ path, size, modified_at }) => ({ path, size, modified_at: iso(modified_at) })),
        next: next === null ? null : Buffer.from(next).toString('base64url'),
      };
    },
  });

  const content = { 'text/plain': { schema: z.string() }, 'application/octet-stream': { schema: z.string() } };
  route(`GET ${FILE}`, 'readFile', {
    summary: 'The bytes of a file',
    description: 'As `text/plain` if it is UTF-8 text, else as `application/octet-stream`; always as an attachment.',
    schema: { response: { 200: { description: 'The file as it was when the request opened it', content } } },
    handle: async ({ owner, params: { session_id, '*': path } }, reply) => {
      await engine.session(owner, session_id);
      const file = await files.open(owner, session_id, path);
      if (file === null) throw new ServiceError('FILE_NOT_FOUND', 'There is no file with that path in this session');
      return reply
        .type(file.isText ? 'text/plain; charset=utf-8' : 'application/octet-stream')
        .header('content-disposition', 'attachment')
        .send(file.stream());
    },
  });

  route(`DELETE ${FILE}`, 'deleteFile', {
    summary: 'Delete a file',
    description:
      'Folders that become empty are removed too. 400 for files that the service writes itself, such as `plan.json`.',
    handle: async ({ owner, params: { session_id, '*': path } }) => {
      await engine.session(owner, session_id);
      await withProblems(path, files.remove(owner, session_id, path));
    },
  });

  void app.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser<Buffer>('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
    routesOf(scope, 'files').route(`PUT ${FILE}`, 'writeFile', {
      summary: 'Create or replace a file',
      description:
        'The body is the file, text or bytes, with any media type. Creates missing folders, and the session itself if it does not exist. ' +
        '400 for a path that leads out of the folder or through a link, and for files that the service writes itself, such as `plan.json`.',
      schema: {
        consumes: ['application/octet-stream'],
        response: { 201: nothing('The file is new'), 204: nothing('The file is replaced') },
      },
      body: z.unknown().meta({ description: 'The bytes of the file', type: 'string', format: 'binary' }),
      handle: async ({ owner, params: { session_id, '*': path }, body }, reply) => {
        await engine.openSession({ owner, session_id });
        const bytes = body instanceof Buffer ? body : Buffer.alloc(0);
        const isNew = await withProblems(path, files.write(owner, session_id, path, bytes));
        return reply.code(isNew ? 201 : 204).send();
      },
    });
  });
};
