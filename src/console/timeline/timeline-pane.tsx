import type { TaskProps } from '../app/task-tabs.tsx';

/** A task's trace, entry by entry. */
export const TimelinePane = (_: TaskProps) => null;
