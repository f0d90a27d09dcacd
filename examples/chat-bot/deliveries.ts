import { InOrder } from './in-order.ts';
import type { Entry } from './inbox.ts';
import { joinsTask } from './joined-task.ts';
import type { Platform } from './platforms/platform.ts';
import { createProgress, type Progress } from './progress.ts';
import type { RelayParts } from './relay-parts.ts';
import type { Replies } from './replies.ts';
import { createReplyOrder } from './reply-order.ts';
import { backoff, insist, pause } from './retry.ts';
import { replyText, textsFor } from './texts.ts';
import { type FileToSend, TripactError, type Turn, type TurnRequest } from './tripact.ts';

/** Attempts at a reply in one run of the bot, with minutes between them: so a platform may be away for an hour. */
const REPLY_ATTEMPTS = 15;

/** Longest wait between two of them, in milliseconds. */
const REPLY_WAIT_MS_MAX = 300_000;

/** Attempts to reach Tripact after which the user gets a message about it. */
const QUIET_ATTEMPTS = 2;

/** Attempts to get a file from its platform. */
const FETCH_ATTEMPTS = 3;

/** The words of a request, to know its language. */
const sampleOf = (request: TurnRequest): string => ('input' in request ? request.input : '');

const waitMs = ({ retryAfter }: TripactError, attempt: number): number =>
  retryAfter === null ? backoff(attempt) : retryAfter * 1_000;

/** Takes each entry of the inbox to Tripact, and its reply back, in the background. */
export class Deliveries {
  readonly #parts: RelayParts;
  readonly #platforms: readonly Platform[];
  readonly #replies: Replies;
  readonly #running = new Set<Promise<void>>();
  readonly #submits = new InOrder();
  readonly #order: ReturnType<typeof createReplyOrder>;

  constructor(parts: RelayParts, platforms: readonly Platform[], replies: Replies) {
    this.#parts = parts;
    this.#platforms = platforms;
    this.#replies = replies;
    this.#order = createReplyOrder((turn) => parts.tripactOf(parts.inbox.threadOf(turn) ?? '').turn(turn));
  }

  /** Keeps an entry and starts its delivery; false: it is known already. */
  accept(entry: Pick<Entry, 'key' | 'platform' | 'thread' | 'session' | 'request'>): boolean {
    const isNew = this.#parts.inbox.add(entry);
    if (isNew) this.start(entry.key);
    return isNew;
  }

  start(key: string): void {
    const done: Promise<void> = this.#deliver(key).finally(() => this.#running.delete(done));
    this.#running.add(done);
  }

  /** Resolves once no delivery runs. They end when the bot's signal aborts. */
  async settled(): Promise<void> {
    await Promise.all(this.#running);
  }

  /** Works on an entry until its reply is posted, from the inbox's notes on it. */
  async #deliver(key: string): Promise<void> {
    const { inbox, signal, log } = this.#parts;
    for (let attempt = 0; attempt < REPLY_ATTEMPTS && !signal.aborted; attempt++) {
      const entry = inbox.entry(key);
      if (entry === null) return;
      try {
        return await this.#process(entry);
      } catch (error) {
        if (signal.aborted) return;
        log(`The reply to ${key} is not out: ${String(error)}`);
        await pause(Math.min(REPLY_WAIT_MS_MAX, 30_000 * 2 ** attempt), signal);
      }
    }
  }

  /** Brings an entry to its end, from wherever it is. Only submits are in the session's order: `/cancel` passes a running task. */
  async #process(entry: Entry): Promise<void> {
    const { inbox, tripactOf, log } = this.#parts;
    const platform = this.#platforms.find(({ name }) => name === entry.platform);
    if (platform === undefined) return log(`${entry.platform} is off now: a reply stays open`);
    const toEnd = (id: string, isQueued: boolean): Promise<void> =>
      this.#order.run(entry.session, id, () => this.#follow(platform, entry, id, isQueued));
    const tripact = tripactOf(entry.thread);
    const known = entry.turn === null ? null : await tripact.turn(entry.turn).catch(() => null);
    if (entry.turn !== null && known === null) return toEnd(entry.turn, false);
    const turn = known ?? (await this.#submits.run(entry.session, () => this.#submit(platform, entry)));
    if (turn === null) return;
    if (await joinsTask(inbox, tripact, entry, turn))
      return this.#replies.post(platform, entry, textsFor(sampleOf(entry.request)).steered, null);
    await toEnd(turn.id, known === null && turn.status === 'queued');
  }

