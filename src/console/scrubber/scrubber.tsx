import type { TaskProps } from '../app/task-tabs.tsx';

/** The slider over a task's history. */
export const Scrubber = (_: TaskProps) => null;
