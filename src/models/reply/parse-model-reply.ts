import type { TaskEvent } from '../../../contracts/event.ts';
import { REASON_CHARS_MAX } from '../../../contracts/limits.ts';
import { type Messages, messages } from '../../../contracts/messages/messages.ts';
import type { TaskContext } from '../../../contracts/task.ts';
import { cutText } from '../../../contracts/text.ts';
import { planRejection, replanRejection, thoughtRejection } from '../../../machines/laws.ts';
import { planItems } from '../../../machines/plan-items.ts';
import type { AnswerFault, ModelReply } from '../port.ts';
import { readPlan, readReplan, readThought } from './read-answer.ts';

/** The messages of answers that are not read. */
const FAULTS = {
  truncated: 'truncated',
  refused: 'refused',
  empty: 'empty',
  tool_use: 'toolUse',
} as const satisfies Record<Exclude<AnswerFault, 'none'>, keyof Messages['rejections']>;

const notesOf = (plan: Parameters<typeof planItems>[0], context: TaskContext): { notes?: string[] } => {
  const planned = planItems(plan, context);
  return planned.ok && planned.notes.length > 0 ? { notes: planned.notes } : {};
};

/**
 * Turns a model's text into the event that goes into the machine: made when it keeps the contract and may be said now,
 * rejected with the reason otherwise. It counts in both cases; nothing is asked again silently (SPEC 4, 5).
 */
export const parseModelReply = (
  contract: 'plan' | 'thought' | 'replan',
  context: TaskContext,
  effect: number,
  { text, fault, usage }: ModelReply,
): TaskEvent => {
  const texts = messages(context.language);
  const rejected = (reason: string): TaskEvent => ({
    type: `${contract}.rejected` as const,
    effect,
    reason: cutText(reason, REASON_CHARS_MAX),
    usage,
  });
  if (fault !== 'none') return rejected(texts.rejections[FAULTS[fault]]);
  switch (contract) {
    case 'plan': {
      const read = readPlan(text);
      if (!read.ok) return rejected(read.reason(texts));
      const rejection = planRejection(context, read.answer.plan);
      if (rejection !== null) return rejected(rejection);
      const notes = notesOf(read.answer.plan, context);
      return { type: 'plan.made', effect, reader: read.reader, usage, ...read.answer, ...notes };
    }
    case 'thought': {
      const read = readThought(text);
      if (!read.ok) return rejected(read.reason(texts));
      const rejection = thoughtRejection(context, read.answer);
      if (rejection !== null) return rejected(rejection);
      return { type: 'thought.made', effect, reader: read.reader, usage, ...read.answer };
    }
    case 'replan': {
      const read = readReplan(text);
      if (!read.ok) return rejected(read.reason(texts));
      const rejection = replanRejection(context, read.answer);
      if (rejection !== null) return rejected(rejection);
      const notes = read.answer.status === 'replanned' ? notesOf(read.answer.plan, context) : {};
      return { type: 'replan.made', effect, reader: read.reader, usage, ...read.answer, ...notes };
    }
    default:
      return contract satisfies never;
  }
};
