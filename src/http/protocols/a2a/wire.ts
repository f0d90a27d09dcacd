import { Artifact, Message, StreamResponse, type Task, TaskState } from '@a2a-js/sdk';
import { isEnded, isSettled } from '../../../../contracts/task.ts';
import type { TaskView, TurnView } from '../../../../contracts/turn-view.ts';
import type { TurnRenderer } from '../render-turn.ts';
import type { OfferedFile } from '../written-files.ts';

/** A message, by default from the agent. `data` repeats it for programs, where it is more than words. */
const messageOf = (
  messageId: string,
  { session_id: contextId, task_id: taskId }: Pick<TurnView, 'session_id' | 'task_id'>,
  text: string,
  { data, role = 'ROLE_AGENT' }: { data?: object | undefined; role?: string } = {},
): Message => {
  const more = data === undefined ? [] : [{ data, mediaType: 'application/json' }];
  return Message.fromJSON({ messageId, contextId, taskId, role, parts: [{ text, mediaType: 'text/plain' }, ...more] });
};

const replyOf = (turn: TurnView, data?: object): Message =>
  messageOf(`${turn.id}-reply`, turn, turn.output ?? '', { data });

/** A task's state in A2A's terms. A paused task continues by an input, so it is `input-required`. */
export const stateOf = ({ state, outcome }: Pick<TaskView, 'state' | 'outcome'>): TaskState => {
  if (!isSettled(state)) return TaskState.TASK_STATE_WORKING;
  if (!isEnded(state)) return TaskState.TASK_STATE_INPUT_REQUIRED;
  if (state === 'cancelled') return TaskState.TASK_STATE_CANCELED;
  return state === 'done' && outcome !== 'failed' ? TaskState.TASK_STATE_COMPLETED : TaskState.TASK_STATE_FAILED;
};

const answerArtifact = ({ id, task_id, output, answer }: TurnView): Artifact =>
  Artifact.fromJSON({
    artifactId: `${task_id}-answer`,
    name: 'answer',
    parts: [
      { text: output ?? '', mediaType: 'text/plain' },
      ...(answer === undefined ? [] : [{ data: answer, mediaType: 'application/json' }]),
    ],
    metadata: { turn_id: id },
  });

/** The files that a task wrote, each a part with its address; none where it wrote none. */
export const filesArtifact = (
  taskId: string,
  files: readonly OfferedFile[],
  addressOf: (path: string) => string,
): Artifact[] =>
  files.length === 0
    ? []
    : [
        Artifact.fromJSON({
          artifactId: `${taskId}-files`,
          name: 'files',
          parts: files.map(({ name, mediaType, url }) => ({ url: addressOf(url), filename: name, mediaType })),
        }),
      ];

const statusMessage = (turn: TurnView): Message | undefined => {
  const { status, output, question, options, approval } = turn;
  if (output === null || status === 'answered') return undefined;
  return replyOf(turn, question === null ? undefined : { question, options, approval });
};

/** The reply to a command, which belongs to no task. */
export const commandReply = (turn: TurnView): Message => replyOf({ ...turn, task_id: null });

/** A task's messages before its last reply; `turns` come newest first. Returns at most the last `length` messages. */
export const historyOf = (turns: readonly TurnView[], length = Number.POSITIVE_INFINITY): Message[] => {
  const messages = turns.toReversed().flatMap((turn) => {
    const said = messageOf(`${turn.id}-input`, turn, turn.input, { role: 'ROLE_USER' });
    return turn === turns[0] || turn.output === null ? [said] : [said, replyOf(turn)];
  });
  return messages.slice(Math.max(0, messages.length - length));
};

/**
 * A task, with the reply of its last finished turn unless it is running. `turn` is null where none is known; `since` is
 * when the task entered its state.
 */
