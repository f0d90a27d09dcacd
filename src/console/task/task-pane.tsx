import type { TaskProps } from '../app/task-tabs.tsx';

/** A task: its plan, its budget, its outcome. */
export const TaskPane = (_: TaskProps) => null;
