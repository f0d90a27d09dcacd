import { basename } from 'node:path';
import { buttonsOf } from './buttons.ts';
import { writtenIn } from './files.ts';
import type { Entry } from './inbox.ts';
import type { Platform } from './platforms/platform.ts';
import type { RelayParts } from './relay-parts.ts';
import { insist } from './retry.ts';
import { split } from './split.ts';
import { textsFor } from './texts.ts';
import type { Turn } from './tripact.ts';

/** Attempts to send a file. */
const FILE_ATTEMPTS = 3;

/** Posts replies with their buttons and files. Pieces that were posted before a crash are not posted again. */
export class Replies {
  readonly #parts: RelayParts;

  constructor(parts: RelayParts) {
    this.#parts = parts;
  }

  /** Removes the buttons from the session's last message that has some. */
  async clearButtons(platform: Platform, session: string, suffix = ''): Promise<void> {
    const { inbox } = this.#parts;
    const shown = inbox.shown(session);
    if (shown === null) return;
    inbox.setShown(session, null);
    const text = shown.text.slice(0, platform.textMax - suffix.length) + suffix;
    await platform.edit(shown.thread, shown.message, text, []).catch(() => {});
  }

  /** Posts a reply in as many pieces as it takes, and closes its entry. `turn` null: a text without a turn. */
  async post(platform: Platform, entry: Entry, text: string, turn: Turn | null): Promise<void> {
    const { inbox } = this.#parts;
    const pieces = split(text, platform.textMax);
    // After a crash the turn's own buttons may be there already.
    if (turn?.kind === 'task' && inbox.shown(entry.session)?.turn !== turn.id)
      await this.clearButtons(platform, entry.session);
    await this.#postPieces(platform, entry, pieces, turn);
    if (turn?.kind === 'task') await this.#sendFiles(platform, entry, turn, pieces.length);
    inbox.close(entry.key);
  }

  /** Posts the pieces that are not posted yet, the last one with the turn's buttons. */
  async #postPieces(platform: Platform, entry: Entry, pieces: readonly string[], turn: Turn | null): Promise<void> {
    const { inbox, signal } = this.#parts;
    const buttons = turn === null ? [] : buttonsOf(turn);
    for (const [i, piece] of pieces.entries()) {
      if (i < entry.posted) continue;
      const isLast = i === pieces.length - 1;
      const message = await insist(() => platform.post(entry.thread, piece || '…', isLast ? buttons : []), signal);
      inbox.update(entry.key, { posted: i + 1 });
      if (isLast && buttons.length > 0 && turn !== null)
        inbox.setShown(entry.session, { thread: entry.thread, message, turn: turn.id, text: piece });
    }
  }

  /** The files that the turn's tools wrote; none where Tripact cannot be asked, which must not hold the reply open. */
  async #written(turn: Turn, thread: string): Promise<ReturnType<typeof writtenIn>> {
    const { tripactOf, log } = this.#parts;
    try {
      return writtenIn(turn, await tripactOf(thread).files(turn.session_id));
    } catch (error) {
      log(`The files of a reply are not known: ${String(error)}`);
      return [];
    }
  }

  /** Sends the files that the turn's tools wrote. Of one that the platform does not take, the user is told the name. */
  async #sendFiles(platform: Platform, { key, thread, posted }: Entry, turn: Turn, pieces: number): Promise<void> {
    const { tripactOf, inbox, signal, log } = this.#parts;
    const tripact = tripactOf(thread);
    const written = await this.#written(turn, thread);
    for (const [i, { path }] of written.entries()) {
      if (pieces + i < posted) continue;
      const name = basename(path);
      try {
        const bytes = await tripact.file(turn.session_id, path);
        await insist(() => platform.sendFile(thread, name, bytes), signal, FILE_ATTEMPTS);
      } catch (error) {
        if (signal.aborted) throw error;
        log(`A file is not sent: ${String(error)}`);
        const { file_not_sent } = textsFor(turn.output ?? '');
        await insist(() => platform.post(thread, file_not_sent(name), []), signal);
      }
      inbox.update(key, { posted: pieces + i + 1 });
    }
  }
}
