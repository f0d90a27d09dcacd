import type { FastifyInstance, FastifyRequest } from 'fastify';
import { FILE_LINK_PATH } from '../../access/file-links.ts';
import type { FileLinks } from '../../access/port.ts';
import { ServiceError } from '../../lib/errors.ts';
import { sendFile } from '../server/send-file.ts';
import type { RouteParts } from './port.ts';

interface Link {
  link: string;
}

/** The owner whose home serves a link; null: it opens nothing. */
export const ownerOfLink = (fileLinks: FileLinks, { params }: FastifyRequest): string | null =>
  fileLinks.fileOf((params as Link).link)?.owner ?? null;

/**
 * The page behind a file's link. Public, as browsers show no key: the link itself is the permission. A link that has
 * expired, one that was never made, and one whose file is gone get the same answer.
 */
export const addFileLinks = (
  app: FastifyInstance,
  { files }: Pick<RouteParts, 'files'>,
  fileLinks: FileLinks,
): void => {
  app.get<{ Params: Link }>(`${FILE_LINK_PATH}:link`, { schema: { hide: true } }, async ({ params }, reply) => {
    const linked = fileLinks.fileOf(params.link);
    const file = linked === null ? null : await files.open(linked.owner, linked.session_id, linked.path);
    if (linked === null || file === null)
      throw new ServiceError('FILE_NOT_FOUND', 'This link is not valid, or it has expired; ask for the file again');
    return sendFile(reply.header('cache-control', 'private, no-store'), file, linked.path);
  });
};
