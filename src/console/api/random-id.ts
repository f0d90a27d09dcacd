const ALPHABET = 'abcdefghijklmnopqrstuvwxyz0123456789';

/** Random letters and digits. Not by `randomUUID`, which pages without TLS do not have. */
export const randomId = (length: number): string =>
  Array.from(crypto.getRandomValues(new Uint32Array(length)), (value) => ALPHABET[value % ALPHABET.length]).join('');
