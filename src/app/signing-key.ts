import { randomBytes } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readSmallFile } from './read-small-file.ts';

/** As long as what it signs with: HMAC-SHA256. */
const KEY_BYTES = 32;

/**
 * Gives the key that signs what clients give back later, from a file in the data folder that only its owner can read; made when it is first
 * asked for. Who can write that folder can write the sessions too. Throws where the folder can not be written.
 */
export const signingKeyIn = (dataDir: string): (() => Buffer) => {
  const file = join(dataDir, 'signing-key');
  let key: Buffer | undefined;
  const read = (): Buffer => {
    try {
      writeFileSync(file, randomBytes(KEY_BYTES), { flag: 'wx', mode: 0o600 });
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
    }
    return readSmallFile(file);
  };
  return () => {
    key ??= read();
    return key;
  };
};
