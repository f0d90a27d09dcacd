import { z } from 'zod';
import { ListedSessionView, SessionView } from '../../../contracts/http.ts';
import { SessionMessage } from '../../../contracts/stream.ts';
import { TaskView, TurnView } from '../../../contracts/turn-view.ts';
import { ServiceError } from '../../lib/errors.ts';
import type { HttpApp, RouteDependencies } from '../http-app.ts';
import { sendEventStream, writeEntry } from '../streams/event-stream.ts';
import { narratedEntries } from '../streams/turn-stream.ts';
import { EVENT_STREAM, InSession, json, nextCursor, nothing, Paging, pageOf, problems, sequenceOf } from './schemas.ts';

/** `GET /v1/sessions`, `GET` and `DELETE /v1/sessions/{session_id}`, its tasks and its turns (SPEC 11). */
export const addSessionRoutes = (app: HttpApp, { engine }: RouteDependencies): void => {
  app.get(
    '/v1/sessions',
    {
      schema: {
        operationId: 'listSessions',
        summary: 'Your sessions, the most recently used first',
        description: 'Each with its active task and the inputs that wait.',
        tags: ['sessions'],
        querystring: Paging,
        response: {
          200: json('A page of sessions', z.object({ sessions: z.array(ListedSessionView), next: nextCursor })),
          ...problems,
        },
      },
      // Each view was checked as it was read: checking 500 of them again takes as long as all of their SQL.
      serializerCompiler: () => JSON.stringify,
    },
    async ({ owner, query }) => {
      const { items, next } = await engine.sessions(owner, pageOf(query));
      return { sessions: [...items], next };
    },
  );

  app.get(
    '/v1/sessions/:session_id',
    {
      schema: {
        operationId: 'getSession',
        summary: 'A session with its active task and the inputs that wait',
        description: '`last_seq` is where its events have come to; a stream may begin there.',
        tags: ['sessions'],
        params: InSession,
        response: { 200: json('The session', SessionView), ...problems },
      },
    },
    async ({ owner, params: { session_id } }) => engine.session(owner, session_id),
  );

  app.get(
    '/v1/sessions/:session_id/tasks',
    {
      schema: {
        operationId: 'listSessionTasks',
        summary: "All of a session's tasks",
        description: 'In the order in which they were opened, those that ended too.',
        tags: ['tasks'],
        params: InSession,
        querystring: Paging,
        response: {
          200: json('A page of tasks', z.object({ tasks: z.array(TaskView), next: nextCursor })),
          ...problems,
        },
      },
    },
    async ({ owner, params: { session_id }, query }) => {
      const { items, next } = await engine.tasks(owner, session_id, pageOf(query));
      return { tasks: [...items], next };
    },
  );

  app.get(
    '/v1/sessions/:session_id/turns',
    {
      schema: {
        operationId: 'listSessionTurns',
        summary: "A session's turns, the newest first",
        description: 'Its inputs and commands, each with the reply to it.',
        tags: ['turns'],
        params: InSession,
        querystring: Paging,
        response: {
          200: json('A page of turns', z.object({ turns: z.array(TurnView), next: nextCursor })),
          ...problems,
        },
      },
    },
    async ({ owner, params: { session_id }, query }) => {
      const { items, next } = await engine.turns(owner, session_id, pageOf(query));
      return { turns: [...items], next };
    },
  );

  app.delete(
    '/v1/sessions/:session_id',
    {
      schema: {
        operationId: 'deleteSession',
        summary: 'Remove a session',
        description:
          'Its history, its turns, its named plans and its folder go with it; todos and schedule stay, for they are yours. Event streams ' +
          'of it end. 409 while a task runs or a turn waits.',
        tags: ['sessions'],
        params: InSession,
        response: { 204: nothing('The session is removed'), ...problems },
      },
    },
    async ({ owner, params: { session_id } }, reply) => {
      await engine.remove(owner, session_id);
      return reply.code(204).send(null);
    },
  );
};

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
