import type { Effect } from '../../../contracts/event.ts';
import type { TraceEntry } from '../../../contracts/trace.ts';
import type { TurnView } from '../../../contracts/turn-view.ts';
import { firstLine } from '../history/call-of-tool.ts';
import { callsOf, type TaskCall } from '../history/calls.ts';
import { isRestOf, wordsOf } from '../history/plan-words.ts';
import { doingOf } from './tool-doings.ts';

type Event = TraceEntry['event'];

/** The kind of a step: a call of a tool, or a call of the model that is worth a line. */
export type StepKind = 'plan' | 'thought' | 'replan' | 'tool' | 'check';

/** A call of a tool or a model as the conversation shows it: one line, from its request to its outcome. */
export interface Step {
  /** The number of its effect in the task, and its place in it where several ran at once. */
  key: string;
  effect: number;
  kind: StepKind;
  /** `stopped`: its outcome does not matter any more. */
  state: 'running' | 'done' | 'failed' | 'stopped';
  /** The tool; empty: the step calls none. */
  tool: string;
  input: string;
  /** The tool's or the verifier's result, or why the model's answer cannot be used. */
  result: string;
  /** The steps of a plan that it made. */
  items: readonly string[];
  /** The entry with its outcome, before that the one that asked for it. */
  seq: number;
  /** In epoch milliseconds. */
  began: number;
  ended: number | null;
}

const kinds = {
  'model.plan': 'plan',
  'model.thought': 'thought',
  'model.replan': 'replan',
  'tool.call': 'tool',
  'tool.batch': 'tool',
  'verify.run': 'check',
} as const satisfies Record<Effect['type'], StepKind>;

/** The steps of a call, as if it were not over: several where several tools ran at once. */
const begun = ({ effect: number, type, params }: Effect, { beginsAt }: TaskCall, seq: number): Step[] => {
  const step: Step = {
    key: String(number),
    effect: number,
    kind: kinds[type],
    state: 'running',
    tool: '',
    input: '',
    result: '',
    items: [],
    seq,
    began: beginsAt,
    ended: null,
  };
  if (type === 'tool.call') return [{ ...step, tool: params.tool, input: params.input }];
  if (type !== 'tool.batch') return [step];
  return params.calls.map(({ tool, input }, place) => ({ ...step, key: `${number}.${place}`, tool, input }));
};

/** The end of a step whose outcome does not matter any more; null: it has no line. */
const stopped = ({ kind }: Step): Partial<Step> | null => (kind === 'tool' ? { state: 'stopped' } : null);

/** The changes that a call's outcome makes to its step; null: it is not worth a line. */
const outcomeOf = (step: Step, place: number, event: Event, isRest: boolean): Partial<Step> | null => {
  switch (event.type) {
    case 'plan.made':
      // The model may answer at once, without a plan.
      return event.plan.length === 0 ? null : { state: 'done', items: wordsOf(event.plan) };
    case 'replan.made':
      return event.status === 'done' || isRest ? null : { state: 'done', items: wordsOf(event.plan) };
    case 'plan.rejected':
    case 'thought.rejected':
    case 'replan.rejected':
    case 'model.unavailable':
      return { state: 'failed', result: event.reason };
    case 'observation.recorded':
      return { state: event.ok ? 'done' : 'failed', input: event.input, result: event.result };
    case 'observations.recorded': {
      const seen = event.observations[place];
      return seen === undefined ? null : { state: seen.ok ? 'done' : 'failed', result: seen.result };
    }
    case 'verification.finished':
      return { state: event.ok ? 'done' : 'failed', result: event.output };
    case 'effect.abandoned':
      return { state: 'failed' };
    case 'result.superseded':
      return stopped(step);
    default:
      // A thought shows as the call that it asks for; a question has a card.
      return null;
  }
};

/** The indexes of replans that left the rest of the plan as it was. */
const restsIn = (entries: readonly TraceEntry[]): ReadonlySet<number> => {
  const rests = new Set<number>();
  let planned: readonly string[] = [];
  for (const [index, { event }] of entries.entries()) {
    if (event.type !== 'plan.made' && event.type !== 'replan.made') continue;
    const next = wordsOf(event.plan);
    if (event.type === 'replan.made' && isRestOf(planned, next)) rests.add(index);
    planned = next;
  }
  return rests;
};

