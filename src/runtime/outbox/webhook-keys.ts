/** The keys that sign callbacks to an address: none, one, or two while one replaces the other. */
export type WebhookKeys = (url: string) => readonly Buffer[];

/**
 * Chooses the keys: those of the endpoint that matches an address most closely, else the general ones. An endpoint is a
 * host, or a host with the beginning of a path.
 */
export const createWebhookKeys =
  (general: readonly Buffer[] = [], byEndpoint: ReadonlyMap<string, readonly Buffer[]> = new Map()): WebhookKeys =>
  (url) => {
    const { host, pathname } = new URL(url);
    const address = `${host}${pathname}/`;
    const named = [...byEndpoint].filter(([endpoint]) => address.startsWith(`${endpoint}/`));
    const [closest] = named.toSorted(([a], [b]) => b.length - a.length);
    return closest?.[1] ?? general;
  };
