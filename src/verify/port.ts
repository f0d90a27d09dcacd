import type { Language } from '../../contracts/text.ts';

/**
 * Verifies what a task's tools wrote before its answer is given (SPEC 3). `output` explains a failure to the next
 * replan.
 */
export type Verifier = (check: {
  session_id: string;
  task_id: string;
  workspace: string;
  /** The task's language: the user sees `output` too. */
  language: Language;
  signal: AbortSignal;
}) => Promise<{ ok: boolean; output: string }>;
