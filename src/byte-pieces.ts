import { setImmediate as nextTurn } from 'node:timers/promises';

/** Cuts a chunk that another program sent into pieces of so many bytes, one in each turn of the event loop: how much work is in them, the sender decides. */
export async function* bytePieces(chunk: Uint8Array, bytes: number): AsyncGenerator<Uint8Array> {
  for (let from = 0; from < chunk.length; from += bytes) {
    if (from > 0) await nextTurn();
    yield chunk.subarray(from, from + bytes);
  }
}
