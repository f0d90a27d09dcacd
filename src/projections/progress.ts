import type { TaskEvent, TaskOpened } from '../../contracts/event.ts';
import type { PlanItem } from '../../contracts/plan.ts';
import type { TaskContext, TaskSnapshot } from '../../contracts/task.ts';
import type { TaskTraceEntry } from '../../contracts/trace.ts';
import { currentItem } from '../../machines/current-item.ts';
import { isOpen, itemCounts, nextItem, uncompletedItems } from './item-counts.ts';
import { oneLine } from './one-line.ts';
import { type ProgressWords, progressWords, type Standing } from './progress-words.ts';
import { decisionOf } from './thought-decision.ts';

/** Longest step, tool input, result or question in a progress line, in characters: a line, not a dump. */
const TEXT_SHOWN_MAX = 200;

/** Items listed in one progress line: more of them make no line that a person reads. */
const ITEMS_LISTED_MAX = 20;

/** What a progress line is about (SPEC 11). */
export type ProgressKind =
  | 'plan'
  | 'note'
  | 'item'
  | 'thought'
  | 'action'
  | 'result'
  | 'rejected'
  | 'replan'
  | 'deadlock'
  | 'verification'
  | 'question'
  | 'answer'
  | 'steer'
  | 'plan_edited'
  | 'resumed'
  | 'superseded'
  | 'finished'
  | 'paused'
  | 'failed'
  | 'cancelled';

/** One line of progress, in the task's language: plain text without control characters. */
export interface ProgressLine {
  kind: ProgressKind;
  text: string;
}

const shown = (text: string): string => oneLine(text, TEXT_SHOWN_MAX);

const standingOf = (context: TaskContext): Standing => ({
  ...itemCounts(context),
  ok: context.successful_steps,
  failed: context.failed_steps,
  steps: context.step_count,
  limit: context.step_limit,
});

const listed = (head: string, items: PlanItem[], words: ProgressWords): string => {
  const steps = items.slice(0, ITEMS_LISTED_MAX).map((item, i) => `${i + 1}. ${shown(item.step)}`);
  if (items.length > steps.length) steps.push('…');
  return steps.length === 0 ? head : words.listed(head, steps.join(' · '));
};

const openItems = (context: TaskContext): PlanItem[] => context.plan_items.filter(isOpen);

const planLines = (context: TaskContext, notes: string[], words: ProgressWords): ProgressLine[] => {
  const items = uncompletedItems(context);
  const plan: ProgressLine = { kind: 'plan', text: listed(words.plan(items.length), items, words) };
  return [plan, ...notes.map((note): ProgressLine => ({ kind: 'note', text: words.note(shown(note)) }))];
};

const replanLines = (
  before: TaskContext,
  after: TaskContext,
  notes: string[],
  words: ProgressWords,
): ProgressLine[] => {
  const items = uncompletedItems(after);
  const steps = (open: PlanItem[]): string => JSON.stringify(open.map((item) => item.step));
  const isSame = steps(items) === steps(openItems(before));
  const head = words.replan(items.length);
  const replan: ProgressLine = { kind: 'replan', text: isSame ? words.unchanged(head) : listed(head, items, words) };
  return [replan, ...notes.map((note): ProgressLine => ({ kind: 'note', text: words.note(shown(note)) }))];
};

const nextStep = (context: TaskContext, words: ProgressWords): string => {
  if (!context.plan_initialized) return words.nextIsPlan;
  const next = nextItem(context);
  return next === null ? words.nextIsReplan : shown(next.step);
};

