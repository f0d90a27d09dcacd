/** All sessions. */
export const SessionList = (_: { session: string | null }) => null;
