import type { PlanItem } from '../../contracts/answer.ts';
import type { EventOf, TaskEvent, TaskOpened } from '../../contracts/event.ts';
import type { TaskCounts } from '../../contracts/messages/en/progress.ts';
import { type Messages, messages } from '../../contracts/messages/messages.ts';
import type { ProgressKind } from '../../contracts/stream.ts';
import type { TaskContext, TaskSnapshot } from '../../contracts/task.ts';
import { plainLine } from '../../contracts/text.ts';
import type { TaskTraceEntry } from '../../contracts/trace.ts';
import { pendingAction } from '../../machines/approvals.ts';
import { currentItem, isOpen } from '../../machines/plan-items.ts';
import { decisionOf as approvalDecisionOf } from '../../machines/questions.ts';
import { actionsOf } from '../../machines/side-by-side.ts';
import { itemCounts, nextItem } from './items.ts';
import { decisionOf } from './mission-file.ts';
import { approvalAnswer } from './question.ts';

/** Longest step, tool input, result or question in a progress line, in characters. */
const TEXT_SHOWN_MAX = 200;

/** Most items in one progress line: nobody reads a longer one. */
const ITEMS_LISTED_MAX = 20;

/** One line of progress, in the task's language: plain text without control characters. */
export interface ProgressLine {
  kind: ProgressKind;
  text: string;
}

type Texts = Messages['progress'];

const shown = (text: string): string => plainLine(text, TEXT_SHOWN_MAX);

const countsOf = (context: TaskContext): TaskCounts => ({
  ...itemCounts(context),
  ok: context.successful_steps,
  failed: context.failed_steps,
  steps: context.step_count,
  limit: context.step_limit,
});

const listed = (head: string, items: PlanItem[], texts: Texts): string => {
  const steps = items.slice(0, ITEMS_LISTED_MAX).map((item, i) => `${i + 1}. ${shown(item.step)}`);
  if (items.length > steps.length) steps.push('…');
  return steps.length === 0 ? head : texts.listed(head, steps.join(' · '));
};

const openItems = (context: TaskContext): PlanItem[] => context.plan_items.filter(isOpen);

/** The items of the current plan that are not completed: open, blocked or dropped, in plan order. */
const uncompletedItems = (context: TaskContext): PlanItem[] =>
  context.plan_items.filter(({ status }) => status !== 'completed');

const noteLines = (notes: string[] = [], texts: Texts): ProgressLine[] =>
  notes.map((note) => ({ kind: 'note', text: texts.note(shown(note)) }));

/** A note if a successful action counts as a failure. */
const repetitionLines = (before: TaskContext, after: TaskContext, texts: Texts): ProgressLine[] =>
  after.consecutive_failures > before.consecutive_failures
    ? [{ kind: 'note', text: texts.note(texts.repeatedAction) }]
    : [];

const replanText = (before: TaskContext, after: TaskContext, texts: Texts): string => {
  const items = uncompletedItems(after);
  const steps = (open: PlanItem[]): string => JSON.stringify(open.map((item) => item.step));
  const head = texts.replan(items.length);
  return steps(items) === steps(openItems(before)) ? texts.unchanged(head) : listed(head, items, texts);
};

const nextStep = (context: TaskContext, texts: Texts): string => {
  if (!context.plan_initialized) return texts.nextIsPlan;
  const next = nextItem(context);
  return next === null ? texts.nextIsReplan : shown(next.step);
};

/** The action that an answer approves, with the input that it runs with. */
const approvedLines = (
  before: TaskContext,
  event: EventOf<'answer.received'> | EventOf<'decision.received'>,
  after: TaskContext,
  texts: Texts,
): ProgressLine[] => {
  const action = after.last_thought_snapshot?.next_action ?? null;
  if (action === null || pendingAction(before) === null) return [];
  if (approvalDecisionOf(before, event).type === 'reject') return [];
  return [{ kind: 'action', text: texts.action(shown(action.tool), shown(action.input)) }];
};

