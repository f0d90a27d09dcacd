import type { Logger } from 'pino';
import type { ServedOwners } from './port.ts';

/** A home on this node. */
interface Held {
  readonly fence: number;
  /** Since when it has been idle, by `performance.now()`; null: it is not. */
  idleSince: number | null;
  /** Resolves once it is no longer a home, or the lease was lost. */
  readonly over: PromiseWithResolvers<void>;
}

/** The homes on this node, each with the fence of its claim, and the work done for them. Never asks the database. */
export class HomesHere {
  readonly #log: Logger;
  readonly #homes = new Map<string, Held>();
  /** Null until the node has started. */
  #served: ServedOwners | null = null;

  constructor(log: Logger) {
    this.#log = log;
  }

  /** Serves owners through `served` from now on. */
  start(served: ServedOwners): void {
    this.#served = served;
  }

  owners(): string[] {
    return [...this.#homes.keys()];
  }

  has(owner: string): boolean {
    return this.#homes.has(owner);
  }

  fenceOf(owner: string): number | null {
    return this.#homes.get(owner)?.fence ?? null;
  }

  /** Resolves once the owner is not at home here, or the lease was lost. */
  async over(owner: string): Promise<void> {
    await this.#homes.get(owner)?.over.promise;
  }

  /** Adds a home that was claimed, and resumes its owner's open work. Rejects if that fails. */
  async add(owner: string, fence: number, wasReleased: boolean): Promise<void> {
    this.#homes.set(owner, { fence, idleSince: null, over: Promise.withResolvers() });
    await this.#served?.serve(owner, wasReleased);
  }

  /** Lets an owner's work reach its next commit, for `graceMs` at most. It stays a home until it is removed. */
  async release(owner: string, graceMs: number): Promise<void> {
    await this.#served?.release(owner, graceMs);
  }

  /** Removes a home in order; it is over once `released` settles. */
  async remove(owner: string, released: (fence: number) => Promise<unknown>): Promise<void> {
    const held = this.#homes.get(owner);
    if (held === undefined) return;
    this.#homes.delete(owner);
    await released(held.fence).finally(held.over.resolve);
  }

  /** Drops an owner's work, whoever is the owner's home. */
  drop(owner: string): void {
    this.#served?.drop(owner);
  }

  /** Another node is the owner's home, unless the owner came back here by a newer claim. */
  lose(owner: string, fence: number): void {
    const held = this.#homes.get(owner);
    if (held?.fence !== fence) return;
    this.#homes.delete(owner);
    held.over.resolve();
    this.#log.warn({ owner }, 'another node is the home of an owner; its work here is dropped');
    this.drop(owner);
  }

  /** Loses all homes that are not among the `fences` that this node still has. */
  loseAllBut(fences: ReadonlyMap<string, number>): void {
    for (const [owner, { fence }] of this.#homes) if (fences.get(owner) !== fence) this.lose(owner, fence);
  }

  /** The lease was lost: all homes are over, and stay here until another node takes them. */
  endAll(): void {
    for (const { over } of this.#homes.values()) over.resolve();
  }

  /** Whether nothing of an owner has been open for `ms`, by the times of these calls. */
  isIdleFor(owner: string, ms: number): boolean {
    const held = this.#homes.get(owner);
    if (held === undefined) return false;
    if (this.#served?.isIdle(owner) !== true) held.idleSince = null;
    else held.idleSince ??= performance.now();
    return held.idleSince !== null && performance.now() - held.idleSince >= ms;
  }
}
