import type { Effect } from '../contracts/effect.ts';
import type { TaskEvent, TaskOpened } from '../contracts/event.ts';
import type { TaskContext, TaskState } from '../contracts/task.ts';

/** A task and the event that it meets: all that a guard, a change or an effect may look at. */
export interface Scope {
  task: TaskContext;
  event: TaskEvent | TaskOpened;
}
/** A question about them; changes nothing. */
export type Guard = (scope: Scope) => boolean;
/** The task as it is afterwards; the one it is given stays as it was. */
export type Change = (scope: Scope) => TaskContext;
/** What the task asks of the world. */
export type Request = (scope: Scope) => Effect;

/** What XState asked, changed or requested on its way from one state to the next. */
export type Move = { asked: Guard; answer: boolean } | { changed: Change } | { requested: Request };

/** A way through the machine, in the order XState took it. It branches where a guard was asked; a branch never taken is null. */
type Path =
  | { kind: 'asks'; guard: Guard; yes: Path | null; no: Path | null }
  | { kind: 'changes'; change: Change; then: Path | null }
  | { kind: 'requests'; request: Request; then: Path | null }
  | { kind: 'ends'; state: TaskState | null };

/** Where a path led: `state` is null where the machine has no transition. */
export interface Arrival {
  state: TaskState | null;
  task: TaskContext;
  effects: Effect[];
}

/** The ways through a machine that were taken before, by the state and the kind of event in which they begin. */
export interface Paths {
  /** Goes a way that is known; null where it comes to a turning that nobody took yet. */
  follow(from: string, scope: Scope): Arrival | null;
  /** Remembers a way that XState took: what it asked and did, and the state it came to. */
  learn(from: string, moves: Move[], state: TaskState | null): void;
}

const beginningOf = (move: Move | undefined, state: TaskState | null): Path => {
  if (move === undefined) return { kind: 'ends', state };
  if ('asked' in move) return { kind: 'asks', guard: move.asked, yes: null, no: null };
  if ('changed' in move) return { kind: 'changes', change: move.changed, then: null };
  return { kind: 'requests', request: move.requested, then: null };
};

const grown = (path: Path | null, moves: Move[], state: TaskState | null): Path => {
  const [move, ...rest] = moves;
  const grows = path ?? beginningOf(move, state);
  switch (grows.kind) {
    case 'asks': {
      const side = move !== undefined && 'answer' in move && move.answer ? 'yes' : 'no';
      grows[side] = grown(grows[side], rest, state);
      return grows;
    }
    case 'changes':
    case 'requests':
      grows.then = grown(grows.then, rest, state);
      return grows;
    case 'ends':
      return grows;
    default:
      return grows satisfies never;
  }
};

const walk = (path: Path | undefined, { task: before, event }: Scope): Arrival | null => {
  const scope = { task: before, event };
  const effects: Effect[] = [];
  let at: Path | null = path ?? null;
  while (at !== null)
    switch (at.kind) {
      case 'asks':
        at = at.guard(scope) ? at.yes : at.no;
        break;
      case 'changes':
        scope.task = at.change(scope);
        at = at.then;
        break;
      case 'requests':
        effects.push(at.request(scope));
        at = at.then;
        break;
      case 'ends':
        return { state: at.state, task: scope.task, effects };
      default:
        return at satisfies never;
    }
  return null;
};

/** Knows no way yet. Grows by what guards can answer, and so to a few hundred steps at most. */
export const createPaths = (): Paths => {
  const known = new Map<string, Path>();
  return {
    follow: (from, scope) => walk(known.get(from), scope),
    learn: (from, moves, state) => void known.set(from, grown(known.get(from) ?? null, moves, state)),
  };
};