const eventLines = (
  before: TaskContext,
  event: TaskEvent | TaskOpened,
  after: TaskContext,
  texts: Texts,
): ProgressLine[] => {
  switch (event.type) {
    case 'task.opened': {
      const { expired_question: expired } = event;
      return expired === undefined ? [] : [{ kind: 'note', text: texts.note(texts.expired(shown(expired))) }];
    }
    case 'plan.made': {
      const items = uncompletedItems(after);
      const text = listed(texts.plan(items.length), items, texts);
      return [{ kind: 'plan', text }, ...noteLines(event.notes, texts)];
    }
    case 'plan.rejected': {
      const rejected: ProgressLine = { kind: 'rejected', text: texts.planRejected(before.plan_failures + 1) };
      if (!after.plan_initialized) return [rejected];
      return [rejected, { kind: 'plan', text: listed(texts.goalAsPlan, openItems(after), texts) }];
    }
    case 'thought.made': {
      // The question itself names the next step.
      if (pendingAction(after) !== null) return [{ kind: 'thought', text: texts.decision.act_if_approved }];
      const decision: ProgressLine = { kind: 'thought', text: texts.decision[decisionOf(event)] };
      const actions = actionsOf(event).map(
        ({ tool, input }): ProgressLine => ({ kind: 'action', text: texts.action(shown(tool), shown(input)) }),
      );
      return [decision, ...actions];
    }
    case 'thought.rejected':
      return [{ kind: 'rejected', text: texts.thoughtRejected(before.consecutive_failures + 1) }];
    case 'replan.made':
      if (event.status === 'replanned')
        return [{ kind: 'replan', text: replanText(before, after, texts) }, ...noteLines(event.notes, texts)];
      return before.steered ? [{ kind: 'replan', text: texts.steered }] : [];
    case 'replan.rejected':
      return [{ kind: 'rejected', text: texts.replanRejected(before.replan_failures + 1) }];
    case 'observation.recorded': {
      const result: ProgressLine = { kind: 'result', text: texts.result(event.ok, shown(event.result)) };
      return event.ok ? [result, ...repetitionLines(before, after, texts)] : [result];
    }
    case 'observations.recorded': {
      const { observations } = event;
      const results = observations.map(
        ({ tool, input, ok, result }): ProgressLine => ({
          kind: 'result',
          text: texts.resultOf(shown(tool), shown(input), ok, shown(result)),
        }),
      );
      return observations.every(({ ok }) => ok) ? [...results, ...repetitionLines(before, after, texts)] : results;
    }
    case 'verification.finished':
      return [{ kind: 'verification', text: texts.verified(event.ok, shown(event.output)) }];
    case 'answer.received':
    case 'decision.received': {
      const said = event.type === 'answer.received' ? event.text : approvalAnswer(event.decision, after.language);
      return [{ kind: 'answer', text: texts.answer(shown(said)) }, ...approvedLines(before, event, after, texts)];
    }
    case 'steer.received':
      return [{ kind: 'steer', text: texts.steer(shown(event.text)) }];
    case 'plan.edited': {
      const items = openItems(after);
      return [{ kind: 'plan_edited', text: listed(texts.planEdited(items.length), items, texts) }];
    }
    case 'task.resumed':
      // A question that is asked again says everything.
      if (after.awaiting !== null) return [];
      return [{ kind: 'resumed', text: texts.resumed(countsOf(after), nextStep(after, texts)) }];
    case 'result.superseded':
      return [{ kind: 'superseded', text: texts.superseded }];
    default:
      // The resulting state says it.
      return [];
  }
};

/**
 * The reason, with its detail if that is the machine's own words. Details from models and servers belong in the log; a
 * verifier's were shown before.
 */
const whyPaused = ({ pause_reason, pause_detail }: TaskContext, texts: Texts): string => {
  if (pause_reason === null) return '';
  const isOwn = pause_reason === 'crash_loop' || pause_reason === 'budget_exhausted';
  const why = texts.pause[pause_reason];
  return pause_detail === null || !isOwn ? why : texts.listed(why, shown(pause_detail));
};

/** The line for the resulting state: the item started, the question, the pause or the end. */
const outcomeLines = (after: TaskSnapshot, texts: Texts): ProgressLine[] => {
  const { state, context } = after;
  const counts = countsOf(context);
  switch (state) {
    case 'thinking': {
      const item = currentItem(context);
      if (item === null) return [];
      return [{ kind: 'item', text: texts.item(itemCounts(context).ended + 1, counts.total, shown(item.step)) }];
    }
    case 'verifying':
      return [{ kind: 'verification', text: texts.verifying }];
    case 'awaiting_user':
      return [{ kind: 'question', text: texts.question(shown(context.last_ask_user_question ?? '')) }];
    case 'paused':
      return [{ kind: 'paused', text: texts.paused(whyPaused(context, texts), counts) }];
    case 'done':
      return context.outcome === 'failed'
        ? [{ kind: 'failed', text: texts.gaveUp(counts) }]
        : [{ kind: 'finished', text: texts.finished(counts) }];
    case 'failed':
      return [{ kind: 'failed', text: texts.failed(counts) }];
    case 'cancelled':
      return [{ kind: 'cancelled', text: texts.cancelled(counts) }];
    default:
      return [];
  }
};

/** True if the event moved the task to this state; false for an inner round that continues its item. */
const isEntered = (before: TaskSnapshot | null, after: TaskSnapshot): boolean => {
  if (before === null || before.context.pause_reason !== after.context.pause_reason) return true;
  return before.state !== after.state && !(after.state === 'thinking' && before.state === 'acting');
};

/**
 * The lines that one trace entry shows the user (SPEC 11). `before` is null when the task opens. Never a model's
 * reasoning or a rejected answer's text.
 */
export const progressLines = (
  before: TaskSnapshot | null,
  entry: TaskTraceEntry,
  after: TaskSnapshot,
): ProgressLine[] => {
  const texts = messages(after.context.language).progress;
  const from = before?.context ?? after.context;
  const lines = eventLines(from, entry.event, after.context, texts);
  if (after.context.deadlocks_in_a_row > from.deadlocks_in_a_row) {
    const were = new Set(from.plan_items.filter(({ status }) => status === 'blocked').map(({ id }) => id));
    const stuck = after.context.plan_items.filter(({ id, status }) => status === 'blocked' && !were.has(id));
    lines.push({ kind: 'deadlock', text: texts.deadlock(stuck.length) });
  }
  return isEntered(before, after) ? [...lines, ...outcomeLines(after, texts)] : lines;
};
