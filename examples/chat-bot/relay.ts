import { basename } from 'node:path';
import { answerOf, buttonsOf, decodeAction, editOf } from './buttons.ts';
import { writtenIn } from './files.ts';
import type { Entry, Inbox } from './inbox.ts';
import { joinsTask } from './joined-task.ts';
import type { Platform } from './platforms/platform.ts';
import { createProgress } from './progress.ts';
import type { Press, Relay } from './relay-port.ts';
import { createReplyOrder } from './reply-order.ts';
import { backoff, insist, pause } from './retry.ts';
import { userOf } from './session-name.ts';
import { split } from './split.ts';
import { inBothLanguages, replyText, textsFor } from './texts.ts';
import { type Tripact, TripactError, type Turn, type TurnRequest } from './tripact.ts';

/** Attempts at a reply in one run of the bot, with minutes between them: so a platform may be away for an hour. */
const REPLY_ATTEMPTS = 15;

/** Longest wait between two of them, in milliseconds. */
const REPLY_WAIT_MS_MAX = 300_000;

/** Attempts to reach Tripact after which the user gets a message about it. */
const QUIET_ATTEMPTS = 2;

/** The words of a request, to know its language. */
const sampleOf = (request: TurnRequest): string => ('input' in request ? request.input : '');

export const createRelay = (
  tripactAs: (user: string) => Tripact,
  inbox: Inbox,
  platforms: readonly Platform[],
  log: (text: string) => void,
): Relay => {
  const stopped = new AbortController();
  const { signal } = stopped;
  const running = new Set<Promise<void>>();
  const ends = new Map<string, Promise<unknown>>();
  /** Tripact for the user whose a thread is. */
  const tripactOf = (thread: string): Tripact => tripactAs(userOf(thread));
  const order = createReplyOrder((turn) => tripactOf(inbox.threadOf(turn) ?? '').turn(turn));

  /** Runs one after the other what concerns a session's order. */
  const inOrder = <Result>(session: string, work: () => Promise<Result>): Promise<Result> => {
    const result = (ends.get(session) ?? Promise.resolve()).then(work);
    const end = result
      .catch(() => {})
      .then(() => {
        if (ends.get(session) === end) ends.delete(session);
      });
    ends.set(session, end);
    return result;
  };
  const platformOf = ({ platform }: Entry): Platform | undefined => platforms.find(({ name }) => name === platform);

  /** Takes the buttons off the session's last message that has some. */
  const clearButtons = async (platform: Platform, session: string, suffix = ''): Promise<void> => {
    const shown = inbox.shown(session);
    if (shown === null) return;
    inbox.setShown(session, null);
    const text = shown.text.slice(0, platform.textMax - suffix.length) + suffix;
    await platform.edit(shown.thread, shown.message, text, []).catch(() => {});
  };

  /** Posts a reply, in as many pieces as it takes; those that are out already are not posted again. */
  const reply = async (platform: Platform, entry: Entry, text: string, turn: Turn | null): Promise<void> => {
    const buttons = turn === null ? [] : buttonsOf(turn);
    const pieces = split(text, platform.textMax);
    // The buttons of the turn itself are there already where a crash came in between.
    if (turn?.kind === 'task' && inbox.shown(entry.session)?.turn !== turn.id)
      await clearButtons(platform, entry.session);
    for (const [i, piece] of pieces.entries()) {
      if (i < entry.posted) continue;
      const isLast = i === pieces.length - 1;
      const message = await insist(() => platform.post(entry.thread, piece || '…', isLast ? buttons : []), signal);
      inbox.update(entry.key, { posted: i + 1 });
      if (isLast && buttons.length > 0 && turn !== null)
        inbox.setShown(entry.session, { thread: entry.thread, message, turn: turn.id, text: piece });
    }
    if (turn?.kind === 'task') await sendFiles(platform, entry, turn, pieces.length);
    inbox.close(entry.key);
  };

  /** Sends what the turn's tools wrote. A file that cannot be sent does not hold the reply up. */
  const sendFiles = async (
    platform: Platform,
    { key, thread, posted }: Entry,
    turn: Turn,
    pieces: number,
  ): Promise<void> => {
    if (platform.sendFile === undefined) return;
    const tripact = tripactOf(thread);
    try {
      for (const [i, { path }] of writtenIn(turn, await tripact.files(turn.session_id)).entries()) {
        if (pieces + i < posted) continue;
        await platform.sendFile(thread, basename(path), await tripact.file(turn.session_id, path));
        inbox.update(key, { posted: pieces + i + 1 });
      }
    } catch (error) {
      log(`A file is not sent: ${String(error)}`);
    }
  };

  /** Hands an entry to Tripact, however long it takes until there is one; null where it was refused; the user gets the reason. */
  const submit = async (platform: Platform, entry: Entry): Promise<Turn | null> => {
    for (let attempt = 0; ; attempt++) {
      try {
        const turn = await tripactOf(entry.thread).submit(entry.session, entry.request, `chat-bot:${entry.key}`);
        inbox.update(entry.key, { turn: turn.id });
        return turn;
      } catch (error) {
        if (!(error instanceof TripactError)) throw error;
        const texts = textsFor(sampleOf(entry.request));
        if (!error.isPassing) {
          log(`Tripact refused ${entry.key}: ${error.status} ${error.message}`);
          const isLate = error.status === 409 || error.status === 422;
          await reply(platform, entry, isLate ? texts.answered : texts.refused(error.message), null);
          return null;
        }
        if (attempt === QUIET_ATTEMPTS) await platform.post(entry.thread, texts.unreachable, []).catch(() => {});
        await pause(error.retryAfter === null ? backoff(attempt) : error.retryAfter * 1_000, signal);
        if (signal.aborted) throw error;
      }
    }
  };

  /** Shows a turn until its reply is out. A connection that is lost is opened again. */
  const follow = async (platform: Platform, entry: Entry, id: string, isQueued: boolean): Promise<void> => {
    const sample = sampleOf(entry.request);
    const progress = createProgress({
      platform,
      thread: entry.thread,
      turn: id,
      message: entry.progress,
      sample,
      posted: (message) => inbox.update(entry.key, { progress: message }),
      signal,
    });
    if (isQueued) progress.note(textsFor(sample).queued);
    for (let attempt = 0; ; attempt++) {
      try {
        progress.restart();
        const turn = await tripactOf(entry.thread).follow(
          id,
          {
            progress: (line) => {
              attempt = 0;
              progress.add(line);
            },
            written: progress.write,
          },
          signal,
        );
        await progress.finish(turn.status);
        await order.earlier(turn);
        await reply(platform, entry, replyText(turn), turn);
        return;
      } catch (error) {
        if (signal.aborted || !(error instanceof TripactError)) throw error;
        if (error.status === 404) return inbox.close(entry.key);
        if (!error.isPassing) return reply(platform, entry, textsFor(sample).refused(error.message), null);
        // A service that has too many readers is there.
        if (error.status !== 429) progress.note(textsFor(sample).interrupted);
        await pause(error.retryAfter === null ? backoff(attempt) : error.retryAfter * 1_000, signal);
      }
    }
  };

  /** Brings an entry to its end, from wherever it is. Only handing it in is in the session's order: `/cancel` passes a running task. */
  const process = async (entry: Entry): Promise<void> => {
    const platform = platformOf(entry);
    if (platform === undefined) return log(`${entry.platform} is off now: a reply stays open`);
    const toEnd = (id: string, isQueued: boolean): Promise<void> =>
      order.run(entry.session, id, () => follow(platform, entry, id, isQueued));
    const tripact = tripactOf(entry.thread);
    const known = entry.turn === null ? null : await tripact.turn(entry.turn).catch(() => null);
    if (entry.turn !== null && known === null) return toEnd(entry.turn, false);
    const turn = known ?? (await inOrder(entry.session, () => submit(platform, entry)));
    if (turn === null) return;
    if (await joinsTask(inbox, tripact, entry, turn))
      return reply(platform, entry, textsFor(sampleOf(entry.request)).steered, null);
    await toEnd(turn.id, known === null && turn.status === 'queued');
  };

  /** Works on an entry until its reply is out, from what is noted of it. */
  const work = async (key: string): Promise<void> => {
    for (let attempt = 0; attempt < REPLY_ATTEMPTS && !signal.aborted; attempt++) {
      const entry = inbox.entry(key);
      if (entry === null) return;
      try {
        return await process(entry);
      } catch (error) {
        if (signal.aborted) return;
        log(`The reply to ${key} is not out: ${String(error)}`);
        await pause(Math.min(REPLY_WAIT_MS_MAX, 30_000 * 2 ** attempt), signal);
      }
    }
  };
  const inBackground = (key: string): void => {
    const done: Promise<void> = work(key).finally(() => running.delete(done));
    running.add(done);
  };

  const accept = (entry: Pick<Entry, 'key' | 'platform' | 'thread' | 'session' | 'request'>): boolean => {
    const isNew = inbox.add(entry);
    if (isNew) inBackground(entry.key);
    return isNew;
  };

  /** Whether the task of a turn waits with the very question that the turn asked. */
  const isOpen = async (thread: string, { session_id, task }: Turn): Promise<boolean> => {
    const active = task === null ? null : await tripactOf(thread).activeTask(session_id);
    return active?.awaiting_clarification === true && active.id === task?.id && active.step_count === task.step_count;
  };

  /** Reads a text; where an action waits for approval it may be another input. */
  const requestOf = async (session: string, text: string): Promise<TurnRequest> => {
    const input = editOf(text);
    const shown = input === null ? null : inbox.shown(session);
    const said = { input: text, on_busy: 'steer' as const };
    if (input === null || shown === null) return said;
    const turn = await tripactOf(shown.thread)
      .turn(shown.turn)
      .catch(() => null);
    if (turn === null || turn.approval === null || !(await isOpen(shown.thread, turn).catch(() => false))) return said;
    return { decision: { type: 'edit', input } };
  };

  const pressed = async ({ platform, thread: of, message, user, action: text }: Press): Promise<void> => {
    const action = decodeAction(text);
    if (action === null) return;
    // A button in a direct chat of Slack's is in a thread of its own message, where nobody looks. One that names another chat's turn is forged.
    const known = inbox.threadOf(action.turn);
    const thread = known !== null && userOf(known) === userOf(of) ? known : of;
    const tripact = tripactOf(thread);
    const turn = await tripact.turn(action.turn).catch((error: unknown) => {
      if (error instanceof TripactError && error.status === 404) return null;
      throw error;
    });
    const texts = textsFor(turn?.output ?? '');
    const tell = (what: string): Promise<void> => platform.tell(thread, user.id, what);
    if (turn === null) return tell(texts.over);

    if (action.kind === 'stop') {
      const state = turn.task_id === null ? 'done' : (await tripact.task(turn.task_id)).state;
      if (turn.task_id === null || ['done', 'failed', 'cancelled'].includes(state)) return tell(texts.over);
      await tripact.cancel(turn.task_id);
      await clearButtons(platform, turn.session_id);
      // A running turn has a reply of its own that says so.
      if (turn.finished_at !== null) await platform.post(thread, texts.cancelled, []);
      return;
    }

    const isPaused =
      action.kind === 'continue' && turn.task_id !== null && (await tripact.task(turn.task_id)).state === 'paused';
    const request = action.kind === 'answer' ? answerOf(turn, action.option) : { input: `/resume ${turn.task_id}` };
    if (request === null || !(action.kind === 'answer' ? await isOpen(thread, turn) : isPaused)) {
      await platform.edit(thread, message, split(replyText(turn), platform.textMax).at(-1) || '…', []).catch(() => {});
      return tell(action.kind === 'answer' ? texts.answered : texts.over);
    }
    const key = `${action.kind}:${turn.id}`;
    if (!accept({ key, platform: platform.name, thread, session: turn.session_id, request }))
      return tell(texts.answered);
    const label = action.kind === 'answer' ? (turn.options?.[action.option] ?? '') : texts.continue;
    await clearButtons(platform, turn.session_id, `\n\n${texts.chose(user.name, label)}`);
  };

  return {
    receive: async ({ key, platform, thread, session, text }) => {
      accept({ key, platform: platform.name, thread, session, request: await requestOf(session, text) });
    },
    press: async (press) => {
      const action = decodeAction(press.action);
      // One after the other for each question: of two that press at once the second gets the refusal.
      await inOrder(`press:${action?.turn}`, () => pressed(press)).catch(async (error: unknown) => {
        log(`A button was pressed in vain: ${String(error)}`);
        await press.platform
          .tell(
            press.thread,
            press.user.id,
            inBothLanguages(({ in_vain }) => in_vain),
          )
          .catch(() => {});
      });
    },
    resume: () => {
      for (const { key } of inbox.open()) inBackground(key);
    },
    stop: async () => {
      stopped.abort();
      await Promise.all(running);
    },
  };
};
