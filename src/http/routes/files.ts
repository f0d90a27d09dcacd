import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import type { By } from '../../../contracts/by.ts';
import type { ErrorCode } from '../../../contracts/error-code.ts';
import { EditedPlanFile, FileView } from '../../../contracts/http.ts';
import { FILE_BYTES_MAX } from '../../../contracts/limits.ts';
import { messages } from '../../../contracts/messages/messages.ts';
import { plainLine } from '../../../contracts/text.ts';
import { ServiceError } from '../../lib/errors.ts';
import { iso } from '../../lib/iso-time.ts';
import type { SessionsApi } from '../../runtime/port.ts';
import { type FileProblem, FileRefused } from '../../workspace/read-files.ts';
import { sendFile } from '../server/send-file.ts';
import type { RouteParts } from './port.ts';
import { nothing, routesOf } from './schemas.ts';

const FILE = '/v1/sessions/:session_id/files/*';

/** A cursor that is a path. Files come and go, so an index would not mark the same position. */
const PathCursor = z
  .base64url('must be the `next` of another page')
  .max(2_048)
  .optional()
  .meta({ description: 'The `next` of the page before; without it, the first page.' });

const Since = z.iso
  .datetime({ offset: true, error: 'must be a time such as 2026-01-31T09:00:00Z' })
  .optional()
  .meta({ description: 'Only files that were changed at this time or later, such as those that a turn wrote.' });

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
  engine: Pick<SessionsApi, 'editPlanByFile' | 'openSession' | 'session'>;
}

/** The one file of the service's own that may be sent back changed. */
const PLAN_FILE = 'plan.json';

const notAPlan = (detail: string, errors?: { path: string; message: string }[]): ServiceError =>
  new ServiceError(
    'INVALID_REQUEST',
    `${PLAN_FILE} is written by the service; sent back, it edits the plan: ${detail}`,
    {
      errors,
    },
  );

/** The plan that a file holds. Throws `INVALID_REQUEST` with what is wrong with it. */
const planIn = (bytes: Buffer): EditedPlanFile => {
  let json: unknown;
  try {
    json = JSON.parse(bytes.toString());
  } catch {
    throw notAPlan('this is not JSON');
  }
  const { data, error } = EditedPlanFile.safeParse(json);
  if (data !== undefined) return data;
  const errors = error.issues.map(({ path, message }) => ({ path: path.join('.'), message }));
  throw notAPlan('its "steps" are not those of a plan', errors);
};

/** `/v1/sessions/{session_id}/files` and `…/files/{path}`: the session's folder (SPEC 8, 11). */
export const addFileRoutes = (app: FastifyInstance, { engine, files }: Parts): void => {
  const { route, list } = routesOf(app, 'files');

  list('/v1/sessions/:session_id/files', 'listFiles', {
    summary: "A session's files, by path",
    description: "The files that its tasks keep in the session's folder.",
    items: { files: FileView },
    query: { cursor: PathCursor, since: Since },
    read: async ({ owner, params: { session_id }, query: { since } }, { limit, after }) => {
      await engine.session(owner, session_id);
      const path = after === undefined ? undefined : Buffer.from(after, 'base64url').toString();
      const { items, next } = await files.list(
        owner,
        session_id,
        { limit, after: path },
        since === undefined ? 0 : Date.parse(since),
      );
      return {
        items: items.map(({ path, size, modified_at }) => ({ path, size, modified_at: iso(modified_at) })),
        next: next === null ? null : Buffer.from(next).toString('base64url'),
      };
    },
  });

  /** Edits the plan of the session's task by its file. The file itself is written after that, as at any change. */
  const editPlan = async (owner: string, session_id: string, bytes: Buffer, by: By): Promise<void> => {
    const { active_task, last_task } = await engine.session(owner, session_id);
    const file = planIn(bytes);
    const task = active_task?.id ?? last_task?.id;
    if (task === undefined) throw notAPlan('this session has had no task');
    if (file.id !== undefined && file.id !== task) throw notAPlan(`its id is not that of the session's task, ${task}`);
    await engine.editPlanByFile(owner, task, file, by);
  };

  const content = { 'text/plain': { schema: z.string() }, 'application/octet-stream': { schema: z.string() } };
  route(`GET ${FILE}`, 'readFile', {
    summary: 'The bytes of a file',
    description:
      'As `text/plain` if it is UTF-8 text, as what it is if it is a PNG, JPEG, WebP or GIF image or a PDF, else as `application/octet-stream`; always as ' +
      'an attachment.',
    schema: { response: { 200: { description: 'The file as it was when the request opened it', content } } },
    handle: async ({ owner, params: { session_id, '*': path } }, reply) => {
      await engine.session(owner, session_id);
      const file = await files.open(owner, session_id, path);
      if (file === null) throw new ServiceError('FILE_NOT_FOUND', 'There is no file with that path in this session');
      return sendFile(reply, file, path);
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
        '400 for a path that leads out of the folder or through a link, and for files that the service writes itself. `plan.json` is an edit of ' +
        'the plan of a task that waits or is paused, by the ids of its steps: 409 while the task runs and after its end, 400 for what is no plan.',
      schema: {
        consumes: ['application/octet-stream'],
        response: { 201: nothing('The file is new'), 204: nothing('The file is replaced') },
      },
      body: z.unknown().meta({ description: 'The bytes of the file', type: 'string', format: 'binary' }),
      handle: async ({ owner, by, params: { session_id, '*': path }, body }, reply) => {
        if (path === PLAN_FILE) {
          await editPlan(owner, session_id, body instanceof Buffer ? body : Buffer.alloc(0), by);
          return reply.code(204).send();
        }
        await engine.openSession({ owner, session_id });
        const bytes = body instanceof Buffer ? body : Buffer.alloc(0);
        const isNew = await withProblems(path, files.write(owner, session_id, path, bytes));
        return reply.code(isNew ? 201 : 204).send();
      },
    });
  });
};
