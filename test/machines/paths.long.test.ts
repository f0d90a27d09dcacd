import { describe, expect, it } from 'vitest';
import { initialTransition, type SnapshotFrom, transition } from 'xstate';
import { getShortestPaths } from 'xstate/graph';
import { Effect } from '../../contracts/event.ts';
import { isEnded, PauseReason, type TaskSnapshot, TaskState } from '../../contracts/task.ts';
import { brokenInvariant, validateEvent } from '../../machines/laws.ts';
import { machineSnapshot, open, step, type Task } from '../../machines/step.ts';
import { taskMachine } from '../../machines/task-machine.ts';
import { sensibleEvents } from '../support/machine/applicable-events.ts';
import { opened } from '../support/machine/task-driver.ts';

type Snapshot = SnapshotFrom<typeof taskMachine>;
type Transition = ReturnType<typeof transition<typeof taskMachine>>;

/** Limits so small that the whole machine can be walked, and just large enough that each of its ends can be reached. */
const small = opened({
  confirm_plan: true,
  verifies: true,
  limits: {
    max_steps: 4,
    max_total_steps: 5,
    failure_limit: 2,
    plan_retries: 1,
    max_questions: 1,
    max_rounds_per_item: 2,
    max_replans: 2,
    verify_limit: 2,
  },
});

/** Twice what these limits come to: past it the machine has grown a loop that nothing bounds. */
const VISITS_MAX = 110_000;

/** Time for the walk, in milliseconds: XState's own `transition()` makes an actor at each of some 10,000 steps. */
const WALK_MS = 120_000;

const taskOf = (snapshot: Snapshot): TaskSnapshot => {
  let leaf: unknown = snapshot.value;
  while (typeof leaf === 'object' && leaf !== null) leaf = Object.values(leaf)[0];
  return { state: TaskState.parse(leaf), context: snapshot.context };
};

/** All that decides what the task does next; not what it only carries along (texts, tokens, effects' numbers). */
const whatDecides = (snapshot: Snapshot): string => {
  const { state, context } = taskOf(snapshot);
  if (isEnded(state)) return state;
  const { limits, catalogue, conversation, usage, observations, recent_failures, notes, pause_detail, ...some } =
    context;
  const { effects_requested, open_effect, iteration_count, successful_steps, failed_steps, ...fewer } = some;
  const { last_thought_snapshot, items_numbered, clarification_history, tool_questions, ...decides } = fewer;
  const { past_items, abandoned_items, is_recovering, outcome, ...told } = decides;
  const { log, said, results_from, ...rest } = told;
  // A question that was answered is only told again.
  const isOpen = rest.awaiting !== null || rest.expired !== null;
  const asked = isOpen ? {} : { last_ask_user_question: null, question_options: [] };
  const sizes = [clarification_history.length === 0, past_items.length, abandoned_items.length];
  return JSON.stringify([state, { ...rest, ...asked }, sizes]);
};

/** A step without what lies beside the machine: the log, and the rest of a model's message. */
const written = ({ state, context }: TaskSnapshot, effects: readonly Effect[]): string => {
  const { log, said, results_from, ...decides } = context;
  return JSON.stringify({ state, context: decides, effects });
};

/** The result of XState's own functions, in the words of `step()`. */
const asStep = ([snapshot, actions]: Transition): string => {
  const types = new Set<string>(Effect.options.map((option) => option.shape.type.value));
  const effects = actions
    .filter(({ type, params }) => types.has(type) && (params as { params: unknown }).params !== null)
    .map(({ type, params }) => Effect.parse({ type, ...(params as object) }));
  return written(taskOf(snapshot), effects);
};

const ours = ({ task, effects }: ReturnType<typeof step>): string => written(task, effects);

const paths = getShortestPaths(taskMachine, {
  input: small,
  events: (snapshot) => sensibleEvents(taskOf(snapshot)),
  filterEvents: (snapshot, event) => validateEvent(taskOf(snapshot), event) === null,
  serializeState: whatDecides,
  limit: VISITS_MAX,
});

describe('The whole machine, walked with small limits', () => {
  const ends = paths.map((path) => taskOf(path.state));

  it('can come to every state', () => {
    expect(new Set(ends.map(({ state }) => state))).toEqual(new Set(TaskState.options));
  });

  it('can pause for every reason', () => {
    const reasons = ends.map(({ context }) => context.pause_reason).filter((reason) => reason !== null);
    expect(new Set(reasons)).toEqual(new Set(PauseReason.options));
  });

  it('can wait for every kind of answer', () => {
    const questions = ends.map(({ context }) => context.awaiting).filter((awaiting) => awaiting !== null);
    expect(new Set(questions)).toEqual(new Set(['thought', 'failures', 'confirm_plan', 'tool', 'edited_plan']));
  });

  it('breaks no invariant wherever it comes', () => {
    for (const end of ends) expect(brokenInvariant(end)).toBe(null);
  });

  it(
    'goes every path as XState itself would, with the same states and the same effects',
    () => {
      const first = open(small);
      expect(ours(first)).toBe(asStep(initialTransition(taskMachine, small)));
      const walked = new Map<string, Task>([[whatDecides(machineSnapshot(first.task)), first.task]]);
      // Paths come shortest first, so each is one step beyond a path that was walked already.
      for (const { steps, state } of paths.filter((path) => path.steps.length > 1)) {
        const { event } = steps.at(-1)!;
        const before = walked.get(whatDecides(steps.at(-2)!.state))!;
        const after = step(before, event);
        const theirs = asStep(transition(taskMachine, machineSnapshot(before), event));
        if (ours(after) !== theirs) expect(JSON.parse(ours(after)), event.type).toEqual(JSON.parse(theirs));
        walked.set(whatDecides(state), after.task);
      }
      expect(walked.size).toBe(paths.length);
    },
    WALK_MS,
  );
});
