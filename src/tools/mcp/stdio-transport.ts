import type { ChildProcess } from 'node:child_process';
import { setTimeout as wait } from 'node:timers/promises';
import { type JSONRPCMessage, ReadBuffer, type Transport } from '@modelcontextprotocol/client';
import { StdioClientTransport, type StdioServerParameters } from '@modelcontextprotocol/client/stdio';
import { MCP_LIST_VALUES_MAX, MCP_MESSAGE_VALUES_MAX } from '../../../contracts/limits.ts';
import { createMessageMeter, MessageTooLarge } from '../../message-meter.ts';
import { messageTurns } from './message-turns.ts';
import { readMessage } from './no-answer.ts';

/** Lines handled in one turn of the event loop: each may be a request that is answered, in up to 0.2 ms. */
const LINES_PER_TURN = 50;

/** Longest that lines are handled in one turn of the event loop, in milliseconds: a long one ends it. */
const TURN_MS = 5;

/** Bytes sent that a program has not read yet, above which it is not listened to: each of its requests adds an answer to them. */
const UNREAD_BYTES_MAX = 1024 * 1024;

/** Pause before it is looked again whether a program reads, in milliseconds. */
const UNREAD_RETRY_MS = 20;

/** Lines without a message after which a program is not listened to any more: what a program logs by mistake is far less, and to read on takes most of a core. */
const IDLE_LINES_MAX = 10_000;

/** Chunks of a line that are kept as they came: each takes a hundred bytes by itself, and may have one. */
const PARTS_MAX = 256;

const LINE_FEED = 0x0a;
const RETURN = 0x0d;

/** The messages in what a program writes, one a line; those that are too large are refused before they are parsed, what is no JSON is skipped. */
class PacedReadBuffer extends ReadBuffer {
  /** The requests for tools that are waited for. */
  readonly listing = new Set<unknown>();
  readonly #meter = createMessageMeter('line', () =>
    this.listing.size > 0 ? MCP_LIST_VALUES_MAX : MCP_MESSAGE_VALUES_MAX,
  );
  /** Called where there is a line, and none may be handled now. */
  readonly #onTurnOver: () => void;
  /** Called when too many lines were no message. */
  readonly #onIdle: () => void;
  #bytes: Buffer = Buffer.alloc(0);
  /** What came behind it, without a line feed. */
  readonly #parts: Buffer[] = [];
  /** Of the parts, those that were gathered into larger ones. */
  #gathered = 0;
  /** Where no line feed was found before. */
  #searched = 0;
  /** Lines that may still be handled in this turn. */
  #linesLeft = 0;
  #idleLines = 0;
  #turnEnds = 0;

  constructor(onTurnOver: () => void, onIdle: () => void) {
    super();
    this.#onTurnOver = onTurnOver;
    this.#onIdle = onIdle;
  }

  /** Lets lines be handled while `handle` is under way. */
  inTurn(handle: () => void): void {
    this.#linesLeft = LINES_PER_TURN;
    this.#turnEnds = performance.now() + TURN_MS;
    handle();
    this.#linesLeft = 0;
  }

  override append(chunk: Buffer): void {
    this.#meter(chunk);
    this.#parts.push(chunk);
    if (this.#parts.length - this.#gathered === PARTS_MAX) {
      this.#parts.push(Buffer.concat(this.#parts.splice(this.#gathered)));
      this.#gathered += 1;
    }
    // Put together once a line: a long one comes in many chunks.
    if (!chunk.includes(LINE_FEED)) return;
    this.#bytes = Buffer.concat([this.#bytes, ...this.#parts]);
    this.#forgetParts();
  }

  override readMessage(): JSONRPCMessage | null {
    for (let line = this.#takeLine(); line !== null; line = this.#takeLine()) {
      this.#idleLines += 1;
      if (this.#idleLines > IDLE_LINES_MAX) {
        this.#onIdle();
        return null;
      }
      if (line.length === 0) continue;
      try {
        const message = readMessage(line.toString());
        this.#idleLines = 0;
        if (!('method' in message)) this.listing.delete(message.id);
        return message;
      } catch (error) {
        if (!(error instanceof SyntaxError)) throw error;
      }
    }
    return null;
  }

  override clear(): void {
    this.#bytes = Buffer.alloc(0);
    this.#searched = 0;
    this.#forgetParts();
  }

  #forgetParts(): void {
    this.#parts.length = 0;
    this.#gathered = 0;
  }

  /** The next line without its end; null where there is no whole one, or none may be handled in this turn. */
  #takeLine(): Buffer | null {
    const end = this.#bytes.indexOf(LINE_FEED, this.#searched);
    if (end === -1) {
      this.#searched = this.#bytes.length;
      return null;
    }
    this.#searched = end;
    if (this.#linesLeft === 0 || performance.now() > this.#turnEnds) {
      this.#onTurnOver();
      return null;
    }
    this.#linesLeft -= 1;
    this.#searched = 0;
    const line = this.#bytes.subarray(0, this.#bytes[end - 1] === RETURN ? end - 1 : end);
    this.#bytes = this.#bytes.subarray(end + 1);
    return line;
  }
}

