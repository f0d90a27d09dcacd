import { z } from 'zod';
import { ModelCall, ModelCallSummary } from '../../../contracts/model-call.ts';
import type { HttpApp, RouteDependencies } from '../http-app.ts';
import { nextCursor, Paging, pageOf } from '../paging.ts';
import { OfTask } from '../params.ts';
import { json, problems } from '../responses.ts';

const OfEffect = OfTask.extend({
  effect_id: z.string().meta({ description: 'The id of the effect, as its trace entry has it.' }),
});

const KEPT =
  'Calls are kept for TRIPACT_KEEP_PROMPTS days, beside the trace and not in it, and written a moment after they end. ';

/** `GET /v1/tasks/{task_id}/calls` and `…/{effect_id}`: what models were sent and answered, while it is kept (SPEC 11). */
export const addCallRoutes = (app: HttpApp, { engine }: RouteDependencies): void => {
  app.get(
    '/v1/tasks/:task_id/calls',
    {
      schema: {
        operationId: 'listModelCalls',
        summary: 'The model calls of a task',
        description: `${KEPT}In the order in which they ended, without their texts; a call that was made again is there each time.`,
        tags: ['traces'],
        params: OfTask,
        querystring: Paging,
        response: {
          200: json('A page of calls', z.object({ calls: z.array(ModelCallSummary), next: nextCursor })),
          ...problems,
        },
      },
    },
    async ({ owner, params: { task_id }, query }) => {
      const { items, next } = await engine.modelCalls(owner, task_id, pageOf(query));
      return { calls: [...items], next };
    },
  );

  app.get(
    '/v1/tasks/:task_id/calls/:effect_id',
    {
      schema: {
        operationId: 'getModelCalls',
        summary: 'The exact prompt and answer of a model call',
        description:
          `${KEPT}One for each time that the model was asked for this effect, the last one last. None where the effect is no ` +
          'model call, is not over, or its calls are not kept (any more).',
        tags: ['traces'],
        params: OfEffect,
        querystring: Paging,
        response: {
          200: json('A page of calls', z.object({ calls: z.array(ModelCall), next: nextCursor })),
          ...problems,
        },
      },
    },
    async ({ owner, params: { task_id, effect_id }, query }) => {
      const { items, next } = await engine.callsOfEffect(owner, task_id, effect_id, pageOf(query));
      return { calls: [...items], next };
    },
  );
};
