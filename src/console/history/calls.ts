import type { Effect } from '../../../contracts/event.ts';
import type { TraceEntry } from '../../../contracts/trace.ts';
import { isRestOfMessage } from '../../history/rest-of-message.ts';
import { isFailure } from './failure.ts';

/** The part of its task's work that a call belongs to. */
export type Part = 'planning' | 'item' | 'replanning' | 'verifying';

/** Where in its task's work a call belongs. */
export interface Place {
  part: Part;
  /** The plan item's id; null: an empty plan, or another part. */
  item: string | null;
  /** The round on the item, or the number of the replan or verification; from 1. */
  round: number;
}

/** A call of a model, tool or verifier; a wait for the user; or a point: something said, or an event that took no time. */
export type CallKind = 'model' | 'tool' | 'verify' | 'wait' | 'point';

/** One call of a task: from the entry that asked for it to the entry with its outcome. Indexes count from 0. */
export interface TaskCall {
  kind: CallKind;
  /** The index of the entry that asked for it; of a point its own. */
  from: number;
  /** The index of the entry that ended it; null: it is not over. */
  to: number | null;
  /** Null for waits and points. */
  effect: Effect | null;
  /** In epoch milliseconds. */
  beginsAt: number;
  /** In epoch milliseconds; null: it is not over. */
  endsAt: number | null;
  isFailed: boolean;
  place: Place;
}

/** The part that an effect begins. A tool belongs to the round of its thought. */
const parts: Record<Effect['type'], Part | null> = {
  'model.plan': 'planning',
  'model.thought': 'item',
  'model.replan': 'replanning',
  'verify.run': 'verifying',
  'tool.call': null,
  'tool.batch': null,
};

const kinds: Record<Effect['type'], CallKind> = {
  'model.plan': 'model',
  'model.thought': 'model',
  'model.replan': 'model',
  'verify.run': 'verify',
  'tool.call': 'tool',
  'tool.batch': 'tool',
};

/** States that only the user's action ends. */
const isWaiting = (state: TraceEntry['state']): boolean => state === 'awaiting_user' || state === 'paused';

const isOver = (state: TraceEntry['state']): boolean => state === 'done' || state === 'failed' || state === 'cancelled';

/** Determines the place of each effect of a task, in order. */
const createPlaces = () => {
  const rounds = new Map<string, number>();
  let place: Place = { part: 'planning', item: null, round: 1 };
  const placeOf = (effect: Effect): Place => {
    const part = parts[effect.type];
    if (part === null) return place;
    const item = effect.type === 'model.thought' ? effect.params.item_id : null;
    const round = (rounds.get(`${part} ${item}`) ?? 0) + 1;
    rounds.set(`${part} ${item}`, round);
    place = { part, item, round };
    return place;
  };
  return { placeOf, now: () => place };
};

/** Events that say nothing of their own: the goal is the task's title, and a late outcome belongs to its call. */
const WITHOUT_POINT: readonly string[] = ['task.opened', 'result.superseded'];

/** A thought of an earlier message is no call, and the tool that it names has its own. */
const isSilent = ({ event }: TraceEntry): boolean =>
  WITHOUT_POINT.includes(event.type) || (event.type === 'thought.made' && event.status === 'continue');

/**
 * The calls, waits and points of one task's entries, in the order in which they began. A call lasts from its request to
 * its outcome, whatever is recorded in between; one whose outcome no longer matters ends when the task goes on without
 * it. Reads the entries without folding them.
 */
export const callsOf = (entries: readonly TraceEntry[]): TaskCall[] => {
  const calls: TaskCall[] = [];
  const places = createPlaces();
  /** Calls without an outcome by their effect's number. */
  const open = new Map<number, TaskCall>();
  let wait: { call: TaskCall; state: TraceEntry['state'] } | null = null;
  const begin = (kind: CallKind, from: number, at: number, effect: Effect | null, place: Place): TaskCall => {
    const call: TaskCall = { kind, from, to: null, effect, beginsAt: at, endsAt: null, isFailed: false, place };
    calls.push(call);
    return call;
  };
  const end = (call: TaskCall, to: number, at: number): void => {
    call.to = to;
    call.endsAt ??= at;
    call.isFailed = call.kind !== 'wait' && entries[to]!.event.type !== 'result.superseded' && isFailure(entries[to]!);
  };
  /** They end here, whatever comes of them. */
  const abandonOpen = (at: number): void => {
    for (const call of open.values()) call.endsAt ??= at;
  };
  for (const [index, entry] of entries.entries()) {
    const { event, effects, state, task_id } = entry;
    const at = Date.parse(entry.at);
    const asked = 'effect' in event ? open.get(event.effect) : undefined;
    if (asked !== undefined && 'effect' in event) {
      open.delete(event.effect);
      end(asked, index, at);
      if (isRestOfMessage(event)) asked.kind = 'point';
    }
    const ended = wait !== null && task_id !== null && state !== wait.state ? wait.call : null;
    if (ended !== null) {
      wait = null;
      end(ended, index, at);
    }
    if (asked === undefined && ended === null && !isSilent(entry))
      end(begin('point', index, at, null, places.now()), index, at);
    if (isWaiting(state) && wait === null) wait = { call: begin('wait', index, at, null, places.now()), state };
    if (effects.length > 0 || isOver(state)) abandonOpen(at);
    for (const effect of effects)
      open.set(effect.effect, begin(kinds[effect.type], index, at, effect, places.placeOf(effect)));
  }
  return calls.filter(({ kind, from, to }) => kind !== 'point' || from === to || !isSilent(entries[to!]!));
};

/** The calls as they were right after an entry, at its time in epoch milliseconds: what ended later had not ended. */
export const callsUntil = (calls: readonly TaskCall[], index: number, at: number): TaskCall[] =>
  calls
    .filter(({ kind, from, to }) => from <= index && (kind !== 'point' || (to ?? from) <= index))
    .map((call) =>
      (call.to ?? index) > index || (call.endsAt ?? at) > at
        ? { ...call, to: null, endsAt: null, isFailed: false }
        : call,
    );
