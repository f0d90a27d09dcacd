import type { FastifyReply, FastifyRequest } from 'fastify';
import type { TurnRequest } from '../../../../contracts/http.ts';
import { messages } from '../../../../contracts/messages/messages.ts';
import { isCommand, languageOf } from '../../../../contracts/text.ts';
import type { TaskView, TurnView } from '../../../../contracts/turn-view.ts';
import { ServiceError } from '../../../lib/errors.ts';
import { questionId } from '../../../projections/question.ts';
import type { Conversations } from '../port.ts';
import { invalidRequest, requestKey } from '../request.ts';
import type { Answer, ChatRequest } from './chat-request.ts';

/** A page's reason of a yes that means "and ask no more for this tool", in each language. */
const ALWAYS: readonly string[] = [messages('en').questions.approvedAlways, messages('zh').questions.approvedAlways];

/** Errors of an answer to a question that is not open, or that was answered otherwise. */
const LATE: ReadonlySet<string> = new Set(['QUESTION_NOT_OPEN', 'IDEMPOTENCY_KEY_REUSED']);

/** How often one message may be said again: each time looks for all times before it. */
const AGAIN_MAX = 500;

const turnKey = (...parts: readonly string[]): string => requestKey('ai-sdk/', parts);

/** The idempotency key of the answer to a question: a question has one. */
export const answerKey = (sessionId: string, questionId: string): string => turnKey('answer', sessionId, questionId);

/** The task that asked a question; null for an id that no question has. */
const taskOfQuestion = (id: string): string | null => /^(?:question|approval)-(task_\w+)-\d+$/.exec(id)?.[1] ?? null;

const turnOf = (answer: Answer): Pick<TurnRequest, 'input' | 'decision'> => {
  if (answer.type === 'output') {
    const { output } = answer;
    return { input: typeof output === 'string' ? output : (JSON.stringify(output) ?? '') };
  }
  const reason = answer.reason?.trim() ?? '';
  if (answer.isApproved && ALWAYS.includes(reason.toLowerCase())) return { decision: { type: 'approve_always' } };
  return { decision: { type: answer.isApproved ? 'approve' : 'reject', ...(reason !== '' && { reason }) } };
};

/** Submits what a page posts, once for each message and each question, however often it is posted. */
export const createSubmitChat = ({ submit, turnByKey, openQuestion, task }: Conversations) => ({
  /** The turn of a user's text. To say it again shows its turn again while that runs or asks, and else opens a new one. */
  text: async (
    request: FastifyRequest,
    reply: FastifyReply,
    session_id: string,
    { text, isAgain, messageIds }: Extract<ChatRequest['said'], { type: 'text' }>,
    more: ChatRequest['more'],
  ): Promise<TurnView> => {
    const submission = { session_id, turn: { input: text, ...more } };
    if (messageIds.length === 0) return (await submit(request, reply, submission)).turn;
    let idempotency_key = turnKey('text', session_id, text, ...messageIds);
    const open = isAgain ? await openQuestion(request.owner, session_id) : null;
    for (let count = 0; isAgain; count++) {
      const known = await turnByKey(request.owner, idempotency_key);
      if (known === null) {
        if (count === 0 || open === null) break;
        throw new ServiceError('EVENT_NOT_ACCEPTED', messages(languageOf(open.task.goal)).questions.answerFirst);
      }
      const isAsking = open !== null && known.task !== null && questionId(known.task) === open.id;
      if (known.finished_at === null || isAsking) return known;
      if (count === AGAIN_MAX) throw invalidRequest('This message was answered too often; send it as a new one');
      idempotency_key = turnKey('again', idempotency_key, known.id);
    }
    return (await submit(request, reply, { ...submission, idempotency_key })).turn;
  },

  /** The turn of an answer; where its question is not open any more, the task that asked it. */
  answer: async (
    request: FastifyRequest,
    reply: FastifyReply,
    session_id: string,
    answer: Answer,
  ): Promise<{ turn: TurnView } | { askedBy: TaskView }> => {
    const { questionId: answers } = answer;
    const turn = turnOf(answer);
    // A command answers nothing: the question keeps its own key.
    const command = isCommand(turn.input ?? '') ? turn.input : undefined;
    const idempotency_key =
      command === undefined ? answerKey(session_id, answers) : turnKey('command', session_id, answers, command);
    try {
      return await submit(request, reply, { session_id, turn, answers, idempotency_key });
    } catch (error) {
      const taskId = taskOfQuestion(answers);
      if (taskId === null || !(error instanceof ServiceError && LATE.has(error.code))) throw error;
      return { askedBy: await task(request.owner, taskId) };
    }
  },
});
