import { z } from 'zod';
import { SessionMessage } from '../../../contracts/stream.ts';
import { ServiceError } from '../../lib/errors.ts';
import { sendEventStream, writeEntry } from '../streams/event-stream.ts';
import type { HttpApp, RouteDependencies } from '../http-app.ts';
import { narratedEntries } from '../streams/narrated-entries.ts';
import { InSession } from '../params.ts';
import { EVENT_STREAM, problems, sequenceOf } from '../responses.ts';

/** A seq as text: at most 15 digits, so that it is exact as a number. */
const Seq = z
  .string()
  .regex(/^\d{1,15}$/, 'must be the id of an event: a whole number, 0 for the beginning')
  .transform(Number)
  .optional();

/** What a client sees of it: a number. */
const seq = { type: 'integer', minimum: 0, pattern: undefined } as const;

/** The session's messages after a seq: each trace entry with what it has to tell, until `signal` aborts. */
async function* sessionMessages(
  { engine, metrics }: RouteDependencies,
  owner: string,
  sessionId: string,
  after: number,
  signal: AbortSignal,
): AsyncGenerator<string> {
  for await (const { entry, narration } of narratedEntries(engine, owner, sessionId, after, signal)) {
    metrics.eventStreamed();
    yield writeEntry(entry, narration);
  }
}

/** `GET /v1/sessions/{session_id}/events`: server-sent events that resume without gap or repeat (SPEC 11). */
export const addEventRoutes = (app: HttpApp, parts: RouteDependencies): void => {
  app.get(
    '/v1/sessions/:session_id/events',
    {
      schema: {
        operationId: 'followSession',
        summary: "A session's events as they happen",
        description:
          'A `trace` message for each trace entry, directly followed by a `state` message `{task_id, state, phase}` if the entry ' +
          "changed its task's state or phase, and by its `progress` messages `{kind, text, task_id}`. Their `id` is the seq of the " +
          'entry; `Last-Event-ID`, or else `after`, resumes behind it. The messages after an entry are the same wherever a stream starts: ' +
          'an earlier state is never repeated.',
        tags: ['sessions'],
        params: InSession,
        querystring: z.strictObject({
          after: Seq.meta({
            ...seq,
            description: 'Seq of the last event that the reader has; without it, all events.',
          }),
        }),
        headers: z.object({
          'last-event-id': Seq.meta({
            ...seq,
            description: 'The same, as a browser sends it when it connects again; it wins over `after`.',
          }),
        }),
        response: { 200: sequenceOf('The messages', EVENT_STREAM, SessionMessage), ...problems },
      },
    },
    async (request, reply) => {
      const { owner, params, query, headers } = request;
      // A browser that connects again repeats its address, so what the header says is the newer.
      const after = headers['last-event-id'] ?? query.after ?? 0;
      const { session_id, last_seq } = await parts.engine.session(owner, params.session_id);
      if (after > last_seq)
        throw new ServiceError(
          'INVALID_REQUEST',
          `Event ${after} is ahead of the session, which has come to ${last_seq}`,
        );
      if (request.method !== 'HEAD') parts.streams.take(request, reply);
      return sendEventStream(request, reply, parts.limits, (signal) =>
        sessionMessages(parts, owner, session_id, after, signal),
      );
    },
  );
};
