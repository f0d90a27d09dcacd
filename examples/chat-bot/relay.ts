import { Deliveries } from './deliveries.ts';
import type { Inbox } from './inbox.ts';
import type { Platform } from './platforms/platform.ts';
import { Presses } from './presses.ts';
import type { RelayParts } from './relay-parts.ts';
import type { Relay } from './relay-port.ts';
import { Replies } from './replies.ts';
import { userOf } from './session-name.ts';
import type { Tripact } from './tripact.ts';

/** Creates the relay of messages and presses between platforms and Tripact. */
export const createRelay = (
  tripactAs: (user: string) => Tripact,
  inbox: Inbox,
  platforms: readonly Platform[],
  log: (text: string) => void,
): Relay => {
  const stopped = new AbortController();
  const tripactOf = (thread: string): Tripact => tripactAs(userOf(thread));
  const parts: RelayParts = { tripactOf, inbox, log, signal: stopped.signal };
  const replies = new Replies(parts);
  const deliveries = new Deliveries(parts, platforms, replies);
  const presses = new Presses(parts, replies, deliveries);
  return {
    receive: async ({ key, platform, thread, session, text, files = [] }) => {
      const said = await presses.requestOf(session, text);
      const request = files.length > 0 && 'input' in said ? { ...said, files } : said;
      deliveries.accept({ key, platform: platform.name, thread, session, request });
    },
    press: (press) => presses.press(press),
    resume: () => {
      for (const { key } of inbox.open()) deliveries.start(key);
    },
    stop: async () => {
      stopped.abort();
      await deliveries.settled();
    },
  };
};
