import { type CallbackLane, WEBHOOK_READER } from '../../session/outbox-message.ts';

/** Most concurrent posts for one reader, so that others get their share. */
const POSTS_MAX = 16;

/** Most concurrent posts in all, until their receivers answer or they time out. */
const OPEN_MAX = 128;

/** How often other processes' callbacks for the webhook are polled, in milliseconds. */
const WEBHOOK_LOOK_MS = 1_000;

/** The readers whose callbacks this process posts. */
export interface Home {
  isHome(reader: string): boolean;
  /** There is no other process. */
  isHomeOfAll(): boolean;
}

/** When each reader's lane is due, and the posts that are open. Lanes take turns: the one served last comes last. */
export class DueLanes {
  readonly #home: Home;
  /** In epoch milliseconds, by reader. */
  readonly #due = new Map<string, number>();
  /** The readers of open posts, by the callback's id. */
  readonly #open = new Map<string, string>();
  /** The lane whose next callback is being read. */
  #served: string | null = null;

  constructor(home: Home) {
    this.#home = home;
  }

  isHome(lane: string): boolean {
    return this.#home.isHome(lane);
  }

  /** Makes a lane due at a time, or earlier if it is already. */
  add(lane: string, at: number): void {
    if (this.isHome(lane)) this.#due.set(lane, Math.min(this.#due.get(lane) ?? at, at));
  }

  /** Makes the lanes due that the last process left, and the webhook's where other processes add to it. */
  load(lanes: readonly CallbackLane[], now: number): void {
    for (const { reader, due_at } of lanes) this.add(reader, due_at);
    if (!this.#home.isHomeOfAll()) this.add(WEBHOOK_READER, now);
  }

  /** The webhook's lane has just been read: other processes may add to it, so it is read again soon. */
  readAgain(lane: string, at: number): void {
    if (lane === WEBHOOK_READER && !this.#home.isHomeOfAll()) this.add(lane, at + WEBHOOK_LOOK_MS);
  }

  drop(lane: string): void {
    this.#due.delete(lane);
  }

  /** Serves the next lane that is due and may have another post; false: there is none. */
  async serveNext(now: number, serve: (lane: string) => Promise<void>): Promise<boolean> {
    const lane = [...this.#due].find(([each, at]) => at <= now && this.#mayPost(each))?.[0];
    if (lane === undefined) return false;
    this.#due.delete(lane);
    this.#served = lane;
    await serve(lane);
    this.#served = null;
    return true;
  }

  /** When the next lane is due that may have another post; infinite: none is. */
  nextAt(): number {
    let next = Number.POSITIVE_INFINITY;
    for (const [lane, at] of this.#due) if (at < next && this.#mayPost(lane)) next = at;
    return next;
  }

  /** The callbacks whose posts are open. */
  openIds(): string[] {
    return [...this.#open.keys()];
  }

  opened(id: string, lane: string): void {
    this.#open.set(id, lane);
  }

  closed(id: string): void {
    this.#open.delete(id);
  }

  isPending(lane: string): boolean {
    return this.#due.has(lane) || this.#served === lane || [...this.#open.values()].includes(lane);
  }

  #mayPost(lane: string): boolean {
    return (
      this.#open.size < OPEN_MAX && [...this.#open.values()].filter((reader) => reader === lane).length < POSTS_MAX
    );
  }
}
