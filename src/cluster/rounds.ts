/** Repeats pieces of work, each again and again after a pause, until they are stopped. Jitter keeps nodes apart. */
export class Rounds {
  readonly #onError: (error: unknown) => void;
  readonly #timers = new Set<NodeJS.Timeout>();
  #isStopped = false;

  constructor(onError: (error: unknown) => void) {
    this.#onError = onError;
  }

  /** Does the work about every `ms` milliseconds, never twice at once. A failure is reported, and ends nothing. */
  every(ms: number, work: () => Promise<void>): void {
    const timer = setTimeout(
      () => {
        this.#timers.delete(timer);
        work()
          .catch(this.#onError)
          .finally(() => this.#isStopped || this.every(ms, work));
      },
      ms * (0.75 + Math.random() / 2),
    ).unref();
    this.#timers.add(timer);
  }

  /** Begins nothing more; work in progress goes on to its end. */
  stop(): void {
    this.#isStopped = true;
    for (const timer of this.#timers) clearTimeout(timer);
  }
}
