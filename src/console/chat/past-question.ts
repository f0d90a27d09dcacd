import type { TraceEntry } from '../../../contracts/trace.ts';

/** A question that was open at an entry, and its later answer. */
export interface PastQuestion {
  /** The entry that asked it. */
  seq: number;
  /** The question; null: whether a tool may run. */
  question: string | null;
  options: readonly string[];
  approval: { tool: string; input: string; summary: string | undefined; reason: string | undefined } | null;
  /** The answer; null: none, or an approval was decided. */
  answer: string | null;
}

/** The question of an entry that left its task waiting for the user. */
const askedBy = ({ seq, event }: TraceEntry): Omit<PastQuestion, 'answer'> | null => {
  if (event.type === 'plan.made') return { seq, question: null, options: [], approval: null };
  if (event.type !== 'thought.made') return null;
  const { question, options, next_action } = event;
  const { summary, reason } = event.approval ?? {};
  return { seq, question, options: options ?? [], approval: next_action && { ...next_action, summary, reason } };
};

/** The question that was open after the entry at `index`; null: none. */
export const pastQuestion = (entries: readonly TraceEntry[], index: number): PastQuestion | null => {
  if (entries[index]?.state !== 'awaiting_user') return null;
  for (let i = index; i >= 0; i--) {
    const entry = entries[i];
    const asked = entry === undefined ? null : askedBy(entry);
    if (asked === null) continue;
    const given = entries.slice(index + 1).find(({ state }) => state !== 'awaiting_user')?.event;
    return { ...asked, answer: given?.type === 'answer.received' ? given.text : null };
  }
  return null;
};
