import type { TaskProps } from '../app/task-tabs.tsx';

/** The machine with a task's state in it. */
export const MachinePane = (_: TaskProps) => null;
