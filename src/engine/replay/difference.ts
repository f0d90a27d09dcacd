/** The first place where a trace says something else than the machine (SPEC 12). */
export interface Difference {
  ok: false;
  seq: number;
  /** What the fold gives here. */
  expected: unknown;
  /** What the line says. */
  actual: unknown;
  /** Both in one sentence. */
  message: string;
}

/** Names a difference. */
export const difference = (seq: number, what: string, expected: unknown, actual: unknown): Difference => ({
  ok: false,
  seq,
  expected,
  actual,
  message: `seq ${seq}: ${what}: expected ${JSON.stringify(expected)}, actual ${JSON.stringify(actual)}`,
});
