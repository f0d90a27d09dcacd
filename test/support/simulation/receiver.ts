/** Posts by the processes of a simulated service with one `webhook-id`. */
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
  /** Receives a post from the process with this number. */
  take(process: number, url: string, init: RequestInit): Promise<Response>;
  /** Accepts every post from now on. */
  acceptAll(): void;
}

/** How often a post is refused or gets no answer: less often than the attempts before a callback is given up. */
const REFUSED_EVERY = 5;
const UNREACHABLE_EVERY = 7;

/** Creates the receiver of one history. It accepts most posts, a turn of the event loop later. */
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
