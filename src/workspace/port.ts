/** A session, by its owner and name. */
export interface Session {
  readonly owner: string;
  readonly session_id: string;
}

/** Gives a session's folder, made when it is first asked for. */
export type WorkspaceOf = (owner: string, sessionId: string) => string;

/**
 * Does work with a session's files in its folder. Where they are stored elsewhere, what the work changed is stored before it resolves, if it asked for
 * the folder; with a signal that is tried until it aborts.
 */
export type Within = <Result>(
  session: Session,
  signal: AbortSignal | null,
  work: (workspaceOf: WorkspaceOf) => Promise<Result>,
) => Promise<Result>;
