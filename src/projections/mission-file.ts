import type { PlanItem, ThoughtStatus } from '../../contracts/answer.ts';
import type { EventOf, TaskEvent, TaskOpened } from '../../contracts/event.ts';
import type { NextMove } from '../../contracts/messages/en/progress.ts';
import { messages } from '../../contracts/messages/messages.ts';
import type { TaskSnapshot } from '../../contracts/task.ts';
import { type Language, plainLine } from '../../contracts/text.ts';
import type { TaskTraceEntry } from '../../contracts/trace.ts';
import { actionsOf } from '../../machines/side-by-side.ts';
import { allItems, planMark } from './items.ts';
import { approvalAnswer } from './question.ts';

/** Longest goal or question, longest step or result, and longest text of one decision, in characters. */
const PARAGRAPH_CHARS_MAX = 2_000;
const STEP_CHARS_SHOWN_MAX = 300;
const DECISION_CHARS_MAX = 200;

/** Decisions listed, newest last: a page that a person reads. The trace has all of them. */
const DECISIONS_LISTED_MAX = 100;

const NEXT_MOVES: Record<ThoughtStatus, NextMove> = { continue: 'act', ask_user: 'ask', done: 'done' };

/** A thought's decision. Never its reasoning: `current_step` and `response` are not shown. */
export const decisionOf = ({ status, outcome }: EventOf<'thought.made'>): NextMove =>
  outcome === 'blocked' ? 'give_up' : NEXT_MOVES[status];

/** A task's decisions up to an entry: the newest ones, and the number of earlier ones. */
export interface DecisionLog {
  listed: { seq: number; text: string }[];
  earlier: number;
}

export const emptyLog: DecisionLog = { listed: [], earlier: 0 };

/** The log with the decisions of one more entry of its task. */
export const withDecision = (
  log: DecisionLog,
  { seq, event }: Pick<TaskTraceEntry, 'seq' | 'event'>,
  language: Language,
): DecisionLog => {
  const text = decisionText(event, language);
  if (text === null) return log;
  const all = [...log.listed, { seq, text }];
  const listed = all.slice(-DECISIONS_LISTED_MAX);
  return { listed, earlier: log.earlier + all.length - listed.length };
};

const shown = (text: string): string => plainLine(text, DECISION_CHARS_MAX);

/**
 * One event as a line of the log; null if it decides nothing. Never a model's reasoning or the text of a rejected
 * answer.
 */
const decisionText = (event: TaskEvent | TaskOpened, language: Language): string | null => {
  const text = messages(language).progress;
  const withNotes = (decision: string, notes: string[] = []): string =>
    [decision, ...notes.map((note) => text.note(shown(note)))].join(' · ');
  switch (event.type) {
    case 'plan.made':
      return withNotes(text.plan(event.plan.length), event.notes);
    case 'thought.made':
      if (event.next_action !== null)
        return actionsOf(event)
          .map(({ tool, input }) => text.action(shown(tool), shown(input)))
          .join(' · ');
      return event.question === null ? text.decision[decisionOf(event)] : text.question(shown(event.question));
    case 'replan.made':
      return event.status === 'replanned' ? withNotes(text.replan(event.plan.length), event.notes) : text.answering;
    case 'observation.recorded':
      return event.ok ? null : text.result(false, shown(event.result));
    case 'observations.recorded':
      return (
        event.observations
          .flatMap(({ tool, input, ok, result }) =>
            ok ? [] : [text.resultOf(shown(tool), shown(input), false, shown(result))],
          )
          .join(' · ') || null
      );
    case 'tool.asked':
      return text.question(shown(event.requests[0]?.message ?? ''));
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
    case 'question.expired':
      return text.pause.question_expired;
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
    default:
      return null;
  }
};

/**
 * Text from people, models and tools as one line of Markdown that renders as plain text: no HTML, hidden links,
 * headings or lists.
 */
const plain = (text: string, max: number): string =>
  plainLine(text, max)
    .replace(/[\\`*[\]~]/g, '\\$&')
    .replace(/(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])/gu, '\\_')
    .replace(/&(?=#?\w+;)/g, '&amp;')
    .replaceAll('<', '&lt;')
    .replace(/^\d+(?=[.)])/, '$&\\')
    .replace(/^[-+=#>|:]/, '\\$&');

const itemText = ({ step, status, result }: PlanItem): string => {
  const line = `- ${planMark(status)} ${plain(step, STEP_CHARS_SHOWN_MAX)}`;
  return result === null ? line : `${line}\n  ${plain(result, STEP_CHARS_SHOWN_MAX)}`;
};

/** The text of `MISSION.md` (SPEC 10), with the task's log. Writes no file. */
export const mission = ({ state, context }: TaskSnapshot, { listed, earlier }: DecisionLog): string => {
  const { missionFile: texts } = messages(context.language);
  const items = allItems(context).map(itemText);
  const before = earlier === 0 ? [] : [`- ${texts.earlier(earlier)}`];
  const decisions = listed.map(({ seq, text }) => `- ${seq}: ${plain(text, PARAGRAPH_CHARS_MAX)}`);
  const question = state === 'awaiting_user' ? context.last_ask_user_question : null;
  const shownState = state === 'done' && context.outcome === 'failed' ? 'failed' : state;
  return [
    `# ${texts.title(texts.state[shownState], texts.steps(context.step_count, context.step_limit))}`,
    `## ${texts.goal}`,
    plain(context.goal, PARAGRAPH_CHARS_MAX),
    `## ${texts.plan}`,
    items.join('\n') || texts.noPlan,
    `## ${texts.decisions}`,
    [...before, ...decisions].join('\n') || texts.none,
    `## ${texts.questions}`,
    `${question === null ? texts.none : plain(question, PARAGRAPH_CHARS_MAX)}\n`,
  ].join('\n\n');
};
