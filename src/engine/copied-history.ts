import type { TaskEvent, TaskOpened } from '../../contracts/event.ts';
import { EventNotAccepted, open, type Step, step } from '../../machines/step.ts';
import { MACHINE } from '../../machines/task-machine.ts';
import { createLoopSlices } from '../event-loop/loop-slices.ts';
import type { ForkedText, SessionStore } from '../store/port.ts';
import type { StoredEntry } from './fold-task.ts';
import { type ForkIds, isFoldedAlike, readEvent, rewriteOpened } from './fork-history.ts';
import type { CopiedEvent } from './session-input.ts';
import { type SnapshotParts, snapshotParts } from './snapshot-parts.ts';

/** A history as a fork begins with it. */
interface CopiedHistory {
  opened: CopiedEvent<TaskOpened>;
  rest: CopiedEvent<TaskEvent>[];
  snapshot: SnapshotParts;
}

interface Parts {
  store: Pick<SessionStore, 'sharedTexts'>;
  yieldTurn(): Promise<void> | null;
}

/** Entries that are compared at a time, and characters of them, beyond the first: one plan may take 750,000. */
const COMPARED_AT_ONCE = 10;
const COMPARED_CHARS = 128 * 1024;

const slices = createLoopSlices();

/** Where the entries end that are compared together from `from` on. */
const endOfPart = (entries: readonly StoredEntry[], from: number): number => {
  let chars = 0;
  let end = from;
  while (end < entries.length && end < from + COMPARED_AT_ONCE && chars < COMPARED_CHARS) {
    chars += entries[end]!.event.length;
    end += 1;
  }
  return end;
};

/** The text that an entry would be stored with. */
const textOf = (seq: number, event: object, { effects }: Step): ForkedText => ({
  seq,
  event: JSON.stringify(event),
  effects: effects.length === 0 ? null : JSON.stringify(effects),
});

/**
 * Makes what reads and folds a cut history under the ids of a fork, in slices of the event loop. It finds the texts that the store has
 * already, so that a commit need not. Rejects with `EventNotAccepted` where this machine folds the history differently.
 */
export const createCopyHistory = ({ store, yieldTurn }: Parts) => {
  /** The events with the texts that they have in common with the original's. */
  const withTexts = async <Event extends object>(
    owner: string,
    original: string,
    ids: ForkIds,
    copied: readonly { seq: number; event: Event; made: Step }[],
  ): Promise<CopiedEvent<Event>[]> => {
    const wanted = copied.map(({ seq, event, made }) => textOf(seq, event, made));
    await yieldTurn();
    const texts = await store.sharedTexts(owner, original, ids, wanted);
    return copied.map(({ event, made }, i) => {
      const text = texts[i] ?? null;
      return { event, made, copy_of: text === null ? undefined : { task_id: original, text } };
    });
  };

  return async (
    owner: string,
    original: string,
    ids: ForkIds,
    [first, ...later]: readonly StoredEntry[],
  ): Promise<CopiedHistory> => {
    const event = rewriteOpened(first!, ids);
    let made = open(event);
    const [opened] = await withTexts(owner, original, ids, [{ seq: first!.seq, event, made }]);
    const rest: CopiedEvent<TaskEvent>[] = [];
    await yieldTurn();
    for (let from = 0, end = 0; from < later.length; from = end) {
      end = endOfPart(later, from);
      const copied = later.slice(from, end).map((entry) => {
        const next = readEvent(entry);
        made = step(made.task, next);
        if (entry.machine !== MACHINE && !isFoldedAlike(entry, made))
          throw new EventNotAccepted(`entry ${entry.seq} leads elsewhere now`);
        return { seq: entry.seq, event: next, made };
      });
      await yieldTurn();
      rest.push(...(await withTexts(owner, original, ids, copied)));
      await yieldTurn();
    }
    // In a slice of its own: it is written in one piece, and many may be forked at once.
    await slices.next(owner);
    return { opened: opened!, rest, snapshot: snapshotParts(made.task) };
  };
};
