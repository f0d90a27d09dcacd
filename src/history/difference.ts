/** The first place where a trace differs from the machine (SPEC 12). */
export interface Difference {
  ok: false;
  seq: number;
  /** The fold's value here. */
  expected: unknown;
  /** The line's value. */
  actual: unknown;
  /** Both in one sentence. */
  message: string;
}

/** Describes a difference in `what` at an entry. */
export const difference = (seq: number, what: string, expected: unknown, actual: unknown): Difference => ({
  ok: false,
  seq,
  expected,
  actual,
  message: `seq ${seq}: ${what}: expected ${JSON.stringify(expected)}, actual ${JSON.stringify(actual)}`,
});

/** The same difference with a remark in brackets after its sentence. */
export const remarked = (found: Difference, remark: string): Difference => ({
  ...found,
  message: `${found.message} (${remark})`,
});
