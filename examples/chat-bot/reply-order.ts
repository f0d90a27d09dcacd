import type { Turn } from './tripact.ts';

type Ended = Pick<Turn, 'id' | 'created_at' | 'finished_at'>;

/** Posts the replies of a session in the order in which its turns ended, though each is followed by a connection of its own. */
export interface ReplyOrder {
  /** Runs what follows a turn and posts its reply. */
  run(session: string, turn: string, work: () => Promise<void>): Promise<void>;
  /** Resolves when the replies to the session's turns that ended before this one are out, or could not be posted. */
  earlier(turn: Turn): Promise<void>;
}

const moment = ({ finished_at, created_at, id }: Ended): string => `${finished_at} ${created_at} ${id}`;

/** An order of replies; `read` reads a turn as it is now. A turn that can't be read holds no other one up. */
export const createReplyOrder = (read: (turn: string) => Promise<Ended>): ReplyOrder => {
  const sessions = new Map<string, Map<string, Promise<void>>>();

  return {
    run: async (session, turn, work) => {
      const open = sessions.get(session) ?? new Map<string, Promise<void>>();
      sessions.set(session, open);
      const result = work();
      open.set(
        turn,
        result.catch(() => {}),
      );
      try {
        await result;
      } finally {
        open.delete(turn);
        if (open.size === 0) sessions.delete(session);
      }
    },
    earlier: async (turn) => {
      for (const [id, end] of sessions.get(turn.session_id) ?? []) {
        if (id === turn.id) continue;
        const other = await read(id).catch(() => null);
        if (other?.finished_at && moment(other) < moment(turn)) await end;
      }
    },
  };
};
