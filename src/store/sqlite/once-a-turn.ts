/** A read whose answers hold for the rest of the turn of the event loop. */
export interface OnceATurn<Key, Value> {
  of(key: Key): Value;
  /** Something was written: what is asked next is read again. */
  forget(): void;
}

/**
 * Makes a read that is made once for each key in a turn of the event loop, however many ask: one commit lets many sessions go on, and each looks at
 * the same. Another process's write counts from the next turn on. What `read` throws is not kept.
 */
export const onceATurn = <Key, Value>(read: (key: Key) => Value): OnceATurn<Key, Value> => {
  const known = new Map<Key, Value>();
  const forget = (): void => known.clear();
  return {
    of: (key) => {
      if (known.has(key)) return known.get(key) as Value;
      const value = read(key);
      if (known.size === 0) setImmediate(forget);
      known.set(key, value);
      return value;
    },
    forget,
  };
};
