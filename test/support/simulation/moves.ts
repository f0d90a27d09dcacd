import fc from 'fast-check';
import type { OnBusy } from '../../../contracts/http.ts';

/** Sessions of a simulated service: few, so that their turns interact. */
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
      expires_in?: number | undefined;
      answer_schema?: typeof ANSWER_SCHEMA | undefined;
    }
  /** One of the waiting external calls completes. It may belong to a crashed process or a cancelled task. */
  | { kind: 'settleExternalCall'; which: number; outcome: number }
  | { kind: 'cancel'; which: number }
  | { kind: 'crash' }
  | { kind: 'crashAtSeam'; seams: number }
  | { kind: 'restart' }
  | { kind: 'clock'; ms: number }
  /** A task of any session is forked at one of its entries. */
  | { kind: 'fork'; which: number; at: number; input: string | undefined }
  | { kind: 'remove'; which: number }
  /** Due reminders and goals of every session are delivered; `waits`: the clock advances until something is due. */
  | { kind: 'due'; waits: boolean }
  /** Everything of the owner is removed, as for a front end's user. */
  | { kind: 'removeOwner' };

/** The schema in which some turns request their answers. */
export const ANSWER_SCHEMA = {
  type: 'object',
  properties: { count: { type: 'integer', minimum: 1 } },
  required: ['count'],
  additionalProperties: false,
} as const;

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** Beginnings of inputs about goals and facts; the clock of a history begins in 2001. */
const keptInput = fc.constantFrom(
  '/schedule goal "every day 09:00" Water',
  '/schedule goal "every day 03:00" Weed --times 2',
  '/schedule goals delete 1',
  '/memory add The garden is small',
  '/memory add The soil is dry',
  '/memory delete 1',
);

/** Goals, answers and phrases, and everything else that a user can say. */
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

const said = {
  kind: fc.constant('say' as const),
  session: fc.constantFrom(...SESSIONS),
  input,
  on_busy: fc.constantFrom(undefined, undefined, 'enqueue' as const, 'reject' as const, 'steer' as const),
  key: maybe(['k1', 'k2', 'k3']),
  confirm_plan: maybe([true]),
  timezone: maybe(['Asia/Tokyo']),
};

const move: fc.Arbitrary<Move> = fc.oneof(
  { weight: 8, arbitrary: fc.record(said) },
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

/** All moves, in a list of their own: a seed's meaning depends on the list. */
const anyMove: fc.Arbitrary<Move> = fc.oneof(
  { weight: 36, arbitrary: move },
  {
    weight: 4,
    arbitrary: fc.record({
      ...said,
      expires_in: fc.constantFrom(60, 7_200),
      answer_schema: maybe([ANSWER_SCHEMA]),
    }),
  },
  { weight: 4, arbitrary: fc.record({ ...said, input: keptInput }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('clock' as const), ms: fc.constantFrom(HOUR_MS, DAY_MS) }) },
  { weight: 6, arbitrary: fc.record({ kind: fc.constant('due' as const), waits: fc.boolean() }) },
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
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('removeOwner' as const) }) },
);

const limits = {
  max_steps: fc.integer({ min: 1, max: 12 }),
  max_total_steps: fc.constantFrom(8, 200),
  failure_limit: fc.integer({ min: 1, max: 3 }),
};

/** A simulated service: its limits and moves; `turns` is the number of event-loop turns after each move. */
const historyOf = <Limits>(limitsOf: fc.Arbitrary<Limits>, one: fc.Arbitrary<Move>) =>
  fc.record({
    limits: limitsOf,
    verifies: fc.boolean(),
    moves: fc.array(fc.record({ move: one, turns: fc.nat(3) }), { minLength: 15, maxLength: MOVES_MAX, size: 'max' }),
  });
export const history = historyOf(fc.record(limits), move);
export const historyWithAll = historyOf(
  fc.record({ ...limits, max_task_cost: maybe(['0.000005', '0.00003']) }),
  anyMove,
).map((one) => ({ ...one, hasFallback: true }));

type GeneratedBy<Arbitrary> = Arbitrary extends fc.Arbitrary<infer Value> ? Value : never;
export type History = (GeneratedBy<typeof history> | GeneratedBy<typeof historyWithAll>) & {
  /** The model answers by messages of calls, not by text. */
  isNative?: boolean;
};
