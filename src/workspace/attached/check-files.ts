import { createHash } from 'node:crypto';
import { readFile, stat } from 'node:fs/promises';
import { fileName, type SubmittedFile } from '../../../contracts/file.ts';
import { IMAGE_BYTES_MAX, IMAGE_PIXELS_MAX, TURN_FILE_BYTES_MAX } from '../../../contracts/limits.ts';
import { plainLine } from '../../../contracts/text.ts';
import { ServiceError } from '../../lib/errors.ts';
import { piecesOfFile } from '../../lib/file-pieces.ts';
import { missingPackages } from '../../lib/optional-packages.ts';
import { isHidden, parseFilePath } from '../file-path.ts';
import { workspacePath } from '../folder.ts';
import { isTakenByBytes, kindOf, READERS, TAKEN_IN_WORDS, textTypeOf } from '../media-types.ts';
import type { CheckedFile, Session } from '../port.ts';
import { FileRefused, findFile, readStart } from '../read-files.ts';
import { isText } from '../text-encoding.ts';
import { storedName } from './stored-name.ts';

const SHOWN_CHARS_MAX = 100;

const MIB = 1024 * 1024;

/** Bytes to look at: in memory, or in a file of this machine. */
type Bytes = Buffer | { readonly file: string };

/** A refusal of the n-th file of a turn. */
const refused = (
  code: 'INVALID_REQUEST' | 'INPUT_TOO_LARGE' | 'UNSUPPORTED_MEDIA_TYPE',
  at: number,
  name: string,
  why: string,
): ServiceError => {
  const message = `"${plainLine(name, SHOWN_CHARS_MAX)}" ${why}`;
  return new ServiceError(code, message, { errors: [{ path: `body.files.${at}`, message }] });
};

/** The beginning of an image, in which its size is looked for first. */
const IMAGE_START_BYTES = 128 * 1024;

/** Bytes in memory that are looked at together. */
const PIECE_BYTES = 256 * 1024;

const piecesOf = async function* (bytes: Bytes): AsyncGenerator<Buffer> {
  if (Buffer.isBuffer(bytes))
    for (let at = 0; at < bytes.length; at += PIECE_BYTES) yield bytes.subarray(at, at + PIECE_BYTES);
  else yield* piecesOfFile(bytes.file);
};

const sha256Of = async (bytes: Bytes): Promise<string> => {
  const hash = createHash('sha256');
  for await (const piece of piecesOf(bytes)) hash.update(piece);
  return hash.digest('hex');
};

/** The number of pixels on the longer side of an image; null: it cannot be read. */
const pixelsOf = async (image: Buffer): Promise<number | null> => {
  const { imageSize } = await import('image-size');
  try {
    const { width, height } = imageSize(image);
    return Math.max(width, height);
  } catch {
    return null;
  }
};

/** The same of bytes anywhere. Nearly all images say their size at their beginning. */
const pixelsIn = async (bytes: Bytes): Promise<number | null> => {
  if (Buffer.isBuffer(bytes)) return pixelsOf(bytes);
  return (await pixelsOf(readStart(bytes.file, IMAGE_START_BYTES))) ?? pixelsOf(await readFile(bytes.file));
};

interface Sent {
  at: number;
  name: string;
  said: string | undefined;
}

const typeOf = async (bytes: Bytes, { at, name, said }: Sent): Promise<string> => {
  const { fileTypeFromBuffer, fileTypeFromFile } = await import('file-type');
  const found = await (Buffer.isBuffer(bytes) ? fileTypeFromBuffer(bytes) : fileTypeFromFile(bytes.file));
  const type = found?.mime ?? '';
  if (isTakenByBytes(type)) return type;
  if (await isText(() => piecesOf(bytes))) return textTypeOf(name, said);
  const what = found === undefined ? 'is of an unknown type, or text in an unknown encoding' : `is of the type ${type}`;
  throw refused('UNSUPPORTED_MEDIA_TYPE', at, name, `${what}; what can be sent: ${TAKEN_IN_WORDS}`);
};

