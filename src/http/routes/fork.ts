import { z } from 'zod';
import { ForkPreview } from '../../../contracts/fork-preview.ts';
import { TurnRequest } from '../../../contracts/http.ts';
import { SessionId } from '../../../contracts/ids.ts';
import { TurnView } from '../../../contracts/turn-view.ts';
import type { HttpApp, RouteDependencies } from '../http-app.ts';
import { OfTask } from '../params.ts';
import { bindLog } from '../request-log.ts';
import { json, problems } from '../responses.ts';
import { bindTurn } from '../turn-trace.ts';

/** The body of `POST /v1/tasks/{task_id}/fork`; without one, the whole history continues in a session with a generated name. */
const ForkBody = z.strictObject({
  at: z.number().int().optional().meta({ description: 'Seq of the last entry that the fork has; default: the last' }),
  input: TurnRequest.shape.input.optional(),
  session_id: SessionId.optional(),
});

/** The query of `GET /v1/tasks/{task_id}/fork`. */
const ForkQuery = z.strictObject({
  at: z
    .string()
    .regex(/^\d{1,15}$/, 'must be the seq of an entry')
    .transform(Number)
    .optional()
    .meta({
      type: 'integer',
      pattern: undefined,
      description: 'Seq of the last entry that the fork would have; default: the last',
    }),
});

/** `POST /v1/tasks/{task_id}/fork`: a new session that has a task's history and continues from there for real. */
export const addForkRoute = (app: HttpApp, parts: RouteDependencies): void => {
  app.get(
    '/v1/tasks/:task_id/fork',
    {
      schema: {
        operationId: 'previewFork',
        summary: 'What a fork of a task would recall, do again and leave behind',
        description:
          'Makes none. `writes` says which of the tools change something: what the original did after `at` is not undone, and the fork may do ' +
          'it again. 409 where the task has ended at `at`.',
        tags: ['tasks'],
        params: OfTask,
        querystring: ForkQuery,
        response: { 200: json('What the fork would do', ForkPreview), ...problems },
      },
    },
    async ({ owner, params, query }) => parts.engine.previewFork(owner, params.task_id, query.at),
  );

  app.post(
    '/v1/tasks/:task_id/fork',
    {
      schema: {
        operationId: 'forkTask',
        summary: 'Go on from any entry of a task, in a new session',
        description:
          "The new session starts with a `session.forked` entry and the task's history up to `at`; what was answered there is not " +
          'asked again, and what was open is performed anew. `input` is the answer where the task waits, "continue" where it is ' +
          'paused, a steer where it runs. 201 with the turn that the fork will answer: follow the events of its session, or ask ' +
          'for it at `Location`. 409 where the task has ended.',
        tags: ['tasks'],
        params: OfTask,
        body: ForkBody.nullish(),
        response: { 201: json('The turn that the fork will answer', TurnView), ...problems },
      },
    },
    async (request, reply) => {
      const { owner, params, body } = request;
      const { at, input, session_id } = body ?? {};
      const turn = await parts.engine.fork(owner, params.task_id, {
        ...(at !== undefined && { at }),
        ...(input !== undefined && { input }),
        ...(session_id !== undefined && { session_id }),
      });
      bindTurn(parts, request, turn);
      bindLog(request, { session_id: turn.session_id });
      return reply.code(201).header('location', `/v1/turns/${turn.id}`).send(turn);
    },
  );
};
