import type { UIMessageChunk } from 'ai';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { TaskView, TurnStatus, TurnView } from '../../../../contracts/turn-view.ts';
import { asksApproval, questionId } from '../../../projections/question.ts';
import { dataMessage } from '../../streams/event-stream.ts';
import type { ProtocolParts } from '../port.ts';
import { renderTurn, type TurnRenderer } from '../render-turn.ts';

export interface MessageTurn {
  turn: TurnView;
  /** The question in the same message that it answers; null where it begins the message or answers nothing in it. */
  answers: string | null;
}

const planOf = ({ id: task_id, goal, state, phase, plan: items, current_plan_index: current_index }: TaskView) => ({
  task_id,
  goal,
  state,
  phase,
  items,
  current_index,
});

const budgetOf = ({ step_count, step_limit, successful_steps, failed_steps, usage, cost }: TaskView) => ({
  steps: step_count,
  limit: step_limit,
  successful: successful_steps,
  failed: failed_steps,
  usage,
  ...(cost !== undefined && { cost }),
});

/** Marks calls of the service's own tools, whose names and inputs the page does not know. */
const OWN = { dynamic: true, providerExecuted: true };

/** The question at the end of a turn: an action that waits for approval, or a tool call that the page answers. */
const askingChunks = (
  toolCallId: string,
  { question, options, approval, tool_question }: TurnView,
): UIMessageChunk[] =>
  approval === null
    ? [
        {
          type: 'tool-input-available',
          toolCallId,
          toolName: 'ask_user',
          input: { question, options: options ?? [], ...(tool_question && { tool_question }) },
        },
      ]
    : [
        {
          type: 'tool-input-available',
          toolCallId,
          toolName: approval.tool,
          input: approval.input,
          ...(approval.summary !== undefined && { title: approval.summary }),
          ...OWN,
        },
        { type: 'tool-approval-request', approvalId: toolCallId, toolCallId },
      ];

/**
 * Renders one turn as one step of a message: progress as reasoning, plan and budget as data parts, tool calls, the
 * reply, and its question.
 */
const messageTurn = ({ turn: { id }, answers }: MessageTurn): TurnRenderer<UIMessageChunk> => {
  let task: TaskView | null = null;
  const reasoningId = (key: number): string => `${id}.progress.${key}`;
  /** A shown answer that was retracted stays a part of its own. */
  let replies = 0;
  const reply = () => ({ id: replies === 1 ? `${id}.reply` : `${id}.reply.${replies}` });

  return {
    begin: () => [{ type: 'start-step' }],
    task: (now) => {
      task = now;
      return [
        { type: 'data-plan', id: now.id, data: planOf(now) },
        { type: 'data-budget', id: now.id, data: budgetOf(now) },
      ];
    },
    answered: (answer) => {
      if (answers === null) return [];
      if (answer.type === 'answer')
        return [{ type: 'tool-output-available', toolCallId: answers, output: answer.text }];
      const { type, reason } = answer.decision;
      const said = { approved: type !== 'reject', ...(reason !== undefined && { reason }) };
      return [{ type: 'tool-approval-response', approvalId: answers, ...said }];
    },
    reasoning: {
      open: (key) => [{ type: 'reasoning-start', id: reasoningId(key) }],
      delta: (delta, key) => [{ type: 'reasoning-delta', id: reasoningId(key), delta }],
      close: (_, key) => [{ type: 'reasoning-end', id: reasoningId(key) }],
    },
    call: {
      open: ({ call_id: toolCallId, tool: toolName, input }) => [
        { type: 'tool-input-available', toolCallId, toolName, input, ...OWN },
      ],
      close: (toolCallId, { ok, result, isDenied = false }) => {
        if (isDenied) return [{ type: 'tool-output-denied', toolCallId }];
        return ok
          ? [{ type: 'tool-output-available', toolCallId, output: result, ...OWN }]
          : [{ type: 'tool-output-error', toolCallId, errorText: result, ...OWN }];
      },
    },
    asked: answers !== null && asksApproval(answers) ? answers : null,
    text: {
      open: () => {
        replies += 1;
        return [{ type: 'text-start', ...reply() }];
      },
      delta: (delta) => [{ type: 'text-delta', ...reply(), delta }],
      close: () => [{ type: 'text-end', ...reply() }],
    },
    end: ({ turn, files }) => {
      // The task as it was when the turn ended. When a turn is shown again, its task is the current one.
      const asker = task ?? turn.task;
      const asked = turn.status === 'asking' && asker !== null ? questionId(asker) : null;
      return [
        ...files.map(({ url, mediaType }) => ({ type: 'file' as const, url, mediaType })),
        ...(turn.answer === undefined ? [] : [{ type: 'data-answer' as const, id: turn.id, data: turn.answer }]),
        ...(asked === null ? [] : askingChunks(asked, turn)),
        { type: 'finish-step' },
      ];
    },
    fail: ({ detail }, _, closing) => [...closing, { type: 'finish-step' }, { type: 'error', errorText: detail }],
  };
};

type FinishReason = NonNullable<Extract<UIMessageChunk, { type: 'finish' }>['finishReason']>;

const finishReasons: Partial<Record<TurnStatus, FinishReason>> = {
  answered: 'stop',
  ran: 'stop',
  asking: 'tool-calls',
  failed: 'error',
};

const metadataOf = ({ id, session_id, task_id, status, task }: TurnView) => ({
  turn_id: id,
  session_id,
  task_id,
  status,
  usage: task?.usage ?? null,
  ...(task?.cost !== undefined && { cost: task.cost }),
});

const endChunks = (turn: TurnView): UIMessageChunk[] => {
  const messageMetadata = metadataOf(turn);
  return turn.status === 'cancelled'
    ? [
        { type: 'message-metadata', messageMetadata },
        { type: 'abort', reason: turn.status },
      ]
    : [{ type: 'finish', finishReason: finishReasons[turn.status] ?? 'other', messageMetadata }];
};

/** Streams a message from its beginning: its turns one after the other, the last of which may still be running. */
export const sendMessage = (
  request: FastifyRequest,
  reply: FastifyReply,
  { conversations, streams }: ProtocolParts,
  messageId: string,
  turns: readonly MessageTurn[],
): FastifyReply => {
  async function* chunks(signal: AbortSignal): AsyncGenerator<UIMessageChunk> {
    const { id: turn_id, session_id, task_id } = turns.at(-1)!.turn;
    yield { type: 'start', messageId, messageMetadata: { turn_id, session_id, task_id, status: 'running' } };
    let finished: TurnView | null = null;
    for (const shown of turns) {
      const updates = conversations.updates(request.owner, shown.turn, signal, true);
      finished = yield* renderTurn(updates, messageTurn(shown), { request, signal });
      if (finished === null) return;
    }
    if (finished !== null) yield* endChunks(finished);
  }
  reply.header('x-vercel-ai-ui-message-stream', 'v1');
  return streams.send(request, reply, async function* (signal) {
    for await (const chunk of chunks(signal)) yield dataMessage(chunk);
    yield 'data: [DONE]\n\n';
  });
};
