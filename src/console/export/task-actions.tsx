import type { TaskProps } from '../app/task-tabs.tsx';

/** What can be done with a task: fork, compare, copy, export. */
export const TaskActions = (_: TaskProps) => null;
