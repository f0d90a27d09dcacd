import type { ServerResponse } from 'node:http';

/** How long messages wait that come right behind a packet, in milliseconds. To send a packet takes longer than to make a message. */
const GATHER_MS = 10;

/** Characters that are sent without waiting for more. */
const FULL = 16_384;

/** Writes a response as packets: a message goes out at once, and those that come right behind it go out together. Never loses their order. */
export class Packets {
  readonly #raw: ServerResponse;
  #held = '';
  /** Runs for a while after each packet. */
  #timer: NodeJS.Timeout | null = null;

  constructor(raw: ServerResponse) {
    this.#raw = raw;
  }

  /** The response is closed: held packets are dropped. */
  close(): void {
    clearTimeout(this.#timer ?? undefined);
  }

  write(message: string): void {
    this.#held += message;
    if (this.#timer === null || this.#held.length >= FULL) this.flush();
  }

  /** Sends what is held. */
  flush(): void {
    if (this.#held === '') return;
    this.#raw.write(this.#held);
    this.#held = '';
    this.#timer ??= setTimeout(() => {
      this.#timer = null;
      this.flush();
    }, GATHER_MS);
  }
}
