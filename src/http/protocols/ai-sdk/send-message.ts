import type { UIMessageChunk } from 'ai';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { TurnStatus, TurnView } from '../../../../contracts/turn-view.ts';
import { sendEventStream } from '../../event-stream.ts';
import type { ProtocolParts } from '../port.ts';
import { renderTurn } from '../render-turn.ts';
import { type MessageTurn, messageTurn } from './message-turn.ts';

type FinishReason = NonNullable<Extract<UIMessageChunk, { type: 'finish' }>['finishReason']>;

const finishReasons: Partial<Record<TurnStatus, FinishReason>> = {
  answered: 'stop',
  ran: 'stop',
  asking: 'tool-calls',
  failed: 'error',
};

/** The metadata of a turn's message: what a page gets beside the reply. */
const metadataOf = ({ id, session_id, task_id, status, task }: TurnView) => ({
  turn_id: id,
  session_id,
  task_id,
  status,
  usage: task?.usage ?? null,
  ...(task?.cost !== undefined && { cost: task.cost }),
});

/** The end of a message: a cancelled one is aborted. */
const endChunks = (turn: TurnView): UIMessageChunk[] => {
  const messageMetadata = metadataOf(turn);
  return turn.status === 'cancelled'
    ? [
        { type: 'message-metadata', messageMetadata },
        { type: 'abort', reason: turn.status },
      ]
    : [{ type: 'finish', finishReason: finishReasons[turn.status] ?? 'other', messageMetadata }];
};

/** Streams chunks as the AI SDK's client reads them. */
const sendChunks = (
  request: FastifyRequest,
  reply: FastifyReply,
  { limits }: Pick<ProtocolParts, 'limits'>,
  chunks: (signal: AbortSignal) => AsyncIterable<UIMessageChunk>,
): FastifyReply => {
  reply.header('x-vercel-ai-ui-message-stream', 'v1');
  return sendEventStream(request, reply, limits, async function* (signal) {
    for await (const chunk of chunks(signal)) yield `data: ${JSON.stringify(chunk)}\n\n`;
    yield 'data: [DONE]\n\n';
  });
};

/** Streams a message from its beginning: its turns one after the other, the last of which may be running. */
export const sendMessage = (
  request: FastifyRequest,
  reply: FastifyReply,
  parts: Pick<ProtocolParts, 'conversations' | 'limits'>,
  messageId: string,
  turns: readonly MessageTurn[],
): FastifyReply =>
  sendChunks(request, reply, parts, async function* (signal) {
    const { id: turn_id, session_id, task_id } = turns.at(-1)!.turn;
    yield { type: 'start', messageId, messageMetadata: { turn_id, session_id, task_id, status: 'running' } };
    let finished: TurnView | null = null;
    for (const shown of turns) {
      const updates = parts.conversations.updates(request.owner, shown.turn, signal);
      finished = yield* renderTurn(updates, messageTurn(shown), { request, signal });
      if (finished === null) return;
    }
    if (finished !== null) yield* endChunks(finished);
  });

/** Goes on with a message by a note: a step that no answered call is in, so that the page does not send the answer again. */
export const sendNote = (
  request: FastifyRequest,
  reply: FastifyReply,
  parts: Pick<ProtocolParts, 'limits'>,
  messageId: string | undefined,
  text: string,
): FastifyReply =>
  sendChunks(request, reply, parts, async function* () {
    const id = 'note';
    yield { type: 'start', ...(messageId !== undefined && { messageId }) };
    yield { type: 'start-step' };
    yield { type: 'text-start', id };
    yield { type: 'text-delta', id, delta: text };
    yield { type: 'text-end', id };
    yield { type: 'finish-step' };
    yield { type: 'finish', finishReason: 'other' };
  });
