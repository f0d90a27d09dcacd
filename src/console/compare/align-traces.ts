import type { TraceEntry } from '../../../contracts/trace.ts';
import { type JsonChange, jsonChanges } from '../history/json-changes.ts';

/** Two traces beside each other. */
export interface Alignment {
  /** How many entries both begin with, ids and times apart. */
  same: number;
  /** Where the first ones differ that are not the same; empty where one trace has ended, or none differs. */
  changes: readonly JsonChange[];
}

/** Members that name the task, its session, its turns or a moment: they always differ, and mean nothing. */
const NAMES = new Set(['task_id', 'session_id', 'turn_id']);

/** Usage and time of a model call, which do not make two traces differ. */
const isCounted = (name: string): boolean => name === 'usage';

const withoutNames = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(withoutNames);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, inner]) =>
      NAMES.has(name) || isCounted(name) ? [] : [[name, withoutNames(inner)]],
    ),
  );
};

const meaning = ({ event, state, step_count, effects }: TraceEntry): unknown =>
  withoutNames({ event, state, step_count, effects });

/** Finds the first entry that differs. Numbers of entries mean nothing either: a fork's begin one later. */
export const alignTraces = (left: readonly TraceEntry[], right: readonly TraceEntry[]): Alignment => {
  const both = Math.min(left.length, right.length);
  for (let same = 0; same < both; same++) {
    const changes = jsonChanges(meaning(left[same]!), meaning(right[same]!));
    if (changes.length > 0) return { same, changes };
  }
  return { same: both, changes: [] };
};
