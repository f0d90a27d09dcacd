import {
  type AuthProvider,
  extractWWWAuthenticateParams,
  InsufficientScopeError,
  SdkHttpError,
} from '@modelcontextprotocol/client';
import type { Challenge, SignIns } from '../../sign-in/port.ts';
import type { McpServerConfig } from './port.ts';

/** The server wants its user to sign in. It refused the request, so nothing was done. */
export class SignInNeeded extends Error {
  override name = 'SignInNeeded';
  readonly challenge: Challenge;
  /** The rights that a user lacks who has signed in; empty: it does not say which. Null: it knows no user. */
  readonly lacks: string | null;

  constructor(challenge: Challenge, lacks: string | null = null) {
    super(lacks === null ? 'it wants its user to sign in' : `it wants its user to have more rights: ${lacks}`);
    this.challenge = challenge;
    this.lacks = lacks;
  }
}

/** The tokens of one owner at a server. */
export interface OwnerTokens {
  token(): Promise<string | null>;
  renewed(): Promise<string | null>;
}

/** Tokens that are remembered to be masked in what the server says: a renewed one is not secret for long. */
const TOKENS_SEEN_MAX = 5;

/** An owner's tokens at a server, and those that it has seen, for masking. */
export const tokensOf = (signIns: SignIns, owner: string, server: string): OwnerTokens & { seen(): string[] } => {
  const seen = new Set<string>();
  const remembered = (token: string | null): string | null => {
    if (token === null) return null;
    seen.add(token);
    const [oldest] = seen;
    if (seen.size > TOKENS_SEEN_MAX && oldest !== undefined) seen.delete(oldest);
    return token;
  };
  return {
    token: async () => remembered(await signIns.token(owner, server)),
    renewed: async () => remembered(await signIns.renewed(owner, server)),
    seen: () => [...seen],
  };
};

/** True for a server whose users may sign in: one at an address, without credentials of the operator's. */
export const mayHaveSignIns = (config: McpServerConfig): config is Extract<McpServerConfig, { url: string }> =>
  'url' in config && !Object.keys(config.headers ?? {}).some((name) => name.toLowerCase() === 'authorization');

const challengeOf = (response: Response): Challenge => {
  const { resourceMetadataUrl, scope } = extractWWWAuthenticateParams(response);
  return {
    ...(resourceMetadataUrl !== undefined && { resource_metadata: resourceMetadataUrl.href }),
    ...(scope !== undefined && { scope }),
  };
};

/** Sends an owner's token, renews it once where the server refuses it, and then says that they have to sign in. */
export const authProvider = (tokens: OwnerTokens | null): AuthProvider => ({
  token: async () => (await tokens?.token()) ?? undefined,
  onUnauthorized: async ({ response }) => {
    const renewed = (await tokens?.renewed()) ?? null;
    if (renewed === null) throw new SignInNeeded(challengeOf(response));
  },
});

/** The sign-in that a fault of a request asks for; null: it is another fault. */
export const signInNeeded = (error: unknown): SignInNeeded | null => {
  if (error instanceof SignInNeeded) return error;
  if (error instanceof InsufficientScopeError) {
    const { requiredScope: scope, resourceMetadataUrl: url } = error;
    const challenge = {
      ...(scope !== undefined && { scope }),
      ...(url !== undefined && { resource_metadata: url.href }),
    };
    return new SignInNeeded(challenge, scope ?? '');
  }
  if (error instanceof SdkHttpError && error.status === 401) return new SignInNeeded({});
  return error instanceof Error && error.cause !== undefined ? signInNeeded(error.cause) : null;
};
