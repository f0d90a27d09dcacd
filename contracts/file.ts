import { z } from 'zod';
import { FILE_NAME_CHARS_MAX, FILE_PATH_CHARS_MAX, TURN_FILES_MAX } from './limits.ts';

/**
 * A file that a turn or a tool brought, as events name it: where it lies in the session's folder, and what it was then.
 * Its bytes are in no event, trace or export (SPEC 10).
 */
export const AttachedFile = z.object({
  /** Its path in the session's folder. */
  path: z.string().max(FILE_PATH_CHARS_MAX),
  /** Of its bytes, in hex. A file with other bytes at this path is another file. */
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
  /** By its bytes, whatever its sender called it. */
  media_type: z.string(),
  bytes: z.number().int().min(0),
});
export type AttachedFile = z.infer<typeof AttachedFile>;

export const AttachedFiles = z.array(AttachedFile).max(TURN_FILES_MAX);

/** A file of a turn in a request: its bytes, or the path of one that the session has already (SPEC 11). */
export const TurnFile = z
  .strictObject({
    /** The user's name for it. The file is stored under this name or a similar one; never a path. */
    name: z.string().max(FILE_NAME_CHARS_MAX).optional(),
    /** The sender's claim. The service determines the type from the bytes. */
    media_type: z.string().max(200).optional(),
    data: z.string().optional().meta({ description: 'The bytes in base64.', format: 'byte' }),
    path: z
      .string()
      .max(FILE_PATH_CHARS_MAX)
      .optional()
      .meta({ description: 'In place of `data`: a file that the session has already.' }),
  })
  .refine(({ data, path }) => (data === undefined) !== (path === undefined), {
    error: 'needs either "data" or "path"',
    path: ['data'],
  });
export type TurnFile = z.infer<typeof TurnFile>;

/**
 * A file of a turn that is not stored yet: as a request has it, or its bytes in a `staged` file of the service's own,
 * which whoever submits it removes afterwards.
 */
export type SubmittedFile = TurnFile | { readonly name?: string | undefined; readonly staged: string };

/** The kinds of files that a model looks at itself. Of others it gets the text, or only the name. */
export type FileKinds = readonly ('image' | 'pdf')[];

/** The name of a file for people: the last part of its path. */
export const fileName = ({ path }: Pick<AttachedFile, 'path'>): string => path.slice(path.lastIndexOf('/') + 1);

/** A file in a data URL with base64, as chat front ends send them; null for any other address. Decodes nothing. */
export const fileOfDataUrl = (url: string): { media_type: string; data: string } | null => {
  const comma = url.indexOf(',');
  const [, media_type, parameters] = /^data:([^;,]*)((?:;[^;,]*)*)$/i.exec(url.slice(0, Math.max(comma, 0))) ?? [];
  if (media_type === undefined || !/;base64$/i.test(parameters ?? '')) return null;
  return { media_type, data: url.slice(comma + 1) };
};
