import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { SessionView } from '../../../contracts/http.ts';
import { SessionPatch, SessionQuery } from '../../../contracts/sessions.ts';
import { SessionMessage } from '../../../contracts/stream.ts';
import { TaskView, TurnView } from '../../../contracts/turn-view.ts';
import { ServiceError } from '../../lib/errors.ts';
import type { SessionsApi } from '../../runtime/port.ts';
import type { RouteParts } from './port.ts';
import { EVENT_STREAM, routesOf, seqParam, sequenceOf } from './schemas.ts';

interface Parts extends Pick<RouteParts, 'streams' | 'metrics'> {
  engine: Pick<SessionsApi, 'followLive' | 'remove' | 'rename' | 'session' | 'sessions' | 'tasks' | 'turns'>;
}

/**
 * `/v1/sessions`, a session, its tasks, its turns, and its events, which resume without gaps or repetition (SPEC 11).
 */
export const addSessionRoutes = (app: FastifyInstance, parts: Parts): void => {
  const { engine, metrics, streams } = parts;
  const { route, list } = routesOf(app, 'sessions');

  list('/v1/sessions', 'listSessions', {
    summary: 'Your sessions, the most recently used first',
    description:
      'Each with its active task and its waiting inputs. A page filtered by `q`, `state`, `feedback`, `tool` or `min_cost` may have fewer than `limit` sessions without ' +
      'being the last one.',
    items: { sessions: SessionView },
    query: SessionQuery.shape,
    isTagged: true,
    read: ({ owner, query: { q, state, feedback, tool, min_cost, since } }, page) =>
      engine.sessions(owner, page, { q, state, feedback, tool, min_cost, since }),
  });

  route('GET /v1/sessions/:session_id', 'getSession', {
    summary: 'A session with its active task and its waiting inputs',
    description: '`last_seq` is the seq of its newest event; a stream can start there.',
    returns: SessionView,
    handle: ({ owner, params }) => engine.session(owner, params.session_id),
  });

  route('PATCH /v1/sessions/:session_id', 'renameSession', {
    summary: 'Name a session',
    description: 'null makes the first input the title again. Its events do not contain the title.',
    body: SessionPatch,
    returns: SessionView,
    handle: ({ owner, params, body: { title } }) => engine.rename(owner, params.session_id, title),
  });

  routesOf(app, 'tasks').list('/v1/sessions/:session_id/tasks', 'listSessionTasks', {
    summary: "All of a session's tasks",
    description: 'In the order in which they were opened, including ended ones.',
    items: { tasks: TaskView },
    read: ({ owner, params }, page) => engine.tasks(owner, params.session_id, page),
  });

  routesOf(app, 'turns').list('/v1/sessions/:session_id/turns', 'listSessionTurns', {
    summary: "A session's turns, the newest first",
    description: 'Its inputs and commands, each with its reply.',
    items: { turns: TurnView },
    read: ({ owner, params }, page) => engine.turns(owner, params.session_id, page),
  });

  route('DELETE /v1/sessions/:session_id', 'deleteSession', {
    summary: 'Remove a session',
    description:
      'Removes its history, turns, named plans and folder; todos and schedule stay, because they are yours. Ends its event streams. ' +
      '409 while a task runs or a turn waits.',
    handle: ({ owner, params }) => engine.remove(owner, params.session_id),
  });

  route('GET /v1/sessions/:session_id/events', 'followSession', {
    options: { exposeHeadRoute: false },
    summary: "A session's events as they happen",
    description:
      'A `trace` message for each trace entry, directly followed by a `state` message `{task_id, state, phase}` if the entry ' +
      "changed its task's state or phase, and by its `progress` messages `{kind, text, task_id}`. Their `id` is the seq of the " +
      'entry; `Last-Event-ID`, or else `after`, resumes after it. The messages after an entry are the same wherever a stream starts: ' +
      'an earlier state is never repeated. `answer.delta` messages `{task_id, attempt, text}` contain the answer that ends the task, ' +
      'while the model writes it; `answer.retracted` `{task_id, attempt}` takes it back. They have no `id` and are not resumed.',
    query: z.strictObject({
      after: seqParam('Seq of the last event that the reader has; default: none, so all events are sent.'),
    }),
    schema: {
      headers: z.object({
        'last-event-id': seqParam('The same, as a browser sends it when it reconnects; takes precedence over `after`.'),
      }),
      response: { 200: sequenceOf('The messages', EVENT_STREAM, SessionMessage) },
    },
    handle: async (request, reply) => {
      const { owner, params, query, headers } = request;
      // A browser that reconnects repeats its address, so the header is newer.
      const after = Number(headers['last-event-id'] ?? query.after ?? 0);
      const { session_id, last_seq } = await engine.session(owner, params.session_id);
      if (after > last_seq)
        throw new ServiceError(
          'INVALID_REQUEST',
          `Event ${after} does not exist yet; the newest event of the session is ${last_seq}`,
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
