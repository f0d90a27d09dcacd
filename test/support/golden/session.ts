import type { SessionEvent, TaskEvent, TaskOpened } from '../../../contracts/event.ts';
import type { TaskSnapshot } from '../../../contracts/task.ts';
import { TaskLimits } from '../../../contracts/task.ts';
import { languageOf } from '../../../contracts/text.ts';
import { type TaskTraceEntry, TRACE_VERSION, type TraceEntry } from '../../../contracts/trace.ts';
import { open, type Step, step, type Task } from '../../../machines/step.ts';
import { MACHINE } from '../../../machines/task-machine.ts';
import type { AnswerFault } from '../../../src/models/port.ts';
import { parseModelReply } from '../../../src/models/reply/parse-model-reply.ts';

/** One entry with the task around it, as projections are given it. */
export interface Moment {
  before: TaskSnapshot | null;
  entry: TaskTraceEntry;
  after: TaskSnapshot;
}

/** Options of a task that a script opens. */
export interface GoldenOptions {
  limits?: Partial<TaskLimits>;
  confirm_plan?: boolean;
  planning?: boolean;
  conversation?: TaskOpened['conversation'];
  verifies?: boolean;
  /** Tools that need approval. */
  approval?: string[];
}

type Unanswered = TaskEvent extends infer Event
  ? Event extends { effect: number }
    ? Omit<Event, 'effect'>
    : never
  : never;

/** A task that a script drives by hand: the machine is the real one, only its effects are scripted. */
export interface GoldenTask {
  task(): Task;
  /** The model answers the open effect with this text, read as in service. */
  model(text: string, fault?: AnswerFault): void;
  /** The open tool call gives this result. */
  tool(result: string, ok?: boolean): void;
  /** The open effect ends in this event. */
  outcome(event: Unanswered): void;
  /** Anything that comes from outside the open effect. */
  event(event: TaskEvent): void;
}

/** One session of a golden script. */
export interface GoldenSession {
  lines: TraceEntry[];
  moments: Moment[];
  openTask(goal: string, options?: GoldenOptions): GoldenTask;
  sessionEvent(event: SessionEvent): void;
  /** The next turn's id. */
  turn(): string;
}

const CATALOGUE: TaskOpened['catalogue'] = {
  tools: [
    { name: 'todo', writes: true },
    { name: 'schedule', writes: true },
    { name: 'internet_search', writes: false },
    { name: 'coding_agent', writes: true },
  ],
  executors: [
    { name: 'default', tools: null },
    { name: 'coding_agent', tools: ['coding_agent', 'internet_search'] },
  ],
};

/** The first moment of every golden session; each entry comes a second after the one before. */
const BEGINS_AT = Date.UTC(2026, 0, 5, 9);

/** Starts to record a session: times, ids and token counts are made from the line's place, so a script always gives the same lines. */
export const goldenSession = (session_id: string): GoldenSession => {
  const lines: TraceEntry[] = [];
  const moments: Moment[] = [];
  let turns = 0;
  let tasks = 0;
  const turn = (): string => `turn_${++turns}`;
  const head = () => ({
    v: TRACE_VERSION as typeof TRACE_VERSION,
    seq: lines.length + 1,
    at: new Date(BEGINS_AT + lines.length * 1_000).toISOString(),
    session_id,
    machine: MACHINE,
  });
  const openTask = (
    goal: string,
    {
      limits = {},
      confirm_plan = false,
      planning = true,
      verifies = false,
      conversation = [],
      approval = [],
    }: GoldenOptions = {},
  ): GoldenTask => {
    const task_id = `task_${++tasks}`;
    let current: Task | null = null;
    const write = ({ task, effects }: Step, event: TaskOpened | TaskEvent): void => {
      const { state, context } = task;
      const entry: TaskTraceEntry = { ...head(), task_id, event, state, step_count: context.step_count, effects };
      lines.push(entry);
      moments.push({ before: current, entry, after: task });
      current = task;
    };
    const opened: TaskOpened = {
      type: 'task.opened',
      task_id,
      session_id,
      turn_id: turn(),
      goal,
      language: languageOf(goal),
      limits: TaskLimits.parse(limits),
      catalogue: {
        ...CATALOGUE,
        tools: CATALOGUE.tools.map((tool) => (approval.includes(tool.name) ? { ...tool, approval: true } : tool)),
      },
      confirm_plan,
      planning,
      verifies,
      conversation,
    };
    write(open(opened), opened);
    const now = (): Task => current!;
    const event = (fact: TaskEvent): void => write(step(now(), fact), fact);
    const outcome = (fact: Unanswered): void => event({ ...fact, effect: now().context.open_effect ?? 0 } as TaskEvent);
    return {
      task: now,
      event,
      outcome,
      model: (text, fault = 'none') => {
        const { state, context } = now();
        const contract = state === 'planning' ? 'plan' : state === 'replanning' ? 'replan' : 'thought';
        const usage = { input_tokens: 100 + lines.length, output_tokens: text.length };
        event(parseModelReply(contract, context, context.open_effect ?? 0, { text, fault, usage }));
      },
      tool: (result, ok = true) => {
        const action = now().context.last_thought_snapshot!.next_action!;
        outcome({ type: 'observation.recorded', ...action, ok, result });
      },
    };
  };
  const sessionEvent = (event: SessionEvent): void => {
    lines.push({ ...head(), task_id: null, event, state: null, step_count: null, effects: [] });
  };
  return { lines, moments, openTask, sessionEvent, turn };
};
