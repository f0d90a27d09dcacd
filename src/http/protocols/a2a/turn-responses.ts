import { type Message, type StreamResponse, TaskState } from '@a2a-js/sdk';
import type { TaskView, TurnView } from '../../../../contracts/turn-view.ts';
import type { TurnRenderer } from '../render-turn.ts';
import { agentMessage, answerArtifact, commandReply, stateOf, statusMessage, taskOf } from './wire.ts';

/**
 * Renders a turn as A2A streams it: the task first, then progress, the answer and the state that it settles in; a command is one message.
 */
export const turnResponses = ({ id }: TurnView, contextId: string): TurnRenderer<StreamResponse> => {
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
        return [statusUpdate(task, agentMessage(`${id}-${lines}`, contextId, task.id, line.slice(0, -1)))];
      },
    },
    end: ({ turn }) => {
      if (turn.task === null) return [{ payload: { $case: 'message', value: commandReply(turn, contextId) } }];
      return [
        ...(task === null ? [taskResponse(turn.task, turn)] : []),
        ...(turn.status === 'answered' ? [artifactUpdate(turn.task.id, turn)] : []),
        statusUpdate(turn.task, statusMessage(turn, contextId), turn.finished_at ?? undefined),
      ];
    },
  };
};
