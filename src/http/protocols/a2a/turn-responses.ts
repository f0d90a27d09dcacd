import { type Message, type StreamResponse, TaskState } from '@a2a-js/sdk';
import type { TaskView, TurnView } from '../../../../contracts/turn-view.ts';
import type { Conversations } from '../port.ts';
import { agentMessage, answerArtifact, commandReply, stateOf, statusMessage, taskOf } from './wire.ts';

/** A turn that a message became, and the context in which its sender knows it. */
export interface SentMessage {
  turn: TurnView;
  contextId: string;
}

type Payload = NonNullable<StreamResponse['payload']>;

const statusUpdate = (
  task: TaskView,
  contextId: string,
  message: Message | undefined,
  timestamp: string | null = null,
): Payload => ({
  $case: 'statusUpdate',
  value: {
    taskId: task.id,
    contextId,
    status: { state: stateOf(task), message, timestamp: timestamp ?? undefined },
    metadata: { step_count: task.step_count, step_limit: task.step_limit },
  },
});

/** The answer, where there is one, and the state that the task settled in. */
const lastPayloads = (task: TaskView, contextId: string, turn: TurnView): Payload[] => {
  const status = statusUpdate(task, contextId, statusMessage(turn, contextId), turn.finished_at);
  if (turn.status !== 'answered') return [status];
  const value = { taskId: task.id, contextId, artifact: answerArtifact(turn), append: false, lastChunk: true };
  return [{ $case: 'artifactUpdate', value: { ...value, metadata: undefined } }, status];
};

async function* payloads(
  conversations: Conversations,
  owner: string,
  { turn, contextId }: SentMessage,
  signal: AbortSignal,
): AsyncGenerator<Payload> {
  let task: TaskView | null = null;
  let lines = 0;
  for await (const update of conversations.updates(owner, turn, signal)) {
    if (update.type === 'task') {
      const isFirst: boolean = task === null;
      task = update.task;
      if (isFirst) yield { $case: 'task', value: taskOf(task, contextId, null) };
    }
    // What it settles in is said at the end, with the reply.
    if (update.type === 'progress' && task !== null && stateOf(task) === TaskState.TASK_STATE_WORKING) {
      lines += 1;
      yield statusUpdate(task, contextId, agentMessage(`${turn.id}-${lines}`, contextId, task.id, update.text));
    }
    if (update.type !== 'finished') continue;
    const last = update.turn;
    if (last.task === null) yield { $case: 'message', value: commandReply(last, contextId) };
    else {
      if (task === null) yield { $case: 'task', value: taskOf(last.task, contextId, last) };
      yield* lastPayloads(last.task, contextId, last);
    }
  }
}

/** What happens in a turn as A2A streams it: the task first, then progress, the answer and the state that it ends in; a command is one message. */
export async function* turnResponses(
  conversations: Conversations,
  owner: string,
  sent: SentMessage,
  signal: AbortSignal,
): AsyncGenerator<StreamResponse, void, undefined> {
  for await (const payload of payloads(conversations, owner, sent, signal)) yield { payload };
}
