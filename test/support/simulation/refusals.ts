/** Refusals of a turn when nothing is wrong with the service. */
export const REFUSALS = new Set([
  'TASK_RUNNING',
  'IDEMPOTENCY_KEY_REUSED',
  'SHUTTING_DOWN',
  'TASK_FINISHED',
  'TASK_NOT_FOUND',
  'SESSION_NOT_FOUND',
]);

/** Refusals of a fork besides, where the entry is none that a task can go on from. */
export const FORK_REFUSALS = new Set(['INVALID_REQUEST']);

/** Log lines of simulated external failures; any other error in the log is a fault of the engine. */
export const EXPECTED_LOGS = new Set([
  'the model adapter failed',
  'the model gave no answer',
  'a transactional tool threw',
]);
