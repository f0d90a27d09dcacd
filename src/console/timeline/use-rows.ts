import { type Signal, useSignal } from '@preact/signals';
import { useEffect, useMemo } from 'preact/hooks';
import { inSlices } from '../history/slices.ts';
import type { TaskTrace } from '../history/task-trace.ts';
import { createRows, type TimelineFilter, type TimelineRows } from './timeline-rows.ts';

/** The rows of a trace that a filter leaves, which grow with the trace. Made in slices: a search reads every entry. */
export const useRows = (trace: TaskTrace, filter: Signal<TimelineFilter>): TimelineRows => {
  const version = useSignal(0);
  const count = trace.count.value;
  const rows = useMemo(() => createRows(trace.entries, filter.value), [trace, filter.value]);
  useEffect(() => {
    let isOver = false;
    void inSlices(() => {
      if (isOver) return false;
      version.value += 1;
      return rows.takeNext();
    });
    return () => {
      isOver = true;
    };
  }, [rows, count]);
  // The component is drawn again as the rows grow.
  void version.value;
  return rows;
};
