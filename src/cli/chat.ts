import { SessionView } from '../../contracts/http.ts';
import { messages } from '../../contracts/messages/messages.ts';
import { isCommand, languageOf } from '../../contracts/text.ts';
import type { TraceEntry } from '../../contracts/trace.ts';
import type { TurnView } from '../../contracts/turn-view.ts';
import { printable } from '../lib/printable.ts';
import { type ChatScreen, openChatScreen } from './chat-screen.ts';
import { pathOf } from './client.ts';
import { type Service, sessionCommand, turnOptions, withService } from './connection.ts';
import { checkRequest, exitCode, formatError } from './failure.ts';
import type { CliOptions } from './settings.ts';
import {
  type AskedLine,
  approvalAnswer,
  newSessionId,
  processTerminal,
  type Said,
  type Terminal,
  terminalTexts,
} from './terminal.ts';
import { TurnDisplay } from './turn-display.ts';

/** Lines that leave a conversation and are never sent. As the new input of an action they are ordinary text. */
const LEAVE = /^\s*(\/?(exit|quit)|退出)\s*$/i;

/**
 * `tripact chat`: a conversation in one session, whose lines queue while a task runs. Without a terminal each line
 * waits for the one before. Returns the exit code.
 */
export const chat = async (options: CliOptions, terminal: Terminal = processTerminal()): Promise<number> => {
  const { session: sessionId = newSessionId('chat') } = options;
  checkRequest(sessionId, { input: '/help', ...turnOptions(options) });
  return withService(options, 'chat', 'work', async (service) => {
    // Before the first turn, so that a reminder right after its reply is not missed.
    const before = terminal.isInteractive ? await service.client.get(pathOf('sessions', sessionId), SessionView) : null;
    const watchFrom = terminal.isInteractive ? (before?.last_seq ?? 0) : null;
    const screen = openChatScreen(terminal);
    return new Chat({ service, sessionId, options, watchFrom, screen, isInteractive: terminal.isInteractive }).run();
  });
};

interface Parts {
  service: Service;
  sessionId: string;
  options: CliOptions;
  /** The entry after which reminders and goals are shown; null: they are not. */
  watchFrom: number | null;
  screen: ChatScreen;
  isInteractive: boolean;
}

/** A due reminder or goal as a line; null for any other entry. */
const dueLine = ({ event }: Pick<TraceEntry, 'event'>): string | null => {
  if (event.type === 'reminder.due') return `Reminder${event.late ? ' (late)' : ''}: ${event.text}`;
  if (event.type !== 'goal.due') return null;
  const skipped = event.skipped ? ` (skipped: ${event.reason ?? 'its last run is not over'})` : '';
  return `Goal${event.late ? ' (late)' : ''}: ${event.goal}${skipped}`;
};

/** One conversation: sends the lines that a person types, and shows what comes of them. */
class Chat {
  readonly #parts: Parts;
  readonly #leaving = new AbortController();
  #texts = messages('en').terminal;
  #code: number = exitCode.answered;
  /** The number of turns that were sent and are not shown completely, and a promise for when all are. */
  #open = 0;
  #allShown: Promise<unknown> = Promise.resolve();
  #isCancelling = false;
  #isWatched = false;
  /** The session's task waits for an answer, as far as known here. */
  #isAsking = false;
  /** The turn whose action waits for approval. */
  #approving: TurnView | null = null;
  /** The task whose end was shown last. Both its turn and its cancellation report it. */
  #cancelled: string | null = null;
  /** The next line is the new input of that action. */
  #isEditing = false;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  async run(): Promise<number> {
    const { service, sessionId, screen } = this.#parts;
    screen.reading.on('SIGINT', () => this.#interrupt());
    const own = service.own();
    const where = own === null ? `on the service at ${service.base()}` : `model ${own.app.modelName}`;
    screen.note(`Session ${sessionId}, ${where}. /help lists the commands, /quit or Ctrl-D leaves.`);
    screen.prompt();
    await this.#readLines();
    return this.#leave();
  }

  async #readLines(): Promise<void> {
    const { screen, isInteractive } = this.#parts;
    for await (const line of screen.reading) {
      if (line.trim() === '') {
        this.#isEditing = false;
        screen.prompt();
        continue;
      }
      if (!this.#isEditing && LEAVE.test(line)) return;
      const meant = this.#read(line);
      this.#isEditing = 'prompt' in meant;
      if ('prompt' in meant) screen.promptFor(meant);
      else if (isInteractive) void this.#send(meant.said);
      else await this.#send(meant.said);
    }
  }

