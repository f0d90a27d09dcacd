/** A node's work for the owners at home on it. */
export interface Residents {
  /** Takes up what the owner's last home left open; `wasReleased`: that home ended in order. */
  adopt(owner: string, wasReleased: boolean): Promise<void>;
  /** Lets running work reach its next commit, for `graceMs` at most, and forgets the owner. */
  leave(owner: string, graceMs: number): Promise<void>;
  /** Forgets the owner at once: another node is its home, and this one stores nothing more. */
  lose(owner: string): void;
  /** Nothing of the owner is open, followed or awaited. */
  isIdle(owner: string): boolean;
}

/** The home of an owner. */
export type Home =
  | { readonly kind: 'here' }
  /**
   * Another node's address, and a signal that aborts when that node is dead or has been silent for so long that it
   * counts as dead.
   */
  | { readonly kind: 'there'; readonly url: string; readonly gone: AbortSignal };

/** The homes of owners on several nodes: one node at a time serves an owner's requests. */
export interface Homes {
  /** Takes up owners with open work and no home, from now on. */
  start(residents: Residents): void;
  /**
   * Finds an owner's home; if there is none, this node becomes it. Rejects with `STORAGE_UNAVAILABLE` if that cannot be
   * determined.
   */
  find(owner: string): Promise<Home>;
  /** The owners at home here. */
  owners(): string[];
  /** Releases each owner once it has been left, and ends. */
  stop(graceMs: number): Promise<void>;
}

/** A node as used by a scheduler that assigns homes. */
export interface LocalNode {
  /** Makes this node the home of an owner, unless another living node is. */
  claim(owner: string): Promise<Home>;
  /** Finds an owner's home; if there is none, returns the fence of the last one. */
  look(owner: string): Promise<Home | number>;
  /** Resolves once an owner is not at home here, or others may consider this node dead. */
  left(owner: string): Promise<void>;
}
