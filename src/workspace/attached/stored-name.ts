import { extname } from 'node:path';
import { plainLine } from '../../../contracts/text.ts';
import { withExtension } from '../media-types.ts';

/** Longest name under which a file of a user is stored, in bytes of UTF-8: room is left for a number. */
const NAME_BYTES_MAX = 200;

/** Names of devices on Windows, with any extension. */
const DEVICE = /^(?:con|prn|aux|nul|com\d|lpt\d)(?=\.|$)/i;

/** Cuts a name to its first bytes, and keeps its extension. */
const cutName = (name: string): string => {
  const extension = extname(name).slice(0, 16);
  let base = name.slice(0, name.length - extname(name).length);
  while (Buffer.byteLength(base + extension) > NAME_BYTES_MAX) base = [...base].slice(0, -1).join('');
  return base + extension;
};

/**
 * The name under which a file is stored, whatever its sender calls it: one part of a path, visible, with an extension
 * that fits its type, and no name of a device.
 */
export const storedName = (said: string | undefined, mediaType: string): string => {
  const last = (said ?? '').normalize('NFC').split(/[/\\]/).at(-1) ?? '';
  const plain = plainLine(last.replace(/\p{Cf}/gu, ''))
    .replace(/[<>:"|?*]/g, '_')
    .replace(/^[. ]+|(?<![. ])[. ]+$/g, '');
  const named = plain === '' ? 'file' : plain;
  return withExtension(cutName(DEVICE.test(named) ? `_${named}` : named), mediaType);
};

/** The n-th name for a file whose name is taken: `photo.png`, `photo-2.png`, … */
export const numbered = (name: string, n: number): string => {
  if (n === 1) return name;
  const extension = extname(name);
  return `${name.slice(0, name.length - extension.length)}-${n}${extension}`;
};
