import multipart from '@fastify/multipart';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { SubmittedFile } from '../../../contracts/file.ts';
import { REQUEST_BYTES_MAX, TURN_FILE_BYTES_MAX, TURN_FILES_MAX } from '../../../contracts/limits.ts';
import { ServiceError } from '../../lib/errors.ts';
import { hasRoundedNumber } from '../../lib/exact-json.ts';
import type { SessionFiles } from '../../workspace/session-files.ts';

/** The fields of a form: the words, and all else of a turn as JSON. Every other part is a file, whatever its name. */
const FIELDS = ['input', 'turn'] as const;

const LIMITS = {
  fileSize: TURN_FILE_BYTES_MAX,
  files: TURN_FILES_MAX,
  fields: FIELDS.length,
  fieldSize: REQUEST_BYTES_MAX,
};

const refuse = (detail: string): never => {
  throw new ServiceError('INVALID_REQUEST', detail);
};

/** The object in a form's field, read like a body of JSON. */
const objectIn = (json: string, request: FastifyRequest): object => {
  let object: object | null = null;
  void request.server.getDefaultJsonParser('error', 'error')(request, json, (error, value: unknown) => {
    if (error === null && typeof value === 'object' && value !== null && !Array.isArray(value)) object = value;
  });
  if (hasRoundedNumber(json)) return refuse('The field "turn" has a number that JSON rounds: write it as a string');
  return object ?? refuse('The field "turn" of the form must be a JSON object: the turn without its files');
};

/**
 * Lets the turns of a scope come as forms (`multipart/form-data`), their files streamed to disk and never held in
 * memory. `read` makes a form the body that the same turn has as JSON, with empty `files`; `filesOf` gives the real
 * ones; `drop` removes them.
 */
export const acceptTurnForms = async (
  scope: FastifyInstance,
  files: Pick<SessionFiles, 'newStage' | 'stage' | 'unstage'>,
) => {
  await scope.register(multipart, { limits: LIMITS });
  const staged = new WeakMap<FastifyRequest['raw'], { name: string; staged: string }[]>();

  const drop = async ({ raw }: Pick<FastifyRequest, 'raw'>): Promise<void> => {
    for (const file of staged.get(raw) ?? []) await files.unstage(file.staged);
    staged.delete(raw);
  };

  const readParts = async (request: FastifyRequest, kept: { name: string; staged: string }[]): Promise<object> => {
    const given = new Map<string, string>();
    for await (const part of request.parts()) {
      if (part.type === 'file') {
        // Noted before it is written, so that it is removed also if it does not arrive as a whole.
        const place = files.newStage();
        kept.push({ name: part.filename, staged: place });
        await files.stage(place, part.file);
        continue;
      }
      const { fieldname, value } = part;
      if (!FIELDS.some((name) => name === fieldname) || given.has(fieldname))
        refuse('A form has files, and the fields "input" and "turn", each once at most');
      if (part.valueTruncated) throw new ServiceError('INPUT_TOO_LARGE', `The field "${fieldname}" is too large`);
      given.set(fieldname, String(value));
    }
    const [input, turn] = FIELDS.map((name) => given.get(name));
    const body = turn === undefined ? {} : objectIn(turn, request);
    if ('files' in body) refuse('In a form the files are parts of it, not "files" of the turn');
    return { ...body, ...(input !== undefined && { input }) };
  };

  return {
    read: async (request: FastifyRequest): Promise<void> => {
      if (!request.isMultipart()) return;
      const kept: { name: string; staged: string }[] = [];
      staged.set(request.raw, kept);
      try {
        const body = await readParts(request, kept);
        const empty = kept.map(({ name }) => ({ name, data: '' }));
        request.body = { ...body, ...(empty.length > 0 && { files: empty }) };
      } catch (error) {
        await drop(request);
        throw error;
      }
    },
    filesOf: ({ raw }: Pick<FastifyRequest, 'raw'>): readonly SubmittedFile[] | null => staged.get(raw) ?? null,
    drop,
  };
};
