/** The bytes of a stream, piece by piece: Safari does not iterate streams itself. */
export async function* bytesOf(stream: ReadableStream<Uint8Array> | null): AsyncGenerator<Uint8Array> {
  const reader = stream?.getReader();
  try {
    for (;;) {
      const chunk = await reader?.read();
      if (chunk === undefined || chunk.done) return;
      yield chunk.value;
    }
  } finally {
    await reader?.cancel();
  }
}
