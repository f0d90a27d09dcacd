import { z } from 'zod';
import { TaskView, WaitingState, WaitingTask } from '../../contracts/http.ts';
import type { HttpApp, RouteDependencies } from './http-app.ts';
import { nextCursor, Paging, pageOf } from './paging.ts';
import { problems } from './responses.ts';

/** The query of `GET /v1/tasks`. */
const WaitingQuery = Paging.extend({
  state: z
    .string()
    .regex(/^(awaiting_user|paused)(,(awaiting_user|paused))?$/, 'must be awaiting_user, paused, or both with a comma')
    .transform((states) => states.split(',') as WaitingState[])
    .optional()
    .meta({ description: 'Only tasks in these states; without it, in both.' }),
});

/** `GET /v1/tasks`, `GET /v1/tasks/{task_id}` and its cancellation (SPEC 11). An id of any form is asked for: a malformed one is unknown. */
export const addTaskRoutes = (app: HttpApp, { engine }: RouteDependencies): void => {
  const params = z.object({ task_id: z.string() });
  const response = { 200: TaskView, ...problems };

  app.get(
    '/v1/tasks',
    {
      schema: {
        summary: 'What waits for you over all sessions, longest first',
        description:
          'Each with its session and its question: send the answer, or "continue" to a paused task, as a turn of that session.',
        tags: ['tasks'],
        querystring: WaitingQuery,
        response: { 200: z.object({ tasks: z.array(WaitingTask), next: nextCursor }), ...problems },
      },
    },
    async ({ owner, query }) => {
      const { items, next } = await engine.waiting(owner, query.state ?? WaitingState.options, pageOf(query));
      return { tasks: [...items], next };
    },
  );

  app.get(
    '/v1/tasks/:task_id',
    { schema: { summary: 'A task', tags: ['tasks'], params, response } },
    async ({ owner, params: { task_id } }) => engine.task(owner, task_id),
  );

  app.post(
    '/v1/tasks/:task_id/cancel',
    {
      schema: {
        summary: 'Cancel a task that has not ended',
        tags: ['tasks'],
        params,
        body: z.strictObject({}).nullish(),
        response,
      },
    },
    async ({ owner, params: { task_id } }) => engine.cancel(owner, task_id),
  );
};