export const taskOf = (task: TaskView, contextId: string, turn: TurnView | null, since: string | null): Task => {
  const { id, goal, plan, step_count, step_limit, pause_reason } = task;
  const state = stateOf(task);
  const settled = state === TaskState.TASK_STATE_WORKING ? null : turn;
  return {
    id,
    contextId,
    status: {
      state,
      message: settled === null ? undefined : statusMessage(settled),
      timestamp: since ?? undefined,
    },
    artifacts: settled?.status === 'answered' ? [answerArtifact(settled)] : [],
    history: [],
    metadata: { goal, plan, step_count, step_limit, pause_reason },
  };
};

/** A task's state alone, as a stream reports it. */
export const statusUpdate = (
  task: TaskView,
  contextId: string,
  { message, timestamp }: { message?: Message | undefined; timestamp?: string | null } = {},
): StreamResponse => {
  const { id: taskId, step_count, step_limit } = task;
  const status = { state: stateOf(task), timestamp, message: message && Message.toJSON(message) };
  return StreamResponse.fromJSON({
    statusUpdate: { taskId, contextId, status, metadata: { step_count, step_limit } },
  });
};

/**
 * Renders a turn as A2A streams it: the task, progress, the answer and the final state; a command is one message.
 * `isKnown`: the stream has already shown the task. `filesOf` gives what its task wrote.
 */
export const turnResponses = (
  begun: TurnView,
  filesOf: (turn: TurnView) => Promise<Artifact[]>,
  isKnown = false,
): TurnRenderer<StreamResponse> => {
  const { id, session_id: contextId } = begun;
  let task: TaskView | null = null;
  let lines = 0;
  let hasPieces = false;
  /** The end of the answer, after the pieces that were shown while it was written. */
  let rest = '';

  const artifactUpdate = (turn: TurnView, append: boolean, lastChunk: boolean): StreamResponse => {
    const taskId = turn.task_id ?? '';
    const artifact = answerArtifact(turn);
    return {
      payload: {
        $case: 'artifactUpdate',
        value: { taskId, contextId, artifact, append, lastChunk, metadata: undefined },
      },
    };
  };

  /** A piece of the answer, appended to those before it. */
  const written = (text: string, append = hasPieces): StreamResponse => {
    hasPieces = true;
    return artifactUpdate({ ...begun, task_id: task?.id ?? begun.task_id, output: text }, append, false);
  };

  const takeBack = (): StreamResponse[] => {
    const empty = written('', false);
    hasPieces = false;
    return [empty];
  };

  return {
    task: (now) => {
      const isFirst = task === null;
      task = now;
      if (!isFirst) return [];
      if (isKnown) return [statusUpdate(now, contextId)];
      return [{ payload: { $case: 'task', value: taskOf(now, contextId, null, begun.created_at) } }];
    },
    reasoning: {
      delta: (line) => {
        // Its settled state is sent at the end, with the reply.
        if (task === null || stateOf(task) !== TaskState.TASK_STATE_WORKING) return [];
        lines += 1;
        const message = messageOf(`${id}-${lines}`, { ...begun, task_id: task.id }, line.slice(0, -1));
        return [statusUpdate(task, contextId, { message })];
      },
    },
    text: {
      delta: (text, finished) => {
        if (finished === null) return [written(text)];
        rest = text;
        return [];
      },
      retract: takeBack,
    },
    end: async ({ turn }) => {
      if (turn.task === null) return [{ payload: { $case: 'message', value: commandReply(turn) } }];
      const { status, finished_at: timestamp } = turn;
      const value = taskOf(turn.task, contextId, turn, timestamp);
      const shown: StreamResponse[] = task === null && !isKnown ? [{ payload: { $case: 'task', value } }] : [];
      if (status === 'answered') shown.push(artifactUpdate({ ...turn, output: rest }, hasPieces, true));
      else if (hasPieces) shown.push(...takeBack());
      const taskId = turn.task.id;
      for (const artifact of await filesOf(turn)) {
        const value = { taskId, contextId, artifact, append: false, lastChunk: true, metadata: undefined };
        shown.push({ payload: { $case: 'artifactUpdate', value } });
      }
      return [...shown, statusUpdate(turn.task, contextId, { message: statusMessage(turn), timestamp })];
    },
  };
};
