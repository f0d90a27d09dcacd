/** The work that a node does for the owners whose home it is. */
export interface ServedOwners {
  /** Becomes the owner's home, and resumes the work that its last home left open; `wasReleased`: that home ended in order. */
  serve(owner: string, wasReleased: boolean): Promise<void>;
  /** Lets running work reach its next commit, for `graceMs` at most, and forgets the owner. */
  release(owner: string, graceMs: number): Promise<void>;
  /** Forgets the owner at once: another node is its home, and this one stores nothing more. */
  drop(owner: string): void;
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
  /** Begins to serve, and becomes the home of owners with open work and none. */
  start(served: ServedOwners): void;
  /**
   * Finds an owner's home; if there is none, this node becomes it. Rejects with `STORAGE_UNAVAILABLE` if that cannot be
   * determined.
   */
  find(owner: string): Promise<Home>;
  /** The owners at home here. */
  owners(): string[];
  /** Releases each owner's home once its work has reached a commit, and ends. */
  stop(graceMs: number): Promise<void>;
}

/** A node as used by a scheduler that assigns homes. */
export interface LocalNode {
  /** Makes this node the home of an owner, unless another living node is. */
  claim(owner: string): Promise<Home>;
  /** Finds an owner's home; if there is none, returns the fence of the last one. */
  look(owner: string): Promise<Home | number>;
  /** Resolves once an owner is not at home here, or others may consider this node dead. */
  homeEnded(owner: string): Promise<void>;
}
