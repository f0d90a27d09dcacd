import type { FastifyReply, FastifyRequest } from 'fastify';
import type { TurnView } from '../../../../contracts/turn-view.ts';
import type { ProtocolParts } from '../port.ts';
import { createFindSession, namedSession } from './find-session.ts';
import type { Asked } from './messages.ts';

/** A turn that was taken in for a request. */
interface Taken {
  turn: TurnView;
  /** To be called before the reply is sent, so that the next request finds the conversation by it. */
  answered(finished: TurnView): Promise<void>;
}

/** Submits what a request asks in the session where it belongs; `named` is the session that its body names, behind the headers. */
export type SubmitAsked = (
  request: FastifyRequest,
  reply: FastifyReply,
  asked: Asked,
  named: string | null,
) => Promise<Taken>;

/** Makes it for both of OpenAI's APIs. */
export const createSubmitAsked = (parts: Pick<ProtocolParts, 'conversations' | 'now'>): SubmitAsked => {
  const { conversations } = parts;
  const findSession = createFindSession(parts);
  return async (request, reply, { input, earlier }, named) => {
    const place = await findSession(request, { named: namedSession(request) ?? named, input, earlier });
    const { session_id, idempotency_key } = place;
    try {
      const { turn } = await conversations.submit(request, reply, {
        ...{ session_id, input },
        ...(idempotency_key !== null && { idempotency_key }),
      });
      return { turn, answered: ({ output }) => place.answered(output ?? '') };
    } catch (error) {
      await place.refused();
      throw error;
    }
  };
};
