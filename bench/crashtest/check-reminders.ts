import type { TraceEntry } from '../../contracts/trace.ts';
import type { Ledger, Violation } from './ledger.ts';
import type { StoredState } from './stored-state.ts';

/** The part of a command that asks for a reminder of its todo, and how soon. */
export const REMIND = ' --remind "in 1 second"';

/** The todo that a command asks for; null for any other input. */
export const todoOf = (input: string): string | null =>
  input.startsWith('/todo add ') ? input.slice('/todo add '.length).replace(REMIND, '') : null;

/** Right after a crash: a past reminder has exactly one event, and a pending one has none. */
export const checkReminders = ({ reminders }: Pick<StoredState, 'reminders'>): Violation[] =>
  reminders
    .filter(({ is_over, events }) => is_over !== events)
    .map(({ text, is_over, events }) => ({
      rule: 'reminderApart',
      detail: `"${text}": ${events} events, ${is_over === 1 ? 'and it is over' : 'and it is still to come'}`,
    }));

/** After all reminders were due: each acknowledged one came once. */
export const checkReminded = ({ turns }: Pick<Ledger, 'turns'>, entries: TraceEntry[]): Violation[] => {
  const came = Map.groupBy(
    entries.flatMap(({ event }) => (event.type === 'reminder.due' ? [event.text] : [])),
    (text) => text,
  );
  return turns
    .filter(({ input, turn_id }) => input.endsWith(REMIND) && turn_id !== null)
    .map(({ input }) => todoOf(input) ?? '')
    .filter((text) => came.get(text)?.length !== 1)
    .map((text) => ({ rule: 'reminderLost', detail: `"${text}" came ${came.get(text)?.length ?? 0} times` }));
};
