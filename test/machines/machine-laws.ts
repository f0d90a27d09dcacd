import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { TaskEvent, TaskOpened } from '../../contracts/event.ts';
import { isEnded, isSettled, TaskContext } from '../../contracts/task.ts';
import { totalTokens } from '../../contracts/usage.ts';
import { pendingAction } from '../../machines/approvals.ts';
import { brokenInvariant } from '../../machines/laws.ts';
import { allowedTools, currentItem } from '../../machines/plan-items.ts';
import { EventNotAccepted, open, type Step, step, type Task } from '../../machines/step.ts';
import { assertMayRunAtOnce } from '../support/machine/at-once.ts';
import { stepsOf } from '../support/machine/counts-as-step.ts';
import { eventOf, type Move, move, taskOpened } from '../support/machine/random-events.ts';

/** Most things that happen to the task of a random history. */
const MOVES_MAX = 60;

/** Events shown to a task that has ended, to see that it changes no more. */
const MOVES_AFTER_END = 5;

interface Moment {
  before: Task;
  /** `before`, written down before the machine saw the event. */
  was: string;
  event: TaskEvent;
  /** Null where the machine refused the event. */
  after: Step | null;
}

const written = ({ state, context }: Task): string => JSON.stringify({ state, context });

/** Any error but a refusal is a fault of the machine, and shows the event that found it. */
const taken = (task: Task, event: TaskEvent): Step | null => {
  try {
    return step(task, event);
  } catch (error) {
    if (error instanceof EventNotAccepted) return null;
    throw new Error(`${task.state}: ${JSON.stringify(event)}`, { cause: error });
  }
};

/** Plays one random history, moment by moment. */
function* played(opened: TaskOpened, moves: Move[]): Generator<Moment> {
  let { task } = open(opened);
  let movesLeft = MOVES_AFTER_END;
  for (const move of moves) {
    if (isEnded(task.state) && movesLeft-- === 0) return;
    const event = eventOf(task, move);
    const was = written(task);
    const after = taken(task, event);
    yield { before: task, was, event, after };
    task = after?.task ?? task;
  }
}

/** The premise of a thought: every item that the current one depends on is completed. */
const isItemsTurn = (context: TaskContext): boolean => {
  const known = [...context.plan_items, ...context.past_items];
  const isDone = (id: string): boolean => known.find((item) => item.id === id)?.status === 'completed';
  return (currentItem(context)?.depends_on ?? []).every(isDone);
};

