/** Refusals of a turn by a healthy service. */
export const REFUSALS = new Set([
  'TASK_RUNNING',
  'IDEMPOTENCY_KEY_REUSED',
  'SHUTTING_DOWN',
  'TASK_FINISHED',
  'TASK_NOT_FOUND',
  'SESSION_NOT_FOUND',
]);

/** Additional refusals of a fork, if a task cannot continue from the entry. */
export const FORK_REFUSALS = new Set(['INVALID_REQUEST']);

/** Log lines of simulated external failures. Any other error in the log is a fault of the engine. */
export const EXPECTED_LOGS = new Set([
  'the model adapter failed',
  'the model gave no answer',
  'a transactional tool threw',
]);
