import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { SessionView } from '../../../contracts/http.ts';
import { SessionPatch, SessionQuery } from '../../../contracts/sessions.ts';
import { SessionMessage } from '../../../contracts/stream.ts';
import { TaskView, TurnView } from '../../../contracts/turn-view.ts';
import { ServiceError } from '../../lib/errors.ts';
import type { RouteParts } from './port.ts';
import { EVENT_STREAM, routesOf, seqParam, sequenceOf } from './schemas.ts';

type Parts = Pick<RouteParts, 'engine' | 'streams' | 'metrics'>;

/** `/v1/sessions`, one, its tasks, its turns, and its events, which resume without gap or repeat (SPEC 11). */
export const addSessionRoutes = (app: FastifyInstance, parts: Parts): void => {
  const { engine, metrics, streams } = parts;
  const { route, list } = routesOf(app, 'sessions');

  list('/v1/sessions', 'listSessions', {
    summary: 'Your sessions, the most recently used first',
    description:
      'Each with its active task and the inputs that wait. A page of those that match `q` or `state` may have fewer than `limit`, and not ' +
      'be the last one.',
    items: { sessions: SessionView },
    query: SessionQuery.shape,
    isTagged: true,
    read: ({ owner, query: { q, state } }, page) => engine.sessions(owner, page, { q, state }),
  });

  route('GET /v1/sessions/:session_id', 'getSession', {
    summary: 'A session with its active task and the inputs that wait',
    description: '`last_seq` is where its events have come to; a stream may begin there.',
    returns: SessionView,
    handle: ({ owner, params }) => engine.session(owner, params.session_id),
  });

  route('PATCH /v1/sessions/:session_id', 'renameSession', {
    summary: 'Name a session',
    description: 'With null its title is its first input again. Its events have nothing of it.',
    body: SessionPatch,
    returns: SessionView,
    handle: ({ owner, params, body: { title } }) => engine.rename(owner, params.session_id, title),
  });

  routesOf(app, 'tasks').list('/v1/sessions/:session_id/tasks', 'listSessionTasks', {
    summary: "All of a session's tasks",
    description: 'In the order in which they were opened, those that ended too.',
    items: { tasks: TaskView },
    read: ({ owner, params }, page) => engine.tasks(owner, params.session_id, page),
  });

  routesOf(app, 'turns').list('/v1/sessions/:session_id/turns', 'listSessionTurns', {
    summary: "A session's turns, the newest first",
    description: 'Its inputs and commands, each with the reply to it.',
    items: { turns: TurnView },
    read: ({ owner, params }, page) => engine.turns(owner, params.session_id, page),
  });

  route('DELETE /v1/sessions/:session_id', 'deleteSession', {
    summary: 'Remove a session',
    description:
      'Its history, its turns, its named plans and its folder go with it; todos and schedule stay, for they are yours. Event streams ' +
      'of it end. 409 while a task runs or a turn waits.',
    handle: ({ owner, params }) => engine.remove(owner, params.session_id),
  });

  route('GET /v1/sessions/:session_id/events', 'followSession', {
    options: { exposeHeadRoute: false },
    summary: "A session's events as they happen",
    description:
      'A `trace` message for each trace entry, directly followed by a `state` message `{task_id, state, phase}` if the entry ' +
      "changed its task's state or phase, and by its `progress` messages `{kind, text, task_id}`. Their `id` is the seq of the " +
      'entry; `Last-Event-ID`, or else `after`, resumes behind it. The messages after an entry are the same wherever a stream starts: ' +
      'an earlier state is never repeated. `answer.delta` messages `{task_id, attempt, text}` have what a model writes of the answer that ends its ' +
      'task, as it comes; `answer.retracted` `{task_id, attempt}` says that this is void. They have no `id` and are not resumed.',
    query: z.strictObject({ after: seqParam('Seq of the last event that the reader has; without it, all events.') }),
    schema: {
      headers: z.object({
        'last-event-id': seqParam('The same, as a browser sends it when it connects again; it wins over `after`.'),
      }),
      response: { 200: sequenceOf('The messages', EVENT_STREAM, SessionMessage) },
    },
    handle: async (request, reply) => {
      const { owner, params, query, headers } = request;
      // A browser that connects again repeats its address, so what the header says is the newer.
      const after = Number(headers['last-event-id'] ?? query.after ?? 0);
      const { session_id, last_seq } = await engine.session(owner, params.session_id);
      if (after > last_seq)
        throw new ServiceError(
          'INVALID_REQUEST',
          `Event ${after} is ahead of the session, which has come to ${last_seq}`,
        );
      streams.take(request, reply);
      return streams.send(request, reply, async function* (signal) {
        for await (const item of engine.followLive(owner, session_id, after, signal)) {
          if ('entry' in item) metrics.eventStreamed();
          yield streams.textOf(item);
        }
      });
    },
  });
};
