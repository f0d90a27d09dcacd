import { z } from 'zod';
import { ListedSessionView, SessionView } from '../../../contracts/http.ts';
import { TaskView, TurnView } from '../../../contracts/turn-view.ts';
import type { HttpApp, RouteDependencies } from '../http-app.ts';
import { nextCursor, Paging, pageOf } from '../paging.ts';
import { InSession } from '../params.ts';
import { json, nothing, problems } from '../responses.ts';

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
