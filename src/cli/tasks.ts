import { WaitingState, type WaitingTask } from '../../contracts/http.ts';
import type { TaskView } from '../../contracts/turn-view.ts';
import { CommandFailure } from './command-failure.ts';
import { exitCode } from './exit-code.ts';
import { type ListOptions, type Lists, openLists, pageWanted, printList, shownTime } from './lists.ts';
import { serviceWords, sessionCommand } from './open-service.ts';
import { waitsFor } from './waits-for.ts';

export interface TasksOptions extends ListOptions {
  /** Only what waits in these states, with a comma between. */
  state?: string;
  /** All tasks of this session, in place of what waits over all sessions. */
  session?: string;
}

const statesOf = (text: string | undefined): readonly WaitingState[] => {
  if (text === undefined) return WaitingState.options;
  return text.split(',').map((word) => {
    const state = WaitingState.safeParse(word.trim());
    if (state.success) return state.data;
    throw new CommandFailure(
      `--state must be ${WaitingState.options.join(' or ')}, or both with a comma`,
      exitCode.usage,
    );
  });
};

const showWaiting = async (lists: Lists, states: readonly WaitingState[], options: TasksOptions): Promise<void> => {
  const again = ['tasks', ...serviceWords(options), ...(options.state === undefined ? [] : ['--state', options.state])];
  const rowOf = ({ session_id, task, question, since }: WaitingTask): string[] => [
    ...[session_id, task.id, task.state],
    ...[shownTime(since, lists.timezone), waitsFor(task, question)],
  ];
  const hint = `Answer with: ${sessionCommand('run', '<session>', options)} "<answer>"`;
  const titles = ['SESSION', 'TASK', 'STATE', 'SINCE', 'WAITS FOR'];
  const page = await lists.waiting(states, pageWanted(options));
  printList(page, { titles, rowOf, none: 'Nothing waits', hint, again }, options.json === true);
};

const showSessionTasks = async (lists: Lists, session: string, options: TasksOptions): Promise<void> => {
  const again = ['tasks', ...serviceWords(options), '--session', session];
  const rowOf = ({ id, state, step_count, step_limit, goal }: TaskView): string[] => [
    ...[id, state, `${step_count} of ${step_limit}`, goal],
  ];
  const titles = ['TASK', 'STATE', 'STEPS', 'GOAL'];
  const page = await lists.tasks(session, pageWanted(options));
  printList(page, { titles, rowOf, none: 'The session has had no task yet', again }, options.json === true);
};

/** `tripact tasks`: what waits over all sessions, longest first; or all tasks of one session, as they were opened. */
export const showTasks = async (options: TasksOptions): Promise<void> => {
  const states = statesOf(options.state);
  const lists = await openLists(options);
  try {
    if (options.session === undefined) await showWaiting(lists, states, options);
    else await showSessionTasks(lists, options.session, options);
  } finally {
    await lists.close();
  }
};
