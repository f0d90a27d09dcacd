import type { Language } from '../../contracts/text.ts';

/** A server's refusal of a caller who has not signed in. */
export interface Challenge {
  /** Where it describes itself as a protected resource (RFC 9728); absent: at the well-known address. */
  readonly resource_metadata?: string;
  readonly scope?: string;
}

/** The purpose of a sign-in: a session's call that waits for it, by its id, or nothing. */
export interface SignInPurpose {
  readonly owner: string;
  readonly server: string;
  readonly session_id: string;
  readonly effect_id: string;
  readonly language: Language;
  readonly challenge: Challenge;
}

/** Owners' sign-ins at the servers of tools, for those who call these. Tokens never leave it but for the server itself. */
export interface SignIns {
  /** The access token of an owner at a server, renewed where it has expired; null: they are not signed in. */
  token(owner: string, server: string): Promise<string | null>;
  /** A new token, as the server refused the last one; null: they have to sign in again. */
  renewed(owner: string, server: string): Promise<string | null>;
  /**
   * The address of the service at which the owner, and nobody else, can sign in. It stays valid, and is no secret.
   * Rejects with the reason where the server says of no place to sign in at.
   */
  link(purpose: SignInPurpose): Promise<{ url: string; host: string }>;
}

/** A row of the store. Nothing in it can be read without the operator's key. Times in epoch milliseconds. */
export interface StoredSignIn {
  readonly server: string;
  /** Tokens and the registration of the client; null: not signed in. */
  readonly sealed: string | null;
  readonly signed_in_at: number | null;
}

/** A sign-in that has begun and can be finished once, by its id. */
export interface PendingSignIn {
  readonly id: string;
  readonly sealed: string;
}

export interface SignInStore {
  of(owner: string, server: string): Promise<StoredSignIn | null>;
  list(owner: string): Promise<readonly StoredSignIn[]>;
  /** Begins a sign-in in place of another one that was not finished. Keeps the tokens. */
  begin(owner: string, server: string, pending: PendingSignIn): Promise<void>;
  /** Takes what was begun under this id, once; null: there is none, or it was taken. */
  take(owner: string, server: string, id: string): Promise<string | null>;
  /** Stores tokens; `signed_in_at` null: unchanged. */
  save(owner: string, server: string, sealed: string, signed_in_at: number | null): Promise<void>;
  /** Removes all of it; false: there was none. */
  remove(owner: string, server: string): Promise<boolean>;
}

/** The purpose of a link. Without a session nothing waits for it. */
export interface LinkPurpose extends Omit<SignInPurpose, 'session_id' | 'effect_id'> {
  readonly session_id: string | null;
  readonly effect_id: string | null;
}

/** Why a sign-in does not go on. `other_browser`: it was begun in another one, perhaps by somebody else. */
export class SignInRefused extends Error {
  override name = 'SignInRefused';
  readonly reason: 'invalid' | 'expired' | 'other_browser' | 'used';

  constructor(reason: SignInRefused['reason']) {
    super(`the sign-in does not go on: ${reason}`);
    this.reason = reason;
  }
}

/** A server at which owners can sign in, and since when this one is; epoch milliseconds. */
export interface SignInState {
  readonly server: string;
  readonly signed_in_at: number | null;
}

/** Sign-ins for the pages and routes by which owners make, see and revoke them. */
export interface SignInPages {
  /** Where browsers reach the service. */
  readonly publicUrl: string;
  /** A link for an owner who signs in before anything waits for it. Throws `SignInRefused` for an unknown server. */
  linkFor(owner: string, server: string, language: Language): { url: string };
  /** The purpose of a link. Throws `SignInRefused`. */
  purposeOf(link: string): LinkPurpose;
  /** A proof, valid for some minutes, that a caller has just shown whom a link is for. */
  ticketFor(purpose: Pick<LinkPurpose, 'owner' | 'server'>): string;
  isTicket(ticket: string, purpose: Pick<LinkPurpose, 'owner' | 'server'>): boolean;
  /**
   * Begins a sign-in in a browser: where to send it, and what it has to bring back, under an id, as it may have begun others.
   * Rejects where the server or its issuer cannot be used.
   */
  begin(purpose: LinkPurpose): Promise<{ url: URL; id: string; browser: string }>;
  /** Whose sign-in a state is; null: nobody's. */
  ownerOfState(state: string): string | null;
  /**
   * Finishes a sign-in by what the browser brought back, of this and of others that it has begun: once, in the browser that it was begun in, and in time. Throws
   * `SignInRefused`, and rejects where the issuer gives no tokens. `answer` null: it gave no code.
   */
  finish(
    state: string,
    browsers: readonly string[],
    answer: { code: string; iss: string | undefined } | null,
  ): Promise<LinkPurpose>;
  list(owner: string): Promise<readonly SignInState[]>;
  /** Forgets an owner's tokens, and tells their issuer so if it can be reached; false: there were none. */
  revoke(owner: string, server: string): Promise<boolean>;
  /** The same for all servers, as the owner is removed. Never rejects. */
  revokeAll(owner: string): Promise<void>;
}
