import type { ServerConnection } from './server-connection.ts';

/** How long an owner's connection stays open without a call, in milliseconds. */
const IDLE_MS = 10 * 60_000;

interface Opened {
  connection: ServerConnection;
  timer: NodeJS.Timeout | undefined;
}

/** Creates the connections of owners who have signed in at a server: one each, opened on demand and closed when idle. */
export const createOwnerConnections = (create: (owner: string) => ServerConnection) => {
  const all = new Map<string, Opened>();
  const closeLater = (owner: string, opened: Opened): void => {
    clearTimeout(opened.timer);
    opened.timer = setTimeout(() => {
      // A call may be waiting on it for its user.
      if (opened.connection.isBusy()) return closeLater(owner, opened);
      all.delete(owner);
      void opened.connection.close();
    }, IDLE_MS).unref();
  };
  return {
    of: (owner: string): ServerConnection => {
      const opened = all.get(owner) ?? { connection: create(owner), timer: undefined };
      all.set(owner, opened);
      closeLater(owner, opened);
      return opened.connection;
    },
    close: async (): Promise<void> => {
      const opened = [...all.values()];
      all.clear();
      for (const { timer } of opened) clearTimeout(timer);
      await Promise.all(opened.map(({ connection }) => connection.close()));
    },
  };
};
export type OwnerConnections = ReturnType<typeof createOwnerConnections>;
