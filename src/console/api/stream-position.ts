/** How far a stream was read: the last id, and how many messages with it. An entry's messages share its id, and a stream may break between them. */
export interface StreamPosition {
  id: number;
  count: number;
}

/** Leaves out what was read before, and moves the position on. A stream that is opened again begins with the last entry; `seen` is how far that one is. */
export const takeNew = <Message extends { id: number } | { data: unknown }>(
  messages: readonly Message[],
  position: StreamPosition,
  seen: StreamPosition,
): Message[] =>
  messages.filter((message) => {
    const id = 'id' in message ? message.id : undefined;
    // What has no id is of no entry, and is not sent again.
    if (id === undefined) return true;
    if (id !== seen.id) Object.assign(seen, { id, count: 0 });
    seen.count += 1;
    if (id < position.id || (id === position.id && seen.count <= position.count)) return false;
    Object.assign(position, seen);
    return true;
  });