/** What the protocol client's transport has no option for. */
interface TransportParts extends Transport {
  readonly stderr: StdioClientTransport['stderr'];
  _process?: ChildProcess;
  _readBuffer: ReadBuffer;
  processReadBuffer(): void;
  _dispose(): Promise<void>;
}

const BaseTransport = StdioClientTransport as unknown as new (server: StdioServerParameters) => TransportParts;

/**
 * Speaks with a program over its standard input and output, and listens to it no faster than others are served meanwhile: some lines in
 * each turn of the event loop, and none while it does not read what it was sent. A program that goes on writing what is no message is ended.
 */
export class PacedStdioTransport extends BaseTransport {
  readonly #buffer = new PacedReadBuffer(
    () => this.#pause(),
    () => this.#giveUp(),
  );

  constructor(server: StdioServerParameters) {
    super(server);
    this._readBuffer = this.#buffer;
  }

  override async start(): Promise<void> {
    await super.start();
    // What it wrote last waits for its turn, and nobody is told of it once the end is known.
    this._process?.prependListener('close', () => {
      if (this._process !== undefined) this.#buffer.inTurn(() => this.processReadBuffer());
    });
    // Each message that waits for the program to read listens for that.
    this._process?.stdin?.setMaxListeners(0);
  }

  override async send(...[message, options]: Parameters<Transport['send']>): Promise<void> {
    if ('method' in message) {
      if ('id' in message && message.method === 'tools/list') this.#buffer.listing.add(message.id);
      if (message.method === 'notifications/cancelled') this.#buffer.listing.delete(message.params?.['requestId']);
    }
    await super.send(message, options);
  }

  /** A method of its own, by which the protocol client knows that it may start another such transport to ask which protocol a program speaks. */
  override async _dispose(): Promise<void> {
    this.#ignoreOutput();
    await super._dispose();
  }

  override async close(): Promise<void> {
    this.#ignoreOutput();
    await super.close();
  }

  /** What comes until the program has ended is taken, so that it can end, and not looked at. */
  #ignoreOutput(): void {
    this._process?.stdout?.removeAllListeners('data').resume();
  }

  #giveUp(): void {
    this.onerror?.(new MessageTooLarge(`more than ${IDLE_LINES_MAX} lines in a row are no message`));
    void this.close();
  }

  #pause(): void {
    const { stdin, stdout } = this._process ?? {};
    if (!stdin || !stdout || stdout.isPaused()) return;
    stdout.pause();
    const goOn = async (): Promise<void> => {
      while (!stdin.destroyed && stdin.writableLength > UNREAD_BYTES_MAX)
        await wait(UNREAD_RETRY_MS, undefined, { ref: false });
      await messageTurns.next(this);
      if (this._process === undefined) return;
      stdout.resume();
      this.#buffer.inTurn(() => this.processReadBuffer());
    };
    void goOn();
  }
}