/** The laws of the machine as tests, each on so many random histories: tasks with limits of their own and what happens to them. */
export const lawsInHistories = (histories: number): void => {
  const overHistories = (check: (opened: TaskOpened, moves: Move[]) => void): void =>
    fc.assert(fc.property(taskOpened, fc.array(move, { size: 'max', maxLength: MOVES_MAX }), check), {
      numRuns: histories,
    });

  describe('In random histories, after every event', () => {
    it('the invariants hold and step_count is the number of events that use budget', () => {
      overHistories((opened, moves) => {
        let counted = 0;
        let last = open(opened).task;
        for (const { event, after } of played(opened, moves)) {
          if (after === null) continue;
          counted += stepsOf(event);
          last = after.task;
          if (brokenInvariant(last) !== null) expect.fail(`${event.type}: ${brokenInvariant(last)}`);
          if (last.context.step_count !== counted) expect(last.context.step_count, event.type).toBe(counted);
        }
        expect(TaskContext.parse(last.context)).toEqual(last.context);
      });
    });

    it('a working task has asked for one effect that it may ask for, and a resting task for none', () => {
      overHistories((opened, moves) => {
        const seen = new Set(open(opened).effects.map(({ effect }) => effect));
        for (const { before, after } of played(opened, moves)) {
          if (after === null) continue;
          const { state, context } = after.task;
          const wentOn = before.context.open_effect === context.open_effect;
          if (after.effects.length !== (isSettled(state) || wentOn ? 0 : 1)) expect.fail(`effects in ${state}`);
          for (const effect of after.effects) {
            expect(effect.effect).toBe(context.open_effect);
            expect(seen.has(effect.effect)).toBe(false);
            seen.add(effect.effect);
            if (effect.type === 'model.thought' || effect.type === 'model.replan')
              expect(context.step_count).toBeLessThan(context.step_limit);
            if ((effect.type === 'model.thought' || effect.type === 'model.replan') && context.token_limit !== null)
              expect(totalTokens(context.usage)).toBeLessThan(context.token_limit);
            if (effect.type === 'model.thought') expect(isItemsTurn(context)).toBe(true);
            if (effect.type === 'tool.call') expect(allowedTools(context)).toContain(effect.params.tool);
            if (effect.type === 'tool.batch') assertMayRunAtOnce(opened, context, effect.params.calls);
          }
        }
      });
    });

    it('a tool that needs approval runs right after a yes to exactly this action, or after a lasting one, and never else', () => {
      let approved = 0;
      let rejected = 0;
      overHistories((opened, moves) => {
        const guarded = opened.catalogue.tools.filter(({ approval }) => approval === true).map(({ name }) => name);
        for (const { before, event, after } of played(opened, moves)) {
          if (after === null) continue;
          const asked = pendingAction(before.context);
          const call = after.effects.find(({ type }) => type === 'tool.call');
          const isEdited = event.type === 'decision.received' && event.decision.type === 'edit';
          if (asked !== null && after.task.state === 'acting') {
            approved += 1;
            expect(['answer.received', 'decision.received']).toContain(event.type);
            expect(call?.params).toMatchObject(isEdited ? { tool: asked.tool } : asked);
          } else if (asked !== null) {
            rejected += 1;
            expect(call).toBeUndefined();
          } else if (call?.type === 'tool.call' && call.params.resumed !== undefined)
            // It was approved when it began, and goes on with what its user answered.
            expect(before.context.awaiting).toBe('tool');
          else if (call?.type === 'tool.call' && guarded.includes(call.params.tool))
            expect(before.context.approved_tools).toContain(call.params.tool);
          for (const tool of after.task.context.approved_tools)
            if (!before.context.approved_tools.includes(tool)) expect(tool).toBe(asked?.tool);
        }
      });
      expect(Math.min(approved, rejected)).toBeGreaterThan(0);
    });

    it('nothing runs that a policy denies, or that a person has to be asked about first, by its policy or after results from outside', () => {
      let denied = 0;
      let asked = 0;
      overHistories((opened, moves) => {
        const approvals = new Map(opened.catalogue.tools.map(({ name, approval }) => [name, approval]));
        let isExposed = false;
        for (const { before, event, after } of played(opened, moves)) {
          if (after === null) continue;
          const action = event.type === 'thought.made' ? event.next_action : null;
          const verdict = event.type === 'thought.made' ? event.approval?.verdict : undefined;
          const call = after.effects.find(({ type }) => type === 'tool.call');
          const approval = approvals.get(action?.tool ?? '');
          const asks = approval === 'policy' ? verdict !== 'run' : approval === 'after_untrusted' && isExposed;
          if (verdict === 'deny') {
            denied += 1;
            expect(pendingAction(after.task.context)).toBeNull();
            if (call?.type === 'tool.call') expect(call.params.refusal).toContain('denies');
          } else if (action !== null && asks) {
            asked += 1;
            if (call !== undefined) expect(before.context.approved_tools).toContain(action.tool);
          }
          const isSeen = event.type === 'observation.recorded' || event.type === 'observations.recorded';
          const seen = !isSeen ? [] : event.type === 'observation.recorded' ? [event] : event.observations;
          const untrusted = opened.catalogue.tools.filter(({ source }) => source === 'untrusted');
          isExposed ||= seen.some(({ tool }) => untrusted.some(({ name }) => name === tool));
          expect(after.task.context.exposed !== null).toBe(isExposed);
        }
      });
      expect(denied + asked).toBeGreaterThan(0);
    });

    it('a task that looks first calls no tool that writes before its user has agreed to the plan', () => {
      let looked = 0;
      overHistories((random, moves) => {
        const opened: TaskOpened = { ...random, confirm_plan: 'after_looking' };
        const writing = opened.catalogue.tools.filter(({ writes }) => writes).map(({ name }) => name);
        for (const { after } of played(opened, moves)) {
          if (after === null || after.task.context.plan_confirmed) continue;
          const calls = after.effects.flatMap((effect) => {
            if (effect.type === 'tool.batch') return effect.params.calls;
            return effect.type === 'tool.call' ? [effect.params] : [];
          });
          looked += calls.length;
          for (const { tool } of calls) expect(writing).not.toContain(tool);
        }
      });
      expect(looked).toBeGreaterThan(0);
    });

    it('a refused event has changed nothing, and a finished task takes late results only and changes no more', () => {
      let refused = 0;
      let late = 0;
      overHistories((opened, moves) => {
        for (const { before, was, event, after } of played(opened, moves)) {
          if (written(before) !== was) expect.fail(`${event.type} left a mark on the task that it was tried on`);
          if (after === null) {
            refused += 1;
            expect(() => step(before, event)).toThrow(EventNotAccepted);
          } else if (isEnded(before.state)) {
            late += 1;
            expect(event.type).toBe('result.superseded');
            expect(written(after.task)).toBe(was);
            expect(after.effects).toEqual([]);
          }
        }
      });
      expect(Math.min(refused, late)).toBeGreaterThan(histories / 10);
    });

    it('a task that is restored from JSON continues identically', () => {
      overHistories((opened, moves) => {
        for (const { was, event, after } of played(opened, moves)) {
          if (after === null) continue;
          const twin = step(JSON.parse(was) as Task, event);
          if (written(twin.task) !== written(after.task)) expect(twin.task.context).toEqual(after.task.context);
          if (JSON.stringify(twin.effects) !== JSON.stringify(after.effects))
            expect(twin.effects).toEqual(after.effects);
        }
      });
    });

    it('nothing that the user said is passed over: a plan or a replan is asked for after it, before any answer goes out', () => {
      overHistories((opened, moves) => {
        let isSeen = true;
        for (const { event, after } of played(opened, moves)) {
          if (after === null) continue;
          if (['steer.received', 'answer.received', 'decision.received', 'plan.edited'].includes(event.type))
            isSeen = false;
          if (after.effects.some(({ type }) => type === 'model.plan' || type === 'model.replan')) isSeen = true;
          if (after.task.state === 'done' && !isSeen)
            expect.fail(`done, though ${event.type} came after what was said`);
        }
      });
    });
  });
};
