/** Work that has to end before the service may. Never begins or cancels any. */
export class UnderWay {
  readonly #works = new Set<Promise<void>>();

  track(work: Promise<void>): Promise<void> {
    const tracked: Promise<void> = work.finally(() => this.#works.delete(tracked));
    this.#works.add(tracked);
    return tracked;
  }

  /** Resolves once nothing is under way, also of what was begun meanwhile. */
  async over(): Promise<void> {
    while (this.#works.size > 0) await Promise.all(this.#works);
  }
}
