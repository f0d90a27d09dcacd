import type { AttachedFile } from '../../../contracts/file.ts';
import type { PromptText } from './prompt-text.ts';

/** Files and their bytes whose content one prompt has: providers take about 30 MB in base64, and few images. */
const FILES_SHOWN_MAX = 20;
const BYTES_SHOWN_MAX = 20 * 1024 * 1024;

/**
 * Which files of a prompt are shown with their content, asked for each in order: the newest ones that fit, and of the
 * same bytes the first.
 */
export const createShownFiles = (texts: readonly PromptText[]): ((file: AttachedFile) => boolean) => {
  const left = new Set<string>();
  let bytes = 0;
  const newestFirst = texts.flatMap(({ files = [] }) => files).reverse();
  for (const file of newestFirst) {
    if (left.has(file.sha256)) continue;
    bytes += file.bytes;
    if (left.size >= FILES_SHOWN_MAX || bytes > BYTES_SHOWN_MAX) break;
    left.add(file.sha256);
  }
  return ({ sha256 }) => left.delete(sha256);
};
