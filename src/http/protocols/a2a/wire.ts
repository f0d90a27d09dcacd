import { type Artifact, type Message, type Part, Role, type StreamResponse, type Task, TaskState } from '@a2a-js/sdk';
import type { TaskView, TurnView } from '../../../../contracts/turn-view.ts';
import type { TurnRenderer } from '../render-turn.ts';

const part = (content: Part['content'], mediaType: string): Part => ({
  ...{ content, metadata: undefined, filename: '', mediaType },
});

const textPart = (value: string): Part => part({ $case: 'text', value }, 'text/plain');

/** A message, by default of the agent. `data` is the same for programs, where there is more to it than words. */
const messageOf = (
  messageId: string,
  contextId: string,
  taskId: string | null,
  text: string,
  { data, role = Role.ROLE_AGENT }: { data?: unknown; role?: Role } = {},
): Message => ({
  messageId,
  contextId,
  taskId: taskId ?? '',
  role,
  parts: [textPart(text), ...(data === undefined ? [] : [part({ $case: 'data', value: data }, 'application/json')])],
  metadata: undefined,
  extensions: [],
  referenceTaskIds: [],
});

const replyOf = ({ id, session_id, task_id, output }: TurnView, data?: unknown): Message =>
  messageOf(`${id}-reply`, session_id, task_id, output ?? '', { data });

const states: Record<TaskView['state'], TaskState> = {
  planning: TaskState.TASK_STATE_WORKING,
  replanning: TaskState.TASK_STATE_WORKING,
  thinking: TaskState.TASK_STATE_WORKING,
  acting: TaskState.TASK_STATE_WORKING,
  verifying: TaskState.TASK_STATE_WORKING,
  awaiting_user: TaskState.TASK_STATE_INPUT_REQUIRED,
  paused: TaskState.TASK_STATE_INPUT_REQUIRED,
  done: TaskState.TASK_STATE_COMPLETED,
  failed: TaskState.TASK_STATE_FAILED,
  cancelled: TaskState.TASK_STATE_CANCELED,
};

/** A task's state in A2A's words. A paused task goes on by an input, so it requires one. */
export const stateOf = ({ state, outcome }: Pick<TaskView, 'state' | 'outcome'>): TaskState =>
  state === 'done' && outcome === 'failed' ? TaskState.TASK_STATE_FAILED : states[state];

const answerArtifact = ({ id, task_id, output }: TurnView): Artifact => ({
  artifactId: `${task_id}-answer`,
  name: 'answer',
  description: '',
  parts: [textPart(output ?? '')],
  metadata: { turn_id: id },
  extensions: [],
});

/** The status message of a suspended or ended turn; an answer is an artifact instead. */
const statusMessage = (turn: TurnView): Message | undefined => {
  const { status, output, question, options, approval } = turn;
  if (output === null || status === 'answered') return undefined;
  return replyOf(turn, question === null ? undefined : { question, options, approval });
};

/** The reply of a command: it belongs to no task. */
export const commandReply = (turn: TurnView): Message => replyOf({ ...turn, task_id: null });

/** The messages of a task before its last reply, the newest turn given first; at most the last `length` messages. */
export const historyOf = (turns: readonly TurnView[], length = Number.POSITIVE_INFINITY): Message[] => {
  const messages = turns.toReversed().flatMap((turn) => {
    const { id, session_id, task_id, input, output } = turn;
    const said = messageOf(`${id}-input`, session_id, task_id, input, { role: Role.ROLE_USER });
    return turn === turns[0] || output === null ? [said] : [said, replyOf(turn)];
  });
  return messages.slice(Math.max(0, messages.length - length));
};

/** A task, with the reply of its last finished turn where it does not run. `turn` is null where none is known. */
export const taskOf = (task: TaskView, contextId: string, turn: TurnView | null): Task => {
  const { id, goal, plan, step_count, step_limit, pause_reason } = task;
  const state = stateOf(task);
  const isWorking = state === TaskState.TASK_STATE_WORKING;
  return {
    id,
    contextId,
    status: {
      state,
      message: isWorking || turn === null ? undefined : statusMessage(turn),
      timestamp: turn?.finished_at ?? undefined,
    },
    artifacts: turn?.status === 'answered' && !isWorking ? [answerArtifact(turn)] : [],
    history: [],
    metadata: { goal, plan, step_count, step_limit, pause_reason },
  };
};

/**
 * Renders a turn as A2A streams it: the task first, then progress, the answer and the state that it settles in; a command is one message.
 */
export const turnResponses = ({ id, session_id: contextId }: TurnView): TurnRenderer<StreamResponse> => {
  let task: TaskView | null = null;
  let lines = 0;

  const taskResponse = (shown: TaskView, turn: TurnView | null): StreamResponse => ({
    payload: { $case: 'task', value: taskOf(shown, contextId, turn) },
  });
  const statusUpdate = (now: TaskView, message: Message | undefined, timestamp?: string): StreamResponse => {
    const status = { state: stateOf(now), message, timestamp };
    const metadata = { step_count: now.step_count, step_limit: now.step_limit };
    return { payload: { $case: 'statusUpdate', value: { taskId: now.id, contextId, status, metadata } } };
  };
  const artifactUpdate = (taskId: string, turn: TurnView): StreamResponse => {
    const artifact = { artifact: answerArtifact(turn), append: false, lastChunk: true };
    return { payload: { $case: 'artifactUpdate', value: { taskId, contextId, ...artifact, metadata: undefined } } };
  };

  return {
    task: (now) => {
      const isFirst = task === null;
      task = now;
      return isFirst ? [taskResponse(now, null)] : [];
    },
    reasoning: {
      delta: (line) => {
        // The state that it settles in is said at the end, with the reply.
        if (task === null || stateOf(task) !== TaskState.TASK_STATE_WORKING) return [];
        lines += 1;
        return [statusUpdate(task, messageOf(`${id}-${lines}`, contextId, task.id, line.slice(0, -1)))];
      },
    },
    end: ({ turn }) => {
      if (turn.task === null) return [{ payload: { $case: 'message', value: commandReply(turn) } }];
      return [
        ...(task === null ? [taskResponse(turn.task, turn)] : []),
        ...(turn.status === 'answered' ? [artifactUpdate(turn.task.id, turn)] : []),
        statusUpdate(turn.task, statusMessage(turn), turn.finished_at ?? undefined),
      ];
    },
  };
};
