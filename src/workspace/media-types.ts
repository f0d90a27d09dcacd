import { extname } from 'node:path';

/** How a model gets a file: as an image or a document as it is, or as text. */
export type FileKind = 'image' | 'pdf' | 'text' | 'office';

const DOCX = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document';
const XLSX = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';

/** The media types that are taken and told by their bytes, with the extensions that their files have. */
const BY_BYTES: Readonly<Record<string, { kind: FileKind; extensions: readonly string[] }>> = {
  'image/png': { kind: 'image', extensions: ['.png'] },
  'image/jpeg': { kind: 'image', extensions: ['.jpg', '.jpeg'] },
  'image/webp': { kind: 'image', extensions: ['.webp'] },
  'image/gif': { kind: 'image', extensions: ['.gif'] },
  'application/pdf': { kind: 'pdf', extensions: ['.pdf'] },
  [DOCX]: { kind: 'office', extensions: ['.docx'] },
  [XLSX]: { kind: 'office', extensions: ['.xlsx'] },
};

/** Media types of text, whose bytes do not tell them apart, by extension. */
const TEXTS: Readonly<Record<string, string>> = {
  '.csv': 'text/csv',
  '.json': 'application/json',
  '.md': 'text/markdown',
  '.html': 'text/html',
  '.xml': 'text/xml',
};

/** The packages that read a file's text, by its media type; none for text itself and for images. */
export const READERS: Readonly<Record<string, string>> = {
  'application/pdf': 'unpdf',
  [DOCX]: 'mammoth',
  [XLSX]: 'read-excel-file',
};

/** The kind of a file by its media type; text for any that is not told by its bytes. */
export const kindOf = (mediaType: string): FileKind => BY_BYTES[mediaType]?.kind ?? 'text';

/** True for a media type that is told by a file's bytes and taken. */
export const isTakenByBytes = (mediaType: string): boolean => mediaType in BY_BYTES;

/** The media type of a text by its name, else as its sender says if that is a text's, else `text/plain`. */
export const textTypeOf = (name: string, said: string | undefined): string => {
  const told = said?.split(';', 1)[0]?.trim().toLowerCase();
  return TEXTS[extname(name).toLowerCase()] ?? Object.values(TEXTS).find((type) => type === told) ?? 'text/plain';
};

/** The type of a file by its name alone, for a list of files that nobody has opened. */
export const typeByName = (path: string): string => {
  const extension = extname(path).toLowerCase();
  const known = Object.keys(BY_BYTES).find((type) => BY_BYTES[type]?.extensions.includes(extension));
  return known ?? TEXTS[extension] ?? (extension === '.txt' ? 'text/plain' : 'application/octet-stream');
};

const withDefault = (mediaType: string): readonly string[] => {
  const named = Object.keys(TEXTS).filter((extension) => TEXTS[extension] === mediaType);
  return BY_BYTES[mediaType]?.extensions ?? (named.length > 0 ? named : ['.txt']);
};

/**
 * A name with an extension that fits the type: programs go by it. A text may have any that no other type has, as
 * `main.py` does.
 */
export const withExtension = (name: string, mediaType: string): string => {
  const extension = extname(name).toLowerCase();
  const fitting = withDefault(mediaType);
  if (fitting.includes(extension)) return name;
  const isForeign = Object.values(BY_BYTES).some(({ extensions }) => extensions.includes(extension));
  return kindOf(mediaType) === 'text' && extension !== '' && !isForeign ? name : `${name}${fitting[0]}`;
};

/** The kinds of files that are taken, in words for a refusal. */
export const TAKEN_IN_WORDS =
  'images (PNG, JPEG, WebP, GIF), PDF, text such as CSV and JSON (in UTF-8, GB 18030, or UTF-16 with a byte order mark), and Word (.docx) and Excel (.xlsx) files';
