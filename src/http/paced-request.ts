import { IncomingMessage } from 'node:http';

/** Chunks of a body that are handed on one by one before others are gathered. */
const CHUNKS_AT_ONCE = 64;

/**
 * A request whose body is gathered where it comes in very many tiny chunks: a connection is read 64 KiB at a time, which may be 10,000 chunks of a
 * byte, and handing each on by itself takes longer than all else. A body that comes in as programs send them is read as ever.
 */
export class PacedRequest extends IncomingMessage {
  #handedOn = 0;
  #gathered: Uint8Array[] = [];

  override push(chunk: Uint8Array | null, encoding?: BufferEncoding): boolean {
    if (chunk === null) {
      this.#handOn();
      return super.push(null);
    }
    this.#handedOn += 1;
    if (this.#handedOn <= CHUNKS_AT_ONCE) return super.push(chunk, encoding);
    if (this.#gathered.length === 0) setImmediate(() => this.#handOn());
    this.#gathered.push(chunk);
    // The connection is read no further until `_read`.
    return false;
  }

  override _read(size: number): void {
    if (this.#gathered.length === 0) super._read(size);
  }

  #handOn(): void {
    const gathered = this.#gathered;
    this.#gathered = [];
    this.#handedOn = 0;
    // What asked for more while they were gathered asks no second time.
    if (gathered.length > 0 && !this.destroyed && super.push(Buffer.concat(gathered))) super._read(0);
  }
}
