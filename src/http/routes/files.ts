import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import type { ErrorCode } from '../../../contracts/error-code.ts';
import { FileView } from '../../../contracts/http.ts';
import { FILE_BYTES_MAX } from '../../../contracts/limits.ts';
import { messages } from '../../../contracts/messages/messages.ts';
import { plainLine } from '../../../contracts/text.ts';
import { ServiceError } from '../../lib/errors.ts';
import { iso } from '../../lib/iso-time.ts';
import { type FileProblem, FileRefused } from '../../workspace/read-files.ts';
import type { RouteParts } from './port.ts';
import { nothing, routesOf } from './schemas.ts';

const FILE = '/v1/sessions/:session_id/files/*';

/** A cursor that is a path: files come and go, so no number says where a page began. */
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

/** Says of a refused change why, in the words of the `files` tool. */
const withProblems = <Result>(path: string, work: Promise<Result>): Promise<Result> =>
  work.catch((error: unknown) => {
    if (!(error instanceof FileRefused)) throw error;
    const text = messages('en').fileRefusals[error.problem](plainLine(path, SHOWN_CHARS_MAX), FILE_BYTES_MAX);
    throw new ServiceError(PROBLEM_CODES[error.problem] ?? 'INVALID_REQUEST', text);
  });

type Parts = Pick<RouteParts, 'engine' | 'files'>;

/** `/v1/sessions/{session_id}/files` and `…/files/{path}`: what is in the session's folder (SPEC 8, 11). */
export const addFileRoutes = (app: FastifyInstance, { engine, files }: Parts): void => {
  const { route, list } = routesOf(app, 'files');

  list('/v1/sessions/:session_id/files', 'listFiles', {
    summary: "A session's files, by path",
    description: "What its tasks keep in the session's folder.",
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
    description:
      'As `text/plain` where it is text in UTF-8, else as `application/octet-stream`; always to be saved, never to be shown.',
    schema: { response: { 200: { description: 'The file as it was when it was opened', content } } },
    handle: async ({ owner, params: { session_id, '*': path } }, reply) => {
      await engine.session(owner, session_id);
      const file = await files.open(owner, session_id, path);
      if (file === null) throw new ServiceError('FILE_NOT_FOUND', 'There is no file of that path in this session');
      return reply
        .type(file.isText ? 'text/plain; charset=utf-8' : 'application/octet-stream')
        .header('content-disposition', 'attachment')
        .send(file.stream());
    },
  });

  route(`DELETE ${FILE}`, 'deleteFile', {
    summary: 'Delete a file',
    description: 'Folders that it leaves empty go too. 400 for what the service keeps itself, such as `plan.json`.',
    handle: async ({ owner, params: { session_id, '*': path } }) => {
      await engine.session(owner, session_id);
      await withProblems(path, files.remove(owner, session_id, path));
    },
  });

  void app.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser<Buffer>('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
    routesOf(scope, 'files').route(`PUT ${FILE}`, 'writeFile', {
      summary: 'Write a file, new or in place of another',
      description:
        'The body is the file, text or bytes, of any media type. Folders on the way are made; it may be the first thing in a session, which is made by it. ' +
        '400 for a path that leads out of the folder or through a link, and for what the service keeps itself, such as `plan.json`.',
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
