import { z } from 'zod';
import { isCommand } from '../../../../contracts/text.ts';
import { ServiceError } from '../../../lib/errors.ts';
import { parsed } from '../../server/parsed.ts';
import { reportedProblem } from '../../server/problem.ts';
import { dataMessage } from '../../streams/event-stream.ts';
import type { Submission } from '../conversations.ts';
import type { ProtocolHandlers, ProtocolParts } from '../port.ts';
import { renderTurn } from '../render-turn.ts';
import { invalidRequest, requestKey, sessionNamed, wordsAndFiles } from '../request.ts';
import { runEvents, runRefused, shownQuestion } from './run-events.ts';
import { type NewMessage, newMessage, type ResumeEntry, RunInput, resumedTurn } from './run-input.ts';

type Turn = Omit<Submission, 'session_id'>;

const Query = z.object({ interrupts: z.stringbool('is true or false').optional() });

const keyOf = (...parts: unknown[]): string => requestKey('ag-ui-', parts);

const messageTurn = ({ threadId, runId, forwardedProps }: RunInput, message: NewMessage | null): Turn => {
  if (message === null) throw invalidRequest('The last message is not a user message with text, and "resume" is empty');
  const turn = { ...wordsAndFiles(message.text, message.files), ...forwardedProps };
  return { turn, idempotency_key: keyOf(threadId, runId, message.id) };
};

/**
 * The answer to an interrupt. Deduplicated by the interrupt's id, as some clients resume under the old run's id. A
 * command runs every time.
 */
const answerTurn = ({ threadId }: RunInput, entry: ResumeEntry, message: NewMessage | null): Turn => {
  const turn = resumedTurn(entry, message);
  const { interruptId: answers, status, payload } = entry;
  if (status === 'resolved' && isCommand(turn.input ?? '')) return { turn, answers };
  return { turn, answers, idempotency_key: keyOf(threadId, answers, status, payload, message?.id) };
};

/** Creates AG-UI's handler: the events of a run, from the turn's beginning to its end. */
export const createHandlers = (parts: ProtocolParts): ProtocolHandlers => ({
  run: async (request, reply) => {
    const { conversations, streams } = parts;
    const { owner } = request;
    const input = parsed(RunInput, request.body);
    const isCurrent = input.protocolVersion != null;
    const { interrupts = isCurrent } = parsed(Query, request.query);
    const session_id = sessionNamed(input.threadId);
    const entry = input.resume?.[0];
    const message = newMessage(input);
    const asked = entry === undefined ? messageTurn(input, message) : answerTurn(input, entry, message);
    streams.take(request, reply);
    const { threadId, runId, state } = input;
    const view = { threadId, runId, state, isCurrent, resumed: entry?.interruptId ?? null };
    const openNow = async () => (interrupts ? shownQuestion(parts, owner, session_id) : null);

    const submitted = await conversations
      .submit(request, reply, { ...asked, session_id, isWatched: true })
      .catch((error: unknown) => {
        if (error instanceof ServiceError && error.code === 'QUESTION_NOT_OPEN') return error;
        throw error;
      });
    return streams.send(request, reply, async function* (signal) {
      if (submitted instanceof ServiceError) {
        // A client that gives up a question which is no longer open already has what it wants.
        const problem = entry?.status === 'cancelled' ? null : reportedProblem(submitted, request);
        for (const event of runRefused(view, problem, await openNow())) yield dataMessage(event);
        return;
      }
      const { turn } = submitted;
      const updates = conversations.updates(owner, turn, signal, true);
      const events = renderTurn(updates, runEvents(view, turn.id, openNow), { request, signal });
      for await (const event of events) yield dataMessage(event);
    });
  },
});
