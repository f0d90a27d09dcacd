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
