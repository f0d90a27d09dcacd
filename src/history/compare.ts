import type { TraceEntry } from '../../contracts/trace.ts';
import { type JsonChange, jsonChanges } from './json-changes.ts';

/** Two traces beside each other. */
export interface Alignment {
  /** How many entries both begin with, ids and times apart. */
  same: number;
  /** Where the first ones differ that are not the same; empty where one trace has ended, or none differs. */
  changes: readonly JsonChange[];
}

/** Members that name the task, its session or its turns, or count a call's tokens: they always differ, and mean nothing. */
const MEANINGLESS = new Set(['task_id', 'session_id', 'turn_id', 'usage']);

const withoutNames = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(withoutNames);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, inner]) => (MEANINGLESS.has(name) ? [] : [[name, withoutNames(inner)]])),
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
