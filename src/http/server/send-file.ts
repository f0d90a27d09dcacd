import type { Readable } from 'node:stream';
import type { FastifyReply } from 'fastify';
import { fileName } from '../../../contracts/file.ts';

/** A file of a session as it was when it was opened. */
export interface OpenedFile {
  /** It begins like UTF-8 text. */
  readonly isText: boolean;
  /** The media type of an image or PDF; null: neither. */
  readonly mediaType: string | null;
  readonly size: number;
  stream(): Readable;
}

/** A name as a header may have it (RFC 8187). */
const encoded = (name: string): string =>
  encodeURIComponent(name.toWellFormed()).replace(/['()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16)}`);

/** Sends a file for keeping under its own name: browsers show none as a page of the service. */
export const sendFile = (reply: FastifyReply, file: OpenedFile, path: string): FastifyReply =>
  reply
    .type(file.isText ? 'text/plain; charset=utf-8' : (file.mediaType ?? 'application/octet-stream'))
    .header('content-disposition', `attachment; filename*=UTF-8''${encoded(fileName({ path }))}`)
    .send(file.stream());
