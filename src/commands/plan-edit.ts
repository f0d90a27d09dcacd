import type { PlanEdit } from '../../contracts/event.ts';
import { PlanItemStatus } from '../../contracts/plan.ts';

const USAGE = [
  'Usage:',
  '  /plan add <step>',
  '  /plan drop <number> (or delete)',
  '  /plan move <number> <to number>',
  `  /plan mark <number> <${PlanItemStatus.options.join('|')}>`,
].join('\n');

const indexOf = (word: string | undefined): number | null =>
  word !== undefined && /^[1-9]\d{0,3}$/.test(word) ? Number(word) - 1 : null;

/** Reads the forms of `/plan` that change the current task's plan; people count items from 1. Never guesses. */
export const parsePlanEdit = (rest: string): { edit: PlanEdit } | { error: string } => {
  const [form = ''] = /^\S*/.exec(rest.trim()) ?? [];
  const text = rest.trim().slice(form.length);
  const words = text.trim().split(/\s+/);
  const first = indexOf(words[0]);
  switch (form.toLowerCase()) {
    case 'add':
      return text.trim() === '' ? { error: USAGE } : { edit: { kind: 'add', step: text.trim() } };
    case 'drop':
    case 'delete':
      return first === null || words.length > 1 ? { error: USAGE } : { edit: { kind: 'drop', index: first } };
    case 'move': {
      const to = indexOf(words[1]);
      return first === null || to === null ? { error: USAGE } : { edit: { kind: 'move', from: first, to } };
    }
    case 'mark': {
      const status = PlanItemStatus.safeParse(words[1]);
      return first === null || !status.success
        ? { error: USAGE }
        : { edit: { kind: 'mark', index: first, status: status.data } };
    }
    default:
      return { error: USAGE };
  }
};
