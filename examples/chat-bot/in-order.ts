/** Runs works of one name one after the other, whatever becomes of them. Works of other names run beside them. */
export class InOrder {
  readonly #ends = new Map<string, Promise<unknown>>();

  run<Result>(name: string, work: () => Promise<Result>): Promise<Result> {
    const result = (this.#ends.get(name) ?? Promise.resolve()).then(work);
    const end = result
      .catch(() => {})
      .then(() => {
        if (this.#ends.get(name) === end) this.#ends.delete(name);
      });
    this.#ends.set(name, end);
    return result;
  }
}
