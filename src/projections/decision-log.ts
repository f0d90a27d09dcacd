import type { TaskEvent, TaskOpened } from '../../contracts/event.ts';
import { oneLine } from './one-line.ts';
import type { ProgressWords } from './progress-words.ts';
import { decisionOf } from './thought-decision.ts';

/** Longest text of one decision, in characters: the log is read as a list. */
const DECISION_CHARS_MAX = 200;

const shown = (text: string): string => oneLine(text, DECISION_CHARS_MAX);

const withNotes = (text: string, notes: string[] | undefined, words: ProgressWords): string =>
  [text, ...(notes ?? []).map((note) => words.note(shown(note)))].join(' · ');

/**
 * One event as a line of the log of decisions, by the phrases of progress; null for what decides nothing. Never shows a
 * model's reasoning or the text of a rejected answer.
 */
export const decisionText = (event: TaskEvent | TaskOpened, words: ProgressWords): string | null => {
  switch (event.type) {
    case 'plan.made':
      return withNotes(words.plan(event.plan.length), event.notes, words);
    case 'thought.made':
      if (event.next_action !== null)
        return words.action(shown(event.next_action.tool), shown(event.next_action.input));
      return event.question === null ? words.decision[decisionOf(event)] : words.question(shown(event.question));
    case 'replan.made':
      return event.status === 'replanned'
        ? withNotes(words.replan(event.plan.length), event.notes, words)
        : words.answering;
    case 'observation.recorded':
      return event.ok ? null : words.result(false, shown(event.result));
    case 'verification.finished':
      return words.verified(event.ok, shown(event.output));
    case 'answer.received':
      return words.answer(shown(event.text));
    case 'steer.received':
      return words.steer(shown(event.text));
    case 'model.unavailable':
      return words.pause.model_unavailable;
    case 'effect.abandoned':
      return words.pause.crash_loop;
    case 'quota.exhausted':
      return words.pause.budget_exhausted;
    case 'machine.changed':
      return words.pause.machine_changed;
    case 'plan.rejected':
    case 'thought.rejected':
    case 'replan.rejected':
      return words.unusable;
    case 'plan.edited':
      return words.youEdited;
    case 'task.resumed':
      return words.youResumed;
    case 'task.cancelled':
      return words.youCancelled;
    case 'task.opened':
    case 'result.superseded':
      return null;
    default:
      return event satisfies never;
  }
};
