/** Every error's stable code with its HTTP status; the code in lower case is the problem's `type` slug (SPEC 11). */
export const errorStatus = {
  INVALID_REQUEST: 400,
  INVALID_SESSION_ID: 400,
  USER_REQUIRED: 400,
  PREVIOUS_RESPONSE_NOT_FOUND: 400,
  UNAUTHORIZED: 401,
  FORBIDDEN_HOST: 403,
  FORBIDDEN_ORIGIN: 403,
  OPERATOR_REQUIRED: 403,
  NOT_AN_APPROVER: 403,
  NOT_FOUND: 404,
  SESSION_NOT_FOUND: 404,
  TASK_NOT_FOUND: 404,
  TURN_NOT_FOUND: 404,
  CALL_NOT_FOUND: 404,
  PLAN_NOT_FOUND: 404,
  FILE_NOT_FOUND: 404,
  FACT_NOT_FOUND: 404,
  GOAL_NOT_FOUND: 404,
  KEY_NOT_FOUND: 404,
  USER_NOT_FOUND: 404,
  CALLBACK_NOT_FOUND: 404,
  APPROVAL_NOT_FOUND: 404,
  RERUN_NOT_FOUND: 404,
  SIGN_IN_NOT_FOUND: 404,
  TASK_RUNNING: 409,
  TASK_FINISHED: 409,
  EVENT_NOT_ACCEPTED: 409,
  TURN_NOT_FINISHED: 409,
  NO_APPROVAL_PENDING: 409,
  QUESTION_NOT_OPEN: 409,
  PLAN_EXISTS: 409,
  SESSION_EXISTS: 409,
  ANOTHER_AGENT: 409,
  INPUT_TOO_LARGE: 413,
  UNSUPPORTED_MEDIA_TYPE: 415,
  IDEMPOTENCY_KEY_REUSED: 422,
  TRACE_NOT_READABLE: 422,
  TOO_MANY_REQUESTS: 429,
  QUOTA_EXHAUSTED: 429,
  INTERNAL: 500,
  PACKAGE_MISSING: 501,
  MODEL_NOT_CONFIGURED: 503,
  STORAGE_UNAVAILABLE: 503,
  ISSUER_UNAVAILABLE: 503,
  SHUTTING_DOWN: 503,
  OVERLOADED: 503,
  CONFIG_INVALID: 500,
  DATA_DIR_LOCKED: 500,
  STORE_TOO_NEW: 500,
} as const;

export type ErrorCode = keyof typeof errorStatus;

/** A code's slug: `TASK_RUNNING` is `task-running`. */
type Slug<Code extends string> = Code extends `${infer First}_${infer Rest}`
  ? `${Lowercase<First>}-${Slug<Rest>}`
  : Lowercase<Code>;

/**
 * The `type` of a problem: the stable name of a kind of error on the wire. `about:blank` is an HTTP-level fault without
 * a code.
 */
export type ProblemType = `/problems/${Slug<ErrorCode>}` | 'about:blank';

/** The `type` of a code's problem: `TASK_RUNNING` becomes `/problems/task-running`. */
export const problemType = (code: ErrorCode): ProblemType =>
  `/problems/${code.toLowerCase().replaceAll('_', '-')}` as ProblemType;

/** Every possible `type` of a problem. */
export const problemTypes: readonly ProblemType[] = [
  ...(Object.keys(errorStatus) as ErrorCode[]).map(problemType),
  'about:blank',
];
