import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { TurnRequest, type TurnView } from '../../../../contracts/http.ts';
import { messages } from '../../../../contracts/messages/messages.ts';
import { ServiceError } from '../../../errors.ts';
import type { Conversations } from '../port.ts';
import type { Answer, ChatRequest } from './chat-request.ts';
import { openQuestion, questionIdOf, taskOfQuestion } from './question-id.ts';
import { answerKey, turnKey } from './turn-key.ts';

/** A page's reason of a yes that means "and ask no more for this tool", in each language. */
const ALWAYS: readonly string[] = [messages('en').questions.approvedAlways, messages('zh').questions.approvedAlways];

/** What becomes of an answer in a page's message. */
export type Answered =
  | { type: 'taken'; turn: TurnView; answer: Answer }
  /** Its question is not open any more. */
  | { type: 'late'; taskId: string };

/** Errors by which an answer turns out to be late only when it is submitted. */
const LATE: ReadonlySet<string> = new Set(['IDEMPOTENCY_KEY_REUSED', 'NO_APPROVAL_PENDING', 'TASK_RUNNING']);

const checked = (turn: unknown): TurnRequest => {
  const result = TurnRequest.safeParse(turn);
  if (!result.success) throw new ServiceError('INVALID_REQUEST', z.prettifyError(result.error));
  return result.data;
};

const turnOf = (answer: Answer): object => {
  if (answer.type === 'output') {
    const { output } = answer;
    // An answer never waits in the queue: there it would open a task of its own.
    return { input: typeof output === 'string' ? output : (JSON.stringify(output) ?? ''), on_busy: 'reject' };
  }
  const reason = answer.reason?.trim() ?? '';
  if (answer.isApproved && ALWAYS.includes(reason.toLowerCase())) return { decision: { type: 'approve_always' } };
  return { decision: { type: answer.isApproved ? 'approve' : 'reject', ...(reason !== '' && { reason }) } };
};

/** Submits what a page posts, once for each message and each question, however often it is posted. */
export const createSubmitChat = (conversations: Conversations) => {
  const submit = async (
    request: FastifyRequest,
    reply: FastifyReply,
    session_id: string,
    turn: object,
    key: string | null,
  ): Promise<TurnView> => {
    const { input = '', ...more } = checked(turn);
    const idempotency_key = key === null ? {} : { idempotency_key: key };
    return (await conversations.submit(request, reply, { session_id, input, ...more, ...idempotency_key })).turn;
  };

  return {
    /** The turn of a user's text. To say it again shows its turn again while that runs or asks, and else opens a new one. */
    text: async (
      request: FastifyRequest,
      reply: FastifyReply,
      session: string,
      { text, isAgain, messageIds }: Extract<ChatRequest['said'], { type: 'text' }>,
      more: object,
    ): Promise<TurnView> => {
      const turn = { input: text, ...more };
      let key = messageIds.length === 0 ? null : turnKey('text', session, text, ...messageIds);
      if (!isAgain || key === null) return submit(request, reply, session, turn, key);
      const open = await openQuestion(conversations, request.owner, session);
      for (let count = 0; ; count++) {
        const known = await conversations.turnByKey(request.owner, key);
        if (known === null) {
          if (count > 0 && open !== null)
            throw new ServiceError(
              'EVENT_NOT_ACCEPTED',
              'A question is open in this conversation: answer it, or send /cancel, before an earlier message is answered again',
            );
          return submit(request, reply, session, turn, key);
        }
        const isAsking = known.status === 'asking' && known.task !== null && questionIdOf(known.task) === open;
        if (known.finished_at === null || isAsking) return known;
        key = turnKey('again', key, known.id);
      }
    },

    /** Takes the answer to the open question, or one that was taken before; any other is late, and is not submitted. */
    answer: async (
      request: FastifyRequest,
      reply: FastifyReply,
      session: string,
      answers: readonly [Answer, ...Answer[]],
    ): Promise<Answered> => {
      const open = await openQuestion(conversations, request.owner, session);
      const answer = answers.find(({ questionId }) => questionId === open) ?? answers[0];
      const { questionId } = answer;
      const key = answerKey(session, questionId);
      const taskId = taskOfQuestion(questionId) ?? '';
      const late = { type: 'late', taskId } as const;
      if (questionId !== open) {
        await conversations.task(request.owner, taskId);
        if ((await conversations.turnByKey(request.owner, key)) === null) return late;
      }
      try {
        return { type: 'taken', turn: await submit(request, reply, session, turnOf(answer), key), answer };
      } catch (error) {
        if (error instanceof ServiceError && LATE.has(error.code)) return late;
        throw error;
      }
    },
  };
};
