/** The work of a node for an owner whose home it is. */
export interface Residents {
  /** Takes up what the owner's last home left open; `wasReleased`: that ended in order. */
  adopt(owner: string, wasReleased: boolean): Promise<void>;
  /** Lets what runs come to its next commit, for `graceMs` at most, and forgets the owner. */
  leave(owner: string, graceMs: number): Promise<void>;
  /** Forgets the owner at once: another node is its home, and nothing more is stored here. */
  lose(owner: string): void;
  /** Nothing of the owner is open, followed or waited for. */
  isIdle(owner: string): boolean;
}

/** Where an owner is at home. */
export type Home =
  | { readonly kind: 'here' }
  /** Another node's address, and a signal that aborts when that node is dead, or has not answered for so long that it counts as dead. */
  | { readonly kind: 'there'; readonly url: string; readonly gone: AbortSignal };

/** The owners' homes over several nodes: an owner's requests are served by one of them at a time. */
export interface Homes {
  /** Takes up owners with open work that have no home, from now on. */
  start(residents: Residents): void;
  /** Finds an owner's home, and makes this node it where there is none. Rejects with `STORAGE_UNAVAILABLE` where nobody can tell. */
  find(owner: string): Promise<Home>;
  /** The owners that are at home here. */
  owners(): string[];
  /** Releases each owner once it is left, and ends. */
  stop(graceMs: number): Promise<void>;
}

/** A node as a scheduler uses it that has homes given. */
export interface LocalNode {
  /** Makes this node the home of an owner, unless another one that is alive is. */
  claim(owner: string): Promise<Home>;
  /** Finds an owner's home; where there is none, the fence of the last one. */
  look(owner: string): Promise<Home | number>;
  /** Resolves once an owner is not at home here, and where others may take this node for dead. */
  left(owner: string): Promise<void>;
}
