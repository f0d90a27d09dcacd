import { Readable } from 'node:stream';
import type { Dispatcher } from 'undici';
import { MODEL_RESPONSE_BYTES_MAX, MODEL_RESPONSES_BYTES_MAX } from '../../../contracts/limits.ts';
import { askingOwner } from '../../event-loop/asking-owner.ts';
import { createCrowdSlices } from '../../event-loop/loop-slices.ts';
import { watchStream } from './event-stream.ts';
import { BODY_BYTES_USUAL, ERROR_BYTES_READ } from './limits.ts';
import { NoAnswer } from './no-answer.ts';

const utf8 = new TextDecoder();

/** Chunks received in one turn of the event loop: as many as a whole body of usual ones has. */
const CHUNKS_A_TURN = 256;

/** Bytes of all bodies that are coming in or wait to be handed on. */
let bytesInAll = 0;

/** Responses that are handed on in one turn of the event loop as they end: reading one and committing what it says takes half a millisecond. */
const inSlices = createCrowdSlices(32);

/** What is used of a response. */
type Used = Pick<Response, 'ok' | 'status' | 'statusText' | 'headers' | 'url' | 'body' | 'text' | 'json'>;

/** A response that is here as a whole; of an error the first part of its body, which says what it means. Not a `Response`, which takes several times as long to make. */
class WholeResponse implements Used {
  readonly ok: boolean;
  readonly status: number;
  readonly statusText = '';
  readonly headers: Headers;
  readonly url = '';
  readonly body = null;
  readonly #body: readonly Uint8Array[] | Error;

  constructor(body: readonly Uint8Array[] | Error, { status, headers }: Beginning) {
    this.ok = status >= 200 && status < 300;
    this.status = status;
    this.headers = new Headers(headers);
    this.#body = body;
  }

  async text(): Promise<string> {
    const body = this.#body;
    if (body instanceof Error) throw body;
    const whole = body.length === 1 ? body[0]! : Buffer.concat(body);
    return utf8.decode(this.ok ? whole : whole.subarray(0, ERROR_BYTES_READ));
  }

  async json(): Promise<unknown> {
    return JSON.parse(await this.text());
  }
}

/** Statuses whose responses have no body, which `Response` refuses to be given. */
const isBodiless = (status: number): boolean => status === 204 || status === 205 || status === 304;

/** How a response begins. */
interface Beginning {
  status: number;
  headers: Record<string, string>;
}

interface Receiving {
  /** Longest silence inside the body, in milliseconds. */
  idleMs: number;
  signal: AbortSignal | null;
  resolve(response: Response): void;
  reject(error: unknown): void;
}

/**
 * Receives one response from undici, without the streams in between that cost as much as a call: an event stream is given as soon as it
 * begins, all others once they have ended. One that breaks off is given, too, and throws where it is read. `signal` ends it at any time.
 */
export class Receiver implements Dispatcher.DispatchHandler {
  readonly #to: Receiving;
  readonly #owner = askingOwner.getStore();
  readonly #chunks: Uint8Array[] = [];
  #bytes = 0;
  /** Of the chunks, those that were gathered into larger ones. */
  #gathered = 0;
  #controller: Dispatcher.DispatchController | null = null;
  #beginning: Beginning | null = null;
  #stream: Readable | null = null;
  #silence: NodeJS.Timeout | undefined;

  constructor(to: Receiving) {
    this.#to = to;
    to.signal?.addEventListener('abort', this.#abort, { once: true });
  }

  readonly #abort = (): void => {
    const reason: unknown = this.#to.signal?.reason;
    inSlices(() => this.#to.reject(reason), this.#owner);
    this.#controller?.abort(reason as Error);
  };

  #end(body: readonly Uint8Array[] | Error): void {
    clearTimeout(this.#silence);
    this.#to.signal?.removeEventListener('abort', this.#abort);
    if (this.#stream !== null) {
      if (body instanceof Error) this.#stream.destroy(body);
      else this.#stream.push(null);
    } else inSlices(() => this.#handOn(body), this.#owner);
  }

  #release(): void {
    bytesInAll -= this.#bytes;
    this.#bytes = 0;
  }

  #handOn(body: readonly Uint8Array[] | Error): void {
    this.#release();
    if (this.#beginning !== null) this.#to.resolve(new WholeResponse(body, this.#beginning) as unknown as Response);
    else if (body instanceof Error) this.#to.reject(body);
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    if (this.#to.signal?.aborted) this.#abort();
  }

  onResponseStart(
    controller: Dispatcher.DispatchController,
    status: number,
    headers: Record<string, string | string[] | undefined>,
  ): void {
    if (status < 200) return;
    const { idleMs, resolve } = this.#to;
    // A header that came more than once is written as one with commas, as `Headers` gives it anyway.
    this.#beginning = { status, headers: headers as Record<string, string> };
    if (status < 300 && headers['content-type']?.includes('text/event-stream') && !isBodiless(status)) {
      this.#stream = new Readable({
        read: () => controller.resume(),
        destroy: (error, done) => {
          controller.abort(error ?? new Error('the stream was not read to its end'));
          done(error);
        },
      });
      resolve(new Response(ReadableStream.from(watchStream(this.#stream, idleMs)), this.#beginning));
    } else this.#silence = setTimeout(() => controller.abort(new NoAnswer((texts) => texts.stopped(idleMs))), idleMs);
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Uint8Array): void {
    if (this.#stream !== null) {
      if (!this.#stream.push(chunk)) controller.pause();
      return;
    }
    this.#silence?.refresh();
    this.#bytes += chunk.byteLength;
    bytesInAll += chunk.byteLength;
    this.#chunks.push(chunk);
    if (this.#bytes > MODEL_RESPONSE_BYTES_MAX)
      controller.abort(new NoAnswer((texts) => texts.tooManyBytes(MODEL_RESPONSE_BYTES_MAX)));
    else if (bytesInAll > MODEL_RESPONSES_BYTES_MAX && this.#bytes > BODY_BYTES_USUAL)
      controller.abort(new NoAnswer((texts) => texts.tooManyBytesInAll(MODEL_RESPONSES_BYTES_MAX)));
    else if (this.#chunks.length - this.#gathered === CHUNKS_A_TURN) this.#gather(controller);
  }

  /** Makes one chunk of very many, each of which takes a hundred bytes by itself, and receives the next ones in another turn of the event loop. */
  #gather(controller: Dispatcher.DispatchController): void {
    this.#chunks.push(Buffer.concat(this.#chunks.splice(this.#gathered)));
    this.#gathered += 1;
    controller.pause();
    setImmediate(() => controller.resume());
  }

  onResponseEnd(): void {
    this.#end(this.#chunks);
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    // What came of it is read no more, and who tries again may hold on to this for as long.
    this.#chunks.length = 0;
    this.#release();
    this.#end(error);
  }
}
