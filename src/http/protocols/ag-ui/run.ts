import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import { isCommand } from '../../../../contracts/slash-command.ts';
import { ServiceError } from '../../../lib/errors.ts';
import { reportedProblem } from '../../error-handler.ts';
import { sendEventStream } from '../../event-stream.ts';
import { checkTurn } from '../check-turn.ts';
import type { Conversations, ProtocolHandler, ProtocolParts } from '../port.ts';
import { requestKey } from '../request-key.ts';
import { sessionNamed } from '../session-name.ts';
import { type AgUiEvent, writeEvent } from './event.ts';
import { resumedTurn, shownQuestion } from './interrupts.ts';
import { createRunEvents, type Dialect } from './run-events.ts';
import { newMessage, type ResumeEntry, type RunInput, readRunInput } from './run-input.ts';

type Turn = Omit<Parameters<Conversations['submit']>[2], 'session_id'>;

const Query = z.object({ interrupts: z.stringbool().optional() });

const dialectOf = ({ query }: FastifyRequest, { protocolVersion }: RunInput): Dialect => {
  const { success, data } = Query.safeParse(query);
  if (!success) throw new ServiceError('INVALID_REQUEST', 'The query parameter "interrupts" is true or false');
  const isCurrent = protocolVersion != null;
  return { isCurrent, interrupts: data.interrupts ?? isCurrent };
};

const keyOf = (...parts: unknown[]): string => requestKey('ag-ui-', parts);

type NewMessage = ReturnType<typeof newMessage>;

const messageTurn = ({ threadId, runId }: RunInput, message: NewMessage): Turn => {
  if (message === null)
    throw new ServiceError(
      'INVALID_REQUEST',
      'The newest message is none of the user with text, and "resume" is empty',
    );
  return { ...checkTurn({ input: message.text }), idempotency_key: keyOf(threadId, runId, message.id) };
};

/**
 * The answer to an interrupt. It may be sent again, and counts once: not by its run's id, for there are clients that resume under the
 * id of the run that was interrupted. A command is none, and runs each time.
 */
const answerTurn = ({ threadId }: RunInput, entry: ResumeEntry, message: NewMessage): Turn => {
  const turn = checkTurn(resumedTurn(entry, message?.text ?? null));
  const { interruptId: answers, status, payload } = entry;
  if (status === 'resolved' && isCommand(turn.input)) return { ...turn, answers };
  return { ...turn, answers, idempotency_key: keyOf(threadId, answers, status, payload, message?.id) };
};

/** Answers `POST /agui`: the run's events, from its turn's beginning to its end. */
export const createRun = ({ conversations, limits, streams }: ProtocolParts): ProtocolHandler => {
  return async (request, reply) => {
    const { owner } = request;
    const input = readRunInput(request.body);
    const { threadId, runId, state } = input;
    const dialect = dialectOf(request, input);
    const session_id = sessionNamed(threadId);
    const waitsFor = () => shownQuestion(conversations, owner, session_id);

    /** The entry that counts: a run asks one thing, and clients may name what others asked. */
    const entryOf = async ([first, ...more]: readonly ResumeEntry[]): Promise<ResumeEntry | undefined> => {
      if (more.length === 0) return first;
      const open = await waitsFor();
      return more.find(({ interruptId }) => interruptId === open?.id) ?? first;
    };

    const entry = await entryOf(input.resume ?? []);
    const message = newMessage(input);
    const asked = entry === undefined ? messageTurn(input, message) : answerTurn(input, entry, message);
    streams.take(request, reply);
    const view = { threadId, runId, dialect, state, resumed: entry?.interruptId ?? null };

    const submitted = await conversations.submit(request, reply, { ...asked, session_id }).catch((error: unknown) => {
      if (error instanceof ServiceError && error.code === 'QUESTION_NOT_OPEN') return error;
      throw error;
    });

    async function* late(problem: ServiceError): AsyncGenerator<AgUiEvent[]> {
      const events = createRunEvents({ ...view, turnId: '' });
      yield events.start();
      const open = dialect.interrupts ? await waitsFor() : null;
      // Who gives a question up that is not open gets what they want.
      yield events.refuse(entry?.status === 'cancelled' ? null : reportedProblem(problem, request), open);
    }

    async function* shown({ turn }: Exclude<typeof submitted, Error>, signal: AbortSignal) {
      const events = createRunEvents({ ...view, turnId: turn.id });
      yield events.start();
      try {
        for await (const update of conversations.updates(owner, turn, signal))
          if (update.type !== 'finished') yield events.update(update);
          else yield events.finish(update.turn, dialect.interrupts ? await waitsFor() : null);
      } catch (error) {
        if (signal.aborted) throw error;
        yield events.fail(reportedProblem(error as Error, request));
      }
    }

    return sendEventStream(request, reply, limits, async function* (signal) {
      const run = submitted instanceof ServiceError ? late(submitted) : shown(submitted, signal);
      for await (const events of run) if (events.length > 0) yield events.map(writeEvent).join('');
    });
  };
};
