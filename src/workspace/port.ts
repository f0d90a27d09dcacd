export interface Session {
  readonly owner: string;
  readonly session_id: string;
}

/** Gives a session's folder, made when it is first asked for. */
export type WorkspaceOf = (owner: string, sessionId: string) => string;

/** Does work with a session's files. What it changed is stored, where they are stored elsewhere, before it resolves; with a signal until it aborts. */
export type Within = <Result>(
  session: Session,
  signal: AbortSignal | null,
  work: (workspaceOf: WorkspaceOf) => Promise<Result>,
) => Promise<Result>;
