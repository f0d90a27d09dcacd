import { z } from 'zod';
import type { TurnFile } from '../../../../contracts/file.ts';
import { FILE_NAME_CHARS_MAX, TURN_FILES_MAX } from '../../../../contracts/limits.ts';
import { invalidRequest } from '../request.ts';

/** MCP's own blocks for bytes. */
const Image = z.object({ type: z.literal('image'), data: z.string(), mimeType: z.string().optional() });
const Resource = z.object({
  type: z.literal('resource'),
  resource: z.object({
    uri: z.string(),
    mimeType: z.string().optional(),
    blob: z.string().optional(),
    text: z.string().optional(),
  }),
});

const Bytes = z.object({
  data: z.string().describe('The bytes in base64'),
  name: z.string().max(FILE_NAME_CHARS_MAX).optional(),
});

type GivenFile = z.infer<typeof Image> | z.infer<typeof Resource> | z.infer<typeof Bytes>;

/** The optional argument of a tool that takes files. */
export const Files = z
  .array(z.union([Image, Resource, Bytes]))
  .min(1)
  .max(TURN_FILES_MAX)
  .optional()
  .describe('Images and documents that the user sends: bytes in base64, or the image and resource blocks of MCP');

const nameIn = (uri: string): string => uri.slice(uri.lastIndexOf('/') + 1).slice(0, FILE_NAME_CHARS_MAX);

const fileOf = (given: GivenFile): TurnFile => {
  if (!('type' in given)) return given;
  if (given.type === 'image') return { data: given.data };
  const { uri, mimeType: media_type, blob, text } = given.resource;
  const data = blob ?? (text === undefined ? undefined : Buffer.from(text).toString('base64'));
  if (data === undefined) throw invalidRequest('A resource needs its "blob" or "text": Tripact reads no address');
  const name = nameIn(uri);
  return { data, ...(name !== '' && { name }), ...(media_type !== undefined && { media_type }) };
};

/** The files of a call, as a turn has them. */
export const filesOf = (given: readonly GivenFile[] = []): { files?: TurnFile[] } =>
  given.length === 0 ? {} : { files: given.map(fileOf) };
