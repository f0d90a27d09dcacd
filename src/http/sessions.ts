import { z } from 'zod';
import { SessionView, TaskView, TurnView } from '../../contracts/http.ts';
import { SessionId } from '../../contracts/ids.ts';
import type { HttpApp, RouteDependencies } from './http-app.ts';
import { nextCursor, Paging, pageOf } from './paging.ts';
import { problems } from './responses.ts';

/** `GET /v1/sessions`, `GET` and `DELETE /v1/sessions/{session_id}`, its tasks and its turns (SPEC 11). */
export const addSessionRoutes = (app: HttpApp, { engine }: RouteDependencies): void => {
  const params = z.object({ session_id: SessionId });

  app.get(
    '/v1/sessions',
    {
      schema: {
        summary: 'Your sessions, the most recently used first',
        tags: ['sessions'],
        querystring: Paging,
        response: { 200: z.object({ sessions: z.array(SessionView), next: nextCursor }), ...problems },
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
        summary: 'A session with its active task and the inputs that wait',
        tags: ['sessions'],
        params,
        response: { 200: SessionView, ...problems },
      },
    },
    async ({ owner, params: { session_id } }) => engine.session(owner, session_id),
  );

  app.get(
    '/v1/sessions/:session_id/tasks',
    {
      schema: {
        summary: "All of a session's tasks",
        tags: ['tasks'],
        params,
        querystring: Paging,
        response: { 200: z.object({ tasks: z.array(TaskView), next: nextCursor }), ...problems },
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
        summary: "A session's turns, the newest first",
        tags: ['turns'],
        params,
        querystring: Paging,
        response: { 200: z.object({ turns: z.array(TurnView), next: nextCursor }), ...problems },
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
        summary: 'Remove a session',
        description:
          'Its history, its turns, its named plans and its folder go with it; todos and schedule stay, for they are yours. Event streams ' +
          'of it end. 409 while a task runs or a turn waits.',
        tags: ['sessions'],
        params,
        response: { 204: z.null(), ...problems },
      },
    },
    async ({ owner, params: { session_id } }, reply) => {
      await engine.remove(owner, session_id);
      return reply.code(204).send(null);
    },
  );
};
