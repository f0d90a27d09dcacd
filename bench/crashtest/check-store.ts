import { checkReminders, todoOf } from './check-reminders.ts';
import type { Ledger, Violation } from './ledger.ts';
import type { StoredState } from './stored-state.ts';

/** Compares what was acknowledged with what is stored, right after a crash and before recovery. */
export const checkStore = ({ turns, removed }: Pick<Ledger, 'turns' | 'removed'>, stored: StoredState): Violation[] => {
  const found: Violation[] = checkReminders(stored);
  for (const detail of stored.faults) found.push({ rule: 'integrity', detail });
  for (const detail of stored.gaps) found.push({ rule: 'seqGap', detail });
  for (const detail of stored.tornFiles) found.push({ rule: 'fileTorn', detail });

  const byKey = Map.groupBy(stored.turns, ({ key }) => key);
  for (const { key, session_id, turn_id, reply, input } of turns) {
    if (removed.has(session_id)) continue;
    const rows = byKey.get(key) ?? [];
    if (rows.length > 1) found.push({ rule: 'turnTwice', detail: `${key} is stored ${rows.length} times` });
    const [row] = rows;
    const isKept = row !== undefined && row.turn_id === turn_id && row.input === input;
    if (turn_id !== null && !isKept) found.push({ rule: 'turnLost', detail: `${key} "${input}", ${turn_id}` });
    else if (reply !== null && row?.is_finished !== 1)
      found.push({ rule: 'turnLost', detail: `${key} "${input}" had its reply and is unfinished` });

    const text = todoOf(input);
    if (text === null) continue;
    const count = stored.todos.get(text) ?? 0;
    if (count > 1) found.push({ rule: 'transactionalTwice', detail: `${count} todos "${text}" by a command` });
    else if (count !== rows.length)
      found.push({ rule: 'transactionalApart', detail: `${count} todos "${text}", ${rows.length} turns of ${key}` });
  }
  return found;
};
