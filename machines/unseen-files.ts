import type { TaskEvent } from '../contracts/event.ts';
import type { AttachedFile } from '../contracts/file.ts';
import type { TaskContext } from '../contracts/task.ts';

/** The files that the user sent to this task. */
export const filesSent = ({ log }: TaskContext): AttachedFile[] =>
  (log ?? []).flatMap((entry) => (entry.kind === 'files' ? entry.files : []));

/** All files that a task's prompts name: those sent to it and before it in its conversation, and those of its results. */
export const filesNamedIn = (task: TaskContext): AttachedFile[] => [
  ...task.conversation.flatMap(({ files = [] }) => files),
  ...filesSent(task),
  ...task.observations.flatMap(({ files = [] }) => files),
];

/** Files that could not be looked at, with others of which no reply has said so. */
export const unseenWith = (before: TaskContext['unseen_files'], paths: readonly string[]): typeof before => {
  const known = new Set(before.map(({ path }) => path));
  return [...before, ...paths.filter((path) => !known.has(path)).map((path) => ({ path, is_said: false }))];
};

/**
 * The user's files that the model could not look at, after an event: those that an answer names join, and the reply
 * that says so is behind the next turn of the user.
 */
export const unseenAfter = ({ unseen_files: before }: TaskContext, event: TaskEvent): TaskContext['unseen_files'] => {
  if ('turn_id' in event) return before.map((file) => ({ ...file, is_said: true }));
  return 'unseen' in event && event.unseen !== undefined ? unseenWith(before, event.unseen) : before;
};
