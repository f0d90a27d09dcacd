/** A session's conversation. */
export const Chat = (_: { session: string; task: string | null }) => null;
