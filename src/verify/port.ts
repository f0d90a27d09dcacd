import type { Language } from '../../contracts/text.ts';

/** Verifies what a task's tools wrote, before its answer goes out (SPEC 3). `output` says what is wrong, for the replan that sees a failure. */
export type Verifier = (check: {
  session_id: string;
  task_id: string;
  workspace: string;
  /** The task's language: `output` is shown to the user too. */
  language: Language;
  signal: AbortSignal;
}) => Promise<{ ok: boolean; output: string }>;
