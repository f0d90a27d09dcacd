import { basename } from 'node:path';
import type { FastifyReply } from 'fastify';
import { z } from 'zod';
import { FileView } from '../../../contracts/http.ts';
import { ServiceError } from '../../lib/errors.ts';
import { iso } from '../../lib/iso-time.ts';
import type { ReadableFile } from '../../workspace/port.ts';
import type { HttpApp, RouteDependencies } from '../http-app.ts';
import { InSession, operations, Paging, page, pageOf, pageReply } from './schemas.ts';

const described = operations('files');

/** A page of a list whose cursor is a path: files come and go, so no number says where a page began. */
const FilePaging = Paging.extend({
  cursor: z
    .base64url('must be the `next` of another page')
    .max(2_048)
    .optional()
    .meta({ description: 'The `next` of the page before; without it, the first page.' }),
});

/** A name as `Content-Disposition` takes it (RFC 8187). */
const attachment = (name: string): string =>
  `attachment; filename*=UTF-8''${encodeURIComponent(name).replace(/['()*]/g, (mark) => `%${mark.charCodeAt(0).toString(16)}`)}`;

/** Sends a file as fast as its reader takes it; never the whole from memory. */
const sendFile = async (reply: FastifyReply, file: ReadableFile, name: string): Promise<FastifyReply> => {
  reply
    .type(file.isText ? 'text/plain; charset=utf-8' : 'application/octet-stream')
    .header('content-disposition', attachment(name));
  if (reply.request.method !== 'HEAD') return reply.send(file.stream());
  await file.close();
  return reply.send('');
};

/** `GET /v1/sessions/{session_id}/files` and `…/files/{path}`: what the session's tasks keep in its folder (SPEC 8, 11). */
export const addFileRoutes = (app: HttpApp, { engine, files }: RouteDependencies): void => {
  app.get(
    '/v1/sessions/:session_id/files',
    described('listFiles', "A session's files, by path", {
      description: "What its tasks keep in the session's folder.",
      params: InSession,
      querystring: FilePaging,
      response: { 200: page('files', FileView) },
    }),
    async ({ owner, params: { session_id }, query }) => {
      await engine.session(owner, session_id);
      const { limit, after } = pageOf(query);
      const path = after === undefined ? undefined : Buffer.from(after, 'base64url').toString();
      const { items, next } = await files.list(owner, session_id, { limit, after: path });
      return pageReply('files', {
        items: items.map(({ path, size, modified_at }) => ({ path, size, modified_at: iso(modified_at) })),
        next: next === null ? null : Buffer.from(next).toString('base64url'),
      });
    },
  );

  app.get(
    '/v1/sessions/:session_id/files/*',
    described('readFile', 'The bytes of a file', {
      description:
        'As `text/plain` where it is text in UTF-8, else as `application/octet-stream`; always to be saved, never to be shown.',
      params: InSession.extend({ '*': z.string().meta({ description: 'The path of the file.' }) }),
      response: {
        200: {
          description: 'The file as it was when it was opened',
          content: {
            'text/plain': { schema: z.string() },
            'application/octet-stream': { schema: z.string() },
          },
        },
      },
    }),
    async (request, reply) => {
      const { owner, params } = request;
      await engine.session(owner, params.session_id);
      const path = params['*'];
      const file = await files.open(owner, params.session_id, path);
      if (file === null) throw new ServiceError('FILE_NOT_FOUND', 'There is no file of that path in this session');
      return sendFile(reply, file, basename(path));
    },
  );
};
