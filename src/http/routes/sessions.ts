import { z } from 'zod';
import { ListedSessionView, SessionView } from '../../../contracts/http.ts';
import { SessionMessage } from '../../../contracts/stream.ts';
import { TaskView, TurnView } from '../../../contracts/turn-view.ts';
import { ServiceError } from '../../lib/errors.ts';
import type { HttpApp, RouteDependencies } from '../http-app.ts';
import { writeEntry } from '../streams/event-stream.ts';
import { narrated } from '../streams/turn-stream.ts';
import {
  EVENT_STREAM,
  InSession,
  json,
  nothing,
  operations,
  Paging,
  page,
  pageOf,
  pageReply,
  seqParam,
  sequenceOf,
} from './schemas.ts';

const described = operations('sessions');

/** `/v1/sessions`, one, its tasks, its turns, and its events, which resume without gap or repeat (SPEC 11). */
export const addSessionRoutes = (app: HttpApp, parts: RouteDependencies): void => {
  const { engine, streams } = parts;
  app.get(
    '/v1/sessions',
    described('listSessions', 'Your sessions, the most recently used first', {
      description: 'Each with its active task and the inputs that wait.',
      querystring: Paging,
      response: { 200: page('sessions', ListedSessionView) },
    }),
    async ({ owner, query }) => pageReply('sessions', await engine.sessions(owner, pageOf(query))),
  );

  app.get(
    '/v1/sessions/:session_id',
    described('getSession', 'A session with its active task and the inputs that wait', {
      description: '`last_seq` is where its events have come to; a stream may begin there.',
      params: InSession,
      response: { 200: json('The session', SessionView) },
    }),
    async ({ owner, params: { session_id } }) => engine.session(owner, session_id),
  );

  app.get(
    '/v1/sessions/:session_id/tasks',
    operations('tasks')('listSessionTasks', "All of a session's tasks", {
      description: 'In the order in which they were opened, those that ended too.',
      params: InSession,
      querystring: Paging,
      response: { 200: page('tasks', TaskView) },
    }),
    async ({ owner, params: { session_id }, query }) =>
      pageReply('tasks', await engine.tasks(owner, session_id, pageOf(query))),
  );

  app.get(
    '/v1/sessions/:session_id/turns',
    operations('turns')('listSessionTurns', "A session's turns, the newest first", {
      description: 'Its inputs and commands, each with the reply to it.',
      params: InSession,
      querystring: Paging,
      response: { 200: page('turns', TurnView) },
    }),
    async ({ owner, params: { session_id }, query }) =>
      pageReply('turns', await engine.turns(owner, session_id, pageOf(query))),
  );

  app.delete(
    '/v1/sessions/:session_id',
    described('deleteSession', 'Remove a session', {
      description:
        'Its history, its turns, its named plans and its folder go with it; todos and schedule stay, for they are yours. Event streams ' +
        'of it end. 409 while a task runs or a turn waits.',
      params: InSession,
      response: { 204: nothing('The session is removed') },
    }),
    async ({ owner, params: { session_id } }, reply) => {
      await engine.remove(owner, session_id);
      return reply.code(204).send(null);
    },
  );

  app.get(
    '/v1/sessions/:session_id/events',
    described('followSession', "A session's events as they happen", {
      description:
        'A `trace` message for each trace entry, directly followed by a `state` message `{task_id, state, phase}` if the entry ' +
        "changed its task's state or phase, and by its `progress` messages `{kind, text, task_id}`. Their `id` is the seq of the " +
        'entry; `Last-Event-ID`, or else `after`, resumes behind it. The messages after an entry are the same wherever a stream starts: ' +
        'an earlier state is never repeated.',
      params: InSession,
      querystring: z.strictObject({
        after: seqParam('Seq of the last event that the reader has; without it, all events.'),
      }),
      headers: z.object({
        'last-event-id': seqParam('The same, as a browser sends it when it connects again; it wins over `after`.'),
      }),
      response: { 200: sequenceOf('The messages', EVENT_STREAM, SessionMessage) },
    }),
    async (request, reply) => {
      const { owner, params, query, headers } = request;
      // A browser that connects again repeats its address, so what the header says is the newer.
      const after = headers['last-event-id'] ?? query.after ?? 0;
      const { session_id, last_seq } = await engine.session(owner, params.session_id);
      if (after > last_seq)
        throw new ServiceError(
          'INVALID_REQUEST',
          `Event ${after} is ahead of the session, which has come to ${last_seq}`,
        );
      streams.take(request, reply);
      return streams.send(request, reply, async function* (signal) {
        const entries = engine.follow(owner, session_id, after, signal);
        for await (const { entry, narration } of narrated(parts, owner, entries)) yield writeEntry(entry, narration);
      });
    },
  );
};
