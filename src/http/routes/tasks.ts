import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { PlanPatch, TurnRequest, WaitingState, WaitingTask } from '../../../contracts/http.ts';
import { SessionId } from '../../../contracts/ids.ts';
import { ForkPreview, TaskView, TurnView } from '../../../contracts/turn-view.ts';
import type { SessionsApi } from '../../runtime/port.ts';
import { bindLog, bindTurn } from '../server/request-log.ts';
import type { RouteParts } from './port.ts';
import { routesOf, seqParam } from './schemas.ts';

const WaitingStates = z
  .string()
  .regex(/^(awaiting_user|paused)(,(awaiting_user|paused))?$/, 'must be awaiting_user, paused, or both with a comma')
  .transform((states) => states.split(',') as WaitingState[])
  .optional()
  .meta({ description: 'Only tasks in these states; default: both.' });

/**
 * The body of `POST /v1/tasks/{task_id}/fork`. Without one, the whole history continues in a session with a generated
 * name.
 */
const ForkBody = z.strictObject({
  at: z.number().int().optional().meta({ description: 'Seq of the last entry that the fork has; default: the last' }),
  input: TurnRequest.shape.input.optional(),
  session_id: SessionId.optional(),
});

interface Parts extends Pick<RouteParts, 'traceOf'> {
  engine: Pick<SessionsApi, 'cancel' | 'editPlan' | 'fork' | 'previewFork' | 'task' | 'waiting'>;
}

/** `GET /v1/tasks`, `GET /v1/tasks/{task_id}`, its cancellation, the edits of its plan and its forks (SPEC 11). */
export const addTaskRoutes = (app: FastifyInstance, parts: Parts): void => {
  const { engine } = parts;
  const { route, list } = routesOf(app, 'tasks');

  list('/v1/tasks', 'listWaitingTasks', {
    summary: 'The tasks of all sessions that wait for you, longest waiting first',
    description:
      'Each with its session and its question: send the answer, or "continue" to a paused task, as a turn of that session.',
    items: { tasks: WaitingTask },
    query: { state: WaitingStates },
    isTagged: true,
    read: ({ owner, query }, page) => engine.waiting(owner, query.state ?? WaitingState.options, page),
  });

  route('GET /v1/tasks/:task_id', 'getTask', {
    summary: 'A task',
    description: 'Its plan, budget and state; the items that ended in earlier plans come first.',
    returns: TaskView,
    handle: ({ owner, params }) => engine.task(owner, params.task_id),
  });

  route('PATCH /v1/tasks/:task_id/plan', 'editTaskPlan', {
    summary: 'Edit the plan of a waiting or paused task',
    description:
      'The edits apply in order, all of them or none; indexes count from 0 in the `plan` of the task. Items that ' +
      'ended in an earlier plan cannot be edited. When the task continues, the remaining work is replanned. 409 while it runs, ' +
      'before it has a plan, and after it has ended; 400 for an invalid edit.',
    body: PlanPatch,
    returns: TaskView,
    handle: ({ owner, params, body, by }) => engine.editPlan(owner, params.task_id, body.edits, by),
  });

  route('POST /v1/tasks/:task_id/cancel', 'cancelTask', {
    summary: 'Cancel a task that has not ended',
    description: 'Stops its current work, whose late result is ignored. 409 if the task has ended.',
    body: z.strictObject({}).nullish(),
    returns: TaskView,
    handle: ({ owner, params, by }) => engine.cancel(owner, params.task_id, by),
  });

  route('GET /v1/tasks/:task_id/fork', 'previewFork', {
    summary: 'Preview what a fork of a task would recall, repeat and leave behind',
    description:
      'Does not make the fork. `writes` marks tools that change something: what the original did after `at` is not undone, and the fork may do ' +
      'it again. 409 if the task has ended at `at`.',
    query: z.strictObject({ at: seqParam('Seq of the last entry that the fork would have; default: the last') }),
    returns: ForkPreview,
    handle: ({ owner, params, query }) => engine.previewFork(owner, params.task_id, query.at),
  });

  route('POST /v1/tasks/:task_id/fork', 'forkTask', {
    summary: 'Continue from any entry of a task, in a new session',
    description:
      "The new session starts with a `session.forked` entry and the task's history up to `at`. What was answered there is not " +
      'asked again; what was open is performed anew. `input` is the answer if the task waits, "continue" if it is ' +
      'paused, and a steer if it runs. 201 with the turn that the fork will answer: follow the events of its session, or ask ' +
      'for it at `Location`. 409 if the task has ended.',
    body: ForkBody.nullish(),
    status: 201,
    returns: TurnView,
    handle: async (request, reply) => {
      const { owner, params, body, by, decider } = request;
      const { at, input, session_id } = body ?? {};
      const turn = await engine.fork(owner, params.task_id, {
        by,
        decider,
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
