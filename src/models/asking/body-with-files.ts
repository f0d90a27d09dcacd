import { randomUUID } from 'node:crypto';
import type { FileBytes } from '../port.ts';

/** Bytes that are encoded at once. Short texts are collected soon. */
const ENCODED_BYTES = 48 * 1024;

/** The length of bytes in base64. */
const base64Length = (bytes: number): number => Math.ceil(bytes / 3) * 4;

/** The bytes in base64, piece by piece. Throws where there are not as many as were promised. */
async function* base64Of({ size, stream }: FileBytes): AsyncGenerator<Buffer> {
  // Only of three bytes at a time the texts of pieces fit together: the rest waits for the next piece.
  let rest = Buffer.alloc(0);
  let read = 0;
  for await (const piece of stream()) {
    read += piece.length;
    const bytes = rest.length === 0 ? piece : Buffer.concat([rest, piece]);
    const whole = bytes.length - (bytes.length % 3);
    for (let at = 0; at < whole; at += ENCODED_BYTES)
      yield Buffer.from(bytes.toString('base64', at, Math.min(at + ENCODED_BYTES, whole)), 'latin1');
    rest = Buffer.from(bytes.subarray(whole));
  }
  if (read !== size) throw new Error('a file has changed while it was sent');
  yield Buffer.from(rest.toString('base64'), 'latin1');
}

/**
 * A request's body in JSON in which files stand in base64. They are read from disk as the body is sent, so that none of
 * them is in memory as a whole.
 */
export class BodyWithFiles {
  readonly #files = new Map<string, FileBytes>();

  /** A placeholder for these bytes in the body. No text of a prompt is the same. */
  placeFor(bytes: FileBytes): string {
    const place = randomUUID();
    this.#files.set(place, bytes);
    return place;
  }

  /** True: it has no file. */
  isEmpty(): boolean {
    return this.#files.size === 0;
  }

  /** The body, which can be read once, and its length in bytes. */
  read(body: object): { length: number; pieces: AsyncIterable<Uint8Array> } {
    const places = new RegExp(`(${[...this.#files.keys()].join('|')})`);
    const parts = JSON.stringify(body)
      .split(places)
      .map((part) => this.#files.get(part) ?? Buffer.from(part));
    const lengths = parts.map((part) => (Buffer.isBuffer(part) ? part.length : base64Length(part.size)));
    return { length: lengths.reduce((sum, length) => sum + length, 0), pieces: this.#pieces(parts) };
  }

  async *#pieces(parts: readonly (Buffer | FileBytes)[]): AsyncGenerator<Uint8Array> {
    for (const part of parts)
      if (Buffer.isBuffer(part)) yield part;
      else yield* base64Of(part);
  }
}
