import { isDeepStrictEqual } from 'node:util';
import type { UIMessageChunk } from 'ai';
import type { TaskView, TurnView } from '../../../../contracts/turn-view.ts';
import { questionId } from '../../../projections/question-id.ts';
import type { ConversationUpdate } from '../port.ts';

/** A turn that belongs to a message. */
export interface MessageTurn {
  turn: TurnView;
  /** The question in the same message that it answers; null where it begins the message, or answers nothing in it. */
  answers: string | null;
  /** The page has not got that answer in its message yet. */
  isAnswerShown: boolean;
}

/** The plan as its data part has it. */
const planOf = ({ id, goal, state, phase, plan, current_plan_index }: TaskView) => ({
  task_id: id,
  goal,
  state,
  phase,
  items: plan,
  current_index: current_plan_index,
});

/** The budget as its data part has it. */
const budgetOf = ({ step_count, step_limit, successful_steps, failed_steps, usage, cost }: TaskView) => ({
  steps: step_count,
  limit: step_limit,
  successful: successful_steps,
  failed: failed_steps,
  usage,
  ...(cost !== undefined && { cost }),
});

/** What is asked at the end of a turn: an action that waits for approval, or a tool call that the page answers. */
const askingChunks = (toolCallId: string, { question, options, approval }: TurnView): UIMessageChunk[] =>
  approval === null
    ? [{ type: 'tool-input-available', toolCallId, toolName: 'ask_user', input: { question, options: options ?? [] } }]
    : [
        {
          type: 'tool-input-available',
          toolCallId,
          toolName: approval.tool,
          input: approval.input,
          dynamic: true,
          providerExecuted: true,
        },
        { type: 'tool-approval-request', approvalId: toolCallId, toolCallId },
      ];

/**
 * One turn as one step of a message: progress as reasoning, the plan and the budget as data parts that are updated in place, tool
 * calls, the reply as text, and behind it what it asks. Gives the finished turn.
 */
export async function* turnChunks(
  updates: AsyncIterable<ConversationUpdate>,
  { turn: { id }, answers, isAnswerShown }: MessageTurn,
): AsyncGenerator<UIMessageChunk, TurnView | null> {
  /** Open tool calls by the effect's id; an approved one is shown in the part that asked for its approval. */
  const calls = new Map<string, string>();
  const sent = new Map<string, object>();
  let approved: string | null = null;
  let task: TaskView | null = null;
  let lines = 0;
  let reasoning: string | null = null;

  const endReasoning = function* (): Generator<UIMessageChunk> {
    if (reasoning !== null) yield { type: 'reasoning-end', id: reasoning };
    reasoning = null;
  };

  /** A data part, where it differs from what was sent last. */
  const dataChunks = (name: 'plan' | 'budget', taskId: string, data: object): UIMessageChunk[] => {
    // Compared and not written: texts that did not change are the same ones, however long they are.
    if (isDeepStrictEqual(sent.get(name), data)) return [];
    sent.set(name, data);
    return [{ type: `data-${name}`, id: taskId, data }];
  };

  const beginCall = function* (callId: string, toolName: string, input: string): Generator<UIMessageChunk> {
    yield* endReasoning();
    calls.set(callId, approved ?? callId);
    if (approved === null)
      yield {
        type: 'tool-input-available',
        toolCallId: callId,
        toolName,
        input,
        dynamic: true,
        providerExecuted: true,
      };
    approved = null;
  };

  yield { type: 'start-step' };
  for await (const update of updates) {
    switch (update.type) {
      case 'answer':
        if (answers !== null && isAnswerShown)
          yield { type: 'tool-output-available', toolCallId: answers, output: update.text };
        break;
      case 'decision': {
        if (answers === null) break;
        const { type, reason } = update.decision;
        const isApproved = type !== 'reject';
        if (isAnswerShown)
          yield {
            type: 'tool-approval-response',
            approvalId: answers,
            approved: isApproved,
            ...(reason !== undefined && { reason }),
          };
        if (isApproved) approved = answers;
        else yield { type: 'tool-output-denied', toolCallId: answers };
        break;
      }
      case 'progress':
        if (reasoning === null) {
          reasoning = `${id}.progress.${lines}`;
          yield { type: 'reasoning-start', id: reasoning };
        }
        lines += 1;
        yield { type: 'reasoning-delta', id: reasoning, delta: `${update.text}\n` };
        break;
      case 'task':
        task = update.task;
        yield* dataChunks('plan', task.id, planOf(task));
        yield* dataChunks('budget', task.id, budgetOf(task));
        break;
      case 'tool_call':
        yield* beginCall(update.call_id, update.tool, update.input);
        break;
      case 'tool_result': {
        const { call_id, tool, input, ok, result } = update;
        if (!calls.has(call_id)) yield* beginCall(call_id, tool, input);
        const toolCallId = calls.get(call_id)!;
        calls.delete(call_id);
        const of = { toolCallId, dynamic: true, providerExecuted: true };
        yield ok
          ? { type: 'tool-output-available', ...of, output: result }
          : { type: 'tool-output-error', ...of, errorText: result };
        break;
      }
      case 'finished': {
        const { turn } = update;
        const output = turn.output ?? '';
        yield* endReasoning();
        for (const toolCallId of calls.values())
          yield { type: 'tool-output-error', toolCallId, errorText: output, dynamic: true, providerExecuted: true };
        const part = { id: `${id}.reply` };
        yield { type: 'text-start', ...part };
        yield { type: 'text-delta', ...part, delta: output };
        yield { type: 'text-end', ...part };
        const asker = task ?? turn.task;
        const asked = turn.status === 'asking' && asker !== null ? questionId(asker) : null;
        if (asked !== null) yield* askingChunks(asked, turn);
        yield { type: 'finish-step' };
        return turn;
      }
      default:
        return update satisfies never;
    }
  }
  return null;
}