const assertTaken = async (bytes: Bytes, size: number, type: string, { at, name }: Sent): Promise<void> => {
  const kind = kindOf(type);
  if (kind === 'office') {
    const missing = missingPackages([READERS[type]!]);
    if (missing !== null)
      throw refused('UNSUPPORTED_MEDIA_TYPE', at, name, `cannot be read by this service: ${missing}`);
  }
  if (kind !== 'image') return;
  if (size > IMAGE_BYTES_MAX)
    throw refused('INPUT_TOO_LARGE', at, name, `is larger than an image may be: ${IMAGE_BYTES_MAX / MIB} MB`);
  const pixels = await pixelsIn(bytes);
  if (pixels === null) throw refused('INVALID_REQUEST', at, name, `begins as ${type} and cannot be read as an image`);
  if (pixels > IMAGE_PIXELS_MAX)
    throw refused('INPUT_TOO_LARGE', at, name, `has more than ${IMAGE_PIXELS_MAX} pixels on a side`);
};

/** The bytes of a base64 text. Null where it is something else. */
const decoded = (data: string): Buffer | null => {
  const bytes = Buffer.from(data, 'base64');
  const digits = data.length - (/={0,2}$/.exec(data.slice(-2))?.[0].length ?? 0);
  return digits % 4 !== 1 && bytes.length === Math.floor((digits * 3) / 4) ? bytes : null;
};

/** Looks at the files of a turn as `TurnFiles.check` says. `dataDir` has the sessions' folders, which are laid out. */
export const checkFiles = async (
  dataDir: string,
  { owner, session_id }: Session,
  files: readonly SubmittedFile[],
): Promise<CheckedFile[]> => {
  const own = (path: string, at: number): string => {
    const parsed = parseFilePath(path);
    const refuse = (why: string): ServiceError => refused('INVALID_REQUEST', at, path, why);
    if (parsed === null || isHidden(parsed)) throw refuse('is no path of a file in this session');
    try {
      const { file, size } = findFile(workspacePath(dataDir, owner, session_id), parsed);
      if (size !== null) return file;
    } catch (error) {
      if (!(error instanceof FileRefused)) throw error;
    }
    throw refuse('does not exist in this session');
  };
  const opened = (file: SubmittedFile, at: number): { bytes: Bytes; sent: Sent; from: CheckedFile['from'] } => {
    if ('staged' in file) {
      const { name = 'file', staged } = file;
      return { bytes: { file: staged }, sent: { at, name, said: undefined }, from: { staged } };
    }
    const { name, media_type: said, data, path } = file;
    if (path !== undefined) {
      const sent = { at, name: name ?? fileName({ path }), said };
      return { bytes: { file: own(path, at) }, sent, from: { path } };
    }
    const sent = { at, name: name ?? 'file', said };
    if (data !== undefined && data.length > Math.ceil(TURN_FILE_BYTES_MAX / 3) * 4)
      throw refused('INPUT_TOO_LARGE', at, sent.name, `is larger than ${TURN_FILE_BYTES_MAX / MIB} MB`);
    const bytes = decoded(data ?? '');
    if (bytes === null) throw refused('INVALID_REQUEST', at, sent.name, 'is not in base64');
    return { bytes, sent, from: bytes };
  };
  const checked: CheckedFile[] = [];
  for (const [at, file] of files.entries()) {
    const { bytes, sent, from } = opened(file, at);
    const size = Buffer.isBuffer(bytes) ? bytes.length : (await stat(bytes.file)).size;
    if (size === 0) throw refused('INVALID_REQUEST', at, sent.name, 'is empty');
    if (size > TURN_FILE_BYTES_MAX)
      throw refused('INPUT_TOO_LARGE', at, sent.name, `is larger than ${TURN_FILE_BYTES_MAX / MIB} MB`);
    const sha256 = await sha256Of(bytes);
    const media_type = await typeOf(bytes, sent);
    await assertTaken(bytes, size, media_type, sent);
    checked.push({ name: storedName(sent.name, media_type), sha256, media_type, bytes: size, from });
  }
  return checked;
};
