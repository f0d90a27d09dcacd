/** Work that has to end before the service may. Never begins or cancels any. */
export class UnderWay {
  readonly #works = new Set<Promise<unknown>>();

  track<Result>(work: Promise<Result>): Promise<Result> {
    const tracked = work.finally(() => this.#works.delete(tracked));
    this.#works.add(tracked);
    return tracked;
  }

  /** Resolves once nothing is under way, also of what was begun meanwhile. */
  async over(): Promise<void> {
    while (this.#works.size > 0) await Promise.all(this.#works);
  }
}
