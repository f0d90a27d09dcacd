import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { TaskEvent, TaskOpened } from '../../contracts/event.ts';
import { isEnded, isSettled, TaskContext } from '../../contracts/task.ts';
import { brokenInvariant } from '../../machines/laws.ts';
import { isModelEvent } from '../../machines/pending-calls.ts';
import { actionsOf } from '../../machines/side-by-side.ts';
import { EventNotAccepted, open, step, type Task } from '../../machines/step.ts';
import { promptFor } from '../../src/models/prompt/prompt.ts';
import { textOf } from '../../src/models/prompt/prompt-text.ts';
import type { Voice } from '../../src/models/prompt/rules.ts';
import { requestFor } from '../models/prompts-request.ts';
import { assertMayRunAtOnce } from '../support/machine/at-once.ts';
import { taskOpened } from '../support/machine/random-events.ts';
import { fromSaid, type MessageMove, messageEventOf, messageMove } from '../support/machine/random-messages.ts';

const MOVES_MAX = 40;

interface Moment {
  before: Task;
  event: TaskEvent;
  after: Task;
}

const taken = (task: Task, event: TaskEvent): Task | null => {
  try {
    return step(task, event).task;
  } catch (error) {
    if (error instanceof EventNotAccepted) return null;
    throw new Error(`${task.state}: ${JSON.stringify(event)}`, { cause: error });
  }
};

/** True for results of tools that all succeeded. */
const hasSucceeded = (event: TaskEvent): boolean =>
  (event.type === 'observation.recorded' && event.ok) ||
  (event.type === 'observations.recorded' && event.observations.every(({ ok }) => ok));

/** Plays one random history of a task whose model answers by messages, each of which is taken as far as it goes. */
function* played(opened: TaskOpened, moves: MessageMove[]): Generator<Moment> {
  let { task } = open(opened);
  for (const move of moves) {
    for (let event: TaskEvent | null = messageEventOf(task, move); event !== null; event = fromSaid(task)) {
      const after = taken(task, event);
      if (after === null) break;
      yield { before: task, event, after };
      task = after;
    }
    if (isEnded(task.state)) return;
  }
}

const DUE = { planning: 'plan', thinking: 'thought', replanning: 'replan' } as const;

/** A model is really asked: what it has said answers nothing more. */
const isAsked = (task: Task): boolean => task.state in DUE && fromSaid(task) === null;

/** The prompt's part that later calls may find in a cache. */
const lasting = (task: Task, voice: Voice): string => {
  const { user } = promptFor(requestFor(DUE[task.state as keyof typeof DUE], task.context), voice);
  return textOf(user.slice(0, user.findLastIndex(({ isStable }) => isStable) + 1));
};

/** The laws of messages as tests, each on so many random histories. */
export const messageLawsInHistories = (histories: number): void => {
  const overHistories = (check: (opened: TaskOpened, moves: MessageMove[]) => void): void =>
    fc.assert(fc.property(taskOpened, fc.array(messageMove, { size: 'max', maxLength: MOVES_MAX }), check), {
      numRuns: histories,
    });

  describe('In random histories of messages with several calls', () => {
    it('the invariants hold, a resting task has nothing left to say, and its state is stored as it is', () => {
      let chained = 0;
      overHistories((opened, moves) => {
        for (const { event, after } of played(opened, moves)) {
          if (brokenInvariant(after) !== null) expect.fail(`${event.type}: ${brokenInvariant(after)}`);
          if (isSettled(after.state)) expect(after.context.said).toBe(null);
          if (isModelEvent(event) && event.call !== undefined && event.message === undefined) chained += 1;
        }
        const [last] = [...played(opened, moves)].slice(-1);
        if (last !== undefined) expect(TaskContext.parse(last.after.context)).toEqual(last.after.context);
      });
      expect(chained).toBeGreaterThan(histories / 3);
    });

    it('an action runs only where its message asked for it in this order, and nothing before it failed or was written without its result', () => {
      overHistories((opened, moves) => {
        let acted: number | null = null;
        for (const { before, event, after } of played(opened, moves)) {
          if (!isModelEvent(event)) {
            if (!hasSucceeded(event)) acted = null;
            continue;
          }
          const isNew = event.message !== undefined || event.call === undefined;
          if (isNew) acted = null;
          const said = event.message?.calls ?? before.context.said?.calls;
          const call = event.call && said?.[event.call.at];
          if (event.call !== undefined) expect(call).toBeDefined();
          if (acted !== null && event.call !== undefined) expect(event.call.at).toBeGreaterThan(acted);
          if (event.type !== 'thought.made' || event.status !== 'continue') {
            if (acted !== null && event.call !== undefined)
              expect(['plan', 'item_done', 'finish', 'ask_user']).not.toContain(call?.name);
            continue;
          }
          if (event.call === undefined) continue;
          expect(call).toMatchObject({ name: event.next_action?.tool });
          if (after.state === 'acting') acted = event.call.at + (event.call.count ?? 1) - 1;
        }
      });
    });

    it('each call of a message is reported once: with its result, as rejected, or as not taken', () => {
      overHistories((opened, moves) => {
        let calls = 0;
        let done = 0;
        let ends = 0;
        let context = open(opened).task.context;
        for (const { event, after } of played(opened, moves)) {
          context = after.context;
          if (!isModelEvent(event)) continue;
          calls += event.message?.calls.length ?? 0;
          if (event.call !== undefined && event.call.more !== true) done += event.call.count ?? 1;
          if (event.type === 'thought.made' && event.status === 'done' && event.call?.more === true) ends += 1;
        }
        const untold = context.said === null ? 0 : context.said.calls.length - context.said.at;
        const given = (context.log ?? []).flatMap((entry) => (entry.kind === 'not_taken' ? entry.calls : [])).length;
        expect(done + given + untold).toBeLessThanOrEqual(calls);
        // An item's end, which is an event, may have nothing to say to the replan behind it.
        expect(done + given + untold).toBeGreaterThanOrEqual(calls - ends);
      });
    });

    it('calls of one message run at once only where each of them only reads, in their order, and as many as there are steps for', () => {
      let batches = 0;
      overHistories((opened, moves) => {
        for (const { before, event, after } of played(opened, moves)) {
          if (event.type !== 'thought.made' || event.call?.count === undefined) continue;
          const actions = actionsOf(event);
          expect(actions).toHaveLength(event.call.count);
          if (after.state !== 'acting') continue;
          batches += 1;
          assertMayRunAtOnce(opened, after.context, actions);
          const said = event.message?.calls ?? before.context.said?.calls ?? [];
          const asked = said.slice(event.call.at, event.call.at + event.call.count).map(({ name }) => name);
          expect(actions.map(({ tool }) => tool)).toEqual(asked);
        }
      });
      expect(batches).toBeGreaterThan(histories / 10);
    });

    it.each(['native', 'text'] as const)('the prompt only grows until results are left out (%s)', (voice) => {
      overHistories((opened, moves) => {
        let last: { text: string; from: number } | null = null;
        for (const { after } of played(opened, moves)) {
          if (!isAsked(after)) continue;
          const text = lasting(after, voice);
          const from = after.context.results_from;
          if (last !== null && last.from === from && !text.startsWith(last.text)) expect(text).toBe(last.text);
          last = { text, from };
        }
      });
    });
  });
};
