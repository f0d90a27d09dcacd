/** The part of oidc-provider that tests use; it brings no types of its own. */
declare module 'oidc-provider' {
  import type { IncomingMessage, ServerResponse } from 'node:http';

  export default class Provider {
    constructor(issuer: string, configuration: Record<string, unknown>);
    callback(): (request: IncomingMessage, response: ServerResponse) => void;
    AccessToken: { find(token: string): Promise<{ accountId: string; scope?: string } | undefined> };
    on(event: string, listener: (...given: unknown[]) => void): this;
  }
}
