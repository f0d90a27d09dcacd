import { type Action, answerOf, decodeAction, editOf } from './buttons.ts';
import type { Deliveries } from './deliveries.ts';
import { InOrder } from './in-order.ts';
import type { RelayParts } from './relay-parts.ts';
import type { Press } from './relay-port.ts';
import type { Replies } from './replies.ts';
import { userOf } from './session-name.ts';
import { split } from './split.ts';
import { inBothLanguages, replyText, textsFor } from './texts.ts';
import { TripactError, type Turn, type TurnRequest } from './tripact.ts';

/** A press on a button of a turn that is known. */
interface KnownPress extends Press {
  /** Where replies to it go. */
  thread: string;
  turn: Turn;
}

/** Does what buttons say. */
export class Presses {
  readonly #parts: RelayParts;
  readonly #replies: Replies;
  readonly #deliveries: Deliveries;
  readonly #inOrder = new InOrder();

  constructor(parts: RelayParts, replies: Replies, deliveries: Deliveries) {
    this.#parts = parts;
    this.#replies = replies;
    this.#deliveries = deliveries;
  }

  /** Never rejects: the user is told if the press failed. Of two presses for one question at once, the second is refused. */
  async press(press: Press): Promise<void> {
    const action = decodeAction(press.action);
    const done = this.#inOrder.run(`press:${action?.turn}`, () => this.#pressed(press, action));
    await done.catch(async (error: unknown) => {
      this.#parts.log(`A button was pressed in vain: ${String(error)}`);
      const text = inBothLanguages(({ in_vain }) => in_vain);
      await press.platform.tell(press.thread, press.user.id, text).catch(() => {});
    });
  }

  /** Reads a text as a request. While an action waits for approval it may be the action's new input. */
  async requestOf(session: string, text: string): Promise<TurnRequest> {
    const { inbox, tripactOf } = this.#parts;
    const input = editOf(text);
    const shown = input === null ? null : inbox.shown(session);
    const said = { input: text, on_busy: 'steer' as const };
    if (input === null || shown === null) return said;
    const turn = await tripactOf(shown.thread)
      .turn(shown.turn)
      .catch(() => null);
    if (turn === null || turn.approval === null) return said;
    const isOpen = await this.#isOpen(shown.thread, turn).catch(() => false);
    return isOpen ? { decision: { type: 'edit', input } } : said;
  }

  async #pressed(press: Press, action: Action | null): Promise<void> {
    if (action === null) return;
    const { inbox, tripactOf } = this.#parts;
    // A button in a direct chat of Slack's is in a thread of its own message, where nobody looks. One that names another chat's turn is forged.
    const known = inbox.threadOf(action.turn);
    const thread = known !== null && userOf(known) === userOf(press.thread) ? known : press.thread;
    const turn = await tripactOf(thread)
      .turn(action.turn)
      .catch((error: unknown) => {
        if (error instanceof TripactError && error.status === 404) return null;
        throw error;
      });
    if (turn === null) return press.platform.tell(thread, press.user.id, textsFor('').over);
    const knownPress = { ...press, thread, turn };
    return action.kind === 'stop' ? this.#stop(knownPress) : this.#answer(knownPress, action);
  }

  async #stop({ platform, thread, user, turn }: KnownPress): Promise<void> {
    const tripact = this.#parts.tripactOf(thread);
    const texts = textsFor(turn.output ?? '');
    const state = turn.task_id === null ? 'done' : (await tripact.task(turn.task_id)).state;
    if (turn.task_id === null || ['done', 'failed', 'cancelled'].includes(state))
      return platform.tell(thread, user.id, texts.over);
    await tripact.cancel(turn.task_id);
    await this.#replies.clearButtons(platform, turn.session_id);
    // A running turn has a reply of its own that says so.
    if (turn.finished_at !== null) await platform.post(thread, texts.cancelled, []);
  }

  /** Answers a question, or resumes a paused task. */
  async #answer(press: KnownPress, action: Exclude<Action, { kind: 'stop' }>): Promise<void> {
    const { platform, thread, message, user, turn } = press;
    const texts = textsFor(turn.output ?? '');
    const request = action.kind === 'answer' ? answerOf(turn, action.option) : { input: `/resume ${turn.task_id}` };
    const isDue = action.kind === 'answer' ? await this.#isOpen(thread, turn) : await this.#isPaused(thread, turn);
    if (request === null || !isDue) {
      await platform.edit(thread, message, split(replyText(turn), platform.textMax).at(-1) || '…', []).catch(() => {});
      return platform.tell(thread, user.id, action.kind === 'answer' ? texts.answered : texts.over);
    }
    const key = `${action.kind}:${turn.id}`;
    if (!this.#deliveries.accept({ key, platform: platform.name, thread, session: turn.session_id, request }))
      return platform.tell(thread, user.id, texts.answered);
    const label = action.kind === 'answer' ? (turn.options?.[action.option] ?? '') : texts.continue;
    await this.#replies.clearButtons(platform, turn.session_id, `\n\n${texts.chose(user.name, label)}`);
  }

  async #isPaused(thread: string, { task_id }: Turn): Promise<boolean> {
    return task_id !== null && (await this.#parts.tripactOf(thread).task(task_id)).state === 'paused';
  }

  /** Whether the task of a turn waits with the very question that the turn asked. */
  async #isOpen(thread: string, { session_id, task }: Turn): Promise<boolean> {
    const active = task === null ? null : await this.#parts.tripactOf(thread).activeTask(session_id);
    return active?.awaiting_clarification === true && active.id === task?.id && active.step_count === task.step_count;
  }
}
