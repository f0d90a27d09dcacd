import type { z } from 'zod';
import {
  type ApprovalVerdict,
  type ItemOutcome,
  type NextAction,
  PlanAnswer,
  type ThoughtStatus,
} from '../../../contracts/answer.ts';
import type { ApprovalDecision, Effect, PlanEdit, TaskEvent, TaskOpened } from '../../../contracts/event.ts';
import type { TaskContext, TaskState } from '../../../contracts/task.ts';
import { type Catalogue, TaskLimits } from '../../../contracts/task.ts';
import { planRejection, replanRejection, thoughtRejection } from '../../../machines/laws.ts';
import { planItems } from '../../../machines/plan-items.ts';
import { actionsOf } from '../../../machines/side-by-side.ts';
import { open, step, type Task } from '../../../machines/step.ts';

/** One step as a test writes it: the plan contract before it is parsed. */
export type WrittenItem = z.input<typeof PlanAnswer>['plan'][number];

/** Options of the task that a test opens; everything else is default. */
export interface TaskOptions
  extends Partial<
    Pick<
      TaskOpened,
      | 'goal'
      | 'language'
      | 'confirm_plan'
      | 'planning'
      | 'replan'
      | 'chain'
      | 'verifies'
      | 'conversation'
      | 'left_steps'
      | 'plan'
      | 'context'
      | 'answer_schema'
    >
  > {
  limits?: Partial<TaskLimits>;
  catalogue?: Catalogue;
}

interface Thought {
  status: ThoughtStatus;
  current_step?: string | null;
  next_action?: NextAction | null;
  more_actions?: NextAction[];
  question?: string | null;
  response?: string | null;
  outcome?: ItemOutcome;
  options?: string[];
  approval?: ApprovalVerdict;
  refusal?: string;
}

/** `search` only reads, `todo` writes; `coding_agent` has only `code`. */
export const catalogue: Catalogue = {
  tools: [
    { name: 'search', writes: false, side_by_side: true },
    { name: 'todo', writes: true },
    { name: 'code', writes: true },
  ],
  executors: [
    { name: 'default', tools: null },
    { name: 'coding_agent', tools: ['code'] },
  ],
};

/** The same, with approval for `todo`. */
export const guardedCatalogue: Catalogue = {
  ...catalogue,
  tools: catalogue.tools.map((tool) => (tool.name === 'todo' ? { ...tool, approval: true } : tool)),
};

/** `search` brings results from outside, a policy decides about `todo`, and `code` asks after results from outside. */
export const policedCatalogue: Catalogue = {
  ...catalogue,
  tools: [
    { name: 'search', writes: false, side_by_side: true, source: 'untrusted' },
    { name: 'todo', writes: true, approval: 'policy' },
    { name: 'code', writes: true, approval: 'after_untrusted' },
  ],
};

/** The event that opens a task. */
export const opened = ({ limits, ...rest }: TaskOptions = {}): TaskOpened => ({
  type: 'task.opened',
  task_id: 'task_1',
  session_id: 's1',
  turn_id: 'turn_0',
  goal: 'Plan the party',
  language: 'en',
  catalogue,
  confirm_plan: false,
  planning: true,
  verifies: false,
  conversation: [],
  ...rest,
  limits: TaskLimits.parse(limits ?? {}),
});

/** Plan items as the plan contract reads them. */
export const written = (...plan: WrittenItem[]): PlanAnswer['plan'] =>
  PlanAnswer.parse({ status: 'planned', plan }).plan;

/** A task under test: each call is one event, and returns the task after it. */
export interface DrivenTask {
  readonly task: Task;
  /** The event that opened it. */
  readonly opening: TaskOpened;
  readonly state: TaskState;
  readonly context: TaskContext;
  /** The effects that the last event asked for. */
  readonly effects: Effect[];
  /** The events since the task opened. */
  readonly events: TaskEvent[];
  /** The statuses that the next thought may have. Throws if no thought is asked for. */
  readonly may: ThoughtStatus[];
  readonly item: TaskContext['plan_items'][number] | undefined;
  send(event: TaskEvent): DrivenTask;
  /** The model answers. An invalid answer becomes a rejected event, as in the engine. */
  plans(...items: WrittenItem[]): DrivenTask;
  says(thought: Thought): DrivenTask;
  replans(...items: WrittenItem[]): DrivenTask;
  concludes(response: string): DrivenTask;
  /** `says` for the three usual ones: one tool call, one question, the item's end. */
  acts(input?: string, tool?: string): DrivenTask;
  /** Several calls at once, of one tool. */
  reads(inputs: string[], tool?: string): DrivenTask;
  asks(question: string, options?: string[]): DrivenTask;
  finishes(response?: string): DrivenTask;
  /** The item could not be done. */
  blocks(response?: string): DrivenTask;
  /** The task is given up. */
  givesUp(response: string): DrivenTask;
  /** The model's answer violates the contract that is due. */
  garbles(reason?: string, times?: number): DrivenTask;
  observes(result: string, ok?: boolean): DrivenTask;
  /** The results of several simultaneous calls, in order; one that begins with `!` failed. */
  observesAll(...results: string[]): DrivenTask;
  /** The verifiers return. */
  verifies(ok: boolean, output?: string): DrivenTask;
  losesModel(reason?: string): DrivenTask;
  answers(text: string): DrivenTask;
  /** The user decides on the pending action. */
  decides(decision: ApprovalDecision): DrivenTask;
  steers(text: string): DrivenTask;
  edits(...edits: PlanEdit[]): DrivenTask;
  resumes(): DrivenTask;
  cancels(): DrivenTask;
}

