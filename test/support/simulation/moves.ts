import fc from 'fast-check';
import type { OnBusy } from '../../../contracts/http.ts';

/** Sessions of a simulated service: few, so that their turns meet. */
export const SESSIONS = ['s1', 's2', 's3'];

/** Most moves of one history. */
const MOVES_MAX = 50;

/** One move of a simulated history. */
export type Move =
  | {
      kind: 'say';
      session: string;
      input: string;
      on_busy: OnBusy | undefined;
      key: string | undefined;
      confirm_plan: boolean | undefined;
      timezone: string | undefined;
    }
  /** One of the waiting external calls completes; it may belong to a crashed process or to a cancelled task. */
  | { kind: 'settleExternalCall'; which: number; outcome: number }
  | { kind: 'cancel'; which: number }
  | { kind: 'crash' }
  | { kind: 'crashAtSeam'; seams: number }
  | { kind: 'restart' }
  | { kind: 'clock'; ms: number }
  /** A task of any session is forked at one of its entries. */
  | { kind: 'fork'; which: number; at: number; input: string | undefined }
  | { kind: 'remove'; which: number };

/** Goals, answers and phrases, and everything that a user can say besides. */
const input = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom('Dig a hole', 'Plant a tree', 'Monday', 'yes', 'no', '浇花') },
  { weight: 2, arbitrary: fc.constantFrom('continue', '继续', '/continue', '/resume') },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      '/cancel',
      '取消任务',
      '/status',
      '/nonsense',
      '/plan add Rest',
      '/plan drop 9',
      '/tally',
    ),
  },
);

const maybe = <Value>(values: Value[]): fc.Arbitrary<Value | undefined> =>
  fc.oneof({ weight: 4, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary: fc.constantFrom(...values) });

const move: fc.Arbitrary<Move> = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({
      kind: fc.constant('say' as const),
      session: fc.constantFrom(...SESSIONS),
      input,
      on_busy: fc.constantFrom(undefined, undefined, 'enqueue' as const, 'reject' as const, 'steer' as const),
      key: maybe(['k1', 'k2', 'k3']),
      confirm_plan: maybe([true]),
      timezone: maybe(['Asia/Tokyo']),
    }),
  },
  {
    weight: 30,
    arbitrary: fc.record({ kind: fc.constant('settleExternalCall' as const), which: fc.nat(9), outcome: fc.nat(19) }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('cancel' as const), which: fc.nat(5) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('crash' as const) }) },
  {
    weight: 3,
    arbitrary: fc.record({ kind: fc.constant('crashAtSeam' as const), seams: fc.integer({ min: 1, max: 9 }) }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('restart' as const) }) },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant('clock' as const), ms: fc.constantFrom(-3_600_000, 1, 86_400_000) }),
  },
);

/** Moves with forks and removals among them, in a list of their own: what a seed stands for depends on the list. */
const forkingMove: fc.Arbitrary<Move> = fc.oneof(
  { weight: 40, arbitrary: move },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('fork' as const),
      which: fc.nat(9),
      at: fc.nat(30),
      input: maybe(['Monday', 'continue', 'Dig deeper']),
    }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('remove' as const), which: fc.nat(9) }) },
);

/** A simulated service: its limits and moves; `turns` is how many turns of the event loop follow each move. */
const historyOf = (one: fc.Arbitrary<Move>) =>
  fc.record({
    limits: fc.record({
      max_steps: fc.integer({ min: 1, max: 12 }),
      max_total_steps: fc.constantFrom(8, 200),
      failure_limit: fc.integer({ min: 1, max: 3 }),
    }),
    verifies: fc.boolean(),
    moves: fc.array(fc.record({ move: one, turns: fc.nat(3) }), { minLength: 15, maxLength: MOVES_MAX, size: 'max' }),
  });
export const history = historyOf(move);
export const historyWithForks = historyOf(forkingMove);
export type History = typeof history extends fc.Arbitrary<infer Value> ? Value : never;
