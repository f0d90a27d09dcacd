import { messages } from '../../contracts/messages/messages.ts';
import { languageOf } from '../../contracts/text.ts';
import { printable } from '../lib/printable.ts';
import type { ChatScreen } from './chat-screen.ts';

/** Shows the progress and the answer of one turn while they arrive, after the results of the turns ahead of it. */
export class TurnDisplay {
  readonly #screen: ChatScreen;
  /** The turns whose results come first; null: there are none to wait for. */
  readonly #ahead: Promise<unknown> | null;
  /** The last thing shown; null: nothing waits, as the turn works on no task yet. */
  #shown: Promise<void> | null = null;
  /** The part of the answer that is shown. */
  #written = '';
  /** Progress that came while the answer was being written: shown behind it, not in its middle. */
  #held: string[] = [];

  constructor(screen: ChatScreen, ahead: Promise<unknown> | null) {
    this.#screen = screen;
    this.#ahead = ahead;
  }

  /** The turn works on a task, so it waits for the turns ahead. */
  readonly task = (): void => {
    this.#shown ??= Promise.resolve();
  };

  readonly progress = (text: string): void =>
    this.show(() => {
      if (this.#written === '') this.#screen.note(text);
      else this.#held.push(text);
    });

  /** A piece of the answer; null: the text so far is withdrawn. */
  readonly answer = (text: string | null): void =>
    this.show(() => {
      if (text !== null) this.#screen.write(printable(text));
      else if (this.#written !== '') this.#screen.note(messages(languageOf(this.#written)).replies.withdrawn);
      this.#written = text === null ? '' : this.#written + text;
      if (text === null) this.#noteHeld();
    });

  /** Prints the end of the turn, by the part of its output that is shown already. */
  end(print: (written: string) => void): void {
    this.show(() => {
      print(this.#written);
      this.#noteHeld();
    });
  }

  show(print: () => void): void {
    if (this.#shown === null) print();
    else this.#shown = this.#shown.then(() => this.#ahead).then(print);
  }

  /** Resolves once everything is shown. */
  async settled(): Promise<void> {
    await this.#shown;
  }

  #noteHeld(): void {
    for (const text of this.#held) this.#screen.note(text);
    this.#held = [];
  }
}
