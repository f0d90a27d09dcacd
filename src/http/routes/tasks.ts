import { z } from 'zod';
import { PlanPatch, WaitingState, WaitingTask } from '../../../contracts/http.ts';
import { TaskView } from '../../../contracts/turn-view.ts';
import type { HttpApp, RouteDependencies } from '../http-app.ts';
import { nextCursor, Paging, pageOf } from '../paging.ts';
import { OfTask } from '../params.ts';
import { json, problems } from '../responses.ts';

/** The query of `GET /v1/tasks`. */
const WaitingQuery = Paging.extend({
  state: z
    .string()
    .regex(/^(awaiting_user|paused)(,(awaiting_user|paused))?$/, 'must be awaiting_user, paused, or both with a comma')
    .transform((states) => states.split(',') as WaitingState[])
    .optional()
    .meta({ description: 'Only tasks in these states; without it, in both.' }),
});

/** `GET /v1/tasks`, `GET /v1/tasks/{task_id}`, its cancellation and the edits of its plan (SPEC 11). An id of any form is asked for: a malformed one is unknown. */
export const addTaskRoutes = (app: HttpApp, { engine }: RouteDependencies): void => {
  const response = { 200: json('The task', TaskView), ...problems };

  app.get(
    '/v1/tasks',
    {
      schema: {
        operationId: 'listWaitingTasks',
        summary: 'What waits for you over all sessions, longest first',
        description:
          'Each with its session and its question: send the answer, or "continue" to a paused task, as a turn of that session.',
        tags: ['tasks'],
        querystring: WaitingQuery,
        response: {
          200: json('A page of tasks', z.object({ tasks: z.array(WaitingTask), next: nextCursor })),
          ...problems,
        },
      },
    },
    async ({ owner, query }) => {
      const { items, next } = await engine.waiting(owner, query.state ?? WaitingState.options, pageOf(query));
      return { tasks: [...items], next };
    },
  );

  app.get(
    '/v1/tasks/:task_id',
    {
      schema: {
        operationId: 'getTask',
        summary: 'A task',
        description: 'Its plan, its budget and how it stands; the items that ended in earlier plans come first.',
        tags: ['tasks'],
        params: OfTask,
        response,
      },
    },
    async ({ owner, params: { task_id } }) => engine.task(owner, task_id),
  );

  app.patch(
    '/v1/tasks/:task_id/plan',
    {
      schema: {
        operationId: 'editTaskPlan',
        summary: 'Edit the plan of a task that waits or is paused',
        description:
          'The edits are made one after the other, all of them or none; indexes count from 0 in the `plan` of the task. Items that ' +
          'ended in an earlier plan can not be edited. When the task goes on, what is left is planned anew. 409 while it runs, ' +
          'before it has a plan, and when it has ended; 400 for an edit that can not be made.',
        tags: ['tasks'],
        params: OfTask,
        body: PlanPatch,
        response,
      },
    },
    async ({ owner, params: { task_id }, body }) => engine.editPlan(owner, task_id, body.edits),
  );

  app.post(
    '/v1/tasks/:task_id/cancel',
    {
      schema: {
        operationId: 'cancelTask',
        summary: 'Cancel a task that has not ended',
        description:
          'What it is doing is stopped, and counts for nothing when it ends later. 409 where the task has ended.',
        tags: ['tasks'],
        params: OfTask,
        body: z.strictObject({}).nullish(),
        response,
      },
    },
    async ({ owner, params: { task_id } }) => engine.cancel(owner, task_id),
  );
};
