import { MODEL_RESPONSE_BYTES_MAX } from '../../contracts/limits.ts';
import { brokenOff, NoAnswer } from './no-answer.ts';

/** Longest silence inside a response's body, in milliseconds: servers that work send at least a ping in this time. */
export const IDLE_MS_MAX = 30_000;

/** The part of a deadline after which silence is a stall: so that even under a short deadline there is a second try. */
const IDLE_PART = 1 / 4;

/** Longest silence inside a response under a deadline for the whole answer; both in milliseconds. */
export const idleMsUnder = (timeoutMs: number): number => Math.min(IDLE_MS_MAX, timeoutMs * IDLE_PART);

/** A body's chunks. Throws `NoAnswer` when none comes for `idleMs` milliseconds, and when it has too many bytes. */
async function* limited(body: ReadableStream<Uint8Array>, idleMs: number): AsyncGenerator<Uint8Array> {
  const reader = body.getReader();
  let isSilent = false;
  let bytes = 0;
  const cancel = (): void => void reader.cancel().catch(() => {});
  const silence = setTimeout(() => {
    isSilent = true;
    cancel();
  }, idleMs);
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (isSilent) throw new NoAnswer((texts) => texts.stopped(idleMs));
      if (done) return;
      silence.refresh();
      bytes += value.byteLength;
      if (bytes > MODEL_RESPONSE_BYTES_MAX) throw new NoAnswer((texts) => texts.tooManyBytes(MODEL_RESPONSE_BYTES_MAX));
      yield value;
    }
  } finally {
    clearTimeout(silence);
    cancel();
  }
}

/** A whole body. Of an error's, one that breaks off is empty: its status says enough. */
const wholeBody = async (chunks: AsyncGenerator<Uint8Array>, isOk: boolean): Promise<Uint8Array<ArrayBuffer>> => {
  try {
    return Buffer.concat(await Array.fromAsync(chunks));
  } catch (cause) {
    if (isOk) throw brokenOff(cause);
    return new Uint8Array();
  }
};

/**
 * Makes a `fetch` for SDKs, with limits on a response: 1 MiB, and `idleMs` milliseconds of silence in its body. An event stream is given as it begins,
 * any other response once it is whole. It never follows a redirect, which would take the key along; the wait for the headers is for `init.signal`.
 */
export const createLimitedFetch =
  (idleMs: number): typeof fetch =>
  async (input, init) => {
    const response = await fetch(input, { ...init, redirect: 'manual' });
    const { body, ok } = response;
    if (body === null) return response;
    const chunks = limited(body, idleMs);
    const isStream = ok && response.headers.get('content-type')?.includes('text/event-stream');
    return new Response(isStream ? ReadableStream.from(chunks) : await wholeBody(chunks, ok), response);
  };
