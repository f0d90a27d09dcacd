import digest from 'fast-sha256';

const encoder = new TextEncoder();

/** SHA-256 of a text as hex. A browser's own is asynchronous, which the fold is not. */
export const sha256 = (text: string): string =>
  Array.from(digest(encoder.encode(text)), (byte) => byte.toString(16).padStart(2, '0')).join('');
