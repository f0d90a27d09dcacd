/** Work that is done once, within the time of the first call that asks for it. Never waits for its end. */
export class DueWork {
  readonly #work: () => void;
  #timer: NodeJS.Timeout | null = null;
  #dueAt = 0;

  constructor(work: () => void) {
    this.#work = work;
  }

  get isWaiting(): boolean {
    return this.#timer !== null;
  }

  /** Does the work within `ms` milliseconds. */
  soon(ms: number): void {
    if (this.#timer !== null) return;
    this.#dueAt = performance.now() + ms;
    this.#timer = setTimeout(() => {
      this.#timer = null;
      this.#work();
    }, ms);
  }

  /** Does the work when another's is due, which is left undone. */
  takeOver(other: DueWork): void {
    if (other.drop()) this.soon(Math.max(0, other.#dueAt - performance.now()));
  }

  /** Leaves the work undone. Returns whether it was due. */
  drop(): boolean {
    if (this.#timer === null) return false;
    clearTimeout(this.#timer);
    this.#timer = null;
    return true;
  }
}