/** Opens a task and drives it through the real machine. */
export const openTask = (options: TaskOptions = {}): DrivenTask => {
  const opening = opened(options);
  let { task, effects } = open(opening);
  const events: TaskEvent[] = [];
  let turns = 0;

  const effectNumber = (): number => task.context.open_effect ?? 0;
  const turnId = (): string => `turn_${++turns}`;
  const rejected = (reason: string): TaskEvent => {
    const { state } = task;
    if (state !== 'planning' && state !== 'thinking' && state !== 'replanning')
      throw new Error(`the model is asked for nothing in ${state}`);
    const type = ({ planning: 'plan.rejected', thinking: 'thought.rejected', replanning: 'replan.rejected' } as const)[
      state
    ];
    return { type, effect: effectNumber(), reason };
  };
  const notesOn = (plan: PlanAnswer['plan']): string[] => {
    const planned = planItems(plan, task.context);
    return planned.ok ? planned.notes : [];
  };
  const read = () => ({ effect: effectNumber(), reader: 'strict' as const });

  const driven: DrivenTask = {
    opening,
    get task() {
      return task;
    },
    get state() {
      return task.state;
    },
    get context() {
      return task.context;
    },
    get effects() {
      return effects;
    },
    get events() {
      return events;
    },
    get may() {
      const effect = effects[0];
      if (effect?.type !== 'model.thought') throw new Error(`no thought is asked for in ${task.state}`);
      return effect.params.may;
    },
    get item() {
      return task.context.plan_items[task.context.current_plan_index];
    },
    send(event) {
      ({ task, effects } = step(task, event));
      events.push(event);
      return driven;
    },
    plans(...items) {
      const plan = written(...items);
      const rejection = planRejection(task.context, plan);
      if (rejection !== null) return driven.send(rejected(rejection));
      return driven.send({
        type: 'plan.made',
        status: 'planned',
        goal: undefined,
        plan,
        notes: notesOn(plan),
        ...read(),
      });
    },
    says({ outcome, options, ...said }) {
      const thought = { current_step: 'now', next_action: null, question: null, response: null, ...said };
      const rejection = thoughtRejection(task.context, {
        ...thought,
        ...(outcome && { outcome }),
        ...(options && { options }),
      });
      if (rejection !== null) return driven.send(rejected(rejection));
      return driven.send({
        type: 'thought.made',
        ...thought,
        ...(outcome && { outcome }),
        ...(options && { options }),
        ...read(),
      });
    },
    replans(...items) {
      const replan = { status: 'replanned' as const, plan: written(...items), response: null };
      const rejection = replanRejection(task.context, replan);
      if (rejection !== null) return driven.send(rejected(rejection));
      return driven.send({ type: 'replan.made', ...replan, notes: notesOn(replan.plan), ...read() });
    },
    concludes: (response) => driven.send({ type: 'replan.made', status: 'done', plan: [], response, ...read() }),
    acts: (input = 'list', tool = 'todo') => driven.says({ status: 'continue', next_action: { tool, input } }),
    asks: (question, options) => driven.says({ status: 'ask_user', question, ...(options && { options }) }),
    reads([first = '', ...more], tool = 'search') {
      const more_actions = more.map((input) => ({ tool, input }));
      return driven.says({ status: 'continue', next_action: { tool, input: first }, more_actions });
    },
    blocks: (response) => driven.says({ status: 'done', response: response ?? null, outcome: 'blocked' }),
    givesUp: (response) =>
      driven.send({ type: 'replan.made', status: 'done', plan: [], response, outcome: 'failed', ...read() }),
    finishes: (response) => driven.says({ status: 'done', response: response ?? null }),
    garbles(reason = 'no JSON', times = 1) {
      for (let i = 0; i < times; i += 1) driven.send(rejected(reason));
      return driven;
    },
    observes(result, ok = true) {
      const action = task.context.last_thought_snapshot?.next_action ?? { tool: 'none', input: 'none' };
      return driven.send({ type: 'observation.recorded', effect: effectNumber(), ...action, ok, result });
    },
    observesAll(...results) {
      const observations = actionsOf(task.context.last_thought_snapshot).map((action, i) => {
        const result = results[i] ?? '';
        return { ...action, ok: !result.startsWith('!'), result };
      });
      return driven.send({ type: 'observations.recorded', effect: effectNumber(), observations });
    },
    verifies: (ok, output = '') => driven.send({ type: 'verification.finished', effect: effectNumber(), ok, output }),
    losesModel: (reason = 'overloaded') => driven.send({ type: 'model.unavailable', effect: effectNumber(), reason }),
    answers: (text) => driven.send({ type: 'answer.received', turn_id: turnId(), text }),
    decides: (decision) => driven.send({ type: 'decision.received', turn_id: turnId(), decision }),
    steers: (text) => driven.send({ type: 'steer.received', turn_id: turnId(), text }),
    edits: (...edits) => driven.send({ type: 'plan.edited', turn_id: turnId(), edits }),
    resumes: () => driven.send({ type: 'task.resumed', turn_id: turnId() }),
    cancels: () => driven.send({ type: 'task.cancelled', turn_id: turnId() }),
  };
  return driven;
};
