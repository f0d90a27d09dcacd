import type { TraceEntry } from '../../contracts/trace.ts';
import { type JsonChange, jsonChanges } from './json-changes.ts';

/** Two traces side by side. */
export interface Alignment {
  /** The number of entries that both begin with, ignoring ids and times. */
  same: number;
  /** The differences between the first unequal entries; empty if one trace has ended, or nothing differs. */
  changes: readonly JsonChange[];
}

/**
 * Fields that name the task, its session or its turns, or count a call's tokens: they always differ, without meaning.
 */
const MEANINGLESS = new Set(['task_id', 'session_id', 'turn_id', 'usage', 'chained_from']);

const withoutNames = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(withoutNames);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, inner]) => (MEANINGLESS.has(name) ? [] : [[name, withoutNames(inner)]])),
  );
};

const meaning = ({ event, state, step_count, effects }: TraceEntry): unknown =>
  withoutNames({ event, state, step_count, effects });

/** Finds the first differing entry. Ignores the numbers of entries: a fork's begin one later. */
export const alignTraces = (left: readonly TraceEntry[], right: readonly TraceEntry[]): Alignment => {
  const both = Math.min(left.length, right.length);
  for (let same = 0; same < both; same++) {
    const changes = jsonChanges(meaning(left[same]!), meaning(right[same]!));
    if (changes.length > 0) return { same, changes };
  }
  return { same: both, changes: [] };
};
