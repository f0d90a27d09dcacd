import type { TaskEvent, TaskOpened } from '../../contracts/event.ts';
import type { Language } from '../../contracts/language.ts';
import { type Messages, messages } from '../../contracts/messages/messages.ts';
import { plainLine } from '../../contracts/plain-line.ts';
import type { TaskTraceEntry } from '../../contracts/trace.ts';
import { approvalAnswer } from './approval-answer.ts';
import { decisionOf } from './thought-decision.ts';

/** Longest text of one decision, in characters: the log is read as a list. */
const DECISION_CHARS_MAX = 200;

/** Decisions listed in MISSION.md, newest last: a page that a person reads; all of them are in the trace. */
const DECISIONS_LISTED_MAX = 100;

/** A task's decisions up to an entry: the newest, and how many came before them. */
export interface DecisionLog {
  /** The entry that was taken in last; 0 before the first. */
  seq: number;
  listed: { seq: number; text: string }[];
  earlier: number;
}

export const emptyLog: DecisionLog = { seq: 0, listed: [], earlier: 0 };

/** The log with the decisions of one more entry of its task. */
export const withDecision = (
  { listed, earlier }: DecisionLog,
  { seq, event }: Pick<TaskTraceEntry, 'seq' | 'event'>,
  language: Language,
): DecisionLog => {
  const text = decisionText(event, language);
  if (text === null) return { seq, listed, earlier };
  const all = [...listed, { seq, text }];
  const isFull = all.length > DECISIONS_LISTED_MAX;
  return { seq, listed: isFull ? all.slice(1) : all, earlier: earlier + (isFull ? 1 : 0) };
};

const shown = (text: string): string => plainLine(text, DECISION_CHARS_MAX);

const withNotes = (decision: string, notes: string[] | undefined, text: Messages['progress']): string =>
  [decision, ...(notes ?? []).map((note) => text.note(shown(note)))].join(' · ');

/**
 * One event as a line of the log of decisions, in a language; null for what decides nothing. Never shows a
 * model's reasoning or the text of a rejected answer.
 */
const decisionText = (event: TaskEvent | TaskOpened, language: Language): string | null => {
  const text = messages(language).progress;
  switch (event.type) {
    case 'plan.made':
      return withNotes(text.plan(event.plan.length), event.notes, text);
    case 'thought.made':
      if (event.next_action !== null) return text.action(shown(event.next_action.tool), shown(event.next_action.input));
      return event.question === null ? text.decision[decisionOf(event)] : text.question(shown(event.question));
    case 'replan.made':
      return event.status === 'replanned'
        ? withNotes(text.replan(event.plan.length), event.notes, text)
        : text.answering;
    case 'observation.recorded':
      return event.ok ? null : text.result(false, shown(event.result));
    case 'verification.finished':
      return text.verified(event.ok, shown(event.output));
    case 'answer.received':
      return text.answer(shown(event.text));
    case 'decision.received':
      return text.answer(shown(approvalAnswer(event.decision, language)));
    case 'steer.received':
      return text.steer(shown(event.text));
    case 'model.unavailable':
      return text.pause.model_unavailable;
    case 'effect.abandoned':
      return text.pause.crash_loop;
    case 'quota.exhausted':
      return text.pause.budget_exhausted;
    case 'machine.changed':
      return text.pause.machine_changed;
    case 'plan.rejected':
    case 'thought.rejected':
    case 'replan.rejected':
      return text.unusable;
    case 'plan.edited':
      return text.youEdited;
    case 'task.resumed':
      return text.youResumed;
    case 'task.cancelled':
      return text.youCancelled;
    case 'task.opened':
    case 'result.superseded':
      return null;
    default:
      return event satisfies never;
  }
};
