import { buffer } from 'node:stream/consumers';
import {
  type McpServer,
  type ReadResourceResult,
  type ResourceLink,
  ResourceNotFoundError,
  ResourceTemplate,
} from '@modelcontextprotocol/server';
import { TURN_FILE_BYTES_MAX } from '../../../../contracts/limits.ts';
import { decodePercent } from '../../../lib/decode-percent.ts';
import { unless } from '../../../lib/errors.ts';
import type { ProtocolParts } from '../port.ts';
import { encodedPath, type OfferedFile } from '../written-files.ts';
import { httpCallOf } from './http-call.ts';

const SCHEME = 'tripact://sessions';

/** The address of a session's file at this server: a host reads it as a resource, by the key of its connection. */
export const resourceOf = (session: string, { path }: Pick<OfferedFile, 'path'>): string =>
  `${SCHEME}/${session}/files/${encodedPath(path)}`;

/** Files that a task wrote, as links that a host reads as resources. */
export const resourceLinks = (session: string, files: readonly OfferedFile[]): ResourceLink[] =>
  files.map((file) => ({
    type: 'resource_link',
    uri: resourceOf(session, file),
    name: file.name,
    mimeType: file.mediaType,
    size: file.size,
  }));

/** Serves the files of the caller's sessions as resources. They are named by results, and by no list. */
export const addFileResources = (mcp: McpServer, { engine, files }: Pick<ProtocolParts, 'engine' | 'files'>): void => {
  mcp.registerResource(
    'file',
    new ResourceTemplate(`${SCHEME}/{session}/files/{+path}`, { list: undefined }),
    { description: 'A file of a session, such as one that a task wrote. Results of tools name them.' },
    async (uri, { session, path }, ctx): Promise<ReadResourceResult> => {
      const { owner } = httpCallOf(ctx).request;
      const known = await unless(['SESSION_NOT_FOUND'], engine.session(owner, String(session)));
      const file = known === null ? null : await files.open(owner, known.session_id, decodePercent(String(path)));
      if (file === null || file.size > TURN_FILE_BYTES_MAX) throw new ResourceNotFoundError(uri.href);
      const bytes = await buffer(file.stream());
      const mimeType = file.isText ? 'text/plain' : (file.mediaType ?? 'application/octet-stream');
      const content = file.isText ? { text: bytes.toString() } : { blob: bytes.toString('base64') };
      return { contents: [{ uri: uri.href, mimeType, ...content }] };
    },
  );
};
