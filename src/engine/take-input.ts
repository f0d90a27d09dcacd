import type { Catalogue, PlanEdit, TaskEvent, TaskOpened } from '../../contracts/event.ts';
import { PLAN_ITEMS_READ_MAX, type TaskLimits } from '../../contracts/limits.ts';
import { languageOf } from '../../machines/language.ts';
import { type InputRoute, routeInput } from '../../machines/route-input.ts';
import { parsePlanEdit } from '../commands/plan-edit.ts';
import { ServiceError } from '../errors.ts';
import { taskView } from '../projections/task-view.ts';
import { newId } from './new-id.ts';
import type {
  Arrival,
  HeldSession,
  NewTurn,
  QueuedTurn,
  SessionChange,
  SessionHead,
  TurnReply,
} from './session-head.ts';
import { phrase } from './spoken.ts';

/** What a new task is opened with, from the configuration. */
export interface Opening {
  limits: TaskLimits;
  catalogue(): Catalogue;
  confirmPlan: boolean;
  verifies: boolean;
  /** Why no model can be asked (SPEC 2), or null. */
  modelProblem: string | null;
  now(): number;
}

/** What a session is doing, as SPEC 2 sees it. */
export const activityOf = ({ active, open, queued }: SessionHead): 'running' | 'waiting' | 'free' => {
  if (active !== null && open === null) return 'waiting';
  return active !== null || queued.length > 0 ? 'running' : 'free';
};

const said = (output: string): TurnReply => ({ status: 'ran', output, question: null, task: null });

const openedBy = (
  turn: Pick<NewTurn, 'turn_id' | 'input' | 'confirm_plan'>,
  session_id: string,
  opening: Opening,
): TaskOpened => ({
  type: 'task.opened',
  task_id: newId('task', opening.now()),
  session_id,
  turn_id: turn.turn_id,
  goal: turn.input.trim(),
  language: languageOf(turn.input),
  limits: opening.limits,
  catalogue: opening.catalogue(),
  confirm_plan: turn.confirm_plan ?? opening.confirmPlan,
  verifies: opening.verifies,
});

/** Cancels the running, waiting or most recently paused task (SPEC 2.1); says so when there is none. */
const cancel = (change: SessionChange, turn: NewTurn): void => {
  const target = change.head.active?.task.context.task_id ?? change.lastPaused();
  if (target === null) return change.addTurn(turn, said(phrase(turn.input).nothingToCancel));
  if (change.head.active === null) change.activate(target);
  change.addTurn(turn, 'running');
  change.apply({ type: 'task.cancelled', turn_id: turn.turn_id });
};

/** Cancels one task of the session by its id; one that has ended stays as it is. */
export const cancelTask = (change: SessionChange, taskId: string): void => {
  const { active } = change.head;
  const isActive = active?.task.context.task_id === taskId;
  if (!isActive && change.stateOf(taskId) !== 'paused') return;
  if (!isActive && active !== null) return change.cancelPaused(taskId);
  if (!isActive) change.activate(taskId);
  change.apply({ type: 'task.cancelled', turn_id: null });
};

const resume = (change: SessionChange, turn: NewTurn, wanted: string): void => {
  const words = phrase(turn.input);
  if (change.head.active !== null) return change.addTurn(turn, said(words.busyWithAnother));
  const target = wanted === '' ? change.lastPaused() : wanted;
  if (target === null) return change.addTurn(turn, said(words.nothingToResume));
  const state = change.stateOf(target);
  if (state === null) return change.addTurn(turn, said(words.noSuchTask(target)));
  if (state !== 'paused') return change.addTurn(turn, said(words.notPaused(target, state)));
  change.activate(target);
  change.addTurn(turn, 'running');
  change.apply({ type: 'task.resumed', turn_id: turn.turn_id });
};

const continueRecent = (change: SessionChange, turn: NewTurn): void => {
  const words = phrase(turn.input);
  const { active, recent } = change.head;
  if (active !== null) {
    const question = active.task.state === 'awaiting_user' ? active.task.context.last_ask_user_question : null;
    return change.addTurn(turn, said(question === null ? words.stillRunning : words.waitsForAnswer(question)));
  }
  if (recent?.state !== 'paused') return change.addTurn(turn, said(words.nothingToResume));
  resume(change, turn, recent.task_id);
};

