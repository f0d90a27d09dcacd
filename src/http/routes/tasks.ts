import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { PlanPatch, TurnRequest, WaitingState, WaitingTask } from '../../../contracts/http.ts';
import { SessionId } from '../../../contracts/ids.ts';
import { ForkPreview, TaskView, TurnView } from '../../../contracts/turn-view.ts';
import { bindLog, bindTurn } from '../server/request-log.ts';
import type { RouteParts } from './port.ts';
import { routesOf, seqParam } from './schemas.ts';

const WaitingStates = z
  .string()
  .regex(/^(awaiting_user|paused)(,(awaiting_user|paused))?$/, 'must be awaiting_user, paused, or both with a comma')
  .transform((states) => states.split(',') as WaitingState[])
  .optional()
  .meta({ description: 'Only tasks in these states; without it, in both.' });

/** The body of `POST /v1/tasks/{task_id}/fork`; without one, the whole history continues in a session with a generated name. */
const ForkBody = z.strictObject({
  at: z.number().int().optional().meta({ description: 'Seq of the last entry that the fork has; default: the last' }),
  input: TurnRequest.shape.input.optional(),
  session_id: SessionId.optional(),
});

type Parts = Pick<RouteParts, 'engine' | 'traceOf'>;

/** `GET /v1/tasks`, `GET /v1/tasks/{task_id}`, its cancellation, the edits of its plan and its forks (SPEC 11). */
export const addTaskRoutes = (app: FastifyInstance, parts: Parts): void => {
  const { engine } = parts;
  const { route, list } = routesOf(app, 'tasks');

  list('/v1/tasks', 'listWaitingTasks', {
    summary: 'What waits for you over all sessions, longest first',
    description:
      'Each with its session and its question: send the answer, or "continue" to a paused task, as a turn of that session.',
    items: { tasks: WaitingTask },
    query: { state: WaitingStates },
    isTagged: true,
    read: ({ owner, query }, page) => engine.waiting(owner, query.state ?? WaitingState.options, page),
  });

  route('GET /v1/tasks/:task_id', 'getTask', {
    summary: 'A task',
    description: 'Its plan, its budget and how it stands; the items that ended in earlier plans come first.',
    returns: TaskView,
    handle: ({ owner, params }) => engine.task(owner, params.task_id),
  });

  route('PATCH /v1/tasks/:task_id/plan', 'editTaskPlan', {
    summary: 'Edit the plan of a task that waits or is paused',
    description:
      'The edits are made one after the other, all of them or none; indexes count from 0 in the `plan` of the task. Items that ' +
      'ended in an earlier plan can not be edited. When the task goes on, what is left is planned anew. 409 while it runs, ' +
      'before it has a plan, and when it has ended; 400 for an edit that can not be made.',
    body: PlanPatch,
    returns: TaskView,
    handle: ({ owner, params, body }) => engine.editPlan(owner, params.task_id, body.edits),
  });

  route('POST /v1/tasks/:task_id/cancel', 'cancelTask', {
    summary: 'Cancel a task that has not ended',
    description:
      'What it is doing is stopped, and counts for nothing when it ends later. 409 where the task has ended.',
    body: z.strictObject({}).nullish(),
    returns: TaskView,
    handle: ({ owner, params }) => engine.cancel(owner, params.task_id),
  });

  route('GET /v1/tasks/:task_id/fork', 'previewFork', {
    summary: 'What a fork of a task would recall, do again and leave behind',
    description:
      'Makes none. `writes` says which of the tools change something: what the original did after `at` is not undone, and the fork may do ' +
      'it again. 409 where the task has ended at `at`.',
    query: z.strictObject({ at: seqParam('Seq of the last entry that the fork would have; default: the last') }),
    returns: ForkPreview,
    handle: ({ owner, params, query }) => engine.previewFork(owner, params.task_id, query.at),
  });

  route('POST /v1/tasks/:task_id/fork', 'forkTask', {
    summary: 'Go on from any entry of a task, in a new session',
    description:
      "The new session starts with a `session.forked` entry and the task's history up to `at`; what was answered there is not " +
      'asked again, and what was open is performed anew. `input` is the answer where the task waits, "continue" where it is ' +
      'paused, a steer where it runs. 201 with the turn that the fork will answer: follow the events of its session, or ask ' +
      'for it at `Location`. 409 where the task has ended.',
    body: ForkBody.nullish(),
    status: 201,
    returns: TurnView,
    handle: async (request, reply) => {
      const { owner, params, body } = request;
      const { at, input, session_id } = body ?? {};
      const turn = await engine.fork(owner, params.task_id, {
        ...(at !== undefined && { at }),
        ...(input !== undefined && { input }),
        ...(session_id !== undefined && { session_id }),
      });
      bindTurn(parts, request, turn);
      bindLog(request, { session_id: turn.session_id });
      reply.header('location', `/v1/turns/${turn.id}`);
      return turn;
    },
  });
};
