import { setImmediate as nextTurn } from 'node:timers/promises';

/** Bytes that are handed on in one turn of the event loop: a hundred small events, which a parser handles in one go. */
const PIECE_BYTES = 4_096;

/** Cuts a chunk that another program sent into pieces, one in each turn of the event loop: how much work is in its bytes, the sender decides. */
export async function* bytePieces(chunk: Uint8Array): AsyncGenerator<Uint8Array> {
  for (let from = 0; from < chunk.length; from += PIECE_BYTES) {
    if (from > 0) await nextTurn();
    yield chunk.subarray(from, from + PIECE_BYTES);
  }
}
