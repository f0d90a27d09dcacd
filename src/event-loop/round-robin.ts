/** A queue in which all who have items take turns, each with the oldest one: nobody waits for more than one item of each other one and the own ones. */
export interface RoundRobin<Item> {
  readonly length: number;
  /** `whose` is a name or an object. */
  push(whose: unknown, item: Item): void;
  /** Whether one of these items waits. */
  has(whose: unknown): boolean;
  /** Takes the next item out; undefined where there is none. */
  shift(): Item | undefined;
}

/** Makes an empty queue. */
export const createRoundRobin = <Item>(): RoundRobin<Item> => {
  /** The items of each, the one whose turn it is first. */
  const queues = new Map<unknown, Item[]>();
  let length = 0;
  return {
    get length() {
      return length;
    },
    has: (whose) => queues.has(whose),
    push: (whose, item) => {
      length += 1;
      const own = queues.get(whose);
      if (own === undefined) queues.set(whose, [item]);
      else own.push(item);
    },
    shift: () => {
      for (const [whose, own] of queues) {
        length -= 1;
        queues.delete(whose);
        const item = own.shift();
        if (own.length > 0) queues.set(whose, own);
        return item;
      }
      return undefined;
    },
  };
};
