import { z } from 'zod';
import { TaskView } from '../../contracts/http.ts';
import type { Door, DoorParts } from './door.ts';
import { problems } from './responses.ts';

/** `GET /v1/tasks/{task_id}` and its cancellation (SPEC 11). An id of any form is asked for: a malformed one is unknown. */
export const addTaskRoutes = (app: Door, { engine }: DoorParts): void => {
  const params = z.object({ task_id: z.string() });
  const response = { 200: TaskView, ...problems };

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
