import type { UIMessageChunk } from 'ai';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { TurnStatus, TurnView } from '../../../../contracts/turn-view.ts';
import { reportedProblem } from '../../error-handler.ts';
import { sendEventStream } from '../../event-stream.ts';
import type { ProtocolParts } from '../port.ts';
import { type MessageTurn, turnChunks } from './turn-chunks.ts';

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

/** How a message ends: a cancelled one is aborted. */
const endChunks = (turn: TurnView): UIMessageChunk[] => {
  const messageMetadata = metadataOf(turn);
  return turn.status === 'cancelled'
    ? [
        { type: 'message-metadata', messageMetadata },
        { type: 'abort', reason: turn.status },
      ]
    : [{ type: 'finish', finishReason: finishReasons[turn.status] ?? 'other', messageMetadata }];
};

/** Streams chunks as the AI SDK's client reads them. An error in the middle is the last chunk. */
export const sendChunks = (
  request: FastifyRequest,
  reply: FastifyReply,
  { limits }: Pick<ProtocolParts, 'limits'>,
  chunks: (signal: AbortSignal) => AsyncIterable<UIMessageChunk>,
): FastifyReply => {
  const frame = (chunk: UIMessageChunk): string => `data: ${JSON.stringify(chunk)}\n\n`;
  async function* frames(signal: AbortSignal): AsyncGenerator<string> {
    try {
      for await (const chunk of chunks(signal)) yield frame(chunk);
    } catch (error) {
      if (signal.aborted) throw error;
      yield frame({ type: 'error', errorText: reportedProblem(error as Error, request).detail });
    }
    yield 'data: [DONE]\n\n';
  }
  reply.header('x-vercel-ai-ui-message-stream', 'v1');
  return sendEventStream(request, reply, limits, frames);
};

/** Streams a message from its beginning: its turns one after the other, the last of which may be running. */
export const sendMessage = (
  request: FastifyRequest,
  reply: FastifyReply,
  parts: ProtocolParts,
  messageId: string,
  turns: readonly MessageTurn[],
): FastifyReply =>
  sendChunks(request, reply, parts, async function* (signal) {
    const { id: turn_id, session_id, task_id } = turns.at(-1)!.turn;
    yield { type: 'start', messageId, messageMetadata: { turn_id, session_id, task_id, status: 'running' } };
    let last: TurnView | null = null;
    for (const shown of turns)
      last = yield* turnChunks(parts.conversations.updates(request.owner, shown.turn, signal), shown);
    if (last !== null) yield* endChunks(last);
  });