  /** The line as it is meant now: an action's new input, an approval, or words. */
  #read(line: string): { said: Said } | AskedLine {
    if (this.#isEditing) return { said: { decision: { type: 'edit', input: line } } };
    return this.#approving === null ? { said: { input: line } } : approvalAnswer(line, this.#approving);
  }

  /** Cancels the running task at the first Ctrl-C, and leaves at the second. */
  #interrupt(): void {
    const { screen } = this.#parts;
    if (this.#open === 0 || this.#isCancelling) return screen.reading.close();
    this.#isCancelling = true;
    screen.note(this.#texts.cancelling);
    void this.#send({ input: '/cancel' });
  }

  /**
   * Sends a line, and shows its result after those of earlier turns. Answers, and turns without a task such as most
   * commands, wait for none.
   */
  #send(said: Said): Promise<void> {
    if (said.input !== undefined) this.#texts = messages(languageOf(said.input)).terminal;
    const isAnswer = this.#isAsking && !isCommand(said.input ?? '');
    if (isAnswer) {
      this.#isAsking = false;
      this.#approving = null;
    }
    if (this.#open === 0) this.#isCancelling = false;
    this.#open += 1;
    const exchanged = this.#exchange(said, new TurnDisplay(this.#parts.screen, isAnswer ? null : this.#allShown));
    this.#allShown = Promise.all([this.#allShown, exchanged]);
    return exchanged;
  }

  async #exchange(said: Said, display: TurnDisplay): Promise<void> {
    const { service, sessionId, options } = this.#parts;
    const request = { ...said, ...turnOptions(options, service.timezone) };
    try {
      const turn = await service.client.turn(sessionId, request, display, this.#leaving.signal);
      this.#noteQuestion(turn);
      display.end((written) => this.#showTurn(turn, written));
      this.#watchReminders().catch((error: unknown) => this.#fail(error));
    } catch (error) {
      display.show(() => this.#fail(error));
    }
    await display.settled();
    this.#open -= 1;
  }

  /** Notes whether the session's task waits for an answer or an approval. A command without a task changes nothing. */
  #noteQuestion(turn: TurnView): void {
    const { status, approval, task } = turn;
    if (status !== 'ran') this.#isAsking = status === 'asking';
    if (approval !== null) this.#approving = turn;
    else if (status !== 'ran' || task !== null) this.#approving = null;
  }

  /** `written` is the part of its output that was already shown. */
  #showTurn({ output, status, approval, task_id, options: choices }: TurnView, written: string): void {
    const { screen } = this.#parts;
    const isShown = status === 'cancelled' && this.#cancelled !== null && task_id === this.#cancelled;
    if (status === 'cancelled') this.#cancelled = task_id;
    if (written !== '' && output?.startsWith(written)) {
      screen.write(printable(output.slice(written.length)));
      screen.endWriting();
    } else if (!isShown) screen.reply(printable(output ?? ''));
    if (approval !== null) screen.note(terminalTexts({ options: choices }).approvalKeys);
  }

  /** Shows the session's due reminders and goals until the person leaves or the service is gone for good. */
  async #watchReminders(): Promise<void> {
    const { service, sessionId, watchFrom, screen } = this.#parts;
    if (this.#isWatched || watchFrom === null) return;
    this.#isWatched = true;
    for await (const entry of service.client.follow(sessionId, watchFrom, this.#leaving.signal)) {
      const line = dueLine(entry);
      if (line !== null) screen.note(line);
    }
  }

  #fail(error: unknown): void {
    if (this.#leaving.signal.aborted) return;
    this.#code = exitCode.failed;
    this.#parts.screen.note(formatError(error).text);
  }

  /** Says what goes on without the person, and how to come back. Returns the exit code. */
  async #leave(): Promise<number> {
    const { service, sessionId, options, screen } = this.#parts;
    const isRunning = this.#open > 0 && !this.#isAsking && !this.#isCancelling;
    this.#leaving.abort();
    await this.#allShown;
    if (isRunning) screen.note(service.own() === null ? this.#texts.goesOn(service.base()) : this.#texts.goesOnLater);
    screen.note(this.#texts.kept(sessionCommand('chat', sessionId, options)));
    return this.#code;
  }
}
