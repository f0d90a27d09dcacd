import { randomUUID } from 'node:crypto';
import type { FileBytes } from '../port.ts';

/** Bytes that are encoded at once, at least. */
const PIECE_BYTES = 192 * 1024;

/** The length of bytes in base64. */
const base64Length = (bytes: number): number => Math.ceil(bytes / 3) * 4;

/** The bytes in base64, piece by piece. Throws where there are not as many as were promised. */
async function* base64Of({ size, stream }: FileBytes): AsyncGenerator<string> {
  let chunks: Buffer[] = [];
  let waiting = 0;
  let read = 0;
  for await (const chunk of stream()) {
    chunks.push(chunk);
    waiting += chunk.length;
    read += chunk.length;
    if (waiting < PIECE_BYTES) continue;
    const piece = Buffer.concat(chunks);
    // Only of three bytes at a time the texts of pieces fit together.
    const whole = piece.length - (piece.length % 3);
    yield piece.toString('base64', 0, whole);
    chunks = [piece.subarray(whole)];
    waiting = piece.length - whole;
  }
  if (read !== size) throw new Error('a file has changed while it was sent');
  yield Buffer.concat(chunks).toString('base64');
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
      else for await (const piece of base64Of(part)) yield Buffer.from(piece, 'latin1');
  }
}
