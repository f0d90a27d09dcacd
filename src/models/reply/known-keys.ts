import { PlanAnswer, ReplanAnswer, ReplanStatus, ThoughtAnswer, ThoughtStatus } from '../../../contracts/answer.ts';

const STATUSES: readonly string[] = [
  ...ThoughtStatus.options,
  ...ReplanStatus.options,
  ...PlanAnswer.shape.status.values,
];

/** The keys of the three contracts and of a control object: in front of a colon they make an object, quoted or not. */
export const KNOWN_KEYS: ReadonlySet<string> = new Set([
  ...[PlanAnswer, ThoughtAnswer.in, ReplanAnswer.in].flatMap(({ shape }) => Object.keys(shape)),
  'control',
]);

export const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** True for an object with a key of a contract, and for a list of such. */
export const hasKnownKey = (value: unknown): boolean =>
  Array.isArray(value)
    ? value.some((item) => isRecord(item) && hasKnownKey(item))
    : isRecord(value) && Object.keys(value).some((key) => KNOWN_KEYS.has(key));

/** True for an object that was meant as a contract or control, so that no mark beside it may stand for the answer. */
export const isContractAttempt = (value: unknown): boolean => {
  if (Array.isArray(value)) return value.some((item) => isRecord(item) && isContractAttempt(item));
  if (!isRecord(value)) return false;
  const { status } = value;
  return (
    ['control', 'plan', 'next_action', 'current_step'].some((key) => Object.hasOwn(value, key)) ||
    (typeof status === 'string' && STATUSES.includes(status.trim().toLowerCase()))
  );
};
