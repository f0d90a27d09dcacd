import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { TaskEvent, TaskOpened } from '../../contracts/event.ts';
import { TaskContext } from '../../contracts/task.ts';
import { allowedTools, currentItem } from '../../machines/current-item.ts';
import { brokenInvariant, countsAsStep } from '../../machines/invariants.ts';
import { isAtRest, isEnded } from '../../machines/judge.ts';
import { EventNotAccepted, open, restore, type Step, step, type Task } from '../../machines/step.ts';
import { eventOf, type Move, move, opening } from '../support/random-moves.ts';

/** Random histories, each a task with its own limits and up to this many things that happen to it. */
const HISTORIES = 2_500;
const MOVES_MAX = 60;

const written = ({ state, context }: Task): string => JSON.stringify({ state, context });
const stored = (task: Task): Task => restore(JSON.parse(written(task)));

/** The step, or null where the machine refuses the event; any other error is a fault of the machine. */
const taken = (task: Task, event: TaskEvent): Step | null => {
  try {
    return step(task, event);
  } catch (error) {
    if (error instanceof EventNotAccepted) return null;
    throw new Error(`${event.type} in ${task.state}: ${JSON.stringify(event)}`, { cause: error });
  }
};

interface Moment {
  before: Task;
  event: TaskEvent;
  after: Step;
}

/** Plays a random history and shows every accepted event to a law; what is refused must leave the task as it was. */
const play = (opened: TaskOpened, moves: Move[], law: (moment: Moment) => void): Task => {
  let { task } = open(opened);
  for (const move of moves) {
    const event = eventOf(task, move);
    const after = taken(task, event);
    if (after === null) continue;
    law({ before: task, event, after });
    task = after.task;
  }
  return task;
};

const histories = (check: (opened: TaskOpened, moves: Move[]) => void): void =>
  fc.assert(fc.property(opening, fc.array(move, { size: 'max', maxLength: MOVES_MAX }), check), { numRuns: HISTORIES });

describe('After every event of a random history', () => {
  it('the invariants hold, the budget is counted by event type, and the task still fits its contract', () => {
    histories((opened, moves) => {
      let counted = 0;
      const last = play(opened, moves, ({ event, after: { task } }) => {
        if (countsAsStep(event)) counted += 1;
        expect(brokenInvariant(task)).toBe(null);
        expect(task.context.step_count).toBe(counted);
      });
      expect(TaskContext.parse(last.context)).toEqual(last.context);
    });
  });

  it('exactly one effect is asked for by a task that works, under an id of its own, and none by one at rest', () => {
    histories((opened, moves) => {
      const seen = new Set(open(opened).effects.map((effect) => effect.effect_id));
      play(opened, moves, ({ before, after: { task, effects } }) => {
        const isSameOpen = before.context.open_effect_id === task.context.open_effect_id;
        expect(effects.length).toBe(isAtRest(task.state) || isSameOpen ? 0 : 1);
        for (const effect of effects) {
          expect(effect.effect_id).toBe(task.context.open_effect_id);
          expect(seen.has(effect.effect_id)).toBe(false);
          seen.add(effect.effect_id);
        }
      });
    });
  });

  it('no thought or replan begins on a spent budget, no tool runs that the item refuses, no item before its time', () => {
    histories((opened, moves) => {
      play(opened, moves, ({ after: { task, effects } }) => {
        const { context } = task;
        for (const effect of effects) {
          if (effect.type === 'model.thought' || effect.type === 'model.replan')
            expect(context.step_count).toBeLessThan(context.step_limit);
          if (effect.type === 'tool.call') expect(allowedTools(context)).toContain(effect.params.tool);
          if (effect.type === 'model.thought') {
            const done = [...context.completed_items, ...context.plan_items].filter(
              (item) => item.status === 'completed',
            );
            for (const id of currentItem(context)?.depends_on ?? []) expect(done.map((item) => item.id)).toContain(id);
          }
        }
      });
    });
  });

  it('a task restored from JSON goes on identically', () => {
    histories((opened, moves) => {
      play(opened, moves, ({ before, event, after }) => {
        const twin = step(stored(before), event);
        expect(written(twin.task)).toBe(written(after.task));
        expect(twin.effects).toEqual(after.effects);
      });
    });
  });

  it('an event that is not accepted leaves the task unchanged and throws EventNotAccepted', () => {
    let refusals = 0;
    histories((opened, moves) => {
      let { task } = open(opened);
      for (const move of moves) {
        const event = eventOf(task, move);
        const was = written(task);
        const after = taken(task, event);
        expect(written(task)).toBe(was);
        if (after === null) refusals += 1;
        else task = after.task;
      }
    });
    expect(refusals).toBeGreaterThan(HISTORIES);
  });

  it('a finished task takes late results only, asks for nothing and changes no more', () => {
    let late = 0;
    histories((opened, moves) => {
      play(opened, moves, ({ before, event, after }) => {
        if (!isEnded(before.state)) return;
        late += 1;
        expect(event.type).toBe('result.superseded');
        expect(written(after.task)).toBe(written(before));
        expect(after.effects).toEqual([]);
      });
    });
    expect(late).toBeGreaterThan(0);
  });

  it('what the user said is heard by a plan or replan that was asked for afterwards, before any answer goes out', () => {
    histories((opened, moves) => {
      let isHeard = true;
      play(opened, moves, ({ event, after: { task, effects } }) => {
        if (event.type === 'steer.received' || event.type === 'answer.received' || event.type === 'plan.edited') {
          isHeard = false;
          if ('text' in event && task.context.awaiting !== 'confirm_plan' && task.state !== 'cancelled')
            expect(event.type === 'answer.received' ? task.state : 'working').not.toBe('awaiting_user');
        }
        if (effects.some(({ type }) => type === 'model.plan' || type === 'model.replan')) isHeard = true;
        if (task.state === 'done') expect(isHeard).toBe(true);
      });
    });
  });
});
