import { Inbox } from '../inbox/inbox.tsx';
import { SessionList } from '../sessions/session-list.tsx';

/** The left pane: what waits, and all sessions. */
export const Lists = ({ session }: { session: string | null }) => (
  <>
    <Inbox session={session} />
    <SessionList session={session} />
  </>
);
