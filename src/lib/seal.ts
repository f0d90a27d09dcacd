import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';

const ALGORITHM = 'aes-256-gcm';
const KEY_BYTES = 32;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** A text that was opened; `isCurrent`: by the key that seals now, not by one before it. */
export interface Opened {
  readonly text: string;
  readonly isCurrent: boolean;
}

/** Encrypts texts, each for one purpose. What was changed, or sealed for another purpose or with an unknown key, never opens. */
export interface Seal {
  seal(purpose: string, text: string): string;
  /** Null: the text is not one that this seal made for this purpose. */
  open(purpose: string, sealed: string): Opened | null;
}

/** The uses of sealed texts. Each use has keys of its own. */
type Use = 'sign-in' | 'file-link';

const keyOf = (secret: string, use: Use): Buffer => Buffer.from(hkdfSync('sha256', secret, 'tripact', use, KEY_BYTES));

const decrypted = (key: Buffer, purpose: string, bytes: Buffer): string | null => {
  try {
    const decipher = createDecipheriv(ALGORITHM, key, bytes.subarray(0, NONCE_BYTES), { authTagLength: TAG_BYTES });
    decipher.setAAD(Buffer.from(purpose)).setAuthTag(bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES));
    return decipher.update(bytes.subarray(NONCE_BYTES + TAG_BYTES), undefined, 'utf8') + decipher.final('utf8');
  } catch {
    return null;
  }
};

/**
 * Creates a seal by keys derived from the operator's secrets: AES-256-GCM, and HKDF with SHA-256. The first secret seals,
 * and each of them opens. Throws where there is none.
 */
export const createSeal = (secrets: readonly string[], use: Use): Seal => {
  const keys = secrets.map((secret) => keyOf(secret, use));
  const [current] = keys;
  if (current === undefined) throw new Error('a seal needs a secret');
  return {
    seal: (purpose, text) => {
      const nonce = randomBytes(NONCE_BYTES);
      const cipher = createCipheriv(ALGORITHM, current, nonce, { authTagLength: TAG_BYTES });
      cipher.setAAD(Buffer.from(purpose));
      const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
      return Buffer.concat([nonce, cipher.getAuthTag(), sealed]).toString('base64url');
    },
    open: (purpose, sealed) => {
      const bytes = Buffer.from(sealed, 'base64url');
      if (bytes.length < NONCE_BYTES + TAG_BYTES) return null;
      for (const key of keys) {
        const text = decrypted(key, purpose, bytes);
        if (text !== null) return { text, isCurrent: key === current };
      }
      return null;
    },
  };
};