  /** Submits an entry to Tripact, and retries while it is away. Null: it was refused, and the user got the reason. */
  async #submit(platform: Platform, entry: Entry): Promise<Turn | null> {
    const { tripactOf, inbox, signal } = this.#parts;
    const files = await this.#fetched(platform, entry);
    if (files === null) return null;
    const { files: _, ...request } = entry.request;
    for (let attempt = 0; ; attempt++) {
      try {
        const turn = await tripactOf(entry.thread).submit(entry.session, request, `chat-bot:${entry.key}`, files);
        inbox.update(entry.key, { turn: turn.id });
        return turn;
      } catch (error) {
        if (!(error instanceof TripactError)) throw error;
        if (!error.isPassing) {
          await this.#postRefusal(platform, entry, error);
          return null;
        }
        const { unreachable } = textsFor(sampleOf(entry.request));
        if (attempt === QUIET_ATTEMPTS) await platform.post(entry.thread, unreachable, []).catch(() => {});
        await pause(waitMs(error, attempt), signal);
        if (signal.aborted) throw error;
      }
    }
  }

  /** An entry's files, from its platform. Null: it does not give one, and the user got that as the reply. */
  async #fetched(platform: Platform, entry: Entry): Promise<FileToSend[] | null> {
    const { signal, log } = this.#parts;
    const fetched: FileToSend[] = [];
    for (const file of entry.request.files ?? []) {
      try {
        const bytes = await insist(() => platform.fetchFile(file), signal, FETCH_ATTEMPTS);
        fetched.push({ name: file.name, bytes });
      } catch (error) {
        if (signal.aborted) throw error;
        log(`A file of ${entry.key} is not loaded: ${String(error)}`);
        const { not_loaded } = textsFor(sampleOf(entry.request));
        await this.#replies.post(platform, entry, not_loaded(file.name ?? ''), null);
        return null;
      }
    }
    return fetched;
  }

  async #postRefusal(platform: Platform, entry: Entry, { status, message }: TripactError): Promise<void> {
    this.#parts.log(`Tripact refused ${entry.key}: ${status} ${message}`);
    const texts = textsFor(sampleOf(entry.request));
    const isLate = status === 409 || status === 422;
    await this.#replies.post(platform, entry, isLate ? texts.answered : texts.refused(message), null);
  }

  /** Shows a turn until its reply is posted. Opens a lost connection again. */
  async #follow(platform: Platform, entry: Entry, id: string, isQueued: boolean): Promise<void> {
    const { inbox, signal } = this.#parts;
    const texts = textsFor(sampleOf(entry.request));
    const progress = createProgress({
      platform,
      thread: entry.thread,
      turn: id,
      message: entry.progress,
      sample: sampleOf(entry.request),
      posted: (message) => inbox.update(entry.key, { progress: message }),
      signal,
    });
    if (isQueued) progress.note(texts.queued);
    for (let attempt = 0; ; attempt++) {
      try {
        const turn = await this.#shown(progress, entry, id, () => {
          attempt = 0;
        });
        await progress.finish(turn.status);
        await this.#order.earlier(turn);
        await this.#replies.post(platform, entry, replyText(turn), turn);
        return;
      } catch (error) {
        if (signal.aborted || !(error instanceof TripactError)) throw error;
        if (error.status === 404) return inbox.close(entry.key);
        if (!error.isPassing) return this.#replies.post(platform, entry, texts.refused(error.message), null);
        // With 429 the service is there, and only has too many readers.
        if (error.status !== 429) progress.note(texts.interrupted);
        await pause(waitMs(error, attempt), signal);
      }
    }
  }

  /** Follows a turn to its end and shows its progress. `arrived` is called for each line. */
  #shown(progress: Progress, { thread }: Entry, id: string, arrived: () => void): Promise<Turn> {
    const { tripactOf, signal } = this.#parts;
    progress.restart();
    const listener = {
      progress: (line: string) => {
        arrived();
        progress.add(line);
      },
      written: progress.write,
    };
    return tripactOf(thread).follow(id, listener, signal);
  }
}
