import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** The length of the HMAC-SHA256 key that it signs with. */
const KEY_BYTES = 32;

/** Reads the signing key beside a database, or creates it. No backup contains it, and only its user can read it. */
export const createSigningKey = (path: string): (() => Buffer) => {
  const file = join(dirname(path), 'signing-key');
  let key: Buffer | undefined;
  return () => {
    if (key === undefined && !existsSync(file))
      writeFileSync(file, randomBytes(KEY_BYTES), { flag: 'wx', mode: 0o600 });
    key ??= readFileSync(file);
    return key;
  };
};
