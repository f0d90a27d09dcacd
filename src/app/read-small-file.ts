import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs';

/** Longest file that is read, in bytes: an address or a key takes a tenth of it. */
const BYTES_MAX = 16 * 1024;

/**
 * Reads a small file of the service from the data folder, at once. Throws where another program put something else in its place, such as a pipe, which
 * would be waited for.
 */
export const readSmallFile = (path: string): Buffer => {
  const handle = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    if (!fstatSync(handle).isFile()) throw new Error(`${path} is not a file`);
    const bytes = Buffer.alloc(BYTES_MAX);
    return bytes.subarray(0, readSync(handle, bytes, 0, BYTES_MAX, 0));
  } finally {
    closeSync(handle);
  }
};
