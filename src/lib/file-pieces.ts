import { open } from 'node:fs/promises';

/** Bytes read at once: a multiple of three, so that all pieces but the last stand in base64 by themselves. */
const PIECE_BYTES = 192 * 1024;

/**
 * Reads a file piece by piece, always into the same memory: a piece is valid until the next one is asked for. Rejects with
 * the system's error.
 */
export async function* piecesOfFile(file: string): AsyncGenerator<Buffer> {
  const handle = await open(file, 'r');
  try {
    const memory = Buffer.allocUnsafeSlow(PIECE_BYTES);
    for (;;) {
      const { bytesRead } = await handle.read(memory, 0, PIECE_BYTES);
      if (bytesRead === 0) return;
      yield memory.subarray(0, bytesRead);
    }
  } finally {
    await handle.close();
  }
}
