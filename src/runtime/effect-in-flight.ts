import type { Transition } from '../session/change.ts';
import { isOpen, type SessionImage } from '../session/image.ts';
import type { Outcome } from '../session/input.ts';

/** An open effect from its start until its outcome is stored, or is no longer wanted. Stores nothing itself. */
export class EffectInFlight {
  readonly task_id: string;
  /** Its number in its task. */
  readonly effect: number;
  /** Rejects when it is aborted, and with a fault of the store before anything was asked or called. */
  readonly outcome: Promise<Outcome>;
  /** How long it took until its outcome was there, in milliseconds. */
  #duration = 0;
  readonly #controller = new AbortController();
  #isDiscarded = false;

  /** Starts it. */
  constructor(task_id: string, effect: number, perform: (signal: AbortSignal) => Promise<Outcome>) {
    this.task_id = task_id;
    this.effect = effect;
    const began = performance.now();
    this.outcome = perform(this.#controller.signal).then((outcome) => {
      this.#duration = performance.now() - began;
      return outcome;
    });
  }

  get duration_ms(): number {
    return this.#duration;
  }

  isOpenIn(image: SessionImage): boolean {
    return isOpen(image, this);
  }

  /** True for the transition that its outcome made. */
  ledTo({ event, task }: Transition): boolean {
    return task.context.task_id === this.task_id && 'effect' in event && event.effect === this.effect;
  }

  /** Asks it to end. It may still produce an outcome, or never end. */
  abort(reason: string): void {
    this.#controller.abort(new Error(reason));
  }

  /** Its owner is removed: no outcome is stored, however late. */
  discard(): void {
    this.#isDiscarded = true;
  }

  get isDiscarded(): boolean {
    return this.#isDiscarded;
  }
}
