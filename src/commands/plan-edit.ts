import { PlanItemStatus } from '../../contracts/answer.ts';
import type { PlanEdit } from '../../contracts/event.ts';
import { messages } from '../../contracts/messages/messages.ts';
import type { Language } from '../../contracts/text.ts';

const usageIn = (language: Language): string => {
  const { commandLine, usage } = messages(language);
  return [commandLine.usage, ...Object.values(usage.planEdit).map((line) => `  ${line}`)].join('\n');
};

const indexOf = (word: string | undefined): number | null =>
  word !== undefined && /^[1-9]\d{0,3}$/.test(word) ? Number(word) - 1 : null;

/** Reads the forms of `/plan` that change the current task's plan, with items numbered from 1; an error is the usage. Never guesses. */
export const parsePlanEdit = (rest: string, language: Language): { edit: PlanEdit } | { error: string } => {
  const unreadable = { error: usageIn(language) };
  const [form = ''] = /^\S*/.exec(rest.trim()) ?? [];
  const text = rest.trim().slice(form.length);
  const words = text.trim().split(/\s+/);
  const first = indexOf(words[0]);
  switch (form.toLowerCase()) {
    case 'add':
      return text.trim() === '' ? unreadable : { edit: { kind: 'add', step: text.trim() } };
    case 'drop':
    case 'delete':
      return first === null || words.length > 1 ? unreadable : { edit: { kind: 'drop', index: first } };
    case 'move': {
      const to = indexOf(words[1]);
      return first === null || to === null ? unreadable : { edit: { kind: 'move', from: first, to } };
    }
    case 'mark': {
      const status = PlanItemStatus.safeParse(words[1]);
      return first === null || !status.success
        ? unreadable
        : { edit: { kind: 'mark', index: first, status: status.data } };
    }
    default:
      return unreadable;
  }
};