/** The steps of a call as they stand, without those that are not worth a line. */
const stepsOf = (call: TaskCall, entries: readonly TraceEntry[], rests: ReadonlySet<number>): Step[] => {
  const { effect, from, to, endsAt } = call;
  const asked = entries[from];
  if (effect === null || asked === undefined) return [];
  const outcome = to === null ? undefined : entries[to];
  return begun(effect, call, outcome?.seq ?? asked.seq).flatMap((step, place) => {
    if (endsAt === null) return [step];
    const isRest = to !== null && rests.has(to);
    const change = outcome === undefined ? stopped(step) : outcomeOf(step, place, outcome.event, isRest);
    return change === null ? [] : [{ ...step, ...change, ended: endsAt }];
  });
};

/** The turn that an entry belongs to: of the last one that came in before. */
const turnsOf = (entries: readonly TraceEntry[]): readonly string[] => {
  let turn = '';
  return entries.map(({ event }) => {
    if ('turn_id' in event && event.turn_id !== null && event.type !== 'plan.edited') turn = event.turn_id;
    return turn;
  });
};

/**
 * The steps of each turn of a task, by the turn's id: those after it and before the next one. `calls` are the task's,
 * as of the moment that is looked at.
 */
export const stepsByTurn = (
  entries: readonly TraceEntry[],
  calls: readonly TaskCall[] = callsOf(entries),
): ReadonlyMap<string, readonly Step[]> => {
  const rests = restsIn(entries);
  const turns = turnsOf(entries);
  const byTurn = new Map<string, Step[]>();
  for (const call of calls) {
    const turn = turns[call.from] ?? '';
    const steps = byTurn.get(turn) ?? [];
    byTurn.set(turn, steps);
    steps.push(...stepsOf(call, entries, rests));
  }
  return byTurn;
};

/**
 * The same for a fork, whose history names turns of its original: what went on after it was forked belongs to the turn
 * that began it. `turns` are those of its task in its session, all of them.
 */
export const withForkedSteps = (
  byTurn: ReadonlyMap<string, readonly Step[]>,
  turns: readonly Pick<TurnView, 'id' | 'created_at'>[],
): ReadonlyMap<string, readonly Step[]> => {
  const [first] = turns;
  const own = new Set(turns.map(({ id }) => id));
  if (first === undefined || [...byTurn.keys()].every((turn) => own.has(turn))) return byTurn;
  const forkedAt = Date.parse(first.created_at);
  const since = [...byTurn]
    .flatMap(([turn, steps]) => (own.has(turn) ? [] : steps))
    .filter(({ ended }) => ended === null || ended > forkedAt);
  return new Map([...byTurn, [first.id, [...since, ...(byTurn.get(first.id) ?? [])]]]);
};

/** Why a call failed, in its first line: without the tool's own name, which the line has already. */
export const failureOf = ({ tool, result }: Step): string => {
  const line = firstLine(result);
  const [head = '', rest] = line.split(/[:：]\s*(.*)/s);
  return tool !== '' && rest !== undefined && rest !== '' && head.startsWith(tool) ? rest : line;
};

const isSame = (one: Step, other: Step): boolean => {
  if (one.kind !== 'tool' || one.tool !== other.tool || one.state !== other.state) return false;
  if (doingOf(one) !== doingOf(other)) return false;
  if (one.state === 'running') return one.effect === other.effect;
  return one.state === 'done' || firstLine(one.result) === firstLine(other.result);
};

/** Calls in a row that do the same with the same tool and ended alike are one line. What runs joins only what began with it. */
export const folded = (steps: readonly Step[]): Step[][] => {
  const runs: Step[][] = [];
  for (const step of steps) {
    const run = runs.at(-1);
    if (run?.[0] !== undefined && isSame(run[0], step)) run.push(step);
    else runs.push([step]);
  }
  return runs;
};

/** How long some calls took together, in milliseconds. Those that ran at once count once. */
export const tookMs = (steps: readonly Step[]): number => {
  const byEffect = new Map(steps.map(({ effect, began, ended: end }) => [effect, (end ?? began) - began]));
  return [...byEffect.values()].reduce((sum, ms) => sum + Math.max(0, ms), 0);
};

/** A tool's name as words: `photo_read` is "Photo read". */
export const toolTitle = (tool: string): string => {
  const words = tool.replace(/[_.\-/]+/g, ' ').trim();
  return words.slice(0, 1).toUpperCase() + words.slice(1);
};