/** What the event itself says; what it led to is said by `outcomeLines`. */
const eventLines = (
  before: TaskContext,
  event: TaskEvent | TaskOpened,
  after: TaskContext,
  words: ProgressWords,
): ProgressLine[] => {
  switch (event.type) {
    case 'plan.made':
      return planLines(after, event.notes ?? [], words);
    case 'plan.rejected': {
      const rejected: ProgressLine = { kind: 'rejected', text: words.planRejected(before.plan_failures + 1) };
      if (!after.plan_initialized) return [rejected];
      return [rejected, { kind: 'plan', text: listed(words.goalAsPlan, openItems(after), words) }];
    }
    case 'thought.made': {
      const decision: ProgressLine = { kind: 'thought', text: words.decision[decisionOf(event)] };
      if (event.next_action === null) return [decision];
      const { tool, input } = event.next_action;
      return [decision, { kind: 'action', text: words.action(shown(tool), shown(input)) }];
    }
    case 'thought.rejected':
      return [{ kind: 'rejected', text: words.thoughtRejected(before.consecutive_failures + 1) }];
    case 'replan.made':
      if (event.status === 'replanned') return replanLines(before, after, event.notes ?? [], words);
      return before.steered ? [{ kind: 'replan', text: words.unheard }] : [];
    case 'replan.rejected':
      return [{ kind: 'rejected', text: words.replanRejected(before.replan_failures + 1) }];
    case 'observation.recorded': {
      const result: ProgressLine = { kind: 'result', text: words.result(event.ok, shown(event.result)) };
      const isCircle = event.ok && after.consecutive_failures > before.consecutive_failures;
      return isCircle ? [result, { kind: 'note', text: words.note(words.circle) }] : [result];
    }
    case 'verification.finished':
      return [{ kind: 'verification', text: words.verified(event.ok, shown(event.output)) }];
    case 'answer.received':
      return [{ kind: 'answer', text: words.answer(shown(event.text)) }];
    case 'steer.received':
      return [{ kind: 'steer', text: words.steer(shown(event.text)) }];
    case 'plan.edited': {
      const items = openItems(after);
      return [{ kind: 'plan_edited', text: listed(words.planEdited(items.length), items, words) }];
    }
    case 'task.resumed': {
      return [{ kind: 'resumed', text: words.resumed(standingOf(after), nextStep(after, words)) }];
    }
    case 'result.superseded':
      return [{ kind: 'superseded', text: words.superseded }];
    case 'task.opened':
    case 'model.unavailable':
    case 'effect.abandoned':
    case 'quota.exhausted':
    case 'machine.changed':
    case 'task.cancelled':
      return [];
    default:
      return event satisfies never;
  }
};

/** The reason in words, with its detail where no line before said it and no rejected answer's text is in it. */
const whyPaused = ({ pause_reason, pause_detail }: TaskContext, words: ProgressWords): string => {
  if (pause_reason === null) return '';
  const isTold = pause_reason === 'contract_failure' || pause_reason === 'verification_failed';
  const why = words.pause[pause_reason];
  return pause_detail === null || isTold ? why : `${why}: ${shown(pause_detail)}`;
};

/** What the state that came of it says: the item begun, the question, the rest or the end. */
const outcomeLines = (after: TaskSnapshot, words: ProgressWords): ProgressLine[] => {
  const { state, context } = after;
  const standing = standingOf(context);
  switch (state) {
    case 'thinking': {
      const item = currentItem(context);
      if (item === null) return [];
      return [{ kind: 'item', text: words.item(standing.done + 1, standing.total, shown(item.step)) }];
    }
    case 'verifying':
      return [{ kind: 'verification', text: words.verifying }];
    case 'awaiting_user':
      return [{ kind: 'question', text: words.question(shown(context.last_ask_user_question ?? '')) }];
    case 'paused': {
      return [{ kind: 'paused', text: words.paused(whyPaused(context, words), standing) }];
    }
    case 'done':
      return [{ kind: 'finished', text: words.finished(standing) }];
    case 'failed':
      return [{ kind: 'failed', text: words.failed(standing) }];
    case 'cancelled':
      return [{ kind: 'cancelled', text: words.cancelled(standing) }];
    case 'planning':
    case 'replanning':
    case 'acting':
      return [];
    default:
      return state satisfies never;
  }
};

/** True when the task came to this state by the event; an inner round that goes on with its item did not. */
const isEntered = (before: TaskSnapshot | null, after: TaskSnapshot): boolean => {
  if (before === null || before.context.pause_reason !== after.context.pause_reason) return before !== null;
  return before.state !== after.state && !(after.state === 'thinking' && before.state === 'acting');
};

/**
 * What one trace entry has to tell the user, in the task's language (SPEC 11). `before` and `after` are the task around it;
 * `before` is null as the task opens. Never shows a model's reasoning or the text of a rejected answer.
 */
export const progressLines = (
  before: TaskSnapshot | null,
  entry: TaskTraceEntry,
  after: TaskSnapshot,
): ProgressLine[] => {
  const words = progressWords[after.context.language];
  const from = before?.context ?? after.context;
  const lines = eventLines(from, entry.event, after.context, words);
  if (after.context.deadlocks_in_a_row > from.deadlocks_in_a_row) {
    const stuck = after.context.plan_items.filter((item) => item.status === 'blocked');
    lines.push({ kind: 'deadlock', text: words.deadlock(stuck.length) });
  }
  return isEntered(before, after) ? [...lines, ...outcomeLines(after, words)] : lines;
};
