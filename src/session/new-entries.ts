import { type SessionTraceEntry, type TaskTraceEntry, TRACE_VERSION, type TraceEntry } from '../../contracts/trace.ts';
import { MACHINE } from '../../machines/task-machine.ts';
import { type Narration, narrateSessionEntry, narrateStep } from '../history/narration.ts';
import { iso } from '../lib/iso-time.ts';
import type { Change, Decision } from './change.ts';

type EntryAdded = Extract<Change, { type: 'entry.added' }>;

const isEntry = (change: Change): change is EntryAdded => change.type === 'entry.added';

/** An entry as a reader of the trace gets it, member by member. */
const traceEntry = ({ seq, task_id, event, state, step_count, effects, chain }: EntryAdded, { at, image }: Decision) =>
  ({
    v: TRACE_VERSION,
    seq,
    at: iso(at),
    session_id: image.session.session_id,
    task_id,
    machine: MACHINE,
    event,
    state,
    step_count,
    effects,
    chain,
  }) as TraceEntry;

/**
 * The entries that a decision adds, in their order, from what it has in memory. Each is narrated, but for those that no step of the decision
 * made: copies in a fork, and events of a task beside the active one.
 */
export const newTraceEntries = (decision: Decision): (Narration | TraceEntry)[] => {
  const transitions = decision.transitions.values();
  let next = transitions.next();
  return decision.changes.filter(isEntry).map((change) => {
    const entry = traceEntry(change, decision);
    if (entry.task_id === null) return narrateSessionEntry(entry as SessionTraceEntry);
    if (next.value?.event !== change.event) return entry;
    const { before, task } = next.value;
    next = transitions.next();
    return narrateStep(entry as TaskTraceEntry, before, task);
  });
};
