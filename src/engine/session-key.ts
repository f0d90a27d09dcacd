/** A session by the names that its owner has for it. */
export interface SessionKey {
  readonly owner: string;
  readonly session_id: string;
}

/** One text for a session's key; no owner and no session id contains a line break. */
export const keyText = ({ owner, session_id }: SessionKey): string => `${owner}\n${session_id}`;
