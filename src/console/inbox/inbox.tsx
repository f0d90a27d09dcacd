/** What waits for the user over all sessions. */
export const Inbox = (_: { session: string | null }) => null;