const editPlan = (change: SessionChange, turn: NewTurn, rest: string): void => {
  const words = phrase(turn.input);
  const { active, recent } = change.head;
  if (active !== null && active.task.state !== 'awaiting_user') return change.addTurn(turn, said(words.planIsInUse));
  if (active === null && recent?.state !== 'paused') return change.addTurn(turn, said(words.noPlanToEdit));
  const parsed = parsePlanEdit(rest);
  if ('error' in parsed) return change.addTurn(turn, said(parsed.error));
  const edited: TaskEvent = { type: 'plan.edited', turn_id: turn.turn_id, edits: [parsed.edit] };
  const taskId = active?.task.context.task_id ?? recent?.task_id ?? '';
  const { context } = change.look(taskId);
  if (!context.plan_initialized) return change.addTurn(turn, said(words.noPlanYet));
  if (!isInPlan(parsed.edit, context.plan_items.length)) return change.addTurn(turn, said(words.noSuchItem));
  if (parsed.edit.kind === 'add' && context.plan_items.length >= PLAN_ITEMS_READ_MAX)
    return change.addTurn(turn, said(words.planIsFull));
  if (active === null) change.activate(taskId);
  const task = change.apply(edited);
  const listed = task.context.plan_items.map((item, i) => `${i + 1}. ${item.step} (${item.status})`).join('\n');
  change.addTurn(turn, { ...said(words.planEdited(listed)), task: taskView(task) });
};

const isInPlan = (edit: PlanEdit, length: number): boolean => {
  switch (edit.kind) {
    case 'add':
      return true;
    case 'drop':
    case 'mark':
      return edit.index < length;
    case 'move':
      return edit.from < length && edit.to < length;
    default:
      return edit satisfies never;
  }
};

const control = (change: SessionChange, turn: NewTurn, route: Extract<InputRoute, { kind: 'control' }>): void => {
  switch (route.control) {
    case 'cancel':
      return cancel(change, turn);
    case 'continue':
      return continueRecent(change, turn);
    case 'resume':
      return resume(change, turn, route.rest.trim());
    case 'plan':
      return editPlan(change, turn, route.rest);
    default:
      return route.control satisfies never;
  }
};

/** Takes an input that just came in to where SPEC 2 sends it, in one commit. What is refused is not stored. */
export const takeInput = async (
  session: HeldSession,
  { turn, cameWhileRunning }: Arrival,
  opening: Opening,
): Promise<void> => {
  const head = session.head();
  const activity = activityOf(head);
  const route = routeInput(turn.input, {
    activity: cameWhileRunning && activity === 'waiting' ? 'running' : activity,
    isRecentPaused: head.recent?.state === 'paused',
    isModelConfigured: opening.modelProblem === null,
    onBusy: turn.on_busy ?? 'enqueue',
  });
  try {
    await session.commit((change) => {
      switch (route.kind) {
        case 'control':
          return control(change, turn, route);
        case 'command':
          throw new ServiceError('INTERNAL', `The command /${route.name} reached a task`);
        case 'no_model':
          throw new ServiceError('MODEL_NOT_CONFIGURED', opening.modelProblem ?? 'No model is configured');
        case 'reject':
          throw new ServiceError(
            'TASK_RUNNING',
            'A task of this session is running; wait for it, or send on_busy "enqueue" or "steer"',
          );
        case 'enqueue':
          return change.addTurn(turn, 'queued');
        case 'steer':
          return steer(change, turn);
        case 'answer':
          change.addTurn(turn, 'running');
          return void change.apply({ type: 'answer.received', turn_id: turn.turn_id, text: turn.input });
        case 'resume':
          return resume(change, turn, change.head.recent?.task_id ?? '');
        case 'open':
          change.openTask(openedBy(turn, session.session_id, opening));
          return change.addTurn(turn, 'running');
        default:
          return route satisfies never;
      }
    });
    session.settle(turn, null);
  } catch (error) {
    session.settle(turn, error);
  }
};

/** A steer joins the running task; when that came to rest meanwhile, or only queued turns wait, it queues like any input. */
const steer = (change: SessionChange, turn: NewTurn): void => {
  if (change.head.open === null) return change.addTurn(turn, 'queued');
  change.addTurn(turn, 'running');
  change.apply({ type: 'steer.received', turn_id: turn.turn_id, text: turn.input });
};

/** Takes the next turn from the queue of a session that is free: it resumes a paused task or opens its own (SPEC 2.6, 2.7). */
export const takeQueued = (session: HeldSession, queued: QueuedTurn, opening: Opening): Promise<void> =>
  session.commit((change) => {
    const { recent } = change.head;
    const route = routeInput(queued.input, {
      activity: 'free',
      isRecentPaused: recent?.state === 'paused',
      isModelConfigured: true,
      onBusy: 'enqueue',
    });
    if (route.kind === 'resume' && recent !== null) {
      change.activate(recent.task_id);
      change.bindQueued(queued.turn_id);
      change.apply({ type: 'task.resumed', turn_id: queued.turn_id });
    } else {
      change.openTask(openedBy(queued, session.session_id, opening));
      change.bindQueued(queued.turn_id);
    }
  });
