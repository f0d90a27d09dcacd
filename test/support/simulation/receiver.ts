/** Posts of one process of a simulated service: everything under one `webhook-id`. */
export interface PostedCallback {
  readonly urls: Set<string>;
  readonly bodies: Set<string>;
  /** The processes whose post of it was accepted, in order. */
  readonly acceptedFrom: number[];
}

/** A receiver of callbacks. */
export interface Receiver {
  /** By `webhook-id`. */
  readonly posted: ReadonlyMap<string, PostedCallback>;
  /** Takes a post of the process with this number. */
  take(process: number, url: string, init: RequestInit): Promise<Response>;
  /** From now on it accepts every post. */
  acceptAll(): void;
}

/** Every so many posts one is refused, and one gets no answer. Both come less often than a callback is posted before it is given up. */
const REFUSED_EVERY = 5;
const UNREACHABLE_EVERY = 7;

/** Creates the receiver of one history: it accepts most posts, a turn of the event loop later. */
export const createReceiver = (): Receiver => {
  const posted = new Map<string, PostedCallback>();
  let posts = 0;
  let isFaulty = true;
  return {
    posted,
    acceptAll: () => {
      isFaulty = false;
    },
    take: async (process, url, { headers, body }) => {
      posts += 1;
      const outcome = posts;
      const id = new Headers(headers).get('webhook-id') ?? '';
      const seen = posted.get(id) ?? { urls: new Set(), bodies: new Set(), acceptedFrom: [] };
      posted.set(id, seen);
      seen.urls.add(url);
      seen.bodies.add(String(body));
      await new Promise(setImmediate);
      if (isFaulty && outcome % UNREACHABLE_EVERY === 0) throw new Error('connection reset');
      if (isFaulty && outcome % REFUSED_EVERY === 0) return new Response(null, { status: 503 });
      seen.acceptedFrom.push(process);
      return new Response(null, { status: 204 });
    },
  };
};
